extension ObservableType {
    /// Replaces an error by the stream that `handler` returns for it. Fails with the error that `handler` throws.
    ///
    /// The new stream is subscribed before this one is released, as in RxSwift: a shared source of both stays connected.
    /// If both use a resource that exists once, use ``retry(_:)`` or ``catch(sequence:)``, which release a stream first;
    /// they also need no stack for many attempts, as a handler that returns the next `catch` does.
    ///
    /// ```swift
    /// Observable<Int>.error(RxError.timeout).catch { _ in .just(0) }    // 0 |
    /// ```
    @inlinable @preconcurrency
    public func `catch`(
        _ handler: @escaping @Sendable (any Error) throws -> Observable<Element>
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { $0.connect(to: source, catching: handler) })
    }

    /// Replaces an error by `element` and completion.
    ///
    /// ```swift
    /// Observable<Int>.error(RxError.timeout).catchAndReturn(0)    // 0 |
    /// ```
    @inlinable
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let above = Chain(above: sink.chain) { error in
                if error != nil { sink.send(element) }
                sink.chain.complete()
            }
            source.connect(sink.with(above))
        })
    }
}

extension Sink where Element: Sendable {
    @usableFromInline
    func connect(
        to source: Observable<Element>, catching handler: @escaping @Sendable (any Error) throws -> Observable<Element>
    ) {
        let subscriptions = SerialChain(into: chain)
        let first = Chain { [self] error in
            guard let error else { return chain.complete() }
            do {
                let fallback = try handler(error)
                let second = ForwardingChain(to: chain)
                subscriptions.set(second)
                fallback.subscribe(with(second))
            } catch { chain.fail(error) }
        }
        subscriptions.set(first)
        source.connect(with(first))
    }
}
