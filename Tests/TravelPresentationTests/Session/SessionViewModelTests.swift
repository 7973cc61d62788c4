import Composition
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing
import TravelDomainTesting
import ViewModelsTesting

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

    var viewModel: SessionViewModel {
        withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            SessionViewModel(
                watch: { [self] in
                    Observable.task { [self] in try await call("watch") }.flatMap { [stored] in stored }
                },
                signOut: { [self] in
                    try await call("sign out")
                    stored.onNext(nil)
                },
                deleteAccount: { [self] in
                    try await call("deleteAccount")
                    stored.onNext(nil)
                })
        }
    }

    private func call(_ name: String) async throws {
        state.withLock { $0.calls.append(name) }
        try await scheduler.virtualClock.sleep(for: .milliseconds(100))
        if state.withLock({ $0.failing.contains(name) }) { throw TravelError.busy }
    }
}

/// The session of an app, with the elements of its outputs so far.
struct SessionRun {
    let signOutTapped = PublishRelay<Void>()
    let deleteAccountTapped = PublishRelay<Void>()
    let answered = PublishRelay<Bool>()
    let renamed = PublishRelay<User>()
    let user: Observable<User?>
    let users: Recorder<User?>
    let knownUsers: Recorder<User?>
    let questions: Recorder<Bool>
    let working: Recorder<Bool>
    let events: Recorder<ScreenEvent>
    private let bag = DisposeBag()

    init(on scheduler: TestScheduler, _ viewModel: SessionViewModel) {
        let output = SharingScheduler.mock(scheduler: scheduler) {
            [signOutTapped, deleteAccountTapped, answered, renamed] in
            viewModel.transform(
                .init(
                    signOutTapped: signOutTapped.asObservable(),
                    deleteAccountTapped: deleteAccountTapped.asObservable(),
                    answered: answered.asObservable(), renamed: renamed.asObservable()))
        }
        user = output.user.asObservable()
        (users, knownUsers, questions, working, events) = SharingScheduler.mock(scheduler: scheduler) { [bag] in
            scheduler.perform {
                (
                    output.user.recorded(bag), output.knownUser.recorded(bag), output.asksToDeleteAccount.recorded(bag),
                    output.isWorking.recorded(bag), output.events.recorded(bag)
                )
            }
        }
    }
}

@Suite("Session", .limitedConcurrency)
struct SessionViewModelTests {
    private let world = SessionWorld()

    private func started() -> SessionRun {
        let session = SessionRun(on: world.scheduler, world.viewModel)
        pass(150)
        return session
    }

    private func tap<Element: Sendable>(_ relay: PublishRelay<Element>, _ element: Element, for milliseconds: Int = 2) {
        world.scheduler.perform { relay.accept(element) }
        pass(milliseconds)
    }

    private func pass(_ milliseconds: Int) { world.scheduler.advance(by: .milliseconds(milliseconds)) }

    @Test("the previous session is restored, and until then no user is known")
    func restored() {
        let session = SessionRun(on: world.scheduler, world.viewModel)
        pass(50)
        #expect(session.users.all == [])
        pass(100)
        #expect(session.users.all == [Person.mina])
        #expect(world.calls == ["watch"])
    }

    @Test("signing out runs once, however often it is tapped")
    func signOut() {
        let session = started()
        tap(session.signOutTapped, ())
        tap(session.signOutTapped, ())
        tap(session.deleteAccountTapped, ())
        #expect(session.working.all.last == true)
        pass(150)
        #expect(session.users.all == [Person.mina, nil])
        #expect(session.events.all == [.notice(.done(.signedOut))])
        tap(session.signOutTapped, ())
        tap(session.deleteAccountTapped, (), for: 150)
        #expect(world.calls == ["watch", "sign out"])
        #expect(session.working.all == [false, true, false])
        #expect(session.questions.all == [false])
    }

    @Test("deleting the account asks first")
    func deleteAccount() {
        let session = started()
        tap(session.answered, true)
        tap(session.deleteAccountTapped, ())
        tap(session.answered, false)
        tap(session.answered, true, for: 150)
        #expect(world.calls == ["watch"])
        tap(session.deleteAccountTapped, ())
        #expect(session.questions.all.last == true)
        tap(session.answered, true)
        tap(session.answered, true, for: 150)
        #expect(world.calls == ["watch", "deleteAccount"])
        #expect(session.users.all == [Person.mina, nil])
        #expect(session.events.all == [.notice(.done(.accountDeleted))])
        #expect(session.questions.all == [false, true, false, true, false])
    }

