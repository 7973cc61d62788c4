extension TravelCriteria {
    /// Whether a value of a filter is chosen.
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

    /// Whether any filter has a value; the keyword is none.
    public var hasFilters: Bool { FilterKind.allCases.contains { !options(of: $0).isEmpty } }
}
