extension ObservableType {
    /// Emits each element with its 0-based index.
    ///
    /// ```swift
    /// Observable.of("a", "b").enumerated()    // (index: 0, element: "a") (index: 1, element: "b") |
    /// ```
    @inlinable
    public func enumerated() -> Observable<(index: Int, element: Element)> {
        .stage(below: asObservable(), counter: 0) { element, context in
            var result = (index: context.counter, element: element)
            context.counter += 1
            context.send(&result)
        }
    }
}
