extension ObservableType {
    /// Transforms each element. Fails with the error that `transform` throws.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).map { $0 * 2 }    // 2 4 6 |
    /// ```
    @inlinable @preconcurrency
    public func map<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result
    ) -> Observable<Result> {
        .stage(below: asObservable()) { element, context in
            do {
                var result = try transform(element)
                context.send(&result)
            } catch { context.fail(error) }
        }
    }
}
