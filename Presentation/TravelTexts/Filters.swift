/// The eight filters of a search, in the order in which they are shown. Their raw values are the names in the text form of
/// `TripCriteria`.
public enum FilterKind: String, CaseIterable, Hashable, Sendable {
    case region
    case theme
    case companion
    case season
    case period
    case headcount
    case budget
    case transportation

    /// Whether a search may choose several values, of which a trip must have one.
    public var allowsSeveral: Bool {
        switch self {
        case .region, .theme, .companion, .season: true
        case .period, .headcount, .budget, .transportation: false
        }
    }

    /// The values to choose from, in the order in which they are shown.
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

/// One value of a filter.
public enum FilterOption: Hashable, Sendable {
    case region(Region)
    case theme(Theme)
    case companion(Companion)
    case season(Season)
    case period(Period)
    case headcount(Headcount)
    case budget(Budget)
    case transportation(Transportation)

    public var kind: FilterKind { parts.kind }

    /// The value in the text form of `TripCriteria`: `busan`, `2`.
    public var value: String { parts.value }

    private var parts: (kind: FilterKind, named: any LocalizedNameProviding, value: String) {
        switch self {
        case .region(let value): (.region, value, value.rawValue)
        case .theme(let value): (.theme, value, value.rawValue)
        case .companion(let value): (.companion, value, value.rawValue)
        case .season(let value): (.season, value, value.rawValue)
        case .period(let value): (.period, value, value.rawValue)
        case .headcount(let value): (.headcount, value, String(value.rawValue))
        case .budget(let value): (.budget, value, value.rawValue)
        case .transportation(let value): (.transportation, value, value.rawValue)
        }
    }
}

extension FilterOption: LocalizedNameProviding {
    public var names: Text { parts.named.names }
}

extension TripCriteria {
    public func contains(_ option: FilterOption) -> Bool {
        values(of: option.kind.rawValue).contains(option.value)
    }

    /// The chosen values of a filter, in their order.
    public func options(of kind: FilterKind) -> [FilterOption] {
        let chosen = values(of: kind.rawValue)
        return chosen.isEmpty ? [] : kind.options.filter { chosen.contains($0.value) }
    }
}
