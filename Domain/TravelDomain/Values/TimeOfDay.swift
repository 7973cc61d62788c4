/// A time on the clock, to the minute, without a day or a time zone.
///
/// ```swift
/// try TimeOfDay("09:30").minutes                         // 570
/// TimeOfDay(minutesSinceMidnight: 1_500).description     // "01:00"
/// try TimeOfDay(hour: 24)                                // throws TravelError.invalid
/// ```
public struct TimeOfDay: Hashable, Sendable {
    /// The number of minutes since midnight, 0–1439.
    public let minutes: Int

    /// Creates the time with that hour (0–23) and minute (0–59).
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when either is out of range.
    public init(hour: Int, minute: Int = 0) throws(TravelError) {
        guard (0...23).contains(hour), (0...59).contains(minute) else {
            throw .invalid(.init(.time, .malformed(expected: "a time of day such as 09:30")))
        }
        self.minutes = hour * 60 + minute
    }

    /// Creates the time that many minutes after midnight, modulo 24 hours: 1,500 is 01:00.
    public init(minutesSinceMidnight: Int) {
        let rest = minutesSinceMidnight % 1_440
        self.minutes = rest < 0 ? rest + 1_440 : rest
    }

    /// The hour of the day, from 0 to 23.
    public var hour: Int { minutes / 60 }
    /// The minute within the hour, from 0 to 59.
    public var minute: Int { minutes % 60 }
}

extension TimeOfDay: Comparable {
    /// Whether `a` is earlier in the day.
    public static func < (a: Self, b: Self) -> Bool { a.minutes < b.minutes }
}

extension TimeOfDay: CustomStringConvertible {
    /// The time in 24-hour format, such as `"09:30"`.
    public var description: String { "\(hour.padded(to: 2)):\(minute.padded(to: 2))" }

    /// Creates the time from text in 24-hour format, such as `09:30`.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` for any other text.
    public init(_ text: some StringProtocol) throws(TravelError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [2, 2], let hour = Int(digits: parts[0]), let minute = Int(digits: parts[1])
        else { throw .invalid(.init(.time, .malformed(expected: "a time of day such as 09:30"))) }
        try self.init(hour: hour, minute: minute)
    }
}
