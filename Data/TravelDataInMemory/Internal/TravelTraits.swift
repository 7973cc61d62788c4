import TravelDomain

/// The properties that filters compare, as a bit set with one bit for each value of each filter.
struct TravelTraits: Sendable {
    fileprivate let bits: UInt64

    /// The traits of a travel with this content.
    init(_ content: TravelContent) {
        let days = content.days
        bits =
            Self.bits(of: [content.region], from: 0) | Self.bits(of: [days.season], from: 17)
            | Self.bits(of: [days.period], from: 21)
            | Self.bits(of: content.headcount.map { [$0] } ?? [], from: 27)
            | Self.bits(of: content.budget.map { [$0] } ?? [], from: 32)
            | Self.bits(of: content.transportation.map { [$0] } ?? [], from: 36)
            | Self.bits(of: content.themes, from: 38)
            | Self.bits(of: content.companions, from: 47)
    }

    /// The filters of a search, equivalent to `TravelCriteria.matches(_:)` without the keyword.
    struct Filter: Sendable {
        /// One mask for each filter that is set; a match has at least one bit of each.
        private let choices: [UInt64]

        init(_ criteria: TravelCriteria) {
            choices = [
                TravelTraits.bits(of: criteria.regions, from: 0), TravelTraits.bits(of: criteria.seasons, from: 17),
                TravelTraits.bits(of: criteria.period.map { [$0] } ?? [], from: 21),
                TravelTraits.bits(of: criteria.headcount.map { [$0] } ?? [], from: 27),
                TravelTraits.bits(of: criteria.budget.map { [$0] } ?? [], from: 32),
                TravelTraits.bits(of: criteria.transportation.map { [$0] } ?? [], from: 36),
                TravelTraits.bits(of: criteria.themes, from: 38),
                TravelTraits.bits(of: criteria.companions, from: 47),
            ].filter { $0 != 0 }
        }

        /// Whether a travel with these traits matches every filter.
        func admits(_ traits: TravelTraits) -> Bool {
            choices.allSatisfy { traits.bits & $0 != 0 }
        }
    }

    /// A bit set with one bit for each of `values`, starting at bit `first`.
    private static func bits<Value: CaseIterable & Hashable>(of values: Set<Value>, from first: UInt64) -> UInt64 {
        var bits: UInt64 = 0
        for (position, value) in Value.allCases.enumerated() where values.contains(value) {
            bits |= 1 << (first + UInt64(position))
        }
        return bits
    }
}
