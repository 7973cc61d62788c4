@testable import Composition
import CompositionTesting
import Foundation
import Testing
import TestReporting

@Suite("Missing overrides")
struct MissingOverrideTests {
    @Test(
        "a missing override is reported at its declaration with the key and the remedy, and the read returns the preview value"
    )
    func failsAndGoesOn() {
        var place = ""
        let findings = collectFindings { place = Greeter().place }
        #expect(place == "World")
        #expect(findings.count == 1)
        let message = findings.first?.message ?? ""
        #expect(message.contains("`place` (PlaceKey)"))
        #expect(message.contains(".dependencies { $0.place = … }"))
        #expect(message.contains("withDependencies { $0.place = … }"))
        #expect(message.contains("Greeting.swift:\(Greeter.lineOfPlace)"))
        #expect(findings.first?.fileID == "CompositionTests/Greeting.swift")
        #expect(findings.first?.line == Int(Greeter.lineOfPlace))
    }

    @Test("a missing override is reported once for each declaration that is read, and not for others")
    func readsCount() {
        let messages = reports {
            let greeter = Greeter()
            _ = greeter.greeting
            for _ in 0..<100 { _ = greeter.place }
            _ = DependencyValues.current.place
        }
        #expect(messages.map { $0.position == nil } == [false, true])
    }

    @Test("an update reads the preview value of a missing override without a report")
    func readInOrderToOverride() {
        let messages = reports {
            withDependencies {
                $0.place += "!"
            } operation: {
                #expect(Greeter().place == "World!")
            }
        }
        #expect(messages.isEmpty)
    }

    @Test("a missing override is reported even if an update has read it before")
    func readAfterAnUpdate() {
        let messages = reports {
            withDependencies {
                _ = $0.place
            } operation: {
                #expect(Greeter().place == "World")
            }
        }
        #expect(messages.map(\.property) == ["place"])
    }

    @Test("a missing override that a default value reads is reported")
    func readThroughAnUpdate() {
        let messages = reports {
            withDependencies {
                $0.letter += "!"
            } operation: {
                @Dependency(\.letter) var letter
                #expect(letter == "Test, World!")
            }
        }
        #expect(messages.map(\.property) == ["place"])
    }

    @Test("a missing value from the composition root is reported in a test, and the read returns the placeholder")
    func placeholder() {
        enum Port: DependencyKey {
            static var liveValue: [Int] { fromCompositionRoot(placeholder: [1]) }
        }
        let messages = reports {
            #expect(DependencyValues.current[Port.self] == [1])
            withDependencies {
                $0[Port.self].append(2)
            } operation: {
                #expect(DependencyValues.current[Port.self] == [1, 2])
            }
        }
        #expect(messages.map(\.key) == ["Port"])
        withDependencies {
            $0.context = .preview
        } operation: {
            #expect(DependencyValues.current[Port.self] == [1])
        }
    }

    @Test("a report names only the key without a property, and no declaration without an owner")
    func withoutProperty() {
        let byKey = reports { _ = DependencyValues.current[PlaceKey.self] }
        #expect(byKey.count == 1)
        #expect(byKey.first?.property == nil)
        #expect(byKey.first?.position == nil)
        #expect(byKey.first?.message.contains("withDependencies { $0[PlaceKey.self] = … }") == true)

        let byWrapper = reports {
            @Dependency(PlaceKey.self) var place
            _ = place
        }
        #expect(byWrapper.first?.property == nil)
        #expect(byWrapper.first?.position != nil)
    }

    @Test("a report names the missing override that a default value reads")
    func madeOfOthers() {
        let messages = reports {
            @Dependency(\.letter) var letter
            #expect(letter == "Test, World")
        }
        #expect(messages.map(\.property) == ["place"])
    }

    @Test("a missing override is not reported outside of tests")
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

    @Test("the built-in dependencies are reported if a test does not override them")
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

    #if os(Linux) || os(macOS)
    @Test("without a test kit, a missing override is written to the standard error once")
    func withoutKit() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                withDependencies {
                    $0.missingOverrideReporter = .standardError
                } operation: {
                    for _ in 0..<3 { #expect(Greeter().place == "World") }
                }
            })
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.components(separatedBy: "uses the dependency `place`").count == 2)
        #expect(message.contains("link CompositionTesting"))
    }
    #endif

    private func reports(_ body: () -> Void) -> [MissingOverride] {
        let log = ReportLog()
        withDependencies {
            $0.missingOverrideReporter = MissingOverrideReporter { log.add($0) }
        } operation: {
            body()
        }
        return log.all
    }
}

