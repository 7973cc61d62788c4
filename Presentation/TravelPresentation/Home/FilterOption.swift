/// One value of a filter, as the filter sheet lists it.
///
/// ```swift
/// FilterOption.region(.busan).kind                      // .region
/// FilterOption.region(.busan).name(in: .english)        // "Busan"
/// ```
public enum FilterOption: Hashable, Sendable {
    /// A destination: travels to that region are found.
    case region(Region)
    /// A purpose: travels with that theme are found.
    case theme(Theme)
    /// A kind of company: travels with it are found.
    case companion(Companion)
    /// A season: travels that begin in it are found.
    case season(Season)
    /// A length: travels of that period are found.
    case period(Period)
    /// A number of travellers: travels with that headcount are found.
    case headcount(Headcount)
    /// A cost: travels with that budget per person are found.
    case budget(Budget)
    /// A means of transportation: travels by it are found.
    case transportation(Transportation)

    /// The filter to which the value belongs.
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
    /// Returns the name of the value in a language.
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
