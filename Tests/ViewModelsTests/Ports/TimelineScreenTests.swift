import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// The timeline of a travel, from an app in the style of ReactorKit: it reads its state, sends itself actions, and
/// merges the elements of an app-wide service.
private struct TimelineScreen: MutationFlow {
    struct Entry: Equatable, Sendable {
        let id: Int
        var day: Int
        var text: String
    }
    enum Action: Sendable {
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

@Suite("Port: a timeline", .takesTurns, .nothingSurvives)
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
    @MainActor
    func days() {
        let scheduler = TestScheduler(resolution: 0.001)
        let store = FlowStore(screen(scheduler: scheduler))
        let states = Received(store.state)
        #expect(store.currentState == .init(isLoading: true, isOwner: true))
        scheduler.run()
        let breakfast = TimelineScreen.Entry(id: 10, day: 1, text: "breakfast")
        #expect(store.currentState == .init(entries: [breakfast], isOwner: true))
        let loaded = states.elements.count
        store.send(.dayTapped(1))
        #expect(states.elements.count == loaded)
        store.send(.dayTapped(2))
        scheduler.run()
        let entries = [TimelineScreen.Entry(id: 20, day: 2, text: "breakfast")]
        #expect(
            states.elements.dropFirst(loaded) == [
                .init(day: 2, entries: [breakfast], isOwner: true),
                .init(day: 2, isLoading: true, entries: [breakfast], isOwner: true),
                .init(day: 2, isLoading: true, entries: entries, isOwner: true),
                .init(day: 2, entries: entries, isOwner: true),
            ])
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

    @Test("a person who is no longer the owner of the timeline cannot add entries, and sees an error")
    func owner() {
        let owners = BehaviorRelay(value: true)
        let store = FlowStore(screen(owners: owners.asObservable(), scheduler: TestScheduler()))
        owners.accept(false)
        store.send(.addTapped("museum"))
        #expect(!store.currentState.isOwner && store.currentState.entries.isEmpty)
        #expect(store.currentState.toast != nil)
        store.dismiss()
    }
}
