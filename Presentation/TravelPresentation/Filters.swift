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

extension TripCriteria {
    /// Adds a value of a filter, or removes it. In a filter with a single value, it replaces the previous one.
    public mutating func toggle(_ option: FilterOption) {
        toggle(option.value, of: option.kind.rawValue)
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
