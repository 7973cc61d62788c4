extension ObservableType {
    /// Each element transformed, without those for which `transform` returns `nil`. What it throws ends the stream as
    /// its error.
    ///
    /// ```swift
    /// Observable.of("1", "two", "3").compactMap { Int($0) }    // 1 3 |
    /// ```
    @inlinable
    @preconcurrency
    public func compactMap<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Observable<Result> {
        let source = asObservable()
        return Observable(connect: { next, chain in
            source.run(chain) { element in
                do { if let result = try transform(element) { next(result) } } catch { chain.fail(error) }
            }
        })
    }
}
