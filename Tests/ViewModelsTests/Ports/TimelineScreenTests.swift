import Dispatch
import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

/// The timeline of a trip, from an app in the style of ReactorKit: it reads its state, sends itself actions, and
/// merges the elements of an app-wide service.
private struct TimelineScreen: MutationFlow {
    struct Entry: Equatable, Sendable {
        let id: Int
        var day: Int
        var text: String
    }
    enum Action: Equatable, Sendable {
        case appeared, dayTapped(Int), addTapped(String), deleteTapped(Int), movedUp(Int), undoTapped
    }
    enum SideEffect: Equatable, Sendable {
        case loading(Bool), day(Int), entries([Entry]), inserted(Entry), removed(Int), owner(Bool), failed
    }
    struct State: Equatable, Sendable {
        var day = 1
        var isLoading = false
        var entries: [Entry] = []
        var lastRemoved: Entry?
        var isOwner = false
        @Pulse var toast: String?
    }

    let load: @Sendable (_ day: Int) -> Observable<[Entry]>
    let owners: Observable<Bool>
    var running = Running()
    var initialState: State { State() }

    func transform(actions: Observable<Action>) -> Observable<Action> {
        actions.startWith(.appeared)
    }

    func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> {
        .merge(mutations, owners.map(SideEffect.owner))
    }

    func transform(_ action: Action) -> Observable<SideEffect> {
        switch action {
        case .appeared:
            return .concat(
                .just(.loading(true)),
                load(currentState.day).map(SideEffect.entries).catchAndReturn(.failed),
                .just(.loading(false)))
        case .dayTapped(let day):
            if day == currentState.day { return .empty() }
            send(.appeared)
            return .just(.day(day))
        case .addTapped(let text):
            guard currentState.isOwner else { return .just(.failed) }
            let id = (currentState.entries.map(\.id).max() ?? 0) + 1
            return .just(.inserted(Entry(id: id, day: currentState.day, text: text)))
        case .deleteTapped(let id):
            return .just(.removed(id))
        case .movedUp(let id):
            var entries = currentState.entries
            guard let index = entries.firstIndex(where: { $0.id == id }), index > 0 else { return .empty() }
            entries.swapAt(index, index - 1)
            return .just(.entries(entries))
        case .undoTapped:
            return .deferred {
                guard let entry = currentState.lastRemoved else { return .empty() }
                return .just(.inserted(entry))
            }
        }
    }

    func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State {
        var state = state
        switch sideEffect {
        case .loading(let isLoading): state.isLoading = isLoading
        case .day(let day): state.day = day
        case .entries(let entries): state.entries = entries
        case .inserted(let entry):
            state.entries.append(entry)
            state.lastRemoved = nil
        case .removed(let id):
            state.lastRemoved = state.entries.first { $0.id == id }
            state.entries.removeAll { $0.id == id }
        case .owner(let isOwner): state.isOwner = isOwner
        case .failed: state.toast = "That did not work"
        }
        return state
    }
}

@Suite("Port: a timeline", .limitedConcurrency, .nothingSurvives)
struct TimelineScreenTests {
    private func screen(owners: Observable<Bool> = .just(true), scheduler: TestScheduler) -> TimelineScreen {
        TimelineScreen(
            load: { day in
                Observable.just([.init(id: day * 10, day: day, text: "breakfast")])
                    .delay(.milliseconds(100), scheduler: scheduler)
            },
            owners: owners)
    }

    @Test("the timeline loads its first day at the start, and another day when it is tapped")
    func days() {
        let scheduler = TestScheduler(resolution: 0.001)
        let tester = MutationTester(screen(scheduler: scheduler), scheduler: scheduler)
        tester.receive(.owner(true)) { $0.isOwner = true }
        tester.receive(.loading(true)) { $0.isLoading = true }
        tester.receive(.entries([.init(id: 10, day: 1, text: "breakfast")])) {
            $0.entries = [.init(id: 10, day: 1, text: "breakfast")]
        }
        tester.receive(.loading(false)) { $0.isLoading = false }
        tester.send(.dayTapped(1))
        tester.send(.dayTapped(2))
        tester.receive(action: .appeared)
        tester.receive(.day(2)) { $0.day = 2 }
        tester.receive(.loading(true)) { $0.isLoading = true }
        tester.receive(.entries([.init(id: 20, day: 2, text: "breakfast")])) {
            $0.entries = [.init(id: 20, day: 2, text: "breakfast")]
        }
        tester.receive(.loading(false)) { $0.isLoading = false }
        tester.finish()
    }

    @Test("the timeline adds, moves, deletes and restores entries according to the current state", .virtualTime)
    func entries() {
        let scheduler = TestScheduler(resolution: 0.001)
        let store = FlowStore(screen(scheduler: scheduler))
        scheduler.run()
        for action in [.addTapped("museum"), .addTapped("dinner"), .movedUp(12), .deleteTapped(11), .undoTapped]
            as [TimelineScreen.Action]
        {
            store.send(action)
        }
        #expect(store.currentState.entries.map(\.text) == ["breakfast", "dinner", "museum"])
    }

    @Test("a user who is no longer the owner of the timeline cannot add entries, and sees an error")
    func owner() {
        let owners = BehaviorRelay(value: true)
        let tester = MutationTester(screen(owners: owners.asObservable(), scheduler: TestScheduler()))
        tester.withExhaustivity(false) {
            owners.accept(false)
            tester.send(.addTapped("museum"))
            tester.receive(.failed) { $0.isOwner = false }
        }
        tester.dismiss()
        tester.finish()
    }
}
