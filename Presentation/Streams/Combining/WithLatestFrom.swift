extension ObservableType {
    /// Combines each element with the latest element of `second`, using `resultSelector`. Elements that arrive before
    /// `second` has emitted one are dropped.
    ///
    /// Completes when this stream completes, regardless of `second`. Fails when either stream fails or `resultSelector`
    /// throws. `second` is subscribed first.
    ///
    /// ```swift
    /// // taps:  () at 1 s, () at 3 s
    /// // text:  a at 0 s, ab at 2 s
    /// taps.withLatestFrom(text) { tap, text in text }    // a at 1 s, ab at 3 s
    /// ```
    @inlinable @preconcurrency
    public func withLatestFrom<Source: ObservableConvertibleType, ResultType: Sendable>(
        _ second: Source, resultSelector: @escaping @Sendable (Element, Source.Element) throws -> ResultType
    ) -> Observable<ResultType> {
        let first = asObservable()
        let second = second.asObservable()
        return Observable(connect: { sink in
            let (next, downstream) = (sink.next, sink.chain)
            let output = SerializedSink(downstream)
            let latest = SubscriptionState<Source.Element?>(nil)
            let store = { (element: Source.Element) in latest.value = element }
            let combine = { (element: Element) in
                guard let latest = latest.value else { return }
                do { next(try resultSelector(element, latest)) } catch { downstream.fail(error) }
            }
            output.connect(first, { output.send($0, combine) }, withLatestFrom: second, { output.send($0, store) })
        })
    }

    /// Emits the latest element of `second` for each element of this stream, once `second` has emitted one.
    ///
    /// Completes when this stream completes, regardless of `second`. Fails when either stream fails.
    ///
    /// ```swift
    /// // taps:  () at 1 s, () at 3 s
    /// // text:  a at 0 s, ab at 2 s
    /// taps.withLatestFrom(text)    // a at 1 s, ab at 3 s
    /// ```
    @inlinable
    public func withLatestFrom<Source: ObservableConvertibleType>(_ second: Source) -> Observable<Source.Element> {
        withLatestFrom(second) { $1 }
    }
}

extension SerializedSink {
    /// Connects the sources of `withLatestFrom`, and calls the functions with their elements.
    @usableFromInline
    func connect<First: Sendable, Second: Sendable>(
        _ first: Observable<First>, _ combine: @escaping (First) -> Void,
        withLatestFrom second: Observable<Second>, _ store: @escaping (Second) -> Void
    ) {
        let upstreams = Upstreams(of: chain)
        let secondChain = Chain { [self] error in if let error { finish(error) } }
        upstreams.add(secondChain)
        second.connect(Sink(secondChain, next: store))

        let firstChain = Chain { [self] in finish($0) }
        upstreams.add(firstChain)
        first.connect(Sink(firstChain, next: combine))
    }
}
