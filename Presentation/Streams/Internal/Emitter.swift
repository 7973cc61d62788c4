public import Synchronization

/// Serialises what user code sends into a subscription, which it may do from several threads at once.
///
/// What operators do to an element relies on one element at a time, and so does every observer. So wherever user code
/// holds the sending side of a subscription, its events pass a ``Gate``.
///
/// Passing the gate costs two atomic exchanges, several times what an operator costs. So a thread that sends many
/// elements while it starts the subscription, as a loop in `create` does, stays inside until it has started it, and
/// then pays for loads and stores only. What other threads send meanwhile it delivers behind each of its own elements,
/// and when it is done.
///
/// `@unchecked Sendable`: `isStarting` and `burst` are touched only by the thread `starter`, which runs the code that
/// starts the subscription.
@usableFromInline
final class Emitter: @unchecked Sendable {
    /// The number of elements after which the starting thread stays inside the gate.
    private static let longBurst = 32

    @usableFromInline let gate = Gate()
    @usableFromInline let chain: Chain
    /// The thread that stays inside the gate, while it delivers nothing.
    @usableFromInline let holder = Atomic<UInt>(0)
    private let starter: UInt
    @exclusivity(unchecked) private var isStarting = true
    @exclusivity(unchecked) private var burst = 0

    /// - Parameter isStarting: Whether this thread will call ``endStart()``.
    @usableFromInline
    init(_ chain: Chain, isStarting: Bool) {
        self.chain = chain
        starter = isStarting ? Thread.current : 0
    }

    /// Sends an element in its turn to `next`, the sink's own, unless the subscription has ended.
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

    /// Ends the subscription in its turn.
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

    /// Stays inside the gate, if this is the thread that starts the subscription and it has sent many elements.
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

    /// The subscription has been started; by the thread that started it.
    @usableFromInline
    func endStart() {
        isStarting = false
        if holder.load(ordering: .relaxed) == starter {
            holder.store(0, ordering: .relaxed)
            gate.leave()
        }
    }
}
