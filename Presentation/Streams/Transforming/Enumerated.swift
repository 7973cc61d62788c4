extension ObservableType {
    /// Emits each element with its 0-based index.
    ///
    /// ```swift
    /// Observable.of("a", "b").enumerated()    // (index: 0, element: "a") (index: 1, element: "b") |
    /// ```
    @inlinable
    public func enumerated() -> Observable<(index: Int, element: Element)> {
        .stage(below: asObservable(), state: { SubscriptionState(0) }) { element, context in
            context.withState { (count: SubscriptionState<Int>) in
                var result = (index: count.value, element: element)
                count.value += 1
                context.send(&result)
            }
        }
    }
}
