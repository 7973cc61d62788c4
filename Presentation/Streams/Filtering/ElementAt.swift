extension ObservableType {
    /// Emits the element at the 0-based `index` and completes; fails with ``RxError/argumentOutOfRange`` if the stream
    /// completes before that element.
    ///
    /// ```swift
    /// Observable.of("a", "b", "c").element(at: 1)    // b |
    /// ```
    ///
    /// - Parameter index: The 0-based index of the element; not negative.
    @inlinable
    public func element(at index: Int) -> Observable<Element> {
        precondition(index >= 0, "element(at:) requires an index that is not negative")
        let source = asObservable()
        return Observable(connect: { sink in
            let remaining = SubscriptionState(index)
            let chain = Chain(above: sink.chain) { sink.chain.finish($0 ?? RxError.argumentOutOfRange) }
            source.connect(
                Sink(chain) { element in
                    // Below 0 only for elements that are sent re-entrantly during the delivery of that element.
                    let isIt = remaining.value == 0
                    remaining.value -= 1
                    if !isIt { return }
                    sink.next(element)
                    sink.chain.complete()
                })
        })
    }
}
