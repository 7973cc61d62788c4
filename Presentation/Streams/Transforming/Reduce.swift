extension ObservableType {
    /// Combines all elements one after the other, starting with `seed`, and emits the result when the stream completes.
    /// Fails with the error that `accumulator` throws.
    ///
    /// Compare ``scan(_:accumulator:)``, which emits every intermediate result.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).reduce(0) { $0 + $1 }    // 6 |
    /// ```
    @inlinable @preconcurrency
    public func reduce<Accumulated: Sendable>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) throws -> Accumulated
    ) -> Observable<Accumulated> { reduce(seed, accumulator: accumulator, mapResult: { $0 }) }

    /// Like ``reduce(_:accumulator:)``, and transforms the result with `mapResult`. Fails with the error that either
    /// function throws.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).reduce(0, accumulator: +, mapResult: { "sum \($0)" })    // sum 6 |
    /// ```
    @inlinable @preconcurrency
    public func reduce<Accumulated: Sendable, Result: Sendable>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) throws -> Accumulated,
        mapResult: @escaping @Sendable (Accumulated) throws -> Result
    ) -> Observable<Result> {
        let source = asObservable()
        return Observable(connect: { sink in
            let accumulated = SubscriptionState(seed)
            let chain = Chain(above: sink.chain) { error in
                do {
                    if let error { throw error }
                    sink.next(try mapResult(accumulated.value))
                    sink.chain.complete()
                } catch { sink.chain.fail(error) }
            }
            source.connect(
                Sink(chain) { element in
                    do { accumulated.value = try accumulator(accumulated.value, element) } catch { chain.fail(error) }
                })
        })
    }
}
