/// A season of the Korean climate: spring 3–5, summer 6–9, autumn 10–11, winter 12–2.
///
/// ```swift
/// Season(of: try CalendarDay(year: 2024, month: 6, day: 1))    // .summer
/// Season.autumn.months                                         // [10, 11]
/// ```
public enum Season: String, CaseIterable, Hashable, Sendable {
    /// Spring, the months from March to May.
    case spring
    /// Summer, the months from June to September.
    case summer
    /// Autumn, the months October and November.
    case autumn
    /// Winter, the months from December to February.
    case winter

    /// The numbers of the months of the season, 1–12.
    public var months: [Int] {
        switch self {
        case .spring: [3, 4, 5]
        case .summer: [6, 7, 8, 9]
        case .autumn: [10, 11]
        case .winter: [12, 1, 2]
        }
    }

    /// Finds the season that contains `day`, by its month.
    public init(of day: CalendarDay) {
        switch day.month {
        case 3...5: self = .spring
        case 6...9: self = .summer
        case 10...11: self = .autumn
        default: self = .winter
        }
    }
}
