extension ObservableType {
    /// Creates a stream that completes on subscription.
    ///
    /// ```swift
    /// Observable<Int>.empty()    // |
    /// ```
    @inlinable
    public static func empty() -> Observable<Element> { Observable(.empty) }

    /// Creates a stream that fails with `error` on subscription.
    ///
    /// ```swift
    /// Observable<Int>.error(RxError.timeout)    // RxError.timeout
    /// ```
    @inlinable
    public static func error(_ error: any Error) -> Observable<Element> {
        TrivialObservable(.error, error)
    }

    /// Creates a stream that never emits an event.
    ///
    /// ```swift
    /// Observable<Int>.never().take(for: .seconds(1), scheduler: scheduler)    // | at 1 s
    /// ```
    @inlinable
    public static func never() -> Observable<Element> { Observable(connect: { _ in }) }

    /// Creates a stream that calls `observableFactory` for each subscription and emits the events of the returned
    /// stream. It fails with the error that the factory throws.
    ///
    /// ```swift
    /// Observable.deferred { Observable.just(1) }    // 1 |
    /// ```
    @inlinable @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () throws -> Observable<Element>
    ) -> Observable<Element> {
        Observable(connect: { sink in
            do { try observableFactory().connect(sink) } catch { sink.chain.fail(error) }
        })
    }
}
