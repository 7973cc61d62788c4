public import Synchronization

/// The machinery of `flatMapLatest` and `switchLatest`: listens to one inner stream at a time, the newest.
///
/// - A new inner stream ends the subscription to the one before, and is then subscribed.
/// - Elements of the inner streams meet in a ``Confluence`` on their way down.
/// - The stream below completes when the outer stream and the newest inner stream have, and fails when either fails.
///
/// `@unchecked Sendable`: mutable state is behind `lock`, and no user code runs while it is held.
@usableFromInline
final class Switching: InnerStreams, @unchecked Sendable {
    private struct State {
        var outer: SourceChain?
        var inner: InnerChain?
        var isOuterComplete = false
        var isDisposed = false
    }

    /// Whether an inner stream may be subscribed. Set by the outer stream only, so that its `false` can be relied on.
    @usableFromInline let hasInner = Atomic(false)
    /// The number of the newest inner stream; changed by the outer stream only, under the lock.
    @usableFromInline let newest = Atomic(0)
    private let lock = Mutex(State())

    /// Sends elements towards the sink of `chain`, and attaches itself to that.
    @usableFromInline
    init(into chain: Chain) {
        super.init(into: Confluence(chain))
        chain.attach(self)
    }

    /// The chain to connect the outer stream with.
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

    /// Listens to `stream` instead of the one before. What it sends goes to `next`, the sink's own.
    @inlinable
    func follow<Element: Sendable>(_ stream: Observable<Element>, _ next: @escaping (Element) -> Void) {
        switch stream.source {
        case .just(let element):
            if isAlone {
                if downstream.chain.isLive { next(element) }
                return
            }
            if hasInner.load(ordering: .relaxed) { leaveInner() }
            downstream.send(element, next)
        case .empty:
            if hasInner.load(ordering: .relaxed) { leaveInner() }
        case .error(let error):
            if hasInner.load(ordering: .relaxed) { leaveInner() }
            downstream.finish(error)
        case .machinery, .subject, .elements, .concat, .merge:
            isAlone = false
            let chain = makeInnerChain()
            stream.subscribe(toSerialising: Sink(chain) { [self] in receive($0, from: chain.number, next) })
        }
    }

    /// Passes an element on, unless a newer stream has taken over by the time it passes the gate. Whether the chain is
    /// live would be the wrong question, for it may have completed behind the element.
    @inlinable
    func receive<Element>(_ element: Element, from number: Int, _ next: @escaping (Element) -> Void) {
        let downstream = downstream
        if downstream.gate.enter() {
            if downstream.chain.isLive, newest.load(ordering: .relaxed) == number { next(element) }
            downstream.gate.leave()
        } else {
            downstream.pass { [self] in if newest.load(ordering: .relaxed) == number { next(element) } }
        }
    }

    /// Stops to listen to the inner stream, if there is one.
    @usableFromInline
    func leaveInner() {
        let inner = lock.withLock { state in
            hasInner.store(false, ordering: .relaxed)
            newest.store(newest.load(ordering: .relaxed) + 1, ordering: .relaxed)
            return state.inner.take()
        }
        inner?.dispose()
    }

    /// The chain to connect the next inner stream with; what belongs to the one before is disposed.
    @usableFromInline
    func makeInnerChain() -> InnerChain {
        let chain = InnerChain(of: self, number: newest.load(ordering: .relaxed) + 1)
        let old = lock.withLock { state -> InnerChain? in
            newest.store(chain.number, ordering: .relaxed)
            if state.isDisposed { return chain }
            hasInner.store(true, ordering: .relaxed)
            let old = state.inner
            state.inner = chain
            return old
        }
        old?.dispose()
        return chain
    }

    override func sourceEnded(_ error: (any Error)?) {
        if let error { return downstream.finish(error) }
        let isLast = lock.withLock { state in
            state.isOuterComplete = true
            return state.inner == nil
        }
        if isLast { downstream.finish(nil) }
    }

    override func ended(_ inner: InnerChain, _ error: (any Error)?) {
        let number = inner.number
        if let error {
            return downstream.pass { [self] in
                if newest.load(ordering: .relaxed) == number { downstream.chain.fail(error) }
            }
        }
        let isLast = lock.withLock { state in
            if newest.load(ordering: .relaxed) != number { return false }
            state.inner = nil
            hasInner.store(false, ordering: .relaxed)
            return state.isOuterComplete
        }
        if isLast { downstream.finish(nil) }
    }

    @usableFromInline
    override func dispose() {
        let (outer, inner) = lock.withLock { state in
            state.isDisposed = true
            return (state.outer.take(), state.inner.take())
        }
        inner?.dispose()
        outer?.dispose()
    }
}
