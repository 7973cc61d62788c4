import Synchronization

/// Records, in debug builds, each subscription that some code makes, including terminated ones, and each `do`: for
/// assertions of the test kits.
@usableFromInline
package final class SubscriptionLog: Sendable {
    /// The log of the current task.
    @TaskLocal package static var current: SubscriptionLog?

    private struct Entries {
        var subscriptions: [String] = []
        var sideEffects = 0
    }

    private let entries = Mutex(Entries())

    package init() {}

    /// The locations of the subscribing code in order, or the operators where the location is unknown.
    package var subscriptions: [String] { entries.withLock { $0.subscriptions } }

    /// The number of subscriptions to a `do` that calls a function with elements or on completion.
    package var sideEffects: Int { entries.withLock { $0.sideEffects } }

    static func append(_ subscription: @autoclosure () -> String) {
        guard let current else { return }
        let text = subscription()
        current.entries.withLock { $0.subscriptions.append(text) }
    }

    @usableFromInline
    static func appendObserver() { append("an observer") }

    @usableFromInline
    static func countSideEffect() { current?.entries.withLock { $0.sideEffects += 1 } }
}
