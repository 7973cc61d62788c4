/// How long a trip takes.
public enum Period: String, CaseIterable, Hashable, Sendable {
    /// One day.
    case dayTrip
    /// Two days.
    case oneNight
    /// Three days.
    case twoNights
    /// Four to six days.
    case threeNightsOrMore
    /// Seven to 29 days.
    case weekOrMore
    /// Thirty days or more.
    case monthOrMore

    /// The numbers of days this period covers.
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

    /// The period of a trip of that many days; below 1 counts as a day trip.
    public init(numberOfDays: Int) {
        self = Self.allCases.first { $0.numbersOfDays.contains(numberOfDays) } ?? .dayTrip
    }
}
