import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

@Suite("A store for views", .takesTurns, .nothingSurvives)
@MainActor
struct ObservedStoreTests {
    /// A list with a title; opaque is of no use in comparisons.
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

    @Test("a part is read again when it changes, and not when another does")
    func parts() {
        let store = ObservedStore(Feed())
        #expect(readsAgain(store.title) { store.send(.titled("a")) })
        #expect(store.title == "a")
        #expect(!readsAgain(store.title) { store.send(.row(1, .liked)) })
        #expect(readsAgain(store.rows) { store.send(.row(1, .liked)) })
        #expect(!readsAgain(store.title) { store.send(.titled("a")) })
    }

    @Test("a part that cannot be compared is read again after every action")
    func opaque() {
        let store = ObservedStore(Feed())
        #expect(!readsAgain(store.opaque.number) { store.send(.titled("a")) })
        #expect(readsAgain(store.opaque as Feed.Opaque) { store.send(.titled("a")) })
    }

    @Test("it keeps no copy of the state, which is changed in place")
    func inPlace() {
        let store = ObservedStore(Feed())
        for number in 1...10 {
            _ = store.title
            store.send(.titled("\(number)"))
        }
        #expect(store.store.currentState.probe.copies == 0)
    }

    @Test("a row's store reads its row, sends its actions, and is read again for its row alone")
    func row() throws {
        let store = ObservedStore(Feed())
        let rows = (1...2).map { id in store.scope(state: { $0.rows[id: id] }, action: { .row(id, $0) }) }
        let (first, second) = (try #require(rows[0]), try #require(rows[1]))
        #expect(readsAgain(first.likes) { first.send(.liked) })
        #expect(!readsAgain(first.likes) { second.send(.liked) })
        #expect(store.rows.map(\.likes) == [1, 1])
        first.send(.hidden)
        #expect(first.likes == 1)
        #expect(store.scope(state: { $0.rows[id: 1] }, action: { .row(1, $0) }) == nil)
    }

    @Test("a scoped store tells its part, and letting it go ends nothing")
    func scope() {
        let store = FlowStore(Feed())
        var title: FlowStore<String, String, Never>? = store.scope(state: \.title, action: { .titled($0) })
        let heard = title.map { Heard($0.state.select { $0 }) }
        title?.send("a")
        title?.dismiss()
        title = nil
        store.send(.titled("b"))
        #expect(heard?.elements == ["", "a", "b"])
    }

    @Test("events are heard through it, and the effects of an action are given back")
    func events() async {
        let store = ObservedStore(Feed())
        let heard = Heard(store.events)
        await store.send(.titled("a")).finish()
        #expect(heard.elements == ["done"])
    }

    @Test("it is let go while a view reads it")
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
