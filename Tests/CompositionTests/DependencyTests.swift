import Composition
import Testing

private enum GreetingKey: DependencyKey {
    static let liveValue = "Hello"
    static let previewValue = "Hello there"
    static let testValue: String? = "Test"
}

private enum PlaceKey: DependencyKey {
    static let liveValue = "World"
}

extension DependencyValues {
    fileprivate var greeting: String {
        get { self[GreetingKey.self] }
        set { self[GreetingKey.self] = newValue }
    }

    fileprivate var place: String {
        get { self[PlaceKey.self] }
        set { self[PlaceKey.self] = newValue }
    }
}

private struct Greeter: Sendable {
    @Dependency(\.greeting) var greeting
    @Dependency(\.place) var place
}

@Suite("Dependency values")
struct DependencyTests {
    @Test(
        "each context has its own default",
        arguments: [
            (DependencyContext.live, "Hello"), (.preview, "Hello there"), (.test, "Test"),
        ])
    func contextsDecide(context: DependencyContext, greeting: String) {
        withDependencies {
            $0.context = context
        } operation: {
            #expect(Greeter().greeting == greeting)
        }
    }

    @Test("an override counts inside the operation and in what was made there, and nowhere else")
    func overridesAreScoped() {
        let greeter = withDependencies {
            $0.greeting = "Hi"
        } operation: {
            Greeter()
        }
        #expect(greeter.greeting == "Hi")
        #expect(Greeter().greeting == "Test")
    }

    @Test("an inner override wins, and leaves the others as they are")
    func overridesNest() {
        withDependencies {
            $0.greeting = "Hi"; $0.place = "Busan"
        } operation: {
            withDependencies {
                $0.greeting = "Bye"
            } operation: {
                #expect(Greeter().greeting == "Bye")
                #expect(Greeter().place == "Busan")
            }
        }
    }

    @Test("child tasks see the overrides of their parent")
    func childTasksInherit() async {
        await withDependencies {
            $0.greeting = "Hi"
        } operation: {
            async let greeting = Greeter().greeting
            #expect(await greeting == "Hi")
        }
    }

    @Test("a dependency that a test neither overrides nor has a test value for is reported by name, with the fix")
    func missingOverridesAreReported() {
        let messages = Messages()
        DependencyValues.$missingOverrides.withValue(MissingOverrideReporter { messages.add($0) }) {
            #expect(Greeter().place == "World")
        }
        #expect(messages.all.count == 1)
        #expect(messages.all.first?.contains("PlaceKey") == true)
        #expect(messages.all.first?.contains("withDependencies") == true)
    }
}
