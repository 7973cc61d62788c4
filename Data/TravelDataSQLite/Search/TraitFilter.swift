internal import SQLiteStore
import TravelDomain

/// The filters of a search, as conditions on the column `traits`.
struct TraitFilter {
    /// Bits that must all be set: the filters of which one value was chosen.
    private(set) var all: Int64 = 0
    /// Bits of which one must be set: each filter of which several were chosen.
    private(set) var any: [Int64] = []

    init(_ criteria: TravelCriteria) {
        typealias Layout = TraitLayout
        add(Layout.bits(criteria.regions, in: Layout.regions), from: Layout.firstRegion)
        add(Layout.bits(criteria.seasons, in: Layout.seasons), from: Layout.firstSeason)
        add(Self.bits(criteria.period, in: Layout.periods), from: Layout.firstPeriod)
        add(Self.bits(criteria.headcount, in: Layout.headcounts), from: Layout.firstHeadcount)
        add(Self.bits(criteria.budget, in: Layout.budgets), from: Layout.firstBudget)
        add(Self.bits(criteria.transportation, in: Layout.transportations), from: Layout.firstTransportation)
        add(Layout.bits(criteria.themes, in: Layout.themes), from: Layout.firstTheme)
        add(Layout.bits(criteria.companions, in: Layout.companions), from: Layout.firstCompanion)
    }

    /// Whether a travel with these traits meets every filter.
    func admits(_ traits: Int64) -> Bool {
        traits & all == all && any.allSatisfy { traits & $0 != 0 }
    }

    /// The same condition in SQL.
    var condition: SQL { Self.condition(on: "traits", all: all, any: any) }

    /// The condition on the column `kind` that every travel admitted meets; `nil` if it says nothing.
    var kindCondition: SQL? {
        let all = all & TraitLayout.kindBits
        let any = any.filter { $0 & TraitLayout.kindBits != 0 }
        return all == 0 && any.isEmpty ? nil : Self.condition(on: "kind", all: all, any: any)
    }

    private mutating func add(_ bits: Int64, from first: Int) {
        switch bits.nonzeroBitCount {
        case 0: break
        case 1: all |= bits << Int64(first)
        default: any.append(bits << Int64(first))
        }
    }

    private static func bits<Value: Hashable>(_ value: Value?, in list: [Value]) -> Int64 {
        value.map { TraitLayout.bits([$0], in: list) } ?? 0
    }

    private static func condition(on column: SQL, all: Int64, any: [Int64]) -> SQL {
        any.reduce("\(column) & \(all) = \(all)") { "\($0) AND \(column) & \($1) <> 0" }
    }
}
