extension ObservableType {
    /// This stream and, should it fail, the stream that `handler` returns for the error; what `handler` throws
    /// becomes the error.
    ///
    /// ```swift
    /// Observable<Int>.error(RxError.timeout).catch { _ in .just(0) }    // 0 |
    /// ```
    @inlinable
    @preconcurrency
    public func `catch`(
        _ handler: @escaping @Sendable (any Error) throws -> Observable<Element>
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let (next, chain) = (sink.next, sink.chain)
            let subscriptions = SerialChain(into: chain)
            let first = Chain { error in
                guard let error else { return chain.complete() }
                do {
                    let fallback = try handler(error)
                    let second = Chain { chain.finish($0) }
                    subscriptions.set(second)
                    fallback.subscribe(Sink(second, next: next))
                } catch { chain.fail(error) }
            }
            subscriptions.set(first)
            source.run(Sink(first, next: next))
        })
    }

    /// This stream; should it fail, `element` and completion in place of the error.
    ///
    /// ```swift
    /// Observable<Int>.error(RxError.timeout).catchAndReturn(0)    // 0 |
    /// ```
    @inlinable
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let above = Chain(above: sink.chain) { error in
                if error != nil { sink.send(element) }
                sink.chain.complete()
            }
            source.run(Sink(above, next: sink.next))
        })
    }
}
