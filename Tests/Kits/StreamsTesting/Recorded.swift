/// Something and the virtual time at which it happened.
public struct Recorded<Value> {
    /// When it happened, in ticks.
    public let time: TestTime
    /// What happened.
    public let value: Value

    /// `value`, at `time`.
    public init(time: TestTime, value: Value) {
        self.time = time
        self.value = value
    }
}

extension Recorded: Sendable where Value: Sendable {}

extension Recorded: Equatable where Value: Equatable {}

extension Recorded: CustomDebugStringConvertible {
    /// `next(1) @ 210`
    public var debugDescription: String { "\(value) @ \(time)" }
}
