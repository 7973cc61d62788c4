/// The machinery of every operator that listens to inner streams, many at once or one after the other: `merge`,
/// `flatMap`, `flatMapFirst`, `concatMap`, `concat`.
///
/// - Elements of the inner streams meet in a ``Confluence`` on their way down.
/// - At most `limit` inner streams are subscribed at a time; the others wait, in order.
/// - The stream below completes when the outer stream and all inner streams have, and fails when one fails.
///
/// Inner streams are subscribed in a loop, never from within the end of the one before, so that 100,000
/// synchronous streams in a row need no more stack than one. Nothing here depends on the type of the elements, so
/// it is compiled once; `connect`, made where the type is known, does the part that does.
///
/// `@unchecked Sendable`: mutable state is behind `lock`, and no user code runs while it is held; `connect` is
/// called by one thread at a time for a given stream.
@usableFromInline
final class Merging: DisposeBase, @unchecked Sendable {
    fileprivate struct State {
        var outer: Chain?
        var inner: [Int: Chain] = [:]
        var nextKey = 0
        var waiting = Queue<any AnyObject & Sendable>()
        /// Streams that have not completed: the outer one, the inner ones, those that wait.
        var active = 1
        var isDraining = false
        var isDisposed = false
    }

    @usableFromInline let downstream: Confluence
    @usableFromInline let limit: Int
    /// Whether no inner stream was ever subscribed: then the outer stream, which is serial, meets no one in the gate.
    /// Touched by the outer stream only.
    @exclusivity(unchecked) @usableFromInline var isAlone = true
    /// Subscribes the chain to a stream.
    private let connect: (any AnyObject & Sendable, Chain) -> Void
    private let lock = Mutex(State())

    /// Merges streams of elements into `sink`, and attaches itself to its chain.
    @inlinable
    convenience init<Element: Sendable>(into sink: Sink<Element>, limit: Int = .max) {
        let downstream = Confluence(sink.chain)
        let next = sink.next
        self.init(into: downstream, limit: limit) { stream, chain in
            unsafeDowncast(stream, to: Observable<Element>.self)
                .subscribe(Sink(chain) { downstream.send($0, next) })
        }
        sink.chain.attach(self)
    }

    @usableFromInline
    init(into downstream: Confluence, limit: Int, connect: @escaping (any AnyObject & Sendable, Chain) -> Void) {
        self.downstream = downstream
        self.limit = limit
        self.connect = connect
    }

    /// The chain to connect the outer stream with. Its completion counts as the end of one stream.
    @usableFromInline
    func makeOuterChain() -> Chain {
        let chain = Chain { [self] error in
            if let error { downstream.finish(error) } else { endOne() }
        }
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
        enqueue(stream)
    }

    /// Listens to `stream` now, or when there is room.
    @usableFromInline
    func enqueue(_ stream: any AnyObject & Sendable) {
        let isDrainer = lock.withLock { state in
            state.active += 1
            state.waiting.append(stream)
            return state.beginDraining(limit)
        }
        if isDrainer { drain() }
    }

    /// Says that no more streams are to come, where there is no outer stream to say so.
    @usableFromInline
    func complete() {
        endOne()
    }

    private func drain() {
        while true {
            let found = lock.withLock { state -> (stream: any AnyObject & Sendable, key: Int)? in
                guard state.inner.count < limit, let stream = state.waiting.popFirst() else {
                    state.isDraining = false
                    return nil
                }
                state.nextKey += 1
                return (stream, state.nextKey)
            }
            guard let (stream, key) = found else { return }
            let chain = Chain { [self] error in
                lock.withLock { $0.inner[key] = nil }
                if let error { downstream.finish(error) } else { endOne() }
            }
            let isDisposed = lock.withLock { state in
                if !state.isDisposed { state.inner[key] = chain }
                return state.isDisposed
            }
            if isDisposed { chain.dispose() } else { connect(stream, chain) }
        }
    }

    /// One stream has completed.
    private func endOne() {
        let (isLast, isDrainer) = lock.withLock { state in
            state.active -= 1
            return (state.active == 0, state.beginDraining(limit))
        }
        if isLast { downstream.finish(nil) }
        if isDrainer { drain() }
    }

    @usableFromInline
    override func dispose() {
        let before = lock.withLock { state in
            let before = state
            state.isDisposed = true
            (state.outer, state.inner, state.waiting) = (nil, [:], Queue())
            return before
        }
        before.outer?.dispose()
        for chain in before.inner.values { chain.dispose() }
        withExtendedLifetime(before) {}  // the streams that wait are released after the lock
    }
}

extension Merging.State {
    /// Whether the caller is to drain: there is something to do, and no one does it.
    mutating func beginDraining(_ limit: Int) -> Bool {
        if isDraining || waiting.isEmpty || inner.count >= limit { return false }
        isDraining = true
        return true
    }
}
