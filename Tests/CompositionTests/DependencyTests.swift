import Composition
import CompositionTesting
import Synchronization
import Testing
import TestConcurrency

@Suite("Dependencies")
struct DependencyTests {
    @Test(
        "each context selects its own default value, and can be set",
        arguments: [(DependencyContext.live, "Hello"), (.preview, "Hello there"), (.test, "Test")])
    func contextsDecide(context: DependencyContext, greeting: String) {
        withDependencies {
            $0.context = context
        } operation: {
            #expect(DependencyValues.current.context == context)
            #expect(Greeter().greeting == greeting)
        }
    }

    @Test("a preview uses the live value, unless the key defines another")
    func previewsAreLive() {
        withDependencies {
            $0.context = .preview
        } operation: {
            #expect(Greeter().place == "World")
        }
    }

    @Test("an override applies to the operation and the owners made there, and nowhere else")
    func overridesAreScoped() {
        let greeter = withDependencies {
            $0.greeting = "Hi"
        } operation: {
            Greeter()
        }
        #expect(greeter.greeting == "Hi")
        #expect(Greeter().greeting == "Test")
    }

    @Test("an owner keeps the dependencies of its scope wherever it is used")
    func ownersKeep() {
        let greeter = withDependencies {
            $0.greeting = "Hi"
        } operation: {
            Greeter()
        }
        withDependencies {
            $0.greeting = "Bye"
        } operation: {
            #expect(greeter.greeting == "Hi")
        }
    }

    @Test("an inner override takes precedence, and leaves the other overrides unchanged")
    func overridesNest() {
        withDependencies {
            $0.greeting = "Hi"
            $0.place = "Busan"
        } operation: {
            withDependencies {
                $0.greeting = "Bye"
            } operation: {
                #expect(Greeter().greeting == "Bye")
                #expect(Greeter().place == "Busan")
            }
            #expect(Greeter().greeting == "Hi")
        }
    }

    @Test("an update reads the current values, and may change them")
    func updatesSeeWhatHolds() {
        withDependencies {
            $0.greeting = "Hi"
        } operation: {
            withDependencies {
                $0.greeting += "!"
            } operation: {
                #expect(Greeter().greeting == "Hi!")
            }
        }
    }

    @Test("an override applies in every context")
    func overridesHoldInEveryContext() {
        for context in [DependencyContext.live, .preview, .test] {
            withDependencies {
                $0.context = context
                $0.place = "Busan"
            } operation: {
                #expect(Greeter().place == "Busan")
            }
        }
    }

    @Test("each of many overrides has its last value")
    func manyOverrides() {
        enum Key<Tag>: DependencyKey {
            static var liveValue: Int { 0 }
        }
        withDependencies {
            $0[Key<Int>.self] = 1
            $0[Key<String>.self] = 2
            $0[Key<Bool>.self] = 3
            $0[Key<String>.self] = 4
        } operation: {
            @Dependency(Key<Int>.self) var one
            @Dependency(Key<String>.self) var four
            @Dependency(Key<Bool>.self) var three
            #expect([one, three, four] == [1, 3, 4])
        }
    }

    @Test("overriding the missing values keeps existing overrides and the context")
    func others() {
        withDependencies {
            $0.context = .live
            $0.greeting = "Hi"
            $0.overrideMissing {
                $0.greeting = "Bye"
                $0.place = "Busan"
            }
        } operation: {
            #expect(Greeter().greeting == "Hi")
            #expect(Greeter().place == "Busan")
            #expect(DependencyValues.current.context == .live)
        }
    }

    @Test("a default value that reads other dependencies uses those of its owner, wherever it is read")
    func defaultsSeeTheOwnersOverrides() {
        struct Owner {
            @Dependency(\.letter) var letter
        }
        for context in [DependencyContext.live, .test] {
            let owner = withDependencies {
                $0.context = context
                $0.greeting = "Dear"
                $0.place = "Jeju"
            } operation: {
                Owner()
            }
            #expect(owner.letter == "Dear, Jeju")
            withDependencies {
                $0.greeting = "Bye"
            } operation: {
                #expect(owner.letter == "Dear, Jeju")
            }
        }
    }

    @Test("a default value is made when it is read, not when the owner is made")
    func defaultsAreLazy() {
        enum Unmakeable: DependencyKey {
            static var liveValue: Int { fromCompositionRoot(placeholder: 0) }
        }
        struct Owner {
            @Dependency(Unmakeable.self) var value
        }
        _ = Owner()
    }

    @Test("the value of the composition root is read in its scope")
    func compositionRoot() {
        enum Port: DependencyKey {
            static var liveValue: Int { fromCompositionRoot(placeholder: 0) }
        }
        withDependencies {
            $0.context = .live
            $0[Port.self] = 42
        } operation: {
            @Dependency(Port.self) var port
            #expect(port == 42)
        }
    }

