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

/// The same screen by hand, on the main actor: its state, one function that changes it, and a closure for each output.
@MainActor
final class HandSearchScreen<E: Sample> {
    typealias State = SearchScreen<E>.State
    typealias Action = SearchScreen<E>.Action

    private var state = State()
    private var onText: ((E) -> Void)?
    private var onTyped: ((Int) -> Void)?
    private var onLoading: ((Bool) -> Void)?
    private var onToast: ((E) -> Void)?

    func bind(
        text: @escaping (E) -> Void, typed: @escaping (Int) -> Void, loading: @escaping (Bool) -> Void,
        toast: @escaping (E) -> Void
    ) {
        (onText, onTyped, onLoading, onToast) = (text, typed, loading, toast)
        text(state.text)
        typed(state.typed)
        loading(state.isLoading)
    }

    @inline(never)
    func send(_ action: Action) {
        let before = state
        switch action {
        case .typed(let text):
            state.text = text
            state.typed += 1
        case .found(let rows):
            state.rows = rows
            state.isLoading = false
        }
        if state.text != before.text { onText?(state.text) }
        if state.typed != before.typed { onTyped?(state.typed) }
        if state.isLoading != before.isLoading { onLoading?(state.isLoading) }
        if case .typed(let text) = action { onToast?(text) }
    }
}
