import StreamsTesting
import Synchronization
import TestTurns
import Testing
import TravelDomainTesting

@testable import TravelPresentation

/// A stored session whose answers take 100 ms.
private final class SessionWorld: Sendable {
    let scheduler = TestScheduler(resolution: 0.001)
    private let stored: BehaviorSubject<User?>
    private let state = Mutex((calls: [String](), failing: Set<String>()))

    init(signedIn user: User? = Person.mina) {
        stored = BehaviorSubject(value: user)
    }

    var calls: [String] { state.withLock { $0.calls } }
    func fail(_ calls: String...) { state.withLock { $0.failing = Set(calls) } }
    func store(_ user: User?) { scheduler.perform { stored.onNext(user) } }

    var useCases: SessionFlow.UseCases {
        .init(
            watch: { [self] in
                Observable.task { [self] in try await call("watch") }.flatMap { [stored] in stored }
            },
            signOut: { [self] in
                try await call("sign out")
                stored.onNext(nil)
            },
            withdraw: { [self] in
                try await call("withdraw")
                stored.onNext(nil)
            })
    }

    private func call(_ name: String) async throws {
        state.withLock { $0.calls.append(name) }
        try await scheduler.virtualClock.sleep(for: .milliseconds(100))
        if state.withLock({ $0.failing.contains(name) }) { throw TravelError.busy }
    }
}

@Suite("Session", .takesTurns)
struct SessionFlowTests {
    private let world = SessionWorld()

    private func started(_ world: SessionWorld) -> ScreenRun<SessionFlow> {
        let session = ScreenRun(on: world.scheduler, SessionFlow(world.useCases))
        session.send(.started, for: 150)
        return session
    }

    @Test("the previous session is restored, and until then no person is known")
    func restored() {
        let session = ScreenRun(on: world.scheduler, SessionFlow(world.useCases))
        session.send(.started, .started, for: 50)
        #expect(!session.state.isKnown)
        session.pass(100)
        #expect(session.state.isKnown)
        #expect(session.state.person == Person.mina)
        #expect(world.calls == ["watch"])
    }

    @Test("signing out runs once, however often it is tapped")
    func signOut() {
        let session = started(world)
        session.send(.signOutTapped, .signOutTapped, .withdrawTapped)
        #expect(session.state.working == .signOut)
        #expect(!session.state.asksToWithdraw)
        session.pass(150)
        #expect(session.state.person == nil)
        #expect(session.events == [.notice(.done(.signedOut))])
        session.send(.signOutTapped, .withdrawTapped, for: 150)
        #expect(world.calls == ["watch", "sign out"])
    }

    @Test("withdrawing asks first")
    func withdraw() {
        let session = started(world)
        session.send(.answered(true), .withdrawTapped, .answered(false), .answered(true), for: 150)
        #expect(world.calls == ["watch"])
        session.send(.withdrawTapped)
        #expect(session.state.asksToWithdraw)
        session.send(.answered(true), for: 150)
        #expect(session.state.person == nil)
        #expect(session.events == [.notice(.done(.withdrawn))])
    }

    @Test("a withdrawal that fails keeps the person signed in and says why")
    func failedWithdrawal() {
        world.fail("withdraw")
        let session = started(world)
        session.send(.withdrawTapped, .answered(true), for: 150)
        #expect(session.state.person == Person.mina)
        #expect(session.state.working == nil)
        #expect(session.events == [.notice(.failed(.busy))])
    }

    @Test("the question whether to withdraw goes away with the session")
    func staleQuestion() {
        let session = started(world)
        session.send(.withdrawTapped)
        world.store(nil)
        #expect(!session.state.asksToWithdraw)
    }

    @Test("a session that cannot be read is asked for again every five seconds, and says so once")
    func retries() {
        world.fail("watch")
        let session = started(world)
        #expect(session.state.isKnown)
        #expect(session.state.person == nil)
        session.pass(11_000)
        #expect(world.calls == ["watch", "watch", "watch"])
        #expect(session.events == [.notice(.failed(.busy))])
        world.fail()
        session.pass(6_000)
        #expect(session.state.person == Person.mina)
        #expect(session.state.failure == nil)
    }

    @Test("a change of the session reaches every screen in one step")
    func everyScreen() {
        let scheduler = world.scheduler
        SharingScheduler.mock(scheduler: scheduler) { [world] in
            let store = FlowStore(SessionFlow(world.useCases))
            let person = SessionFlow.person(of: store)
            let home = HomeWorld(scheduler: scheduler, count: 3)
            let screens = (
                home: FlowStore(HomeFlow(home.useCases, person: person)),
                timeline: FlowStore(TimelineFlow(.silent, travel: .init(seed: 1), person: person)),
                coordinator: FlowStore(CoordinatorFlow(OpenScreens([.home, .profile]), person: Person.mina.id))
            )
            scheduler.perform {
                screens.coordinator.bind(person.map { .sessionChanged($0?.id) })
                store.send(.started)
                screens.home.send(.appeared)
                screens.timeline.send(.appeared)
            }
            scheduler.advance(by: .milliseconds(300))
            #expect(screens.home.currentState.person == Person.mina)
            #expect(screens.timeline.currentState.person == Person.mina)

            world.store(nil)
            scheduler.advance(by: .milliseconds(2))
            #expect(screens.home.currentState.person == nil)
            #expect(screens.home.currentState.content == .skeleton)
            #expect(screens.timeline.currentState.person == nil)
            #expect(screens.coordinator.currentState.screens.stack.map(\.screen) == [.home])

            world.store(Person.jun)
            scheduler.advance(by: .milliseconds(2))
            #expect(screens.home.currentState.person == Person.jun)
            #expect(screens.coordinator.currentState.person == Person.jun.id)
            scheduler.perform {
                screens.home.dismiss()
                screens.timeline.dismiss()
                screens.coordinator.dismiss()
                store.dismiss()
            }
        }
    }
}
