/// The tab of one day of a travel.
///
/// ```swift
/// let tab = state.tabs?.first
/// tab?.number                 // 1
/// tab?.text(in: .english)     // "01 Wed", for 1 May 2024
/// ```
public struct DayTab: Hashable, Sendable, Identifiable {
    /// The number of the day in the travel, 1-based.
    public let number: Int
    /// The day of the calendar, without a time zone.
    public let day: CalendarDay

    /// The number of the day, which identifies the tab.
    public var id: Int { number }

    /// The text of the tab: the day of the month and of the week, `"05 Fri"`, `"05 금"`.
    public func text(in language: Language) -> String { day.tabText(in: language) }
}

/// The tabs of the days of a travel. They are made when they are read: a trip may have thousands of days.
///
/// ```swift
/// let tabs = state.tabs
/// tabs?.count            // 3, for a trip of two nights
/// tabs?.last?.number     // 3
/// ```
public struct DayTabs: RandomAccessCollection, Hashable, Sendable {
    private let days: DayRange

    init(_ days: DayRange) {
        self.days = days
    }

    /// The position of the first tab, that of day 1.
    public var startIndex: Int { 0 }
    /// The position after the last tab: the number of days.
    public var endIndex: Int { days.count }

    /// The tab at a position; that of day 1 is at position 0.
    public subscript(position: Int) -> DayTab {
        DayTab(number: position + 1, day: days.first.adding(days: position))
    }
}
