import TravelDomain

/// What the filters ask of a travel: one bit for each value that a filter can choose.
struct TravelTraits: Sendable {
    fileprivate let bits: UInt64

    /// Those of a travel with this content.
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

    /// The filters of a search: the answer of `TravelCriteria.matches(_:)` but for the keyword.
    struct Filter: Sendable {
        /// Of each of these at least one bit is set.
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

        /// Whether a travel with these traits meets every filter.
        func admits(_ traits: TravelTraits) -> Bool {
            choices.allSatisfy { traits.bits & $0 != 0 }
        }
    }

    /// A bit for each of `values`.
    private static func bits<Value: CaseIterable & Hashable>(of values: Set<Value>, from first: UInt64) -> UInt64 {
        var bits: UInt64 = 0
        for (position, value) in Value.allCases.enumerated() where values.contains(value) {
            bits |= 1 << (first + UInt64(position))
        }
        return bits
    }
}
