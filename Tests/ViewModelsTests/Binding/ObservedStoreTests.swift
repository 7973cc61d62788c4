import Dispatch
import Observation
import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Observed stores", .takesTurns, .nothingSurvives)
@MainActor
struct ObservedStoreTests {
    /// A list with a title; `opaque` is not Equatable.
    private struct Feed: Flow {
        struct Opaque: Sendable {
            var number = 0
        }
        struct State: Sendable {
            var title = ""
            var rows: IdentifiedRows<Row> = [Row(id: 1), Row(id: 2)]
            var opaque = Opaque()
            var probe = CopyProbe()
        }
        struct Row: Identifiable, Equatable, Sendable {
            let id: Int
            var likes = 0
        }
        enum RowAction: Sendable { case liked, hidden }
        enum Action: Sendable { case titled(String), row(Int, RowAction) }

        var initialState: State { State() }

        func reduce(_ state: inout State, _ action: Action) -> Next<Never, String> {
            state.probe.change()
            switch action {
            case .titled(let title): state.title = title
            case .row(let id, .liked): state.rows[id: id]?.likes += 1
            case .row(let id, .hidden): state.rows.remove(id: id)
            }
            return .event("done")
        }
    }

    private typealias Store = ObservedStore<Feed.State, Feed.Action, String>

    @Test("a view of an observed store is updated when its part changes, and not for other parts")
    func parts() {
        let store = ObservedStore(Feed())
        #expect(isInvalidated(store.title) { store.send(.titled("a")) })
        #expect(store.title == "a")
        #expect(!isInvalidated(store.title) { store.send(.row(1, .liked)) })
        #expect(isInvalidated(store.rows) { store.send(.row(1, .liked)) })
        #expect(!isInvalidated(store.title) { store.send(.titled("a")) })
    }

    @Test("a view of a part that is not Equatable is updated after every action")
    func opaque() {
        let store = ObservedStore(Feed())
        #expect(isInvalidated(store.opaque as Feed.Opaque) { store.send(.titled("a")) })
        #expect(isInvalidated(store.opaque as Feed.Opaque) { store.send(.titled("a")) })
    }

    /// Whether `change` invalidates a reader of the title, once the main queue has delivered everything.
    private func isTold(_ store: Store, when change: () -> Void) async -> Bool {
        let isTold = Mutexed(false)
        withObservationTracking {
            _ = store.title
        } onChange: {
            isTold.change { $0 = true }
        }
        change()
        await withCheckedContinuation { ready in DispatchQueue.main.async { ready.resume() } }
        return isTold.value
    }

    @Test("a change reaches an earlier reader even if its part is read again before the store compares")
    func readInBetween() async {
        let store = ObservedStore(Feed())
        let bag = DisposeBag()
        store.store.state.drive(onNext: { [weak store] _ in _ = store?.title }).disposed(by: bag)
        #expect(await isTold(store) { store.send(.titled("a")) })
        #expect(await isTold(store) { store.send(.titled("b")) })
        #expect(await !isTold(store) { store.send(.titled("b")) })
    }

    @Test("a change that a dismissal keeps from being delivered still reaches its readers")
    func dismissal() async {
        let store = ObservedStore(Feed())
        let flow = store.store
        // The state of another thread waits in the main queue while this thread dismisses the flow.
        let isTold = await isTold(store) {
            onThreads(1) { _ in flow.send(.titled("a")) }
            flow.dismiss()
        }
        #expect(isTold)
        #expect(store.title == "a")
    }

    @Test("an observed store keeps no copy of the state, which is changed in place")
    func inPlace() {
        let store = ObservedStore(Feed())
        for number in 1...10 {
            _ = store.title
            store.send(.titled("\(number)"))
        }
        #expect(store.store.currentState.probe.copies == 0)
    }

    @Test("the observed store of a row reads its row, sends its actions, and updates views for its row only")
    func row() throws {
        let store = ObservedStore(Feed())
        let rows = (1...2).map { id in store.scope(state: { $0.rows[id: id] }, action: { .row(id, $0) }) }
        let (first, second) = (try #require(rows[0]), try #require(rows[1]))
        #expect(isInvalidated(first.likes) { first.send(.liked) })
        #expect(!isInvalidated(first.likes) { second.send(.liked) })
        #expect(store.rows.map(\.likes) == [1, 1])
        first.send(.hidden)
        #expect(first.likes == 1)
        #expect(store.scope(state: { $0.rows[id: 1] }, action: { .row(1, $0) }) == nil)
    }

    @Test("a scoped store emits its part, and releasing it ends nothing")
    func scope() {
        let store = FlowStore(Feed())
        var title: FlowStore<String, String, Never>? = store.scope(state: \.title, action: { .titled($0) })
        let received = title.map { Received($0.state.select { $0 }) }
        title?.send("a")
        title?.dismiss()
        title = nil
        store.send(.titled("b"))
        #expect(received?.elements == ["", "a", "b"])
    }

    @Test("an observed store delivers events, and send returns the effects of the action")
    func events() async {
        let store = ObservedStore(Feed())
        let received = Received(store.events)
        await store.send(.titled("a")).finish()
        #expect(received.elements == ["done"])
    }

    @Test("an observed store is released while a view reads it")
    func letGo() {
        weak var kept: FlowStore<Feed.State, Feed.Action, String>?
        do {
            let store = ObservedStore(Feed())
            _ = store.title
            kept = store.store
        }
        #expect(kept == nil)
    }
}
