extension ObservableType {
    /// A stream that runs `subscribe` for each subscription and sends what that tells its observer.
    ///
    /// - `subscribe` tells its observer serially; what comes after an end or after disposal is not heard.
    /// - The disposable it returns is disposed at the end and on disposal, once.
    ///
    /// ```swift
    /// let stream = Observable<Int>.create { observer in
    ///     observer.onNext(1)
    ///     observer.onCompleted()
    ///     return Disposables.create()
    /// }
    /// stream.subscribe(onNext: { print($0) })    // prints 1
    /// ```
    @inlinable
    @preconcurrency
    public static func create(
        _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
    ) -> Observable<Element> {
        Observable(run: { sink in
            sink.chain.attach(any: subscribe(AnyObserver(sink)))
        })
    }
}
