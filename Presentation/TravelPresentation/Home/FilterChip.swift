/// The chip of a filter above the list.
///
/// ```swift
/// let chips = TravelCriteria(regions: [.busan]).chips
/// chips[0].text(in: .english)    // "Busan"
/// chips[1].text(in: .english)    // the name of the filter, which is off
/// ```
public struct FilterChip: Hashable, Sendable, Identifiable {
    /// The filter whose name or values the chip shows.
    public let kind: FilterKind
    /// The chosen values, in the order of the sheet; empty if the filter is off.
    public let options: [FilterOption]

    /// The filter, which has one chip in a row.
    public var id: FilterKind { kind }
    /// Whether the filter has a value, so that the chip is highlighted.
    public var isOn: Bool { !options.isEmpty }

    /// The text of the chip: the name of the filter, its one value, or the first value and the number of the others:
    /// `Region`, `Busan`, `Busan +2`.
    public func text(in language: Language) -> String {
        guard let first = options.first?.name(in: language) else { return kind.name(in: language) }
        return options.count == 1 ? first : language[.andMore(first, options.count - 1)]
    }
}

extension TravelCriteria {
    /// The chips of the eight filters, in a fixed order.
    public var chips: [FilterChip] {
        FilterKind.allCases.map { FilterChip(kind: $0, options: options(of: $0)) }
    }
}
