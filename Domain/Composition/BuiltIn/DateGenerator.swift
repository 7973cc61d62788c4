#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A source of the current time.
///
/// ```swift
/// @Dependency(\.date) private var date
/// let entry = Entry(createdAt: date.now)
/// ```
public struct DateGenerator: Sendable {
    private let generate: @Sendable () -> Date

    /// Creates a generator that returns the times of `generate`, which is called on the calling thread.
    public init(_ generate: @escaping @Sendable () -> Date) {
        self.generate = generate
    }

    /// A generator that always returns the same time.
    ///
    /// ```swift
    /// DateGenerator.constant(Date(timeIntervalSince1970: 0)).now.timeIntervalSince1970    // 0
    /// ```
    public static func constant(_ date: Date) -> DateGenerator { DateGenerator { date } }

    /// The current time.
    public var now: Date { generate() }

    /// The current time; `date()` is the same as `date.now`.
    ///
    /// ```swift
    /// let date = DateGenerator.constant(Date(timeIntervalSince1970: 0))
    /// date() == date.now    // true
    /// ```
    public func callAsFunction() -> Date { generate() }
}
