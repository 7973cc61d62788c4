import Dispatch
public import Streams
public import Synchronization

/// A mutex that separates a reduction, which changes the state in place, from the threads that copy the state.
///
/// A thread holds it no longer than a reduction or a copy takes. A reduction depends on its arguments only, so the
/// holder waits for no other thread.
@usableFromInline
struct StateLock: ~Copyable, Sendable {
    private static let unlocked: UInt32 = 0
    private static let locked: UInt32 = 1
    private static let lockedWithWaiters: UInt32 = 2

    @usableFromInline let word = Atomic<UInt32>(0)
    /// The thread that holds the lock.
    @usableFromInline let owner = Atomic<UInt>(0)
    private let waiting = TracedMutex<[DispatchSemaphore]>([])

    @usableFromInline
    init() {}

    /// Acquires the lock; waits while another thread holds it.
    @inlinable
    func lock() {
        if !word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { lockAfterWaiting() }
        owner.store(Thread.current, ordering: .relaxed)
    }

    /// Releases the lock.
    @inlinable
    func unlock() {
        owner.store(0, ordering: .relaxed)
        if !word.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged { unlockAndWake() }
    }

    /// Whether the calling thread holds the lock.
    @inlinable
    var isHeldByCurrentThread: Bool { owner.load(ordering: .relaxed) == Thread.current }

    @usableFromInline
    func lockAfterWaiting() {
        while !word.compareExchange(expected: Self.unlocked, desired: Self.locked, ordering: .acquiring).exchanged {
            let turn = DispatchSemaphore(value: 0)
            let waits = waiting.withLock { waiting in
                let found = word.compareExchange(
                    expected: Self.locked, desired: Self.lockedWithWaiters, ordering: .relaxed)
                guard found.exchanged || found.original == Self.lockedWithWaiters else { return false }
                waiting.append(turn)
                return true
            }
            if waits { turn.wait() }
        }
    }

    @usableFromInline
    func unlockAndWake() {
        let waiting = waiting.withLock { waiting in
            let woken = waiting
            waiting = []
            word.store(Self.unlocked, ordering: .releasing)
            return woken
        }
        for turn in waiting { turn.signal() }
    }
}
