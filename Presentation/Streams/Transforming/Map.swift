extension ObservableType {
    /// Each element transformed. What `transform` throws ends the stream as its error.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).map { $0 * 2 }    // 2 4 6 |
    /// ```
    @inlinable
    @preconcurrency
    public func map<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result
    ) -> Observable<Result> {
        let source = asObservable()
        return Observable(connect: { next, chain in
            source.run(chain) { element in
                do { next(try transform(element)) } catch { chain.fail(error) }
            }
        })
    }
}
