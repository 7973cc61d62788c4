/// A value and the virtual time at which it was recorded.
///
/// ```swift
/// #expect(observer.events == [Recorded(time: 210, value: .next(1)), .completed(220)])
/// ```
public struct Recorded<Value> {
    /// The time in ticks.
    public let time: TestTime
    /// The value.
    public let value: Value

    /// Creates a record of `value` at `time`.
    public init(time: TestTime, value: Value) {
        self.time = time
        self.value = value
    }
}

extension Recorded: Sendable where Value: Sendable {}

extension Recorded: Equatable where Value: Equatable {}

extension Recorded: CustomDebugStringConvertible {
    /// A description such as `next(1) @ 210`.
    public var debugDescription: String { "\(value) @ \(time)" }
}