    @Test("a failed deletion of the account keeps the user signed in and says why")
    func failedAccountDeletion() {
        world.fail("deleteAccount")
        let session = started()
        tap(session.deleteAccountTapped, ())
        tap(session.answered, true, for: 150)
        #expect(session.users.all == [Person.mina])
        #expect(session.working.all == [false, true, false])
        #expect(session.events.all == [.notice(.failed(.busy))])
    }

    @Test(
        "the question whether to delete the account goes away with the session, also when somebody else signs in",
        arguments: [nil, Person.jun])
    func staleQuestion(user: User?) {
        let session = started()
        tap(session.deleteAccountTapped, ())
        world.store(user)
        pass(2)
        #expect(session.questions.all == [false, true, false])
        tap(session.answered, true, for: 150)
        #expect(world.calls == ["watch"])
    }

    @Test("the question whether to delete the account stays when the user gets another nickname")
    func renamedWhileAsked() throws {
        let session = started()
        tap(session.deleteAccountTapped, ())
        tap(session.renamed, User(id: Person.mina.id, nickname: try Nickname("Minah")))
        #expect(session.questions.all == [false, true])
    }

    @Test("a new nickname counts for the signed-in user only")
    func renamed() throws {
        let session = started()
        let renamed = User(id: Person.mina.id, nickname: try Nickname("Minah"))
        tap(session.renamed, renamed)
        tap(session.renamed, User(id: Person.jun.id, nickname: try Nickname("Juno")))
        #expect(session.users.all == [Person.mina, renamed])
    }

    @Test("a session that cannot be read is asked for again every five seconds, and says so once")
    func retries() {
        world.fail("watch")
        let session = started()
        #expect(session.users.all == [nil])
        pass(11_000)
        #expect(world.calls == ["watch", "watch", "watch"])
        #expect(session.events.all == [.notice(.failed(.busy))])
        world.fail()
        pass(6_000)
        #expect(session.users.all == [nil, Person.mina])
        #expect(session.knownUsers.all == [Person.mina])
        world.store(nil)
        pass(2)
        #expect(session.knownUsers.all == [Person.mina, nil])
    }

    @Test("a change of the session reaches every screen in one step")
    func everyScreen() {
        let scheduler = world.scheduler
        let session = SessionRun(on: scheduler, world.viewModel)
        SharingScheduler.mock(scheduler: scheduler) { [world] in
            let home = HomeWorld(scheduler: scheduler, count: 3)
            let screens = (
                home: FlowStore(HomeFlow(home.useCases, user: session.user)),
                timeline: FlowStore(TimelineFlow(.silent, trip: .init(seed: 1), user: session.user)),
                coordinator: FlowStore(CoordinatorFlow(OpenScreens([.home, .profile]), user: Person.mina.id))
            )
            scheduler.perform {
                screens.coordinator.bind(session.user.map { .sessionChanged($0?.id) })
                screens.home.send(.appeared)
                screens.timeline.send(.appeared)
            }
            scheduler.advance(by: .milliseconds(300))
            #expect(screens.home.currentState.user == Person.mina)
            #expect(screens.timeline.currentState.user == Person.mina)

            world.store(nil)
            scheduler.advance(by: .milliseconds(2))
            #expect(screens.home.currentState.user == nil)
            #expect(screens.home.currentState.content == .skeleton)
            #expect(screens.timeline.currentState.user == nil)
            #expect(screens.coordinator.currentState.screens.stack.map(\.screen) == [.home])

            world.store(Person.jun)
            scheduler.advance(by: .milliseconds(2))
            #expect(screens.home.currentState.user == Person.jun)
            #expect(screens.coordinator.currentState.user == Person.jun.id)
            scheduler.perform {
                screens.home.dismiss()
                screens.timeline.dismiss()
                screens.coordinator.dismiss()
            }
        }
    }

    @Test("the session only composes")
    @MainActor
    func composes() {
        let tapped = PublishRelay<Void>()
        let answered = PublishRelay<Bool>()
        expectOnlyComposes(world.viewModel) { inputs in
            .init(
                signOutTapped: inputs.count(tapped.asObservable()),
                deleteAccountTapped: inputs.count(tapped.asObservable()),
                answered: inputs.count(answered.asObservable()),
                renamed: inputs.count(PublishRelay<User>().asObservable()))
        } whileBound: {
            tapped.accept(())
        }
    }
}
