/// The day and time at which a photo was taken, by the clock of the place where it was taken.
///
/// ```swift
/// let taken = PhotoDate(day: try CalendarDay("2024-05-03"), time: try TimeOfDay("17:45"))
/// taken.dayNumber(in: travel.days)    // 2, in a travel that begins on 2 May
/// ```
public struct PhotoDate: Hashable, Sendable {
    /// The calendar day.
    public let day: CalendarDay
    /// The time of day, to the minute.
    public let time: TimeOfDay
    /// The difference of that clock from Coordinated Universal Time in minutes, east positive, such as 540 in Korea;
    /// `nil` if it is unknown, as in most photos.
    public let utcOffset: Int?

    /// Creates a date from its parts.
    public init(day: CalendarDay, time: TimeOfDay, utcOffset: Int? = nil) {
        self.day = day
        self.time = time
        self.utcOffset = utcOffset
    }

    /// The 1-based day of a travel on which the photo was taken; `nil` when it was taken before or after it.
    public func dayNumber(in days: DayRange) -> Int? {
        (days.first...days.last).contains(day) ? days.first.days(until: day) + 1 : nil
    }
}
