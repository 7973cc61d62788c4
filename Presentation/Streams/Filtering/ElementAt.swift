extension ObservableType {
    /// The element with that number, from 0, and then completion; ``RxError/argumentOutOfRange`` when the stream
    /// completes before it.
    ///
    /// ```swift
    /// Observable.of("a", "b", "c").element(at: 1)    // b |
    /// ```
    ///
    /// - Parameter index: Not negative.
    @inlinable
    public func element(at index: Int) -> Observable<Element> {
        precondition(index >= 0, "element(at:) cannot have a negative index")
        let source = asObservable()
        return Observable(run: { sink in
            let remaining = SubscriptionState(index)
            let chain = Chain(above: sink.chain) { sink.chain.finish($0 ?? RxError.argumentOutOfRange) }
            source.run(
                Sink(chain) { element in
                    // Below 0 only for elements sent from within the delivery of the one.
                    let isIt = remaining.value == 0
                    remaining.value -= 1
                    if !isIt { return }
                    sink.next(element)
                    sink.chain.complete()
                })
        })
    }
}
