import Synchronization

/// Notes, in debug builds, each subscription that some code makes, also those that have ended, and each `do`: for
/// assertions of the kits.
@usableFromInline
package final class SubscriptionWatch: Sendable {
    /// The one that is told here and now.
    @TaskLocal package static var current: SubscriptionWatch?

    private struct Notes {
        var subscriptions: [String] = []
        var sideEffects = 0
    }

    private let notes = Mutex(Notes())

    package init() {}

    /// The places that subscribed, or the operators where the place is not known, in order.
    package var subscriptions: [String] { notes.withLock { $0.subscriptions } }

    /// How many `do` that call a function with elements, or at completion, were subscribed to.
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
