/// One value of a filter.
///
/// ```swift
/// FilterOption.region(.busan).kind                      // .region
/// FilterOption.region(.busan).name(in: .english)        // "Busan"
/// ```
public enum FilterOption: Hashable, Sendable {
    /// A destination.
    case region(Region)
    /// A purpose.
    case theme(Theme)
    /// A kind of company.
    case companion(Companion)
    /// A season.
    case season(Season)
    /// A length.
    case period(Period)
    /// A number of travellers.
    case headcount(Headcount)
    /// A cost.
    case budget(Budget)
    /// A means of transportation.
    case transportation(Transportation)

    /// The filter of the value.
    public var kind: FilterKind {
        switch self {
        case .region: .region
        case .theme: .theme
        case .companion: .companion
        case .season: .season
        case .period: .period
        case .headcount: .headcount
        case .budget: .budget
        case .transportation: .transportation
        }
    }
}

extension FilterOption: LocalizedNameProviding {
    /// The name of the value.
    public func name(in language: Language) -> String {
        switch self {
        case .region(let value): value.name(in: language)
        case .theme(let value): value.name(in: language)
        case .companion(let value): value.name(in: language)
        case .season(let value): value.name(in: language)
        case .period(let value): value.name(in: language)
        case .headcount(let value): value.name(in: language)
        case .budget(let value): value.name(in: language)
        case .transportation(let value): value.name(in: language)
        }
    }
}
