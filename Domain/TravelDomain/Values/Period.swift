/// The category of a trip's length.
///
/// ```swift
/// Period(numberOfDays: 3)     // .twoNights
/// Period(numberOfDays: 10)    // .weekOrMore
/// ```
public enum Period: String, CaseIterable, Hashable, Sendable {
    /// One day, without a night away from home.
    case dayTrip
    /// Two days with one night between them.
    case oneNight
    /// Three days with two nights between them.
    case twoNights
    /// Four to six days: three nights or more.
    case threeNightsOrMore
    /// Seven to 29 days: a week or more.
    case weekOrMore
    /// Thirty days or more: a month or longer.
    case monthOrMore

    /// The numbers of days in this category.
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
