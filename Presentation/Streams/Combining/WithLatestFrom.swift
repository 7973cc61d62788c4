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
        .combining(asObservable(), withLatestFrom: second.asObservable()) { next, chain in
            let latest = SubscriptionState<Source.Element?>(nil)
            let combine = { (element: Element) in
                guard let latest = latest.value else { return }
                do { next(try resultSelector(element, latest)) } catch { chain.fail(error) }
            }
            return (combine, { latest.value = $0 })
        }
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

extension Observable {
    /// Creates the stream of `withLatestFrom`.
    ///
    /// - Parameter make: Returns the functions for the elements of both sources in one subscription, created where their
    ///   types are known. They are called inside the gate.
    @usableFromInline
    static func combining<First: Sendable, Second: Sendable>(
        _ first: Observable<First>, withLatestFrom second: Observable<Second>,
        _ make:
            @escaping @Sendable (_ next: @escaping (Element) -> Void, Chain) -> (
                combine: (First) -> Void, store: (Second) -> Void
            )
    ) -> Observable {
        Observable(
            connect: { sink in
                let output = SerializedSink(sink.chain)
                let (combine, store) = make(sink.next, sink.chain)
                let upstreams = Upstreams(of: sink.chain)
                let secondChain = Chain { error in if let error { output.finish(error) } }
                upstreams.add(secondChain)
                second.connect(Sink(secondChain) { output.send($0, store) })

                let firstChain = Chain { output.finish($0) }
                upstreams.add(firstChain)
                first.connect(Sink(firstChain) { output.send($0, combine) })
            }, name: "withLatestFrom(_:resultSelector:)")
    }
}
