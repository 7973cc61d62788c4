extension ObservableType {
    /// Emits the first `count` elements and completes with the last of them, or earlier if the stream completes.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).take(2)    // 1 2 |
    /// ```
    ///
    /// - Parameter count: The number of elements; not negative. If it is 0, the result completes immediately without
    ///   subscribing to this stream.
    @inlinable
    public func take(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "take(_:) requires a count that is not negative")
        if count == 0 { return .empty() }
        return .stage(below: asObservable(), counter: count) { element, context in
            // The counter is below 0 only for elements that are sent re-entrantly during the delivery of the last one.
            context.counter -= 1
            if context.counter >= 0 { context.send(&element) }
            if context.counter == 0 { context.complete() }
        }
    }

    /// Emits the elements that arrive within `duration` of the subscription, and then completes.
    ///
    /// ```swift
    /// Observable<Int>.interval(.seconds(2), scheduler: scheduler)
    ///     .take(for: .seconds(5), scheduler: scheduler)    // 0 at 2 s, 1 at 4 s, | at 5 s
    /// ```
    @inlinable
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let next = sink.next
            let output = SerializedSink(sink.chain)
            let timer = OperatorTimer(on: scheduler, through: output) { _ in sink.chain.complete() }
            let chain = Chain { output.finish($0) }
            sink.chain.attach(DisposablePair(timer, chain))
            timer.set(after: duration)
            source.connect(Sink(chain) { output.send($0, next) })
        })
    }

    /// Emits the last `count` elements when the stream completes.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).takeLast(2)    // 2 3 |
    /// ```
    ///
    /// - Parameter count: The number of elements, which are held in memory; not negative.
    @inlinable
    public func takeLast(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "takeLast(_:) requires a count that is not negative")
        let source = asObservable()
        return Observable(connect: { sink in
            let last = SubscriptionState(Queue<Element>())
            let chain = Chain(above: sink.chain) { error in
                if error == nil {
                    while sink.chain.isLive, let element = last.value.popFirst() { sink.next(element) }
                }
                sink.chain.finish(error)
            }
            source.connect(
                Sink(chain) { element in
                    last.value.append(element)
                    if last.value.count > count { _ = last.value.popFirst() }
                })
        })
    }
}
