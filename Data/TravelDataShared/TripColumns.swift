public import TravelDomain

extension TripContent {
    /// Visits the columns of a trip's content in both stores, which are said here only: the name of each, the part of the
    /// content that it stores, and how. The chosen image is stored elsewhere, and what follows from the content by each store.
    ///
    /// A column that is added comes last.
    @inlinable
    public mutating func visitColumns<Visitor: ColumnVisitor & ~Copyable>(_ columns: inout Visitor) throws {
        typealias Layout = TraitLayout
        try columns.column("title", &title, \.text) { $0 = try Title(ofStore: $1) }
        try columns.one("region", &region, of: Layout.regions)
        try columns.column("first_day", &days, { Int64($0.first.daysSince1970) }) {
            $0 = DayRange(CalendarDay(ofStore: $1), days: 1)
        }
        try columns.column("last_day", &days, { Int64($0.last.daysSince1970) }) {
            $0 = try DayRange($0.first, through: CalendarDay(ofStore: $1))
        }
        try columns.several("themes", &themes, of: Layout.themes)
        try columns.several("companions", &companions, of: Layout.companions)
        try columns.one("headcount", &headcount, of: Layout.headcounts)
        try columns.one("budget", &budget, of: Layout.budgets)
        try columns.one("transportation", &transportation, of: Layout.transportations)
        try columns.column("audience", &audience, { Audience.column(of: $0) }) { $0 = try Audience(ofStore: $1) }
    }

    /// Reads the content from the columns of a row.
    ///
    /// - Throws: `TravelError.unavailable` when a value breaks a rule of the domain, or this version does not know it; the
    ///   errors of the row.
    @inlinable
    public init<Visitor: ColumnVisitor & ~Copyable>(reading columns: inout Visitor) throws {
        self = .unread
        do { try visitColumns(&columns) } catch TravelError.invalid { throw invalidValues() }
    }

    /// Binds the columns of the content, in their order.
    @inlinable
    public func bindColumns<Visitor: ColumnVisitor & ~Copyable>(_ columns: inout Visitor) throws {
        var content = self
        try content.visitColumns(&columns)
    }

    /// The names of the columns, in their order.
    package static let columnNames: [StaticString] = {
        var (content, columns) = (unread, ColumnNames())
        do { try content.visitColumns(&columns) } catch { preconditionFailure("\(error)") }
        return columns.names
    }()

    /// Any content, which is read over.
    @usableFromInline
    static let unread: TripContent = {
        do {
            return TripContent(
                title: try Title("-"), region: .seoul, days: DayRange(CalendarDay(daysSince1970: 0), days: 1))
        } catch {
            preconditionFailure("\(error)")
        }
    }()
}

extension Title {
    @usableFromInline
    init(ofStore text: String) throws { try self.init(stored: text) }
}

extension Audience {
    @usableFromInline
    static func column(of audience: Audience) -> String { audience.text }

    @usableFromInline
    init(ofStore text: String) throws { try self.init(text: text) }
}

extension CalendarDay {
    @usableFromInline
    init(ofStore number: Int64) { self.init(daysSince1970: Int(clamping: number)) }
}

/// The bit layout of the column `traits`, with one bit for each value of each filter.
///
/// The layout is part of the file format. The columns `region`, `headcount`, `budget` and `transportation` store
/// positions in these lists, `themes` and `companions` store one bit for each position, and the schema of SQLite checks
/// `traits` against them. New values are appended to a list, with a migration.
///
/// The generic functions are public, not `package`: only then does the compiler specialize them in the stores, which
/// call them for each row. Unspecialized, they took half of the time of a page.
public enum TraitLayout {
    public static let regions: [Region] = [
        .seoul, .busan, .daegu, .incheon, .gwangju, .daejeon, .ulsan, .sejong, .gyeonggi, .gangwon, .chungbuk,
        .chungnam, .jeonbuk, .jeonnam, .gyeongbuk, .gyeongnam, .jeju, .abroad,
    ]
    package static let seasons: [Season] = [.spring, .summer, .autumn, .winter]
    package static let periods: [Period] = [
        .dayTrip, .oneNight, .twoNights, .threeNightsOrMore, .weekOrMore, .monthOrMore,
    ]
    public static let headcounts: [Headcount] = [.one, .two, .three, .four, .fiveOrMore]
    public static let budgets: [Budget] = [.under10, .from10to50, .from50to100, .over100]
    public static let transportations: [Transportation] = [.publicTransport, .ownCar]
    public static let themes: [Theme] = [
        .healing, .activity, .camping, .food, .art, .mood, .nature, .shopping, .familyDuty,
    ]
    public static let companions: [Companion] = [.family, .friends, .partner, .pets]

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

    /// The value at `position`.
    ///
    /// - Throws: `TravelError.unavailable` when this version has none there.
    @inlinable
    public static func requiredValue<Value>(at position: Int64, in list: [Value]) throws -> Value {
        guard let value = value(at: Int(clamping: position), in: list) else { throw invalidValues() }
        return value
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
