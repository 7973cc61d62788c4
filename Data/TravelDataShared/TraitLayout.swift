package import TravelDomain

/// The bit layout of the column `traits`, with one bit for each value of each filter.
///
/// The layout is part of the file format. The columns `region`, `headcount`, `budget` and `transportation` store
/// positions in these lists, `themes` and `companions` store one bit for each position, and the schema of SQLite checks
/// `traits` against them. New values are appended to a list, with a migration.
///
/// The generic functions are public, not `package`: only then does the compiler specialize them in the stores, which
/// call them for each row. Unspecialized, they took half of the time of a page.
public enum TraitLayout {
    package static let regions: [Region] = [
        .seoul, .busan, .daegu, .incheon, .gwangju, .daejeon, .ulsan, .sejong, .gyeonggi, .gangwon, .chungbuk,
        .chungnam, .jeonbuk, .jeonnam, .gyeongbuk, .gyeongnam, .jeju, .abroad,
    ]
    package static let seasons: [Season] = [.spring, .summer, .autumn, .winter]
    package static let periods: [Period] = [
        .dayTrip, .oneNight, .twoNights, .threeNightsOrMore, .weekOrMore, .monthOrMore,
    ]
    package static let headcounts: [Headcount] = [.one, .two, .three, .four, .fiveOrMore]
    package static let budgets: [Budget] = [.under10, .from10to50, .from50to100, .over100]
    package static let transportations: [Transportation] = [.publicTransport, .ownCar]
    package static let themes: [Theme] = [
        .healing, .activity, .camping, .food, .art, .mood, .nature, .shopping, .familyDuty,
    ]
    package static let companions: [Companion] = [.family, .friends, .partner, .pets]

    /// The bits of the regions, in their order: that of the last one, which came later, is after all others.
    package static let regionBits = (0..<17).map { 1 << $0 } + [1 << Int64(51)] as [Int64]
    package static let firstSeason = 17
    package static let firstPeriod = 21
    package static let firstHeadcount = 27
    package static let firstBudget = 32
    package static let firstTransportation = 36
    package static let firstTheme = 38
    package static let firstCompanion = 47

    package static func traits(of content: TripContent) -> Int64 {
        bits(of: [content.region])
            | bits([content.days.season], in: seasons) << firstSeason
            | bits([content.days.period], in: periods) << firstPeriod
            | bits(ofOptional: content.headcount, in: headcounts) << firstHeadcount
            | bits(ofOptional: content.budget, in: budgets) << firstBudget
            | bits(ofOptional: content.transportation, in: transportations) << firstTransportation
            | bits(content.themes, in: themes) << firstTheme | bits(content.companions, in: companions)
            << firstCompanion
    }

    /// The filters of `criteria` as sets of bits: a trip meets one whose traits have any of its bits.
    package static func filters(_ criteria: TripCriteria) -> [Int64] {
        // With a type of its own: as the head of the chain, the literal took the type checker eleven seconds.
        let filters: [Int64] = [
            bits(of: criteria.regions),
            bits(criteria.seasons, in: seasons) << firstSeason,
            bits(ofOptional: criteria.period, in: periods) << firstPeriod,
            bits(ofOptional: criteria.headcount, in: headcounts) << firstHeadcount,
            bits(ofOptional: criteria.budget, in: budgets) << firstBudget,
            bits(ofOptional: criteria.transportation, in: transportations) << firstTransportation,
            bits(criteria.themes, in: themes) << firstTheme,
            bits(criteria.companions, in: companions) << firstCompanion,
        ]
        return filters.filter { $0 != 0 }
    }

    private static func bits<Value: Hashable>(ofOptional value: Value?, in list: [Value]) -> Int64 {
        value.map { bits([$0], in: list) } ?? 0
    }

    package static func bits(of regions: Set<Region>) -> Int64 {
        regions.reduce(0) { $0 | regionBits[position(of: $1, in: Self.regions)] }
    }

    /// The position of `value`; every value has one.
    @inlinable
    public static func position<Value: Equatable>(of value: Value, in list: [Value]) -> Int {
        guard let position = list.firstIndex(of: value) else { preconditionFailure("\(value) has no position") }
        return position
    }

    /// The value at `position`; nil when this version has none there.
    @inlinable
    public static func value<Value>(at position: Int, in list: [Value]) -> Value? {
        position >= 0 && position < list.count ? list[position] : nil
    }

    /// A bit set with one bit for the position of each of `values`.
    @inlinable
    public static func bits<Value: Hashable>(_ values: Set<Value>, in list: [Value]) -> Int64 {
        values.reduce(0) { $0 | 1 << Int64(position(of: $1, in: list)) }
    }

    @inlinable
    public static func values<Value: Hashable>(_ bits: Int64, in list: [Value]) -> Set<Value> {
        var values: Set<Value> = []
        for (position, value) in list.enumerated() where bits & 1 << Int64(position) != 0 { values.insert(value) }
        return values
    }
}
