public import Streams

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// A part of each state, told only when it differs from the one before.
    ///
    /// Nothing but that part is kept, so that the state is not copied when it is changed next.
    ///
    /// ```swift
    /// store.state.select(\.title).drive(onNext: { label.text = $0 }).disposed(by: bag)
    /// ```
    ///
    /// Each who listens has the part worked out for itself: keep it cheap, or share the result.
    @inlinable
    public func select<Value: Equatable & Sendable>(
        _ part: @escaping @Sendable (Element) -> Value
    ) -> Driver<Value> {
        // Not shared: a driver replays its latest element to everyone, and what is made of that is replayed as well.
        Driver(raw: asObservable().map(part).distinctUntilChanged())
    }

    /// The value of a ``Pulse``, now and at every assignment, be it equal to the one before or not.
    ///
    /// ```swift
    /// store.state.pulse(\.$toast).compactMap { $0 }.drive(onNext: showToast).disposed(by: bag)
    /// ```
    @inlinable
    public func pulse<Value: Sendable>(_ part: @escaping @Sendable (Element) -> Pulse<Value>) -> Driver<Value> {
        Driver(raw: asObservable().map(part).distinctUntilChanged { $0.stamp == $1.stamp }.map { $0.wrappedValue })
    }
}
