import Samples
import Streams
import Synchronization
import ViewModels

/// Rows that one can like, in the style of ReactorKit.
struct LikedRows<E: Sample>: MutationFlow {
    struct Row: Sendable {
        let element: E
        var likes = 0
    }
    struct State: Sendable {
        var likes = 0
        var rows: [Row]
    }
    enum Action: Sendable { case liked(Int) }
    enum SideEffect: Sendable { case addLike(Int) }

    let initialState: State

    init(rows: Int) {
        initialState = State(rows: (0..<rows).map { Row(element: E.sample($0)) })
    }

    func transform(_ action: Action) -> Observable<SideEffect> {
        switch action {
        case .liked(let index): .just(.addLike(index))
        }
    }

    func reduce(_ state: State, _ sideEffect: SideEffect) -> State {
        var state = state
        switch sideEffect {
        case .addLike(let index):
            state.rows[index].likes += 1
            state.likes += 1
        }
        return state
    }
}

/// The same rows by hand: a locked state that is changed in place, and closures that are called outside the lock.
///
/// `@unchecked Sendable`: the closures are called by one thread at a time in these benchmarks.
final class HandLikedRows<E: Sample>: @unchecked Sendable {
    typealias State = LikedRows<E>.State

    private let state: Mutex<State>
    @exclusivity(unchecked) private var listeners: [(State) -> Void] = []

    init(rows: Int) {
        state = Mutex(LikedRows<E>(rows: rows).initialState)
    }

    func onState(_ next: @escaping @Sendable (State) -> Void) {
        listeners.append(next)
    }

    func send(_ action: LikedRows<E>.Action) {
        let state = state.withLock { state in
            switch action {
            case .liked(let index):
                state.rows[index].likes += 1
                state.likes += 1
            }
            return state
        }
        for next in listeners { next(state) }
    }
}
