extension ObservableType {
    /// A stream that is complete on subscription.
    ///
    /// ```swift
    /// Observable<Int>.empty()    // |
    /// ```
    @inlinable
    public static func empty() -> Observable<Element> {
        Observable(.empty)
    }

    /// A stream that fails on subscription.
    ///
    /// ```swift
    /// Observable<Int>.error(RxError.timeout)    // RxError.timeout
    /// ```
    @inlinable
    public static func error(_ error: any Error) -> Observable<Element> {
        TrivialObservable(.error, error)
    }

    /// A stream that says nothing, ever.
    ///
    /// ```swift
    /// Observable<Int>.never().take(for: .seconds(1), scheduler: scheduler)    // | at 1 s
    /// ```
    @inlinable
    public static func never() -> Observable<Element> {
        Observable(run: { _ in })
    }

    /// A stream that `observableFactory` makes anew for each subscription; what that throws is its error.
    ///
    /// ```swift
    /// Observable.deferred { Observable.just(1) }    // 1 |
    /// ```
    @inlinable
    @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () throws -> Observable<Element>
    ) -> Observable<Element> {
        Observable(run: { sink in
            do { try observableFactory().run(sink) } catch { sink.chain.fail(error) }
        })
    }
}
