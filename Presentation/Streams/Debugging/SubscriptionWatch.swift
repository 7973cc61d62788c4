import Synchronization

/// Records, in debug builds, each subscription that some code makes, including terminated ones, and each `do`: for
/// assertions of the test kits.
@usableFromInline
package final class SubscriptionWatch: Sendable {
    /// The watch of the current task.
    @TaskLocal package static var current: SubscriptionWatch?

    private struct Notes {
        var subscriptions: [String] = []
        var sideEffects = 0
    }

    private let notes = Mutex(Notes())

    package init() {}

    /// The locations of the subscribing code in order, or the operators where the location is unknown.
    package var subscriptions: [String] { notes.withLock { $0.subscriptions } }

    /// The number of subscriptions to a `do` that calls a function with elements or on completion.
    package var sideEffects: Int { notes.withLock { $0.sideEffects } }

    static func note(_ subscription: @autoclosure () -> String) {
        guard let current else { return }
        let text = subscription()
        current.notes.withLock { $0.subscriptions.append(text) }
    }

    @usableFromInline
    static func noteObserver() { note("an observer") }

    @usableFromInline
    static func noteSideEffect() { current?.notes.withLock { $0.sideEffects += 1 } }
}
