import Composition
import Testing
import ViewModelsTesting

@Suite("A test that overrides nothing")
struct MissingOverrideTests {
    @Test("fails at the declaration of what it reads, is told key and remedy, and goes on with the preview's value")
    func failsAndGoesOn() {
        var place = ""
        withKnownIssue {
            place = Greeter().place
        } matching: { issue in
            let message = issue.comments.map(\.rawValue).joined()
            return message.contains("`place` (PlaceKey)") && message.contains(".dependencies { $0.place = … }")
                && message.contains("withDependencies { $0.place = … }")
                && message.contains("Greeting.swift:\(Greeter.lineOfPlace)")
                && issue.sourceLocation?.fileID == "CompositionTests/Greeting.swift"
                && issue.sourceLocation?.line == Int(Greeter.lineOfPlace)
        }
        #expect(place == "World")
    }

    @Test("fails once for each read, and not for what it does not read")
    func readsCount() {
        let messages = reports {
            let greeter = Greeter()
            _ = greeter.greeting
            _ = greeter.place
            _ = greeter.place
        }
        #expect(messages.count == 2)
    }

    @Test("is told the key alone where no property names it, and no place where there is no owner")
    func withoutProperty() {
        let byKey = reports { _ = DependencyValues.current[PlaceKey.self] }
        #expect(byKey.count == 1)
        #expect(byKey.first?.property == nil)
        #expect(byKey.first?.place == nil)
        #expect(byKey.first?.message.contains("withDependencies { $0[PlaceKey.self] = … }") == true)

        let byWrapper = reports {
            @Dependency(PlaceKey.self) var place
            _ = place
        }
        #expect(byWrapper.first?.property == nil)
        #expect(byWrapper.first?.place != nil)
    }

    @Test("is told what a default is made of that it does override not")
    func madeOfOthers() {
        let messages = reports {
            @Dependency(\.letter) var letter
            #expect(letter == "Test, World")
        }
        #expect(messages.map(\.property) == ["place"])
    }

    @Test("does not fail in the other contexts")
    func otherContexts() {
        for context in [DependencyContext.live, .preview] {
            let messages = reports {
                withDependencies {
                    $0.context = context
                } operation: {
                    _ = Greeter().place
                }
            }
            #expect(messages.isEmpty)
        }
    }

    @Test("fails for the date, the calendar, identifiers, the clock and random numbers")
    func builtIns() {
        let messages = reports {
            _ = DependencyValues.current.date
            _ = DependencyValues.current.calendar
            _ = DependencyValues.current.uuid
            _ = DependencyValues.current.clock
            _ = DependencyValues.current.random
        }
        #expect(messages.map(\.property) == ["date", "calendar", "uuid", "clock", "random"])
    }

    private func reports(_ body: () -> Void) -> [MissingOverride] {
        let log = ReportLog()
        withDependencies {
            $0.reportMissingOverride = { log.add($0) }
        } operation: {
            body()
        }
        return log.all
    }
}
