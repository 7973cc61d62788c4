/// The days of a trip: from the first through the last, both included.
///
/// ```swift
/// let days = DayRange(try CalendarDay(year: 2024, month: 12, day: 30), days: 3)
/// days.last.description    // "2025-01-01"
/// days.period              // .twoNights
/// days.season              // .winter
/// ```
public struct DayRange: Hashable, Sendable {
    /// The first day, not after the last.
    public let first: CalendarDay
    /// The last day; equal to the first for a day trip.
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

    /// The number of days, at least 1.
    public var count: Int { first.days(until: last) + 1 }

    /// The category of the trip's length, by its number of days.
    public var period: Period { Period(numberOfDays: count) }

    /// The season that contains the first day.
    public var season: Season { Season(of: first) }
}