#if os(Linux) || os(macOS)
import Composition
import Dispatch
import TestConcurrency
import Testing

/// Prepared values apply to a whole process: each test runs in its own.
@Suite("DependencyValues.prepare", .limitedConcurrency)
struct PrepareTests {
    /// Runs `body` as in the product.
    private static func inProduct(_ body: () -> Void) {
        withDependencies {
            $0.context = .live
        } operation: {
            body()
        }
    }

    @Test(
        "prepared values apply to owners that are made later, also on queues and in detached tasks, unless they are overridden"
    )
    func holds() async {
        await #expect(processExitsWith: .success) {
            DependencyValues.prepare {
                $0.greeting = "Prepared"
                $0.place = "\($0.greeting) place"
            }
            let live = withDependencies {
                $0.context = .live
            } operation: {
                DependencyValues.current
            }
            let detached = await Task.detached { withDependencies(from: live) { Greeter() } }.value
            #expect(detached.greeting == "Prepared")
            #expect(detached.place == "Prepared place")
            let queue: String = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: withDependencies(from: live) { Greeter().greeting })
                }
            }
            #expect(queue == "Prepared")
            PrepareTests.inProduct {
                withDependencies {
                    $0.greeting += "!"
                } operation: {
                    #expect(Greeter().greeting == "Prepared!")
                }
            }
        }
    }

    @Test("prepared values provide the dependencies of the composition root")
    func compositionRoot() async {
        await #expect(processExitsWith: .success) {
            enum Port: DependencyKey {
                static var liveValue: Int { fromCompositionRoot(placeholder: 0) }
            }
            DependencyValues.prepare { $0[Port.self] = 42 }
            PrepareTests.inProduct { #expect(DependencyValues.current[Port.self] == 42) }
        }
    }

    @Test("prepared values do not apply in tests")
    func notInTests() async {
        await #expect(processExitsWith: .success) {
            DependencyValues.prepare { $0.greeting = "Prepared" }
            #expect(Greeter().greeting == "Test")
        }
    }

    #if DEBUG
    @Test("preparing twice stops a debug build")
    func twice() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                DependencyValues.prepare { $0.greeting = "Prepared" }
                DependencyValues.prepare { $0.greeting = "Again" }
            })
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("DependencyValues.prepare was called twice"))
    }

    @Test("preparing after a read stops a debug build")
    func late() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                PrepareTests.inProduct { _ = Greeter().greeting }
                DependencyValues.prepare { $0.greeting = "Prepared" }
            })
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("DependencyValues.prepare was called after a dependency was read"))
    }
    #endif
}
#endif

@Suite("The context of a process")
struct ProcessContextTests {
    @Test(
        "the context of a process follows from its program, its environment and its linked test kit",
        arguments: [
            ("/usr/bin/traveline", [:], false, DependencyContext.live),
            ("", [:], false, .live),
            ("/build/debug/travelinePackageTests.xctest", [:], false, .test),
            ("/Xcode/usr/bin/xctest", [:], false, .test),
            ("/Xcode/usr/libexec/swiftpm-testing-helper", [:], false, .test),
            ("/App.app/App", ["XCTestConfigurationFilePath": ""], false, .test),
            ("/App.app/App", ["XCTestBundlePath": "/App.app/PlugIns/AppTests.xctest"], false, .test),
            ("/App.app/App", [:], true, .test),
            ("/App.app/App", ["XCODE_RUNNING_FOR_PREVIEWS": "1"], false, .preview),
            ("/App.app/App", ["XCODE_RUNNING_FOR_PREVIEWS": "0"], false, .live),
        ])
    func isFound(program: String, environment: [String: String], hasTestKit: Bool, context: DependencyContext) {
        #expect(DependencyContext(program: program, environment: environment, hasTestKit: hasTestKit) == context)
    }

    @Test("the context of a process with a linked test kit is a test")
    func here() {
        #expect(TestKit.installed != nil)
        #expect(DependencyContext.ofProcess == .test)
        #expect(DependencyValues.current.context == .test)
    }
}
