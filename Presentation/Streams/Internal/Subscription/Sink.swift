public import Synchronization

/// The downstream of one stage of a subscription: a function for its elements, and the chain for termination and
/// disposal.
///
/// On subscription, sinks are passed *upstream* through the operators: each operator wraps the `next` of its downstream
/// in a closure and passes the result to its upstream. `@inlinable` generic functions create those closures, so the
/// compiler specialises them in the client's module; elements then pass from closure to closure, without an event
/// around them and without a look-up of generic metadata.
///
/// `@unchecked Sendable`: the holder of a sink must call `next` from one thread at a time, with a happens-before edge
/// between calls. The Rx grammar ensures this for a single source, a ``Gate`` for several sources.
@usableFromInline
package struct Sink<Element>: @unchecked Sendable {
    @usableFromInline package let next: (Element) -> Void
    @usableFromInline package let chain: Chain
    /// Whether `next` may be called by several threads at once, because the downstream serialises the elements. Then a
    /// source whose events come from user code needs no gate of its own.
    @usableFromInline let isSerialising: Bool

    @inlinable
    @inline(__always)
    init(_ chain: Chain, isSerialising: Bool = false, next: @escaping (Element) -> Void) {
        self.next = next
        self.chain = chain
        self.isSerialising = isSerialising
    }

    /// A sink for the same elements, with another chain.
    @inlinable
    package func with(_ chain: Chain) -> Sink { Sink(chain, isSerialising: isSerialising, next: next) }

    /// Delivers an element unless the subscription has ended.
    @inlinable
    func send(_ element: Element) {
        if chain.isLive { next(element) }
    }
}

/// A sink without the type of its elements: lists of them are of one type, and code that does not send is compiled once.
///
/// `@unchecked Sendable`: as ``Sink``. The casts are valid: in a generic struct, a function has one layout for all types,
/// and takes its argument by reference.
@usableFromInline
package struct ErasedSink: @unchecked Sendable {
    @usableFromInline
    struct Function<Element> {
        @usableFromInline let call: (Element) -> Void

        @inlinable
        init(_ call: @escaping (Element) -> Void) { self.call = call }
    }

    @usableFromInline package let chain: Chain
    @usableFromInline let function: Function<Void>

    @inlinable
    package init<Element>(_ sink: Sink<Element>) {
        chain = sink.chain
        function = unsafeBitCast(Function(sink.next), to: Function<Void>.self)
    }

    /// The function for elements of the original sink's type. Returned instead of called, so that the chain is not
    /// retained during the call.
    @inlinable
    package func next<Element>(for _: Element.Type) -> (Element) -> Void {
        unsafeBitCast(function, to: Function<Element>.self).call
    }
}

/// Serialises the events of several sources into one sink: each event passes a ``Gate``.
///
/// An operator with several sources keeps its state in a ``SubscriptionState`` that it accesses only inside this gate.
/// Terminal events pass the gate as well, so they never overtake an element.
@usableFromInline
final class SerializedSink: Sendable {
    @usableFromInline let gate = Gate()
    @usableFromInline let chain: Chain

    @usableFromInline
    init(_ chain: Chain) { self.chain = chain }

    /// Runs `work` with `element` inside the gate, unless the subscription has ended.
    @inlinable
    func send<Element>(_ element: Element, _ work: @escaping (Element) -> Void) {
        if gate.enter() {
            if chain.isLive { work(element) }
            gate.leave()
        } else {
            sendWhileBusy(element, work)
        }
    }

    @usableFromInline
    func sendWhileBusy<Element>(_ element: Element, _ work: @escaping (Element) -> Void) {
        gate.pass { [chain] in if chain.isLive { work(element) } }
    }

    /// Runs `work` inside the gate, unless the subscription has ended.
    @usableFromInline
    func pass(_ work: @escaping () -> Void) { gate.pass { [chain] in if chain.isLive { work() } } }

    @usableFromInline
    func finish(_ error: (any Error)?) {
        if gate.enter() {
            chain.finish(error)
            gate.leave()
        } else {
            gate.pass { [chain] in chain.finish(error) }
        }
    }
}

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
            if chain.isLive { next(element) } else { chain.drop() }
            holder.store(Thread.current, ordering: .relaxed)
            if gate.hasWork { drainWhileHolding() }
        } else {
            sendThroughGate(element, next)
        }
    }

    @usableFromInline
    func sendThroughGate<Element>(_ element: Element, _ next: @escaping (Element) -> Void) {
        if !chain.isLive { return chain.drop() }
        if gate.enter() {
            if chain.isLive { next(element) } else { chain.drop() }
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
        }
        if holder.load(ordering: .relaxed) == Thread.current {
            holder.store(0, ordering: .relaxed)
            chain.finish(error)
            holder.store(Thread.current, ordering: .relaxed)
        } else if gate.enter() {
            chain.finish(error)
            gate.leave()
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

    /// Drains the queue. If it is long, another thread takes the place of this one, which then holds the gate no more.
    @usableFromInline
    func drainWhileHolding() {
        holder.store(0, ordering: .relaxed)
        if gate.doQueuedWork() { holder.store(Thread.current, ordering: .relaxed) }
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
