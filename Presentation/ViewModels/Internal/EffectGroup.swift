import Streams
import Synchronization

/// The work of one action: its reduction, the side effects that it requested, and those that their actions requested in
/// turn.
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

    /// Whether the group starts no more side effects.
    @usableFromInline
    var isCancelled: Bool { hasClosed.load(ordering: .acquiring) }

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
        let waiting = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Prevents the group from starting side effects.
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
