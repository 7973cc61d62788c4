/// A day of the Gregorian calendar, without a time zone: 1 May 2024 is the same day everywhere.
///
/// ```swift
/// let first = try CalendarDay(year: 2024, month: 2, day: 28)
/// first.adding(days: 2).description    // "2024-03-01"
/// ```
///
/// Day numbers and dates convert by Howard Hinnant's `days_from_civil` algorithms.
public struct CalendarDay: Hashable, Sendable {
    /// The number of days since 1 January 1970; negative before it.
    public let daysSince1970: Int

    /// Creates the day with that number. Numbers outside of ``years`` are clamped to the first or the last day.
    public init(daysSince1970: Int) {
        self.daysSince1970 = min(max(daysSince1970, Self.dayNumbers.lowerBound), Self.dayNumbers.upperBound)
    }

    /// Creates the day with that year, month (1–12) and day (1–31).
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the calendar has no such day, such as 30 February.
    public init(year: Int, month: Int, day: Int) throws(TravelError) {
        guard
            Self.years.contains(year), (1...12).contains(month),
            (1...Self.lastDay(ofMonth: month, year: year)).contains(day)
        else { throw .invalid(.init(.date, .malformed(expected: "a calendar day such as 2024-05-01"))) }
        self.daysSince1970 = Self.dayNumber(year: year, month: month, day: day)
    }

    /// The supported years: those with at most four digits.
    public static let years = 1...9999

    private static let dayNumbers = dayNumber(year: 1, month: 1, day: 1)...dayNumber(year: 9999, month: 12, day: 31)

    /// The calendar year, month (1–12) and day of the month (1–31).
    public var components: (year: Int, month: Int, day: Int) {
        let shifted = daysSince1970 + 719_468  // days since 1 March of year 0
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The calendar year, such as 2024.
    public var year: Int { components.year }
    /// The number of the month in the year, 1–12.
    public var month: Int { components.month }
    /// The number of the day in the month, 1–31.
    public var day: Int { components.day }

    /// Returns the day that many days later, or earlier when negative, clamped to ``years``.
    public func adding(days: Int) -> CalendarDay {
        let (sum, isTooMuch) = daysSince1970.addingReportingOverflow(days)
        return CalendarDay(daysSince1970: isTooMuch ? days : sum)
    }

    /// The number of days from this day to `other`; negative when `other` is earlier.
    public func days(until other: CalendarDay) -> Int {
        other.daysSince1970 - daysSince1970
    }

    private static func lastDay(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year.flooredQuotient(400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension CalendarDay: Comparable {
    /// Whether `a` is the earlier one of the two days.
    public static func < (a: Self, b: Self) -> Bool { a.daysSince1970 < b.daysSince1970 }
}

extension CalendarDay: CustomStringConvertible {
    /// The day in ISO 8601 format: `"2024-05-01"`.
    public var description: String {
        let (year, month, day) = components
        return "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }

    /// Creates the day from ISO 8601 text in extended format, such as `2024-05-01`.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` for any other text and for days that the calendar does not have.
    public init(_ text: some StringProtocol) throws(TravelError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard
            parts.map(\.utf8.count) == [4, 2, 2],
            let year = Int(digits: parts[0]), let month = Int(digits: parts[1]), let day = Int(digits: parts[2])
        else { throw .invalid(.init(.date, .malformed(expected: "a calendar day such as 2024-05-01"))) }
        try self.init(year: year, month: month, day: day)
    }
}
