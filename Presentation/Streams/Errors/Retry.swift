extension ObservableType {
    /// This stream, subscribed again whenever it fails: for ever, if need be.
    ///
    /// Attempts that fail at once need no stack, but a stream that can only fail never lets go of the thread.
    ///
    /// ```swift
    /// // request:  1 at 1 s, RxError.timeout at 2 s
    /// request.retry()    // 1 at 1 s, 1 at 3 s, 1 at 5 s …
    /// ```
    @inlinable
    public func retry() -> Observable<Element> {
        retry(.max)
    }

    /// This stream, subscribed again whenever it fails: at most `maxAttemptCount` times in all. The error of the last
    /// attempt is the error of the stream.
    ///
    /// ```swift
    /// // request:  1 at 1 s, RxError.timeout at 2 s
    /// request.retry(2)    // 1 at 1 s, 1 at 3 s, RxError.timeout at 4 s
    /// ```
    @inlinable
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
        Observable.catch(sequence: Swift.repeatElement(asObservable(), count: maxAttemptCount))
    }

    /// The first of these streams that completes, each being subscribed when the one before has failed. If all fail,
    /// the last error is the error of the stream.
    ///
    /// The sequence is asked for its next stream only then, so it may be lazy, or never end.
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
