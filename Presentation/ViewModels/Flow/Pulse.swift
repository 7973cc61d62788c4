import Synchronization

/// A property whose every assignment counts, be the value equal to the one before or not.
///
/// For what is shown again when it is said again: a toast with the same text, a scroll to the top.
///
/// ```swift
/// struct State: Sendable {
///     @Pulse var toast: String?
/// }
/// store.state.pulse(\.$toast).compactMap { $0 }.drive(onNext: showToast)
/// ```
///
/// Two pulses are equal if their values are and they were assigned equally often: in a test, an expected state has to
/// be assigned what the flow assigns.
@propertyWrapper
public struct Pulse<Value: Sendable>: Sendable {
    /// The value; setting it is what counts.
    public var wrappedValue: Value {
        didSet {
            count &+= 1
            stamp = PulseStamp.next()
        }
    }
    /// How often it was assigned.
    private var count = 0
    /// Tells this assignment from all others: a state that is replaced and then assigned to counts as well.
    @usableFromInline var stamp: UInt64 = 0

    /// A property that was not assigned to yet.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// The pulse itself, for `select` and its like.
    public var projectedValue: Pulse<Value> { self }
}

extension Pulse: Equatable where Value: Equatable {
    /// Whether the values are equal, and were assigned equally often.
    public static func == (lhs: Pulse, rhs: Pulse) -> Bool {
        lhs.count == rhs.count && lhs.wrappedValue == rhs.wrappedValue
    }
}

extension Pulse: CustomStringConvertible {
    /// The value, and how often it was assigned.
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
