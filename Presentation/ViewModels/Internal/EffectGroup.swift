import Streams
import Synchronization

/// The work that one action has led to: its own reduction, the side effects it asked for, and those that their actions
/// asked for in turn.
@usableFromInline
package final class EffectGroup: Sendable {
    private let work = Atomic(1)
    private let hasClosed = Atomic(false)
    private let waiting = TracedMutex<[CheckedContinuation<Void, Never>]>([])

    /// A group with one piece of work: the action itself.
    @usableFromInline
    init() {}

    /// Whether there is no work left.
    @usableFromInline
    package var isFinished: Bool { work.load(ordering: .acquiring) == 0 }

    /// Whether no more side effects are to be started.
    @usableFromInline
    var isCancelled: Bool { hasClosed.load(ordering: .acquiring) }

    /// One more piece of work.
    @usableFromInline
    func enter() {
        work.add(1, ordering: .relaxed)
    }

    /// One less; with the last, those who wait go on.
    @usableFromInline
    func leave() {
        if work.subtract(1, ordering: .acquiringAndReleasing).newValue > 0 { return }
        // Who begins to wait after this finds that there is no work left, under the same lock.
        let waiting = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// From now on, no side effect is started.
    @usableFromInline
    func close() {
        hasClosed.store(true, ordering: .releasing)
    }

    /// Waits until there is no work left.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = waiting.withLock { waiting in
                if isFinished { return true }
                waiting.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
