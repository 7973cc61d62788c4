import Streams
import Synchronization

/// The side effects that an action led to, and those that their actions led to in turn.
///
/// ``FlowStore/send(_:)`` returns one, for callers that wait until the work is finished:
///
/// ```swift
/// List(rows) { … }
///     .refreshable { await store.send(.refresh).finish() }    // the spinner turns until the last page has loaded
///     .task { await store.send(.appeared).finish() }          // cancelled when the view disappears
/// ```
///
/// The result may be ignored: releasing it cancels nothing.
public struct ActionEffects: Sendable {
    @usableFromInline package let group: EffectGroup?
    @usableFromInline let cancelGroup: (@Sendable (EffectGroup) -> Void)?

    /// Creates the effects of an action without side effects: they are finished already.
    @inlinable
    public init() {
        group = nil
        cancelGroup = nil
    }

    @inlinable
    package init(_ group: EffectGroup, cancel: @escaping @Sendable (EffectGroup) -> Void) {
        self.group = group
        cancelGroup = cancel
    }

    /// Whether the action was reduced, and all side effects that it led to have ended or were cancelled.
    public var areFinished: Bool { group?.isFinished ?? true }

    /// Waits until the action was reduced, and all side effects that it led to have ended or were cancelled, by any
    /// caller.
    ///
    /// Cancelling the waiting task cancels the side effects, as ``cancel()`` does.
    ///
    /// ```swift
    /// await store.send(.refreshed).finish()    // returns when the last page has loaded
    /// ```
    public nonisolated(nonsending) func finish() async {
        guard let group else { return }
        await withTaskCancellationHandler {
            await group.wait()
        } onCancel: {
            cancel()
        }
    }

    /// Cancels the side effects, including enqueued ones. The action's change of the state is kept.
    ///
    /// Thread-safe. When it returns, their streams are disposed; actions that they sent but that were not reduced yet
    /// are dropped. It waits for those that another thread is starting, as ``FlowStore/dismiss()`` does.
    ///
    /// ```swift
    /// let refresh = store.send(.refreshed)
    /// refresh.cancel()    // cancels the request, and keeps the change of the state
    /// ```
    public func cancel() {
        if let group { cancelGroup?(group) }
    }
}

/// The work of one action: its reduction, the side effects that it requested, and those that their actions requested in
/// turn.
@usableFromInline
package final class EffectGroup: Sendable {
    private struct Waiting {
        var tasks: [CheckedContinuation<Void, Never>] = []
        /// What ends the work of a mutation flow when the group is cancelled.
        var cancellations: [@Sendable () -> Void] = []
    }

    private let work = Atomic(1)
    private let hasBeenCancelled = Atomic(false)
    private let waiting = TracedMutex(Waiting())

    /// A group with one piece of work: the action itself.
    @usableFromInline
    init() {}

    /// Whether there is no work left.
    @usableFromInline
    package var isFinished: Bool { work.load(ordering: .acquiring) == 0 }

    /// Whether the group starts no more side effects.
    @usableFromInline
    var isCancelled: Bool { hasBeenCancelled.load(ordering: .acquiring) }

    /// Adds a piece of work.
    @usableFromInline
    func enter() {
        work.add(1, ordering: .relaxed)
    }

    /// Removes a piece of work; the last one resumes the waiting tasks.
    @usableFromInline
    func leave() {
        if work.subtract(1, ordering: .acquiringAndReleasing).newValue > 0 { return }
        // A task that begins to wait after this finds no work left, under the same lock.
        let last = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting
        }
        for task in last.tasks { task.resume() }
    }

    /// Prevents the group from starting side effects, and ends the work of a mutation flow.
    @usableFromInline
    func cancel() {
        hasBeenCancelled.store(true, ordering: .releasing)
        let cancellations = waiting.withLock { waiting in
            defer { waiting.cancellations = [] }
            return waiting.cancellations
        }
        for cancel in cancellations { cancel() }
    }

    /// Calls `body` when the group is cancelled, or now if it was.
    func onCancel(_ body: @escaping @Sendable () -> Void) {
        let isLate = waiting.withLock { waiting in
            if !isCancelled { waiting.cancellations.append(body) }
            return isCancelled
        }
        if isLate { body() }
    }

    /// Waits until there is no work left.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = waiting.withLock { waiting in
                if isFinished { return true }
                waiting.tasks.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
