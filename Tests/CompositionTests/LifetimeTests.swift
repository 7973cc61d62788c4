import Composition
import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModelsTesting

@Suite("How long an override holds", .takesTurns)
struct LifetimeTests {
    /// A screen whose effects start, or go on, when the scope in which it was made is long left.
    private struct Screen {
        @Dependency(\.greeting) private var greeting
        @Dependency(\.clock) private var clock
        @Dependency(\.self) private var dependencies

        func later(on scheduler: any SchedulerType) -> Observable<String> {
            Observable.just(()).delay(.seconds(5), scheduler: scheduler).map { [self] in greeting }
        }

        func asynchronously() -> Observable<String> {
            Observable.task { [self] in
                try await clock.sleep(for: .seconds(5))
                return greeting
            }
        }

        func row() -> Greeter { Greeter() }
        func rowWithTheScreensDependencies() -> Greeter { withDependencies(from: dependencies) { Greeter() } }
    }

    private static func makeScreen(_ scheduler: TestScheduler = TestScheduler()) -> Screen {
        withDependencies {
            $0.greeting = "Hi"
            $0.useVirtualTime(of: scheduler)
        } operation: {
            Screen()
        }
    }

    @Test("a stream that a timer moves on sees what its owner was given")
    func streams() {
        let scheduler = TestScheduler()
        let screen = Self.makeScreen(scheduler)
        let result = scheduler.start { screen.later(on: scheduler) }
        #expect(result.events == [.next(205, "Hi"), .completed(206)])
    }

    @Test("a task that a stream starts sees what its owner was given")
    func tasks() {
        let scheduler = TestScheduler()
        let screen = Self.makeScreen(scheduler)
        let result = scheduler.start { screen.asynchronously() }
        #expect(result.events == [.next(205, "Hi"), .completed(205)])
    }

    @Test("an owner made by another after the scope sees what its maker was given, if that hands it on")
    func ownersMadeLater() {
        let screen = Self.makeScreen()
        #expect(screen.row().greeting == "Test")
        #expect(screen.rowWithTheScreensDependencies().greeting == "Hi")
    }

    @Test("a closure that escapes takes the dependencies along by `current`")
    func escapingClosures() async {
        let greeting = await withDependencies {
            $0.greeting = "Hi"
        } operation: {
            let dependencies = DependencyValues.current
            return await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let without = Greeter().greeting
                    let with = withDependencies(from: dependencies) { Greeter().greeting }
                    continuation.resume(returning: [without, with])
                }
            }
        }
        #expect(greeting == ["Test", "Hi"])
    }

    @Test("what is taken along can be overridden in its turn")
    func takenAlongAndOverridden() {
        let dependencies = withDependencies {
            $0.greeting = "Hi"
            $0.place = "Busan"
        } operation: {
            DependencyValues.current
        }
        withDependencies(from: dependencies) {
            withDependencies {
                $0.place = "Jeju"
            } operation: {
                #expect(Greeter().greeting == "Hi")
                #expect(Greeter().place == "Jeju")
            }
        }
    }

    @Test("child tasks, task groups and unstructured tasks see the overrides around them; a detached task does not")
    func tasksInherit() async {
        await withDependencies {
            $0.greeting = "Hi"
        } operation: {
            async let child = Greeter().greeting
            let group = await withTaskGroup(of: String.self) { group in
                group.addTask { Greeter().greeting }
                return await group.next()
            }
            let unstructured = await Task { Greeter().greeting }.value
            let detached = await Task.detached { Greeter().greeting }.value
            #expect(await [child, group, unstructured, detached] == ["Hi", "Hi", "Hi", "Test"])
        }
    }

    @Test("a class that is Sendable keeps what it was given as well")
    func sendableClass() {
        final class Owner: Sendable {
            let greeting = Dependency(\.greeting)
        }
        let owner = withDependencies {
            $0.greeting = "Hi"
        } operation: {
            Owner()
        }
        #expect(owner.greeting.wrappedValue == "Hi")
    }

    @Test("a thousand scopes at once do not meet")
    func scopesDoNotMeet() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    await withDependencies {
                        $0.greeting = "\(number)"
                    } operation: {
                        let greeter = Greeter()
                        await Task.yield()
                        return greeter.greeting == "\(number)" && Greeter().greeting == "\(number)"
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("overrides are let go with the last owner")
    func overridesAreReleased() {
        final class Session: Sendable {}
        enum SessionKey: DependencyKey {
            static let liveValue = Session()
        }
        struct Owner {
            @Dependency(SessionKey.self) var session
        }
        weak var session: Session?
        do {
            let made = Session()
            session = made
            let owner = withDependencies {
                $0[SessionKey.self] = made
            } operation: {
                Owner()
            }
            #expect(owner.session === made)
        }
        #expect(session == nil)
    }
}
