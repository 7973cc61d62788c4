/// A day of the week, Monday first, as ISO 8601 numbers them.
///
/// ```swift
/// Weekday(of: try CalendarDay("2024-05-01"))    // .wednesday
/// ```
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
    /// Monday, the first day of a week by ISO 8601.
    case monday = 1
    /// Tuesday, the second day of a week by ISO 8601.
    case tuesday
    /// Wednesday, the third day of a week by ISO 8601.
    case wednesday
    /// Thursday, the fourth day of a week by ISO 8601.
    case thursday
    /// Friday, the fifth day of a week by ISO 8601.
    case friday
    /// Saturday, the sixth day of a week by ISO 8601.
    case saturday
    /// Sunday, the seventh day of a week by ISO 8601.
    case sunday

    /// The day of the week of a calendar day.
    public init(of day: CalendarDay) {
        // 1 January 1970 was a Thursday.
        let sinceMonday = (day.daysSince1970 + 3) % 7
        self = Self.allCases[sinceMonday < 0 ? sinceMonday + 7 : sinceMonday]
    }
}

extension CalendarDay {
    /// The day of the month and of the week: `"05 Fri"`, `"05 금"`.
    public func tabText(in language: Language) -> String {
        "\(day < 10 ? "0" : "")\(day) \(Weekday(of: self).name(in: language))"
    }
}
