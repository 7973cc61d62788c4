#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Tells what time it is.
///
/// ```swift
/// @Dependency(\.date) private var date
/// let entry = Entry(createdAt: date.now)
/// ```
public struct DateGenerator: Sendable {
    private let generate: @Sendable () -> Date

    /// Tells the time that `generate` returns, which is called on whatever thread asks.
    public init(_ generate: @escaping @Sendable () -> Date) {
        self.generate = generate
    }

    /// Always the same time.
    public static func constant(_ date: Date) -> DateGenerator { DateGenerator { date } }

    /// The time now.
    public var now: Date { generate() }

    /// The time now; `date()` for `date.now`.
    public func callAsFunction() -> Date { generate() }
}
