/// The ticks at which a subscription to a testable observable was made and disposed.
///
/// ```swift
/// #expect(numbers.subscriptions == [Subscription(200, 220), Subscription(300)])    // the second one is not disposed
/// ```
public struct Subscription: Hashable, Sendable {
    public let subscribe: TestTime
    /// The tick of the disposal; `Int.max` if it was not disposed.
    public let unsubscribe: TestTime

    public init(_ subscribe: TestTime) { self.init(subscribe, .max) }

    public init(_ subscribe: TestTime, _ unsubscribe: TestTime) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }
}

extension Subscription: CustomDebugStringConvertible {
    public var debugDescription: String {
        "(\(subscribe) : \(unsubscribe == .max ? "Infinity" : String(unsubscribe)))"
    }
}
