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
    /// Cancelling the waiting task cancels the side effects, as ``cancel()`` does, and ``Flow/unanswered(_:)`` says what that
    /// means for the state. A side effect that never ends, such as a timer or an observation, keeps it waiting until then,
    /// or until the flow is dismissed.
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

    /// Cancels the side effects, including enqueued ones. The action's change of the state is kept, and
    /// ``Flow/unanswered(_:)`` is reduced for each of them; an action of a ``MutationFlow`` that is still enqueued is not
    /// transformed.
    ///
    /// Thread-safe. When it returns, their streams are disposed; actions that they sent but that were not reduced yet
    /// are dropped. It waits for those that another thread is starting, as ``FlowStore/dismiss()`` does.
    ///
    /// ```swift
    /// let refresh = store.send(.refreshed)
    /// refresh.cancel()    // cancels the request
    /// ```
    public func cancel() {
        if let group { cancelGroup?(group) }
    }
}

/// The work of one action: its reduction, the side effects that it requested, and those that their actions requested in
/// turn.
///
/// `@unchecked Sendable`: every property is a `let` of a `Sendable` type.
@usableFromInline
package class EffectGroup: @unchecked Sendable {
    private let work: Atomic<Int>
    private let hasClosed = Atomic(false)
    /// Whether a task has begun to wait. Its ordering with `work` is total: either the task finds no work left, or
    /// whoever removes the last piece finds the task.
    private let isAwaited = Atomic(false)
    private let waiting = TracedMutex<[CheckedContinuation<Void, Never>]>([])

    /// A group whose work is the action itself, and a number of side effects.
    @usableFromInline
    init(effects: Int = 0) { work = Atomic(1 + effects) }

    /// Whether there is no work left.
    @usableFromInline
    package final var isFinished: Bool { work.load(ordering: .sequentiallyConsistent) == 0 }

    /// Whether the group starts no more side effects.
    @usableFromInline
    final var isCancelled: Bool { hasClosed.load(ordering: .acquiring) }

    /// Adds a piece of work.
    @usableFromInline
    final func enter() {
        work.add(1, ordering: .relaxed)
    }

    /// Removes a piece of work; the last one resumes the waiting tasks.
    @usableFromInline
    final func leave() {
        if work.subtract(1, ordering: .sequentiallyConsistent).newValue > 0 { return }
        if isAwaited.load(ordering: .sequentiallyConsistent) { resumeTasks() }
    }

    private func resumeTasks() {
        let waiting = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Prevents the group from starting side effects.
    @usableFromInline
    final func close() {
        hasClosed.store(true, ordering: .releasing)
    }

    /// Waits until there is no work left.
    package final func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = waiting.withLock { waiting in
                isAwaited.store(true, ordering: .sequentiallyConsistent)
                if isFinished { return true }
                waiting.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
