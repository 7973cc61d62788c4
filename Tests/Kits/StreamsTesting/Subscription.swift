/// The ticks at which a subscription to a testable observable was made and disposed.
///
/// ```swift
/// #expect(numbers.subscriptions == [Subscription(200, 220), Subscription(300)])    // the second one is not disposed
/// ```
public struct Subscription: Hashable, Sendable {
    /// The tick of the subscription.
    public let subscribe: TestTime
    /// The tick of the disposal; `Int.max` if it was not disposed.
    public let unsubscribe: TestTime

    /// Creates a subscription that is not disposed.
    public init(_ subscribe: TestTime) {
        self.init(subscribe, .max)
    }

    /// Creates a subscription that was disposed of at `unsubscribe`; both times are ticks.
    public init(_ subscribe: TestTime, _ unsubscribe: TestTime) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }
}

extension Subscription: CustomDebugStringConvertible {
    /// A description such as `(200 : 1000)` or `(200 : Infinity)`.
    public var debugDescription: String {
        "(\(subscribe) : \(unsubscribe == .max ? "Infinity" : String(unsubscribe)))"
    }
}
