extension ObservableType {
    /// Combines the elements one after the other, starting with `seed`, and emits every intermediate result. The seed
    /// itself is not emitted. Fails with the error that `accumulator` throws.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).scan(0) { $0 + $1 }    // 1 3 6 |
    /// ```
    @inlinable @preconcurrency
    public func scan<Accumulated: Sendable>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) throws -> Accumulated
    ) -> Observable<Accumulated> {
        .stage(below: asObservable(), state: { SubscriptionState(seed) }) { element, context in
            context.withState { (accumulated: SubscriptionState<Accumulated>) in
                do {
                    var result = try accumulator(accumulated.value, element)
                    accumulated.value = result
                    context.send(&result)
                } catch { context.fail(error) }
            }
        }
    }

    /// Like ``scan(_:accumulator:)``, with an accumulator that modifies the result in place. Fails with the error that
    /// `accumulator` throws.
    ///
    /// ```swift
    /// Observable.of(1, 2).scan(into: []) { $0.append($1) }    // [1] [1, 2] |
    /// ```
    @inlinable @preconcurrency
    public func scan<Accumulated: Sendable>(
        into seed: Accumulated, accumulator: @escaping @Sendable (inout Accumulated, Element) throws -> Void
    ) -> Observable<Accumulated> {
        .stage(below: asObservable(), state: { SubscriptionState(seed) }) { element, context in
            context.withState { (accumulated: SubscriptionState<Accumulated>) in
                do {
                    try accumulator(&accumulated.value, element)
                    var result = accumulated.value
                    context.send(&result)
                } catch { context.fail(error) }
            }
        }
    }
}
