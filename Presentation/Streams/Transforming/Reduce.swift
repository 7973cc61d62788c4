extension ObservableType {
    /// The result of combining all elements one after the other, beginning with `seed`; sent when the stream is
    /// complete. What `accumulator` throws ends the stream as its error.
    ///
    /// Compare ``scan(_:accumulator:)``, which sends every intermediate result.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).reduce(0) { $0 + $1 }    // 6 |
    /// ```
    @inlinable
    @preconcurrency
    public func reduce<Accumulated: Sendable>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) throws -> Accumulated
    ) -> Observable<Accumulated> {
        reduce(seed, accumulator: accumulator, mapResult: { $0 })
    }

    /// As ``reduce(_:accumulator:)``, with the result transformed by `mapResult`; what that throws ends the stream as
    /// its error.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).reduce(0, accumulator: +, mapResult: { "sum \($0)" })    // sum 6 |
    /// ```
    @inlinable
    @preconcurrency
    public func reduce<Accumulated: Sendable, Result: Sendable>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) throws -> Accumulated,
        mapResult: @escaping @Sendable (Accumulated) throws -> Result
    ) -> Observable<Result> {
        let source = asObservable()
        return Observable(run: { sink in
            let accumulated = SubscriptionState(seed)
            let chain = Chain(above: sink.chain) { error in
                do {
                    if let error { throw error }
                    sink.next(try mapResult(accumulated.value))
                    sink.chain.complete()
                } catch { sink.chain.fail(error) }
            }
            source.run(
                Sink(chain) { element in
                    do { accumulated.value = try accumulator(accumulated.value, element) } catch { chain.fail(error) }
                })
        })
    }
}
