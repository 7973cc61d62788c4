extension ObservableType {
    /// Transforms each element, and drops those for which `transform` returns `nil`. Fails with the error that
    /// `transform` throws.
    ///
    /// ```swift
    /// Observable.of("1", "two", "3").compactMap { Int($0) }    // 1 3 |
    /// ```
    @inlinable @preconcurrency
    public func compactMap<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Observable<Result> {
        .stage(below: asObservable()) { element, context in
            do { if var result = try transform(element) { context.send(&result) } } catch { context.fail(error) }
        }
    }
}
