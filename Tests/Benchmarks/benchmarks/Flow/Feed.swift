import Streams
import ViewModels

/// A feed of posts, each with its own flow; the feed counts all likes.
struct Feed: Flow {
    struct State: Sendable {
        var likes = 0
        var rows: IdentifiedRows<Post.State>

        init(rows: Int) {
            self.rows = IdentifiedRows((0..<rows).map { Post.State(id: $0) })
        }
    }
    enum Action: Sendable {
        case row(Int, Post.Action)
        case refreshed
    }

    static var whole: ForEachFlow<Feed, Post> {
        Feed().forEach(
            \.rows,
            action: ActionCase(Action.row) { if case .row(let id, let action) = $0 { (id, action) } else { nil } },
            row: Post())
    }

    var initialState: State { State(rows: 0) }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
        if case .row(_, .liked) = action { state.likes += 1 }
        return .none
    }
}

/// A post that one can like.
struct Post: Flow {
    struct State: Identifiable, Sendable {
        let id: Int
        var likes = 0
        var title = "A title of some length, so that it is on the heap"
    }
    enum Action: Sendable { case liked, hidden }

    var initialState: State { State(id: 0) }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
        if case .liked = action { state.likes += 1 }
        return .none
    }
}

/// Likes in the style of ReactorKit.
struct Likes: MutationFlow {
    struct State: Sendable {
        var title = 1
        var likes = 0
    }
    enum Action: Sendable { case liked, hidden }
    enum SideEffect: Sendable { case add(Int) }

    var initialState: State { State() }

    func transform(_ action: Action) -> Observable<SideEffect> {
        switch action {
        case .liked: .just(.add(1))
        case .hidden: .just(.add(0))
        }
    }

    func reduce(_ state: State, _ sideEffect: SideEffect) -> State {
        var state = state
        switch sideEffect {
        case .add(let number): state.likes += number
        }
        return state
    }
}
