import Synchronization

/// What one would write by hand in place of a store: a locked state that one function changes in place, and lists of
/// closures that are called outside the lock, those of a field only when it differs.
///
/// `@unchecked Sendable`: the closures are called by one thread at a time in these benchmarks.
final class HandStore: @unchecked Sendable {
    struct Row {
        let id: Int
        var likes = 0
        var title = "A title of some length, so that it is on the heap"
    }

    struct State {
        var likes = 0
        var rows: [Row]
        var indices: [Int: Int]
    }

    private let state: Mutex<State>
    @exclusivity(unchecked) private var stateListeners: [(State) -> Void] = []
    @exclusivity(unchecked) private var likesListeners: [(key: Int, next: (Int) -> Void)] = []
    @exclusivity(unchecked) private var lastLikes = 0
    @exclusivity(unchecked) private var nextKey = 0

    init(rows: Int) {
        let rows = (0..<rows).map { Row(id: $0) }
        let indices = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.id) })
        state = Mutex(State(rows: rows, indices: indices))
    }

    func onState(_ next: @escaping (State) -> Void) {
        stateListeners.append(next)
    }

    @discardableResult
    func onLikes(_ next: @escaping (Int) -> Void) -> Int {
        nextKey += 1
        likesListeners.append((nextKey, next))
        next(state.withLock { $0.likes })
        return nextKey
    }

    func removeLikes(_ key: Int) {
        likesListeners.removeAll { $0.key == key }
    }

    func send(_ action: Feed.Action) {
        let state = state.withLock { state in
            Self.reduce(&state, action)
            return Unchecked(value: state)
        }.value
        for next in stateListeners { next(state) }
        if state.likes != lastLikes {
            lastLikes = state.likes
            for (_, next) in likesListeners { next(state.likes) }
        }
    }

    private static func reduce(_ state: inout State, _ action: Feed.Action) {
        switch action {
        case .row(let id, .liked):
            if let index = state.indices[id] { state.rows[index].likes += 1 }
            state.likes += 1
        case .row(_, .hidden), .refreshed: break
        }
    }

    /// `@unchecked Sendable`: a copy, used by the thread that took it.
    private struct Unchecked: @unchecked Sendable {
        let value: State
    }
}
