import Synchronization

/// A property that notifies on every assignment, even if the value equals the previous one.
///
/// Use it for repeated notifications: a toast with the same text, a scroll to the top.
///
/// ```swift
/// struct State: Sendable {
///     @Pulse var toast: String?
/// }
/// store.state.pulse(\.$toast).compactMap { $0 }.drive(onNext: showToast)
/// ```
///
/// Two pulses are equal if their values are equal and they were assigned equally often: in a test, assign to the
/// expected state what the flow assigns.
@propertyWrapper
public struct Pulse<Value: Sendable>: Sendable {
    /// The value; every assignment counts.
    public var wrappedValue: Value {
        didSet {
            count &+= 1
            stamp = PulseStamp.next()
        }
    }
    /// The number of assignments.
    private var count = 0
    /// Identifies this assignment: replacing the state and then assigning counts as well.
    @usableFromInline var stamp: UInt64 = 0

    /// Creates a property with a value that does not count as an assignment.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// The pulse itself, for `pulse` and `select`.
    public var projectedValue: Pulse<Value> { self }
}

extension Pulse: Equatable where Value: Equatable {
    /// Whether the values are equal, and were assigned equally often.
    public static func == (lhs: Pulse, rhs: Pulse) -> Bool {
        lhs.count == rhs.count && lhs.wrappedValue == rhs.wrappedValue
    }
}

extension Pulse: CustomStringConvertible {
    /// The value and the number of assignments.
    public var description: String { "\(Difference.describe(wrappedValue)) (assigned \(count) times)" }
}

extension Pulse: CustomReflectable {
    /// The value alone.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: [wrappedValue], displayStyle: .struct) }
}

private enum PulseStamp {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
