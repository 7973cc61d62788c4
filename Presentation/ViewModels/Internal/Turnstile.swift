import Dispatch
public import Streams
public import Synchronization

/// Keeps who wants to copy the state apart from the one reduction that is changing it in place.
///
/// One at a time is inside; the others wait, no longer than a reduction or a copy takes. A reduction depends on its
/// arguments only, so nobody inside waits for anybody.
@usableFromInline
struct Turnstile: ~Copyable, Sendable {
    private static let free: UInt32 = 0
    private static let taken: UInt32 = 1
    private static let takenAndAwaited: UInt32 = 2

    @usableFromInline let word = Atomic<UInt32>(0)
    /// The thread inside.
    @usableFromInline let owner = Atomic<UInt>(0)
    private let waiting = TracedMutex<[DispatchSemaphore]>([])

    @usableFromInline
    init() {}

    /// Waits until nobody is inside, and enters.
    @inlinable
    func enter() {
        if !word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { waitAndEnter() }
        owner.store(currentThread(), ordering: .relaxed)
    }

    /// Goes out.
    @inlinable
    func goOut() {
        owner.store(0, ordering: .relaxed)
        if !word.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged { goOutAndWake() }
    }

    /// Whether the thread that asks is inside.
    @inlinable
    var isEnteredByCurrentThread: Bool { owner.load(ordering: .relaxed) == currentThread() }

    @usableFromInline
    func waitAndEnter() {
        while !word.compareExchange(expected: Self.free, desired: Self.taken, ordering: .acquiring).exchanged {
            let turn = DispatchSemaphore(value: 0)
            let waits = waiting.withLock { waiting in
                let found = word.compareExchange(
                    expected: Self.taken, desired: Self.takenAndAwaited, ordering: .relaxed)
                guard found.exchanged || found.original == Self.takenAndAwaited else { return false }
                waiting.append(turn)
                return true
            }
            if waits { turn.wait() }
        }
    }

    @usableFromInline
    func goOutAndWake() {
        let waiting = waiting.withLock { waiting in
            let woken = waiting
            waiting = []
            word.store(Self.free, ordering: .releasing)
            return woken
        }
        for turn in waiting { turn.signal() }
    }
}
