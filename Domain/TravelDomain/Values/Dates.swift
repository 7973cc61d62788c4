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

    public var year: Int { components.year }
    public var month: Int { components.month }
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
        // The length first: splitting a long text into characters takes long.
        let parts = text.utf8.count == 10 ? text.split(separator: "-", omittingEmptySubsequences: false) : []
        guard
            parts.map(\.utf8.count) == [4, 2, 2],
            let year = Int(digits: parts[0]), let month = Int(digits: parts[1]), let day = Int(digits: parts[2])
        else { throw .invalid(.init(.date, .malformed(expected: "a calendar day such as 2024-05-01"))) }
        try self.init(year: year, month: month, day: day)
    }
}

/// The days of a trip: from the first through the last, both included.
///
/// ```swift
/// let days = DayRange(try CalendarDay(year: 2024, month: 12, day: 30), days: 3)
/// days.last.description    // "2025-01-01"
/// days.period              // .twoNights
/// days.season              // .winter
/// ```
public struct DayRange: Hashable, Sendable {
    public let first: CalendarDay
    public let last: CalendarDay

    /// Creates the range from `first` through `last`.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `last` is before `first`.
    public init(_ first: CalendarDay, through last: CalendarDay) throws(TravelError) {
        guard first <= last else { throw .invalid(.init(.dates, .endsBeforeItBegins)) }
        self.first = first
        self.last = last
    }

    /// Creates a range of `days` consecutive days that begins with `first`. `days` below 1 counts as 1.
    public init(_ first: CalendarDay, days: Int) {
        self.first = first
        self.last = first.adding(days: max(days, 1) - 1)
    }

    public var count: Int { first.days(until: last) + 1 }

    public var period: Period { Period(numberOfDays: count) }

    public var season: Season { Season(of: first) }
}

/// The category of a trip's length.
///
/// ```swift
/// Period(numberOfDays: 3)     // .twoNights
/// Period(numberOfDays: 10)    // .weekOrMore
/// ```
public enum Period: String, CaseIterable, Hashable, Sendable {
    case dayTrip
    case oneNight
    case twoNights
    case threeNightsOrMore
    case weekOrMore
    case monthOrMore

    public var numbersOfDays: ClosedRange<Int> {
        switch self {
        case .dayTrip: 1...1
        case .oneNight: 2...2
        case .twoNights: 3...3
        case .threeNightsOrMore: 4...6
        case .weekOrMore: 7...29
        case .monthOrMore: 30...Int.max
        }
    }

    /// Creates the category of a trip of `numberOfDays` days; numbers below 1 count as a day trip.
    public init(numberOfDays: Int) {
        self = Self.allCases.first { $0.numbersOfDays.contains(numberOfDays) } ?? .dayTrip
    }
}

/// The day and time at which a photo was taken, by the clock of the place where it was taken.
///
/// ```swift
/// let taken = PhotoDate(day: try CalendarDay("2024-05-03"), time: try TimeOfDay("17:45"))
/// taken.dayNumber(in: trip.days)    // 2, in a trip that begins on 2 May
/// ```
public struct PhotoDate: Hashable, Sendable {
    public let day: CalendarDay
    public let time: TimeOfDay
    /// The difference of that clock from Coordinated Universal Time in minutes, east positive, such as 540 in Korea;
    /// `nil` if it is unknown, as in most photos.
    public let utcOffset: Int?

    /// The differences of all clocks: to 14 hours, as in Kiritimati.
    package static let utcOffsets = -14 * 60...14 * 60

    public init(day: CalendarDay, time: TimeOfDay, utcOffset: Int? = nil) {
        self.day = day
        self.time = time
        self.utcOffset = utcOffset
    }

    /// The 1-based day of a trip on which the photo was taken; `nil` when it was taken before or after it.
    public func dayNumber(in days: DayRange) -> Int? {
        (days.first...days.last).contains(day) ? days.first.days(until: day) + 1 : nil
    }
}

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
            throw .invalid(.init(.time, .malformed(expected: "a time such as 09:30")))
        }
        self.minutes = hour * 60 + minute
    }

    /// Creates the time that many minutes after midnight, modulo 24 hours: 1,500 is 01:00.
    public init(minutesSinceMidnight: Int) {
        let rest = minutesSinceMidnight % 1_440
        self.minutes = rest < 0 ? rest + 1_440 : rest
    }

    public var hour: Int { minutes / 60 }
    public var minute: Int { minutes % 60 }
}

extension TimeOfDay: Comparable {
    public static func < (a: Self, b: Self) -> Bool { a.minutes < b.minutes }
}

extension TimeOfDay: CustomStringConvertible {
    /// The time in 24-hour format, such as `"09:30"`.
    public var description: String { "\(hour.padded(to: 2)):\(minute.padded(to: 2))" }

    /// Creates the time from text in 24-hour format, such as `09:30`.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` for any other text.
    public init(_ text: some StringProtocol) throws(TravelError) {
        let parts = text.utf8.count == 5 ? text.split(separator: ":", omittingEmptySubsequences: false) : []
        guard parts.map(\.utf8.count) == [2, 2], let hour = Int(digits: parts[0]), let minute = Int(digits: parts[1])
        else { throw .invalid(.init(.time, .malformed(expected: "a time such as 09:30"))) }
        try self.init(hour: hour, minute: minute)
    }
}
