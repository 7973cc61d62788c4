public import Streams

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// A part of each state, emitted only when it differs from the previous one.
    ///
    /// Only that part is stored, so the next reduction does not copy the state.
    ///
    /// ```swift
    /// store.state.select(\.title).drive(onNext: { label.text = $0 }).disposed(by: bag)
    /// ```
    ///
    /// The part is computed once for each observer: keep it cheap, or share the result.
    @inlinable
    public func select<Value: Equatable & Sendable>(
        _ part: @escaping @Sendable (Element) -> Value
    ) -> Driver<Value> {
        // Not shared: a driver replays its latest element to each observer, and so do operators on it.
        Driver(raw: asObservable().map(part).distinctUntilChanged())
    }

    /// The value of a ``Pulse``: the current one, and then one for every assignment, even of an equal value.
    ///
    /// ```swift
    /// store.state.pulse(\.$toast).compactMap { $0 }.drive(onNext: showToast).disposed(by: bag)
    /// ```
    @inlinable
    public func pulse<Value: Sendable>(_ part: @escaping @Sendable (Element) -> Pulse<Value>) -> Driver<Value> {
        Driver(raw: asObservable().map(part).distinctUntilChanged { $0.stamp == $1.stamp }.map { $0.wrappedValue })
    }
}
