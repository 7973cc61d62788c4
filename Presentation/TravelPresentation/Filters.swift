/// The eight filters of a search, in the order of the chips.
public enum FilterKind: String, CaseIterable, Hashable, Sendable {
    case region
    case theme
    case companion
    case season
    case period
    case headcount
    case budget
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

/// The chip of a filter above the list.
public struct FilterChip: Hashable, Sendable, Identifiable {
    public let kind: FilterKind
    /// The chosen values, in the order of the sheet; empty if the filter is off.
    public let options: [FilterOption]

    public var id: FilterKind { kind }
    public var isOn: Bool { !options.isEmpty }

    /// The text of the chip: the name of the filter, its one value, or the first value and the number of the others:
    /// `Region`, `Busan`, `Busan +2`.
    public func text(in language: Language) -> String {
        guard let first = options.first?.name(in: language) else { return kind.name(in: language) }
        return options.count == 1 ? first : language[.andMore(first, options.count - 1)]
    }
}

extension TripCriteria {
    public var chips: [FilterChip] {
        FilterKind.allCases.map { FilterChip(kind: $0, options: options(of: $0)) }
    }
}

/// One value of a filter, as the filter sheet lists it.
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

    private var parts: (kind: FilterKind, value: any LocalizedNameProviding) {
        switch self {
        case .region(let value): (.region, value)
        case .theme(let value): (.theme, value)
        case .companion(let value): (.companion, value)
        case .season(let value): (.season, value)
        case .period(let value): (.period, value)
        case .headcount(let value): (.headcount, value)
        case .budget(let value): (.budget, value)
        case .transportation(let value): (.transportation, value)
        }
    }
}

extension FilterOption: LocalizedNameProviding {
    public var names: Text { parts.value.names }
}

extension TripCriteria {
    public func contains(_ option: FilterOption) -> Bool {
        switch option {
        case .region(let value): regions.contains(value)
        case .theme(let value): themes.contains(value)
        case .companion(let value): companions.contains(value)
        case .season(let value): seasons.contains(value)
        case .period(let value): period == value
        case .headcount(let value): headcount == value
        case .budget(let value): budget == value
        case .transportation(let value): transportation == value
        }
    }

    /// Adds a value of a filter, or removes it. In a filter with a single value, it replaces the previous one.
    public mutating func toggle(_ option: FilterOption) {
        func toggle<Value>(_ value: Value, in values: inout Set<Value>) {
            if values.remove(value) == nil { values.insert(value) }
        }
        func toggle<Value: Equatable>(_ value: Value, _ chosen: inout Value?) {
            chosen = chosen == value ? nil : value
        }
        switch option {
        case .region(let value): toggle(value, in: &regions)
        case .theme(let value): toggle(value, in: &themes)
        case .companion(let value): toggle(value, in: &companions)
        case .season(let value): toggle(value, in: &seasons)
        case .period(let value): toggle(value, &period)
        case .headcount(let value): toggle(value, &headcount)
        case .budget(let value): toggle(value, &budget)
        case .transportation(let value): toggle(value, &transportation)
        }
    }

    /// The chosen values of a filter, in the order of the sheet.
    public func options(of kind: FilterKind) -> [FilterOption] {
        kind.options.filter(contains)
    }

    /// Chooses no value of a filter; the other filters stay.
    public mutating func clear(_ kind: FilterKind) {
        for option in options(of: kind) { toggle(option) }
    }

    /// Chooses no value of any filter; keyword and order stay.
    public mutating func clearFilters() {
        for kind in FilterKind.allCases { clear(kind) }
    }
}
