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
        .collecting(asObservable(), in: { SubscriptionState(seed) }) { accumulated, chain in
            { element in
                do { accumulated.value = try accumulator(accumulated.value, element) } catch { chain.fail(error) }
            }
        } result: { accumulated in
            try mapResult(accumulated.value)
        }
    }
}

extension Observable {
    /// Creates a stream that collects the elements of `source`, and emits one element when it completes.
    ///
    /// - Parameters:
    ///   - makeState: Creates what the elements are collected in, for one subscription.
    ///   - collect: Returns the function for the elements of one subscription, created where their type is known. It fails
    ///     the chain of the source with the errors of the user's function.
    ///   - result: The element to emit.
    @usableFromInline
    static func collecting<Input: Sendable, State: AnyObject>(
        _ source: Observable<Input>, name: StaticString = #function, in makeState: @escaping @Sendable () -> State,
        _ collect: @escaping @Sendable (State, Chain) -> (Input) -> Void,
        result: @escaping @Sendable (State) throws -> Element
    ) -> Observable {
        Observable(
            connect: { sink in
                let state = makeState()
                let chain = Chain(above: sink.chain) { error in
                    do {
                        if let error { throw error }
                        sink.send(try result(state))
                        sink.chain.complete()
                    } catch { sink.chain.fail(error) }
                }
                source.connect(Sink(chain, next: collect(state, chain)))
            }, name: name)
    }
}
