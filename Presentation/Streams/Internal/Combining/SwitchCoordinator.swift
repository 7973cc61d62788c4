public import Synchronization

/// The implementation of `flatMapLatest` and `switchLatest`: subscribes only to the latest inner stream.
///
/// - A new inner stream disposes the previous subscription, and is then subscribed.
/// - A ``SerializedSink`` serialises the elements of the inner streams.
/// - The result completes when the outer stream and the latest inner stream have completed, and fails when either
///   fails. The inner stream is released before that.
///
/// `@unchecked Sendable`: mutable state is behind `lock`, and no user code runs while it is held; only the outer stream
/// accesses `hasOnlyOuter`.
@usableFromInline
final class SwitchCoordinator: InnerStreamCoordinator, @unchecked Sendable {
    private struct State {
        var inner: InnerChain?
        var isOuterComplete = false
        var isDisposed = false
    }

    /// Whether an inner stream may be subscribed. Only the outer stream sets it, so it can rely on `false`.
    @usableFromInline let hasInner = Atomic(false)
    /// The number of the latest inner stream. Only the outer stream changes it, under the lock.
    @usableFromInline let newest = Atomic(0)
    private let lock = Mutex(State())
    /// Serialises the events of the inner streams.
    @usableFromInline let downstream: SerializedSink
    /// Whether no inner stream was ever subscribed. Then the outer stream, which is serial, needs no gate.
    @exclusivity(unchecked) @usableFromInline var hasOnlyOuter = true

    @usableFromInline
    override init(into chain: Chain) {
        downstream = SerializedSink(chain)
        super.init(into: chain)
    }

    /// Disposes the previous inner stream, subscribes to `stream`, and sends its elements to `next`, the `next` of the
    /// sink.
    @inlinable
    func switchTo<Element: Sendable>(_ stream: Observable<Element>, _ next: @escaping (Element) -> Void) {
        guard case .just = stream.kind else { return switchToOther(stream, next) }
        if hasOnlyOuter {
            if downstream.chain.isLive { next(stream.content(Element.self)) }
        } else {
            if hasInner.load(ordering: .relaxed) { disposeInner() }
            downstream.send(stream.content(Element.self), next)
        }
    }

    /// Switches to a stream that is not one element.
    @usableFromInline
    func switchToOther<Element: Sendable>(_ stream: Observable<Element>, _ next: @escaping (Element) -> Void) {
        switch stream.kind {
        case .empty:
            if hasInner.load(ordering: .relaxed) { disposeInner() }
        case .error:
            if hasInner.load(ordering: .relaxed) { disposeInner() }
            downstream.finish(stream.content((any Error).self))
        default: connect(stream, next)
        }
    }

    private func connect<Element: Sendable>(_ stream: Observable<Element>, _ next: @escaping (Element) -> Void) {
        hasOnlyOuter = false
        let chain = makeInnerChain()
        stream.subscribe(Sink(chain, isSerialising: true) { [self] in receive($0, from: chain.number, next) })
    }

    /// Forwards an element, unless a newer stream has replaced its stream by the time it passes the gate. Checking
    /// whether the chain is live would be wrong: the stream may have completed after the element.
    private func receive<Element>(_ element: Element, from number: Int, _ next: @escaping (Element) -> Void) {
        let downstream = downstream
        if downstream.gate.enter() {
            if downstream.chain.isLive, newest.load(ordering: .relaxed) == number { next(element) }
            downstream.gate.leave()
        } else {
            downstream.pass { [self] in if newest.load(ordering: .relaxed) == number { next(element) } }
        }
    }

    /// Disposes the inner stream, if there is one.
    @usableFromInline
    func disposeInner() {
        let inner = lock.withLock { state in
            hasInner.store(false, ordering: .relaxed)
            newest.store(newest.load(ordering: .relaxed) + 1, ordering: .relaxed)
            return state.inner.take()
        }
        inner?.dispose()
    }

    /// Creates the chain for the next inner stream, and disposes the previous one.
    private func makeInnerChain() -> InnerChain {
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

    override func ended(_ error: (any Error)?) {
        if let error { return downstream.finish(error) }
        let isLast = lock.withLock { state in
            state.isOuterComplete = true
            return state.inner == nil
        }
        if isLast { downstream.finish(nil) }
    }

    override func innerEnded(_ inner: InnerChain, _ error: (any Error)?) {
        let number = inner.number
        inner.dispose()
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

    override func disposed() {
        let inner = lock.withLock { state in
            state.isDisposed = true
            return state.inner.take()
        }
        inner?.dispose()
    }
}
