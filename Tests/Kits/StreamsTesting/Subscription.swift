/// When a testable observable was subscribed to, and when that subscription was disposed.
public struct Subscription: Hashable, Sendable {
    /// The tick at which it was made.
    public let subscribe: TestTime
    /// The tick at which it was disposed; `Int.max` if it was not.
    public let unsubscribe: TestTime

    /// A subscription that was not disposed.
    public init(_ subscribe: TestTime) {
        self.init(subscribe, .max)
    }

    /// A subscription from one tick to another.
    public init(_ subscribe: TestTime, _ unsubscribe: TestTime) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }
}

extension Subscription: CustomDebugStringConvertible {
    /// `(200 : 1000)`, or `(200 : Infinity)`.
    public var debugDescription: String {
        "(\(subscribe) : \(unsubscribe == .max ? "Infinity" : String(unsubscribe)))"
    }
}
