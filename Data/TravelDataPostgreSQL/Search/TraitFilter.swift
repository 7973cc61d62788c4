#if PostgreSQL
    internal import PostgreSQLStore
    import TravelDataSQL
    import TravelDomain

    /// The filters of a search, as conditions on the column `traits`.
    struct TraitFilter {
        /// The bits that must all be set: filters with one value.
        private(set) var all: Int64 = 0
        /// The masks of which at least one bit must be set: filters with several values.
        private(set) var any: [Int64] = []

        init(_ criteria: TravelCriteria) {
            typealias Layout = TraitLayout
            add(Layout.bits(of: criteria.regions), from: 0)
            add(Layout.bits(criteria.seasons, in: Layout.seasons), from: Layout.firstSeason)
            add(Self.bits(criteria.period, in: Layout.periods), from: Layout.firstPeriod)
            add(Self.bits(criteria.headcount, in: Layout.headcounts), from: Layout.firstHeadcount)
            add(Self.bits(criteria.budget, in: Layout.budgets), from: Layout.firstBudget)
            add(Self.bits(criteria.transportation, in: Layout.transportations), from: Layout.firstTransportation)
            add(Layout.bits(criteria.themes, in: Layout.themes), from: Layout.firstTheme)
            add(Layout.bits(criteria.companions, in: Layout.companions), from: Layout.firstCompanion)
        }

        /// Whether every travel matches.
        var isEmpty: Bool { all == 0 && any.isEmpty }

        /// The condition that a row with the column `traits` matches.
        var condition: SQL {
            any.reduce("traits & \(all) = \(all)") { "\($0) AND traits & \($1) <> 0" }
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
    }
#endif
