import Synchronization

/// Records, in debug builds, each subscription that some code makes, including terminated ones, each `do`, and each event
/// that it sends to a subject: for assertions of the test kits.
@usableFromInline
package final class SubscriptionLog: Sendable {
    /// The log of the current task.
    @TaskLocal package static var current: SubscriptionLog?

    private struct Entries {
        var subscriptions: [String] = []
        var sideEffects = 0
        var sends = 0
    }

    private let entries = Mutex(Entries())
    /// The number of logs. Sends are frequent, and look up the current log only if there is any.
    private static let count = Atomic(0)

    package init() {
        Self.count.add(1, ordering: .relaxed)
    }

    deinit {
        Self.count.subtract(1, ordering: .relaxed)
    }

    /// The locations of the subscribing code in order, or the operators where the location is unknown.
    package var subscriptions: [String] { entries.withLock { $0.subscriptions } }

    /// The number of subscriptions to a `do` that calls a function with elements or on completion.
    package var sideEffects: Int { entries.withLock { $0.sideEffects } }

    /// The number of events that were sent to a subject or a relay.
    package var sends: Int { entries.withLock { $0.sends } }

    static func append(_ subscription: @autoclosure () -> String) {
        guard let current else { return }
        let text = subscription()
        current.entries.withLock { $0.subscriptions.append(text) }
    }

    @usableFromInline
    static func appendObserver() { append("an observer") }

    @usableFromInline
    static func countSideEffect() { current?.entries.withLock { $0.sideEffects += 1 } }

    @usableFromInline
    package static func countSend() {
        if count.load(ordering: .relaxed) > 0 { current?.entries.withLock { $0.sends += 1 } }
    }
}
