/// The implementation of the operators that subscribe to inner streams concurrently or sequentially: `merge`,
/// `flatMap`, `flatMapFirst` and `concatMap`.
///
/// - A ``SerializedSink`` serialises the elements of the inner streams.
/// - At most `limit` inner streams are subscribed at a time; the others are enqueued in order.
/// - The result completes when the outer stream and all inner streams have completed, and fails when one of them fails.
/// - An inner stream that has completed is released before the next one is subscribed and before the result completes.
///   If it completes while it is being subscribed, that is when the subscription returns. So streams that use an
///   exclusive resource one after the other never hold it twice.
///
/// Inner streams are subscribed in a loop, never from the termination handler of the previous one, so that 100,000
/// synchronous streams in a row need no more stack than one. This class does not depend on the element type, so it is
/// compiled once; the closure `connect`, created where the type is known, does the typed part.
///
/// `@unchecked Sendable`: mutable state is behind `lock`, and no user code runs while it is held. The outer stream sets
/// `connect` and `gated` before it enqueues the first inner stream under that lock; only the draining thread calls
/// `connect`.
@usableFromInline
final class MergeCoordinator: InnerStreamCoordinator, @unchecked Sendable {
    private struct State {
        var inner = LinkedList<InnerChain>()
        var waiting = Queue<any AnyObject & Sendable>()
        /// The number of streams that have not completed: outer, inner and enqueued ones.
        var active = 1
        var isDraining = false
        var isDisposed = false
    }

    @usableFromInline let limit: Int
    @usableFromInline let downstream: Chain
    /// Serialises the events of the inner streams; `nil` if no inner stream was ever subscribed. Then the outer stream,
    /// which is serial, needs no gate.
    @exclusivity(unchecked) @usableFromInline var gated: SerializedSink?
    /// Subscribes to a stream with a chain.
    @exclusivity(unchecked) @usableFromInline var connect: ((any AnyObject & Sendable, Chain) -> Void)?
    private let lock = Mutex(State())

    @usableFromInline
    init(into downstream: Chain, limit: Int = .max) {
        self.limit = limit
        self.downstream = downstream
        super.init(into: downstream)
    }

    @usableFromInline
    func finishDownstream(_ error: (any Error)?) {
        if let gated { gated.finish(error) } else { downstream.finish(error) }
    }

    /// Whether an inner stream is subscribed or enqueued. Called by the outer stream.
    @usableFromInline
    var isBusy: Bool { lock.withLock { $0.active > 1 } }

    /// Subscribes to `stream`, immediately or when the limit permits, and sends its elements to `next`, the `next` of
    /// the sink.
    @inlinable
    func add<Element: Sendable>(_ stream: Observable<Element>, _ next: @escaping (Element) -> Void) {
        if limit == .max, case .just = stream.kind {
            if let gated { return gated.send(stream.content(Element.self), next) }
            if downstream.isLive { next(stream.content(Element.self)) }
        } else {
            addLater(stream, next)
        }
    }

    /// Adds a stream that is not one element, or must wait for others.
    @usableFromInline
    func addLater<Element: Sendable>(_ stream: Observable<Element>, _ next: @escaping (Element) -> Void) {
        if limit == .max {
            switch stream.kind {
            case .empty: return
            case .error: return finishDownstream(stream.content((any Error).self))
            default: break
            }
        }
        if connect == nil { prepareToConnect(next) }
        enqueue(stream)
    }

    /// Creates `connect` on first use: many subscriptions only receive streams of one element.
    private func prepareToConnect<Element: Sendable>(_ next: @escaping (Element) -> Void) {
        let gated = SerializedSink(downstream)
        self.gated = gated
        let receive = { (element: Element) in gated.send(element, next) }
        connect = { stream, chain in
            // A coordinator serves one subscription to one operator, whose inner streams all have this element type;
            // only `add`, which is generic in it, enqueues them.
            unsafeDowncast(stream, to: Observable<Element>.self).subscribe(
                Sink(chain, isSerialising: true, next: receive))
        }
    }

    /// Subscribes to `stream`, immediately or when the limit permits.
    private func enqueue(_ stream: any AnyObject & Sendable) {
        let chain = lock.withLock { state -> InnerChain? in
            state.active += 1
            if state.isDisposed { return nil }
            guard !state.isDraining, state.waiting.isEmpty, state.inner.count < limit else {
                state.waiting.append(stream)
                return nil
            }
            state.isDraining = true
            return makeChain(&state)
        }
        guard let chain else { return }
        connect?(stream, chain)
        drain()
    }

    private func makeChain(_ state: inout State) -> InnerChain {
        let chain = InnerChain(of: self)
        state.inner.insert(chain)
        return chain
    }

    private func drain() {
        while true {
            let found = lock.withLock { state -> (stream: any AnyObject & Sendable, chain: InnerChain)?? in
                guard state.inner.count < limit, let stream = state.waiting.popFirst() else {
                    state.isDraining = false
                    return state.active == 0 ? .some(nil) : nil
                }
                return (stream, makeChain(&state))
            }
            guard let found else { return }
            guard let (stream, chain) = found else { return finishDownstream(nil) }
            connect?(stream, chain)
        }
    }

    override func ended(_ error: (any Error)?) {
        if let error { finishDownstream(error) } else { completeOne() }
    }

    override func innerEnded(_ inner: InnerChain, _ error: (any Error)?) {
        if let error { return finishDownstream(error) }
        inner.dispose()
        completeOne(inner)
    }

    /// Handles the completion of a stream. A thread that is subscribing to an inner stream does the rest when it has
    /// finished.
    private func completeOne(_ inner: InnerChain? = nil) {
        let (isLast, isDrainer) = lock.withLock { state in
            if let inner { state.inner.remove(inner) }
            state.active -= 1
            if state.isDraining { return (false, false) }
            state.isDraining = !state.waiting.isEmpty && state.inner.count < limit
            return (state.active == 0, state.isDraining)
        }
        if isLast { finishDownstream(nil) }
        if isDrainer { drain() }
    }

    override func disposed() {
        let (inner, waiting) = lock.withLock { state in
            state.isDisposed = true
            let waiting = state.waiting
            state.waiting = Queue()
            return (state.inner.removeAll(), waiting)
        }
        for chain in inner { chain.dispose() }
        withExtendedLifetime(waiting) {}  // released after the lock
    }
}

/// The base class of operators with an outer stream and inner streams: ``MergeCoordinator`` and ``SwitchCoordinator``.
/// It is the chain of the outer stream.
@usableFromInline
class InnerStreamCoordinator: Chain, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass.

    /// Creates a coordinator that sends to the sink of `chain`, and attaches it to that chain.
    @usableFromInline
    init(into chain: Chain) {
        super.init(isOuter: true)
        chain.attach(self)
    }

    /// Handles the termination of an inner stream.
    func innerEnded(_ inner: InnerChain, _ error: (any Error)?) {}
}

/// The chain of an inner stream.
///
/// `@unchecked Sendable`: the lock of the owner guards the links; the rest is constant.
@usableFromInline
final class InnerChain: Chain, LinkedNode, @unchecked Sendable {
    let owner: InnerStreamCoordinator
    /// The number of the inner stream within its operator.
    @usableFromInline let number: Int
    @exclusivity(unchecked) @usableFromInline package var links = Links<InnerChain>()

    init(of owner: InnerStreamCoordinator, number: Int = 0) {
        self.owner = owner
        self.number = number
        super.init()
    }

    override func ended(_ error: (any Error)?) { owner.innerEnded(self, error) }
}
