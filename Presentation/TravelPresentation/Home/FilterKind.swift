/// The eight filters of a search, in the order of the chips.
///
/// ```swift
/// FilterKind.season.options    // [.season(.spring), .season(.summer), …]
/// ```
public enum FilterKind: String, CaseIterable, Hashable, Sendable {
    /// The destination, a region of Korea; several may be chosen.
    case region
    /// The purpose, such as food or nature; several may be chosen.
    case theme
    /// The company, such as family or friends; several may be chosen.
    case companion
    /// The season of the first day; several may be chosen.
    case season
    /// The length of the trip; one may be chosen.
    case period
    /// The number of travellers; one may be chosen.
    case headcount
    /// The cost per person; one may be chosen.
    case budget
    /// The means of transportation; one may be chosen.
    case transportation

    /// The values to choose from, in the order of the sheet.
    public var options: [FilterOption] {
        switch self {
        case .region: Region.allCases.map(FilterOption.region)
        case .theme: Theme.allCases.map(FilterOption.theme)
        case .companion: Companion.allCases.map(FilterOption.companion)
        case .season: Season.allCases.map(FilterOption.season)
        case .period: Period.allCases.map(FilterOption.period)
        case .headcount: Headcount.allCases.map(FilterOption.headcount)
        case .budget: Budget.allCases.map(FilterOption.budget)
        case .transportation: Transportation.allCases.map(FilterOption.transportation)
        }
    }
}
