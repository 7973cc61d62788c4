extension ObservableType {
    /// Subscribes to this stream again whenever it fails, without a limit.
    ///
    /// Attempts that fail synchronously do not grow the stack, but a stream that always fails synchronously blocks the
    /// thread forever.
    ///
    /// ```swift
    /// // request:  1 at 1 s, RxError.timeout at 2 s
    /// request.retry()    // 1 at 1 s, 1 at 3 s, 1 at 5 s …
    /// ```
    @inlinable
    public func retry() -> Observable<Element> {
        retry(.max)
    }

    /// Subscribes to this stream again whenever it fails, with at most `maxAttemptCount` subscriptions in total. Fails
    /// with the error of the last attempt.
    ///
    /// ```swift
    /// // request:  1 at 1 s, RxError.timeout at 2 s
    /// request.retry(2)    // 1 at 1 s, 1 at 3 s, RxError.timeout at 4 s
    /// ```
    @inlinable
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
        Observable.catch(sequence: Swift.repeatElement(asObservable(), count: maxAttemptCount))
    }

    /// Subscribes to the streams one after the other, each when the previous one has failed, until one completes. If
    /// all fail, fails with the last error.
    ///
    /// The next stream is requested only then, so the sequence can be lazy or infinite.
    ///
    /// ```swift
    /// Observable.catch(sequence: [.error(RxError.timeout), .just(2), .just(3)])    // 2 |
    /// ```
    @inlinable
    @preconcurrency
    public static func `catch`<Sequence: Swift.Sequence & Sendable>(sequence: Sequence) -> Observable<Element>
    where Sequence.Element == Observable<Element> {
        Observable(run: { sink in
            let (next, chain) = (sink.next, sink.chain)
            let streams = SubscriptionState(sequence.makeIterator())
            let lastError = SubscriptionState<(any Error)?>(nil)
            SequentialSubscriptions(into: chain) { subscriptions in
                guard let stream = streams.value.next() else { return chain.finish(lastError.value) }
                let attempt = subscriptions.makeChain { error in
                    guard let error else { return chain.complete() }
                    lastError.value = error
                    subscriptions.advance()
                }
                stream.subscribe(Sink(attempt, next: next))
            }.advance()
        })
    }
}
