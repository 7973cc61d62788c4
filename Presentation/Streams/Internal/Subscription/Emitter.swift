public import Synchronization

/// Serialises the events that user code sends into a subscription, possibly from several threads at once.
///
/// Operators and observers rely on receiving one element at a time. So wherever user code holds the sending side of a
/// subscription, its events pass a ``Gate``.
///
/// Passing the gate costs two atomic exchanges, several times the cost of an operator. A thread that sends many
/// elements while it starts the subscription, such as a loop in `create`, therefore stays inside the gate until the
/// start has finished, and pays for loads and stores only. It drains the events that other threads enqueue after each
/// of its own elements and at the end of the start.
///
/// `@unchecked Sendable`: `isStarting` and `burst` are accessed only by the thread `starter`, which runs the code that
/// starts the subscription.
@usableFromInline
final class Emitter: @unchecked Sendable {
    /// The number of elements after which the starting thread stays inside the gate.
    private static let longBurst = 32

    @usableFromInline let gate = Gate()
    @usableFromInline let chain: Chain
    /// The thread that stays inside the gate, while it is not delivering; 0 otherwise.
    @usableFromInline let holder = Atomic<UInt>(0)
    private let starter: UInt
    @exclusivity(unchecked) private var isStarting = true
    @exclusivity(unchecked) private var burst = 0

    /// - Parameter isStarting: Whether this thread calls ``endStart()`` later.
    @usableFromInline
    init(_ chain: Chain, isStarting: Bool) {
        self.chain = chain
        starter = isStarting ? Thread.current : 0
    }

    /// Sends an element to `next`, the `next` of the sink, inside the gate, unless the subscription has ended.
    @inlinable
    func send<Element>(_ element: Element, _ next: @escaping (Element) -> Void) {
        if holder.load(ordering: .relaxed) == Thread.current {
            holder.store(0, ordering: .relaxed)
            if chain.isLive { next(element) }
            holder.store(Thread.current, ordering: .relaxed)
            if gate.hasWork { drainWhileHolding() }
        } else {
            sendThroughGate(element, next)
        }
    }

    @inlinable
    @inline(never)
    func sendThroughGate<Element>(_ element: Element, _ next: @escaping (Element) -> Void) {
        if !chain.isLive { return }
        if gate.enter() {
            if chain.isLive { next(element) }
            if !beginHolding() { gate.leave() }
        } else {
            gate.pass { [chain] in if chain.isLive { next(element) } }
        }
    }

    /// Terminates the subscription, inside the gate.
    @usableFromInline
    func finish(_ error: (any Error)?) {
        if !chain.isLive { return }
        if holder.load(ordering: .relaxed) == Thread.current {
            drainWhileHolding()
            holder.store(0, ordering: .relaxed)
            chain.finish(error)
            holder.store(Thread.current, ordering: .relaxed)
        } else {
            gate.pass { [chain] in chain.finish(error) }
        }
    }

    /// Stays inside the gate if this thread starts the subscription and has sent many elements.
    ///
    /// - Returns: Whether the thread stays inside.
    @usableFromInline
    func beginHolding() -> Bool {
        guard starter == Thread.current, isStarting else { return false }
        burst &+= 1
        if burst < Self.longBurst { return false }
        holder.store(starter, ordering: .relaxed)
        return true
    }

    @usableFromInline
    func drainWhileHolding() {
        holder.store(0, ordering: .relaxed)
        gate.doQueuedWork()
        holder.store(Thread.current, ordering: .relaxed)
    }

    /// Ends the start of the subscription, and leaves the gate. Called by the thread that starts it.
    @usableFromInline
    func endStart() {
        isStarting = false
        if holder.load(ordering: .relaxed) == starter {
            holder.store(0, ordering: .relaxed)
            gate.leave()
        }
    }
}