    #if os(Linux) || os(macOS)
    @Test("reading without a value from the composition root stops the process, naming the key and the remedy")
    func nothingGiven() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                enum Port: DependencyKey {
                    static var liveValue: Int { fromCompositionRoot(placeholder: 0) }
                }
                withDependencies {
                    $0.context = .live
                } operation: {
                    @Dependency(Port.self) var port
                    _ = port
                }
            })
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("The dependency Port has no value of its own"))
        #expect(message.contains("withDependencies { $0[Port.self] = … }"))
    }
    #endif
}

@Suite("withDependencies")
struct WithDependenciesTests {
    private struct Failure: Error {}

    /// Neither `Sendable` nor bound to an actor.
    private final class Page {
        var lines: [String] = []
    }

    @Test("withDependencies rethrows the errors of the operation and of the update")
    func errorsAreThrown() async {
        #expect(throws: Failure.self) {
            try withDependencies {
                $0.greeting = "Hi"
            } operation: {
                throw Failure()
            }
        }
        #expect(throws: Failure.self) {
            try withDependencies { _ in
                throw Failure()
            } operation: {
            }
        }
        await #expect(throws: Failure.self) {
            try await withDependencies {
                $0.greeting = "Hi"
            } operation: {
                await Task.yield()
                throw Failure()
            }
        }
        #expect(Greeter().greeting == "Test")
    }

    @Test("the result of withDependencies need not be Sendable")
    func resultsAreFree() async {
        let page = withDependencies {
            $0.greeting = "Hi"
        } operation: {
            Page()
        }
        page.lines.append("1")
        let other = await withDependencies {
            $0.greeting = "Hi"
        } operation: {
            await Task.yield()
            page.lines.append(Greeter().greeting)
            return page
        }
        #expect(other.lines == ["1", "Hi"])
    }

    @Test("withDependencies runs the operation on the main actor of its caller, without a hop")
    @MainActor
    func mainActor() async {
        let page = Page()
        await withDependencies {
            $0.greeting = "Hi"
        } operation: {
            MainActor.assertIsolated()
            page.lines.append(Greeter().greeting)
            await Task.yield()
            MainActor.assertIsolated()
            page.lines.append(Greeter().greeting)
        }
        #expect(page.lines == ["Hi", "Hi"])
    }

    private actor Store {
        private var lines: [String] = []

        func load() async -> [String] {
            await withDependencies {
                $0.greeting = "Hi"
            } operation: {
                assertIsolated()
                lines.append(Greeter().greeting)
                let dependencies = DependencyValues.current
                await withDependencies(from: dependencies) {
                    assertIsolated()
                    lines.append(Greeter().greeting)
                    await Task.yield()
                }
            }
            return lines
        }
    }

    @Test("withDependencies runs the operation on any actor of its caller, without a hop")
    func otherActors() async {
        #expect(await Store().load() == ["Hi", "Hi"])
    }
}

/// Counts how often its test value is made.
private final class Session: Sendable {
    static let made = Atomic(0)
    let number = Session.made.add(1, ordering: .relaxed).newValue
}

private enum SessionKey: DependencyKey {
    static var liveValue: Session { Session() }
    static var testValue: Session { Session() }
}

private struct Screen {
    @Dependency(SessionKey.self) var session
}

@Suite("The default value of a test", .limitedConcurrency)
struct TestValueTests {
    /// Suites are made for each test and each case: their dependencies are those of the test.
    private let screen = Screen()

    @Test("a default test value is the same for all reads and owners, inside and outside of scopes")
    func isMadeOnce() async {
        let first = screen.session
        #expect(screen.session === first)
        #expect(Screen().session === first)
        withDependencies {
            $0.greeting = "Hi"
        } operation: {
            #expect(Screen().session === first)
        }
        let child = await Task { Screen().session }.value
        #expect(child === first)
    }

    @Test("a default test value differs between tests and cases", arguments: 0..<4)
    func isNotShared(_: Int) {
        let numbers = Self.numbers.withLock { numbers in
            numbers.append(screen.session.number)
            return numbers
        }
        #expect(Set(numbers).count == numbers.count)
    }

    private static let numbers = Mutex<[Int]>([])

    @Test(
        "a default test value differs between tests and cases, with the trait", .dependencies { _ in }, arguments: 0..<4
    )
    func isNotSharedWithTheTrait(_: Int) {
        #expect(Screen().session === screen.session)
        let numbers = Self.numbers.withLock { numbers in
            numbers.append(screen.session.number)
            return numbers
        }
        #expect(Set(numbers).count == numbers.count)
    }

    @Test("a scope may override one member of a default test value")
    func partly() {
        struct Client: Sendable {
            var load = { @Sendable in "test" }
            var save = { @Sendable in "test" }
        }
        enum ClientKey: DependencyKey {
            static var liveValue: Client { fromCompositionRoot(placeholder: Client()) }
            static var testValue: Client { Client() }
        }
        withDependencies {
            $0[ClientKey.self].load = { "mine" }
        } operation: {
            let client = DependencyValues.current[ClientKey.self]
            #expect(client.load() == "mine")
            #expect(client.save() == "test")
        }
    }
}
