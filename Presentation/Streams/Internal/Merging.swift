/// The machinery of every operator that listens to inner streams, many at once or one after the other: `merge`,
/// `flatMap`, `flatMapFirst`, `concatMap`.
///
/// - Elements of the inner streams meet in a ``Confluence`` on their way down.
/// - At most `limit` inner streams are subscribed at a time; the others wait, in order.
/// - The stream below completes when the outer stream and all inner streams have, and fails when one fails.
///
/// Inner streams are subscribed in a loop, never from within the end of the one before, so that 100,000
/// synchronous streams in a row need no more stack than one. Nothing here depends on the type of the elements, so
/// it is compiled once; `connect`, made where the type is known, does the part that does.
///
/// `@unchecked Sendable`: mutable state is behind `lock`, and no user code runs while it is held; `connect` is set by
/// the outer stream before the first inner stream is enqueued, under that lock, and called by the one who drains.
@usableFromInline
final class Merging: InnerStreams, @unchecked Sendable {
    private struct State {
        var outer: SourceChain?
        var inner = InnerChainList()
        var waiting = Queue<any AnyObject & Sendable>()
        /// Streams that have not completed: the outer one, the inner ones, those that wait.
        var active = 1
        var isDraining = false
        var isDisposed = false
    }

    @usableFromInline let limit: Int
    /// Subscribes the chain to a stream.
    @exclusivity(unchecked) @usableFromInline var connect: ((any AnyObject & Sendable, Chain) -> Void)?
    private let lock = Mutex(State())

    /// Merges streams of elements towards the sink of `chain`, and attaches itself to that.
    @usableFromInline
    init(into chain: Chain, limit: Int = .max) {
        self.limit = limit
        super.init(into: Confluence(chain))
        chain.attach(self)
    }

    /// The chain to connect the outer stream with. Its completion counts as the end of one stream.
    @usableFromInline
    func makeOuterChain() -> Chain {
        let chain = SourceChain(of: self)
        let isDisposed = lock.withLock { state in
            if !state.isDisposed { state.outer = chain }
            return state.isDisposed
        }
        if isDisposed { chain.dispose() }
        return chain
    }

    /// Whether an inner stream is subscribed or waits; to be asked by the outer stream.
    @usableFromInline
    var isBusy: Bool { lock.withLock { $0.active > 1 } }

    /// Listens to `stream` now, or when there is room. What it sends goes to `next`, the sink's own.
    @inlinable
    func add<Element: Sendable>(_ stream: Observable<Element>, _ next: @escaping (Element) -> Void) {
        if limit == .max {
            switch stream.source {
            case .just(let element):
                if !isAlone { return downstream.send(element, next) }
                if downstream.chain.isLive { next(element) }
                return
            case .empty: return
            case .error(let error): return downstream.finish(error)
            case .machinery, .subject, .elements, .concat, .merge: break
            }
        }
        isAlone = false
        if connect == nil { prepareToConnect(next) }
        enqueue(stream)
    }

    /// Made when it is first needed: many operators only ever meet streams of one element.
    @inlinable
    func prepareToConnect<Element: Sendable>(_ next: @escaping (Element) -> Void) {
        let receive = { [downstream] (element: Element) in downstream.send(element, next) }
        connect = { stream, chain in
            unsafeDowncast(stream, to: Observable<Element>.self).subscribe(
                toSerialising: Sink(chain, next: receive))
        }
    }

    /// Listens to `stream` now, or when there is room.
    @usableFromInline
    func enqueue(_ stream: any AnyObject & Sendable) {
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

    /// Says that no more streams are to come, where there is no outer stream to say so.
    @usableFromInline
    func complete() {
        endOne()
    }

    private func makeChain(_ state: inout State) -> InnerChain {
        let chain = InnerChain(of: self)
        state.inner.insert(chain)
        return chain
    }

    private func drain() {
        while true {
            let found = lock.withLock { state -> (stream: any AnyObject & Sendable, chain: InnerChain)? in
                guard state.inner.count < limit, let stream = state.waiting.popFirst() else {
                    state.isDraining = false
                    return nil
                }
                return (stream, makeChain(&state))
            }
            guard let (stream, chain) = found else { return }
            connect?(stream, chain)
        }
    }

    override func sourceEnded(_ error: (any Error)?) {
        if let error { downstream.finish(error) } else { endOne() }
    }

    override func ended(_ inner: InnerChain, _ error: (any Error)?) {
        if let error { downstream.finish(error) } else { endOne(inner) }
    }

    /// A stream has completed.
    private func endOne(_ inner: InnerChain? = nil) {
        let (isLast, isDrainer) = lock.withLock { state in
            if let inner { state.inner.remove(inner) }
            state.active -= 1
            let isDrainer = !state.isDraining && !state.waiting.isEmpty && state.inner.count < limit
            if isDrainer { state.isDraining = true }
            return (state.active == 0, isDrainer)
        }
        if isLast { downstream.finish(nil) }
        if isDrainer { drain() }
    }

    @usableFromInline
    override func dispose() {
        let (outer, inner, waiting) = lock.withLock { state in
            state.isDisposed = true
            let waiting = state.waiting
            state.waiting = Queue()
            return (state.outer.take(), state.inner.removeAll(), waiting)
        }
        outer?.dispose()
        for chain in inner { chain.dispose() }
        withExtendedLifetime(waiting) {}  // the streams that wait are released after the lock
    }
}
