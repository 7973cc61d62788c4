extension ObservableType {
    /// Creates a stream that calls `subscribe` for each subscription and emits the events that it sends to its
    /// observer.
    ///
    /// - The observer can be called from any thread, and from several concurrently: events are delivered one at a time,
    ///   by threads that send. Events after termination or disposal are ignored.
    /// - While `subscribe` itself sends many elements, elements of other threads are delivered between them, at the
    ///   latest when `subscribe` returns.
    /// - The returned disposable is disposed once, on termination or disposal.
    ///
    /// ```swift
    /// let stream = Observable<Int>.create { observer in
    ///     observer.onNext(1)
    ///     observer.onCompleted()
    ///     return Disposables.create()
    /// }
    /// stream.subscribe(onNext: { print($0) })    // prints 1
    /// ```
    @inlinable @preconcurrency
    public static func create(
        _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
    ) -> Observable<Element> { CreatedStream(subscribe) }
}

@usableFromInline
final class CreatedStream<Element: Sendable>: Observable<Element>, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; the property it adds is a `let` of a `Sendable` type.

    private let subscribe: @Sendable (AnyObserver<Element>) -> any Disposable

    @usableFromInline
    init(_ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable) {
        self.subscribe = subscribe
        super.init(.created)
    }

    /// Calls the function for a subscription. A sink that does not serialise its elements is called through an
    /// ``Emitter``.
    func connectCreated(_ sink: Sink<Element>) {
        #if DEBUG
        let outer = SubscriptionRegistry.begin(sink.chain, "create(_:)")
        defer { SubscriptionRegistry.end(outer) }
        #endif
        if sink.isSerialising { return sink.chain.attach(any: subscribe(AnyObserver(nil, sink))) }
        let emitter = Emitter(sink.chain, isStarting: true)
        let disposable = subscribe(AnyObserver(emitter, sink))
        emitter.endStart()
        sink.chain.attach(any: disposable)
    }
}
