/// The pause before the next attempt: doubled after each failure, up to a maximum.
///
/// ```swift
/// Backoff().pause(after: 3)    // 4 seconds
/// ```
public struct Backoff: Hashable, Sendable {
    /// The pause after the first failure.
    public var first: Duration
    /// The longest pause between two attempts to send.
    public var maximum: Duration

    /// Creates pauses of 1 second to 1 minute, or others.
    public init(first: Duration = .seconds(1), maximum: Duration = .seconds(60)) {
        (self.first, self.maximum) = (first, maximum)
    }

    /// The pause after that many failures in sequence, at least 1.
    public func pause(after failures: Int) -> Duration {
        var pause = min(first, maximum)
        for _ in 1..<max(failures, 1) where pause < maximum { pause = min(pause * 2, maximum) }
        return pause
    }
}
