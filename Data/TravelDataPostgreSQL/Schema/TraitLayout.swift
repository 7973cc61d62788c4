#if PostgreSQL
    internal import PostgreSQLStore
    import TravelDomain

    /// The bit layout of the column `traits`, with one bit for each value of each filter.
    ///
    /// The layout is part of the file format. The columns `region`, `headcount`, `budget` and `transportation` store
    /// positions in these lists, `themes` and `companions` store one bit for each position, and `TravelSchema` checks
    /// `traits` against them. New values are appended to a list, with a migration.
    enum TraitLayout {
        static let regions: [Region] = [
            .seoul, .busan, .daegu, .incheon, .gwangju, .daejeon, .ulsan, .sejong, .gyeonggi, .gangwon, .chungbuk,
            .chungnam, .jeonbuk, .jeonnam, .gyeongbuk, .gyeongnam, .jeju,
        ]
        static let seasons: [Season] = [.spring, .summer, .autumn, .winter]
        static let periods: [Period] = [.dayTrip, .oneNight, .twoNights, .threeNightsOrMore, .weekOrMore, .monthOrMore]
        static let headcounts: [Headcount] = [.one, .two, .three, .four, .fiveOrMore]
        static let budgets: [Budget] = [.under10, .from10to50, .from50to100, .over100]
        static let transportations: [Transportation] = [.publicTransport, .ownCar]
        static let themes: [Theme] = [
            .healing, .activity, .camping, .food, .art, .mood, .nature, .shopping, .familyDuty,
        ]
        static let companions: [Companion] = [.family, .friends, .partner, .pets]

        static let firstRegion = 0
        static let firstSeason = 17
        static let firstPeriod = 21
        static let firstHeadcount = 27
        static let firstBudget = 32
        static let firstTransportation = 36
        static let firstTheme = 38
        static let firstCompanion = 47

        /// The bits of a travel with this content.
        static func traits(of content: TravelContent) -> Int64 {
            bits([content.region], in: regions) << firstRegion
                | bits([content.days.season], in: seasons) << firstSeason
                | bits([content.days.period], in: periods) << firstPeriod
                | (content.headcount.map { bits([$0], in: headcounts) << firstHeadcount } ?? 0)
                | (content.budget.map { bits([$0], in: budgets) << firstBudget } ?? 0)
                | (content.transportation.map { bits([$0], in: transportations) << firstTransportation } ?? 0)
                | bits(content.themes, in: themes) << firstTheme | bits(content.companions, in: companions)
                << firstCompanion
        }

        /// The position of `value`; every value has one.
        static func position<Value: Equatable>(of value: Value, in list: [Value]) -> Int {
            guard let position = list.firstIndex(of: value) else { preconditionFailure("\(value) has no position") }
            return position
        }

        /// The value at `position`.
        ///
        /// - Throws: `PostgreSQLError` when this version has no value at that position.
        static func value<Value>(_ position: Int, in list: [Value]) throws -> Value {
            guard list.indices.contains(position) else {
                throw PostgreSQLError(.mismatch, "unknown \(Value.self) number \(position)")
            }
            return list[position]
        }

        /// A bit set with one bit for the position of each of `values`.
        static func bits<Value: Hashable>(_ values: Set<Value>, in list: [Value]) -> Int64 {
            values.reduce(0) { $0 | 1 << Int64(position(of: $1, in: list)) }
        }

        /// The values whose bits are set.
        static func values<Value: Hashable>(_ bits: Int64, in list: [Value]) -> Set<Value> {
            Set(list.indices.lazy.filter { bits & 1 << Int64($0) != 0 }.map { list[$0] })
        }
    }
#endif
