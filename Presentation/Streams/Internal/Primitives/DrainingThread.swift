public import Synchronization

/// What the senders of a queue know about the thread that drains it.
@usableFromInline
struct DrainingThread: ~Copyable, Sendable {
    /// An address in the stack of the thread. Unlike the identity of a thread it costs no call.
    @usableFromInline let stack = Atomic<UInt>(0)
    /// The number of enqueued elements that were delivered. Only the draining thread changes it.
    let delivered = Atomic<UInt32>(0)
    /// Whether the thread has delivered its batch. It sets this; the lock orders all other changes.
    let wantsSuccessor = Atomic(false)
    /// Whether a sender waits for the thread, or has asked it to offer the queue. Changed under the lock.
    let isCalled = Atomic(false)

    @usableFromInline
    init() {}

    /// Makes the caller the thread that drains.
    @inlinable
    @inline(__always)
    func becomeCurrent() { stack.store(StackAddress.current, ordering: .relaxed) }

    /// No thread: scheduled work will drain.
    static var unknown: UInt { 0 }

    func becomeUnknown() { stack.store(Self.unknown, ordering: .relaxed) }

    /// Whether the caller seems to be called by the work that it would wait for. An error lets a sender return without
    /// a wait, or wait once in vain.
    var isCurrent: Bool { StackAddress.isNear(stack.load(ordering: .relaxed)) }

    /// Counts a delivered element.
    func countDelivery() { delivered.store(delivered.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
}

/// Addresses in the stacks of threads, which serve as numbers only.
@usableFromInline
enum StackAddress {
    /// The distance below which two addresses are taken to be in one stack. The stacks of threads are larger, and a
    /// delivery that uses this much of one is rare.
    private static let reach: UInt = 1 << 18

    /// An address in the stack of the current thread.
    @inlinable
    @inline(__always)
    static var current: UInt {
        // Nothing is written through the pointer, so the stack needs no protection.
        var local: UInt8 = 0
        return _withUnprotectedUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }

    static func isNear(_ address: UInt) -> Bool { areNear(address, current) }

    static func areNear(_ a: UInt, _ b: UInt) -> Bool { (a > b ? a - b : b - a) < reach }
}

/// Signs of life of threads: a thread that delivers elements, of any queue, changes the number at the place of its stack.
///
/// A thread inside one queue may be busy in another one. Then it is slow, but not stuck.
/// Two threads whose stacks share a place are taken for one, which delays the end of a wait in vain.
struct Pulse: @unchecked Sendable {
    // `@unchecked Sendable`: the memory is never deallocated, and atomic.

    private static let places = 256
    /// The distance between two numbers, so that each has a cache line of its own.
    private static let stride = 8
    private static let numbers: Pulse = {
        let memory = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: places * stride)
        for index in 0..<places * stride { (memory + index).initialize(to: Atomic(0)) }
        return Pulse(number: memory)
    }()

    private let number: UnsafeMutablePointer<Atomic<UInt>>

    /// The pulse of the thread whose stack has this address.
    static func at(_ address: UInt) -> Pulse {
        let hash = (address >> 17) &* 0x9E37_79B9_7F4A_7C15
        return Pulse(number: numbers.number + Int(hash >> 56) * stride)
    }

    static var current: Pulse { at(StackAddress.current) }

    /// The sum of the pulses of a thread that uses the stack down from this address.
    static func sum(below address: UInt) -> UInt {
        let (here, below) = (at(address), at(address &- 1 << 16))
        return here.count &+ (here.number == below.number ? 0 : below.count)
    }

    private var count: UInt { number.pointee.load(ordering: .relaxed) }

    func beat() { number.pointee.store(count &+ 1, ordering: .relaxed) }
}

/// The threads that wait for a thread that drains, by addresses in their stacks.
enum Waits {
    private struct Wait: Sendable {
        let waiting: UInt
        var drainer: UInt
        /// The number of elements that the queue has delivered, a few milliseconds ago.
        var delivered: UInt32
    }

    private static let waits = TracedMutex<[Wait]>([])

    /// Notes which thread the caller waits for, and how much that has delivered.
    ///
    /// - Returns: The thread whose progress ends the wait: the one that the others wait for, with what its queue has
    ///   delivered, since that thread may be unknown; `nil` if it is the caller.
    static func note(
        _ waiting: UInt, for drainer: UInt, _ delivered: UInt32
    ) -> (drainer: UInt, delivered: UInt32)? {
        waits.withLock { waits in
            // The place of the draining thread has passed to the caller.
            if StackAddress.areNear(drainer, waiting) { return nil }
            let wait = Wait(waiting: waiting, drainer: drainer, delivered: delivered)
            if let index = waits.firstIndex(where: { $0.waiting == waiting }) {
                waits[index] = wait
            } else {
                waits.append(wait)
            }
            var last = wait
            for _ in waits.indices {
                if StackAddress.areNear(last.drainer, waiting) { return nil }
                guard let next = waits.first(where: { StackAddress.areNear($0.waiting, last.drainer) }) else {
                    return (last.drainer, last.delivered)
                }
                last = next
            }
            return nil
        }
    }

    /// Removes the wait of a thread, also before it has a processor again: others would take it for one that waits for them.
    static func end(_ waiting: UInt) { waits.withLock { $0.removeAll { $0.waiting == waiting } } }
}
