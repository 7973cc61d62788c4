import Composition
import Dispatch
import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModelsTesting

@Suite("The lifetime of an override", .limitedConcurrency)
struct LifetimeTests {
    /// A screen whose effects start, or continue, long after the scope in which it was made.
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

    @Test("a stream that a timer drives uses the dependencies of its owner")
    func streams() {
        let scheduler = TestScheduler()
        let screen = Self.makeScreen(scheduler)
        let result = scheduler.start { screen.later(on: scheduler) }
        #expect(result.events == [.next(205, "Hi"), .completed(206)])
    }

    @Test("a task that a stream starts uses the dependencies of its owner")
    func tasks() {
        let scheduler = TestScheduler()
        let screen = Self.makeScreen(scheduler)
        let result = scheduler.start { screen.asynchronously() }
        #expect(result.events == [.next(205, "Hi"), .completed(205)])
    }

    @Test("an owner that is made after the scope uses the dependencies that its maker passes on")
    func ownersMadeLater() {
        let screen = Self.makeScreen()
        #expect(screen.row().greeting == "Test")
        #expect(screen.rowWithTheScreensDependencies().greeting == "Hi")
    }

    @Test("an escaping closure uses the dependencies that it captured by `current`")
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

    @Test("captured dependencies can be overridden")
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

    @Test("overrides apply to child tasks, task groups and unstructured tasks, but not to a detached task")
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

    @Test("a Sendable class keeps the dependencies of its scope")
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

    @Test("a thousand concurrent scopes are independent")
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

    @Test("overrides are released with the last owner")
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
