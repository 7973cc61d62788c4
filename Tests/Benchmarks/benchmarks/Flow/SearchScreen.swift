import Samples
import Streams
import ViewModels

/// A search screen as a flow: what is typed is shown and counted, and said in a toast.
struct SearchScreen<E: Sample>: Flow {
    struct State: Sendable {
        var text = E.sample(0)
        var typed = 0
        var isLoading = false
        var rows: [E] = []
    }
    enum Action: Sendable {
        case typed(E)
        case found([E])
    }
    enum Event: Sendable { case toast(E) }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Event> {
        switch action {
        case .typed(let text):
            state.text = text
            state.typed += 1
            return .event(.toast(text))
        case .found(let rows):
            state.rows = rows
            state.isLoading = false
            return .none
        }
    }
}

/// The same screen by hand, on the main actor: its state, one function that changes it, and lists of closures.
@MainActor
final class HandSearchScreen<E: Sample> {
    typealias State = SearchScreen<E>.State
    typealias Action = SearchScreen<E>.Action

    private var state = State()
    private var stateListeners: [(State) -> Void] = []
    private var toastListeners: [(E) -> Void] = []

    /// Not inlined: a screen that lives and dies in one function would need no heap, which no program's screen does.
    @inline(never)
    static func make() -> HandSearchScreen { HandSearchScreen() }

    /// Calls `next` with the state of now and each one after it.
    @inline(never)
    func onState(_ next: @escaping (State) -> Void) {
        stateListeners.append(next)
        next(state)
    }

    /// Calls `next` with a field of the state, whenever it has changed.
    @inline(never)
    func onChange<Field: Equatable>(of field: @escaping (State) -> Field, _ next: @escaping (Field) -> Void) {
        var last: Field?
        onState { state in
            let value = field(state)
            if value == last { return }
            last = value
            next(value)
        }
    }

    @inline(never)
    func onToast(_ next: @escaping (E) -> Void) {
        toastListeners.append(next)
    }

    @inline(never)
    func send(_ action: Action) {
        var toast: E?
        switch action {
        case .typed(let text):
            state.text = text
            state.typed += 1
            toast = text
        case .found(let rows):
            state.rows = rows
            state.isLoading = false
        }
        let state = state
        for next in stateListeners { next(state) }
        if let toast { for next in toastListeners { next(toast) } }
    }
}
