extension ObservableType {
    /// A stream that runs `subscribe` for each subscription and sends what that sends to its observer.
    ///
    /// - The observer may be called from any thread, and from several at once: events are delivered one at a time, by
    ///   threads that send. Events after an end or after disposal are ignored.
    /// - While `subscribe` itself sends many elements, elements of other threads are delivered between those, at the
    ///   latest when `subscribe` returns.
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
            let emitter = Emitter(sink.chain, isStarting: true)
            let disposable = subscribe(AnyObserver(emitter, sink.next))
            emitter.endStart()
            sink.chain.attach(any: disposable)
        })
    }
}
