package import Samples
package import Streams
import Synchronization
import ViewModels

/// A row that one can like.
package struct LikedRow<Element: Sample>: Sendable {
    /// What it shows.
    package let element: Element
    /// Its title.
    package let title = "A title of some length, so that it is on the heap"
    /// How often it was liked.
    package var likes = 0
}

/// A screen of rows.
package struct LikedRows<Element: Sample>: Sendable {
    /// The likes of all rows.
    package var likes = 0
    /// The rows.
    package var rows: [LikedRow<Element>]

    init(count: Int) {
        rows = (0..<count).map { LikedRow(element: Element.sample($0)) }
    }
}

/// What one can do on a screen of rows.
package enum RowAction: Sendable {
    /// The row of that index was liked.
    case liked(Int)
}

/// What actions lead to.
package enum RowMutation: Sendable {
    /// The row of that index gets a like.
    case addLike(Int)
}

/// Rows of numbers, in the style of ReactorKit.
package struct NumberRows: MutationFlow {
    package let initialState: LikedRows<Int>

    package init(count: Int) { initialState = LikedRows(count: count) }

    package func transform(_ action: RowAction) -> Observable<RowMutation> { mutations(action) }

    package func reduce(_ state: consuming LikedRows<Int>, _ mutation: RowMutation) -> LikedRows<Int> {
        var state = state
        change(&state, mutation)
        return state
    }
}

/// Rows of text.
package struct TextRows: MutationFlow {
    package let initialState: LikedRows<String>

    package init(count: Int) { initialState = LikedRows(count: count) }

    package func transform(_ action: RowAction) -> Observable<RowMutation> { mutations(action) }

    package func reduce(_ state: consuming LikedRows<String>, _ mutation: RowMutation) -> LikedRows<String> {
        var state = state
        change(&state, mutation)
        return state
    }
}

/// Rows of articles.
package struct ArticleRows: MutationFlow {
    package let initialState: LikedRows<Article>

    package init(count: Int) { initialState = LikedRows(count: count) }

    package func transform(_ action: RowAction) -> Observable<RowMutation> { mutations(action) }

    package func reduce(_ state: consuming LikedRows<Article>, _ mutation: RowMutation) -> LikedRows<Article> {
        var state = state
        change(&state, mutation)
        return state
    }
}

private func mutations(_ action: RowAction) -> Observable<RowMutation> {
    switch action {
    case .liked(let index): .just(.addLike(index))
    }
}

@inline(__always)
private func change<Element: Sample>(_ state: inout LikedRows<Element>, _ mutation: RowMutation) {
    switch mutation {
    case .addLike(let index):
        state.rows[index].likes += 1
        state.likes += 1
    }
}

/// The same rows by hand: a locked state that is changed in place, and closures that are called outside the lock.
///
/// `@unchecked Sendable`: the closures are called by one thread at a time in these benchmarks.
package final class HandLikedRows<Element: Sample>: @unchecked Sendable {
    private let state: Mutex<LikedRows<Element>>
    private let change: @Sendable (inout LikedRows<Element>, RowMutation) -> Void
    @exclusivity(unchecked) private var listeners: [(LikedRows<Element>) -> Void] = []

    fileprivate init(
        count: Int, change: @escaping @Sendable (inout LikedRows<Element>, RowMutation) -> Void
    ) {
        state = Mutex(LikedRows(count: count))
        self.change = change
    }

    /// Calls `next` with each new state.
    package func onState(_ next: @escaping @Sendable (LikedRows<Element>) -> Void) {
        listeners.append(next)
    }

    /// Changes the state and notifies the observer.
    package func send(_ action: RowAction) {
        let state = state.withLock { state in
            switch action {
            case .liked(let index): change(&state, .addLike(index))
            }
            return state
        }
        for next in listeners { next(state) }
    }
}

/// Makes the rows; not generic, so that each has code of its own, as those of an app have.
package enum HandRows {
    /// Rows of numbers.
    package static func number(count: Int) -> HandLikedRows<Int> {
        HandLikedRows(count: count) { Screens.change(&$0, $1) }
    }
    /// Rows of text.
    package static func text(count: Int) -> HandLikedRows<String> {
        HandLikedRows(count: count) { Screens.change(&$0, $1) }
    }
    /// Rows of articles.
    package static func article(count: Int) -> HandLikedRows<Article> {
        HandLikedRows(count: count) { Screens.change(&$0, $1) }
    }
}
