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
        TrivialObservable(.created, Creation(subscribe: subscribe))
    }
}

extension ObservableType {
    /// As ``create(_:)``, for a `subscribe` whose observer is called by one thread at a time: nothing serialises its events.
    @inlinable
    package static func createSerial(
        _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
    ) -> Observable<Element> {
        Observable(
            run: { sink in sink.chain.attach(any: subscribe(AnyObserver(nil, sink))) }, name: "create(_:)")
    }
}

/// The function that `create` was given.
@usableFromInline
struct Creation<Element: Sendable>: Sendable {
    @usableFromInline let subscribe: @Sendable (AnyObserver<Element>) -> any Disposable

    @inlinable
    init(subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable) {
        self.subscribe = subscribe
    }

    /// Runs the function for a subscription.
    ///
    /// - Parameter isSerialising: Whether `sink` may be called by several threads at once. Otherwise it is called through
    ///   an ``Emitter``.
    @inlinable
    func connect(_ sink: Sink<Element>, isSerialising: Bool) {
        #if DEBUG
            let outer = SubscriptionRegistry.begin(sink.chain, "create(_:)")
            defer { SubscriptionRegistry.end(outer) }
        #endif
        if isSerialising { return sink.chain.attach(any: subscribe(AnyObserver(nil, sink))) }
        let emitter = Emitter(sink.chain, isStarting: true)
        let disposable = subscribe(AnyObserver(emitter, sink))
        emitter.endStart()
        sink.chain.attach(any: disposable)
    }
}
