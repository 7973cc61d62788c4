/// The criteria of a search: a keyword, eight filters, two people, and a sort order.
///
/// ```swift
/// TripCriteria(author: me)                       // my trips, newest first
/// TripCriteria(likedBy: me, sort: .mostLiked)    // the trips that I like
/// ```
///
/// A trip must match every criterion that is set: the keyword by its title or by an entry (``TripMatch``). Within
/// regions, themes, companions and seasons, one common value is enough; an empty set matches every trip.
public struct TripCriteria: Hashable, Sendable {
    public var keyword: Keyword?
    /// The destinations; any of them matches, and none matches all.
    public var regions: Set<Region>
    public var themes: Set<Theme>
    public var companions: Set<Companion>
    /// The seasons of the first day; any of them matches.
    public var seasons: Set<Season>
    public var period: Period?
    public var headcount: Headcount?
    public var budget: Budget?
    public var transportation: Transportation?
    public var author: User.ID?
    public var likedBy: User.ID?
    /// The order of the results, newest first by default.
    public var sort: TripSort

    /// Creates criteria from their parts; by default they match every trip, newest first.
    public init(
        keyword: Keyword? = nil, regions: Set<Region> = [], themes: Set<Theme> = [], companions: Set<Companion> = [],
        seasons: Set<Season> = [], period: Period? = nil, headcount: Headcount? = nil, budget: Budget? = nil,
        transportation: Transportation? = nil, author: User.ID? = nil, likedBy: User.ID? = nil,
        sort: TripSort = .newest
    ) {
        self.keyword = keyword
        self.regions = regions
        self.themes = themes
        self.companions = companions
        self.seasons = seasons
        self.period = period
        self.headcount = headcount
        self.budget = budget
        self.transportation = transportation
        self.author = author
        self.likedBy = likedBy
        self.sort = sort
    }

    /// Whether a trip with this content matches every filter, and by its title the keyword. ``match(_:timeline:)`` compares
    /// the entries as well, and ``matches(author:likedBy:)`` the people.
    public func matches(_ content: TripContent) -> Bool {
        (keyword?.matches(content.title) ?? true) && meetsFilters(content)
    }

    func meetsFilters(_ content: TripContent) -> Bool {
        (regions.isEmpty || regions.contains(content.region))
            && (themes.isEmpty || !themes.isDisjoint(with: content.themes))
            && (companions.isEmpty || !companions.isDisjoint(with: content.companions))
            && (seasons.isEmpty || seasons.contains(content.days.season))
            && (period == nil || period == content.days.period)
            && (headcount == nil || headcount == content.headcount)
            && (budget == nil || budget == content.budget)
            && (transportation == nil || transportation == content.transportation)
    }

    /// Whether a trip by `author` that `users` like matches the criteria about people.
    public func matches(author: User.ID, likedBy users: Set<User.ID>) -> Bool {
        (self.author == nil || self.author == author) && (likedBy.map(users.contains) ?? true)
    }
}

extension TripCriteria {
    /// The region and the traits of `content`, as the filters that only a trip with all of them meets.
    package init(traitsOf content: TripContent) {
        self.init(
            regions: [content.region], themes: content.themes, companions: content.companions,
            headcount: content.headcount, budget: content.budget, transportation: content.transportation)
    }
}

extension TripContent {
    /// Creates content with the traits that are the filters of `traits`.
    package init(
        title: Title, region: Region, days: DayRange, traits: TripCriteria, thumbnail: TripImage.ID? = nil,
        audience: Audience
    ) {
        self.init(
            title: title, region: region, days: days, themes: traits.themes, companions: traits.companions,
            headcount: traits.headcount, budget: traits.budget, transportation: traits.transportation,
            thumbnail: thumbnail, audience: audience)
    }
}

/// The order of search results. Those of a keyword are in the order of their ``TripMatch/Rank`` first.
public enum TripSort: String, CaseIterable, Hashable, Sendable {
    /// The most recently recorded trips first.
    case newest
    /// The trips with the most likes first; those with equal likes in the order of ``newest``.
    case mostLiked
    /// The trips with the latest first day first; those that begin on the same day in the order of ``newest``.
    case tripDate
}

/// The text form of criteria, for deep links and restored screens.
///
/// ```swift
/// let criteria = TripCriteria(regions: [.busan, .jeju], sort: .mostLiked)
/// criteria.text                                 // "region=busan,jeju&sort=mostLiked"
/// TripCriteria(text: criteria.text)           // the same criteria
/// TripCriteria(text: "region=atlantis")       // nil
/// ```
///
/// It is a query of a URL (RFC 3986, section 3.4): names and values are joined by `=`, pairs by `&`, and several values
/// by `,`. Every other character is unreserved or percent-encoded, so that the text needs no further encoding. Criteria
/// that are not set are left out; the text of default criteria is empty.
extension TripCriteria {
    /// The text form: equal criteria have equal texts, unless their keywords differ in Unicode encoding.
    public var text: String {
        Name.allCases.compactMap { name in
            let values = values(of: name)
            return values.isEmpty ? nil : "\(name)=" + values.map(\.percentEncoded).joined(separator: ",")
        }
        .joined(separator: "&")
    }

    /// The values of a criterion in the text form; empty if it is not set.
    private func values(of name: Name) -> [String] {
        func raw<Value: RawRepresentable<String> & CaseIterable & Hashable>(_ values: Set<Value>) -> [String] {
            Value.allCases.filter(values.contains).map(\.rawValue)
        }
        return switch name {
        case .keyword: keyword.map { [$0.text] } ?? []
        case .region: raw(regions)
        case .theme: raw(themes)
        case .companion: raw(companions)
        case .season: raw(seasons)
        case .period: period.map { [$0.rawValue] } ?? []
        case .headcount: headcount.map { [String($0.rawValue)] } ?? []
        case .budget: budget.map { [$0.rawValue] } ?? []
        case .transportation: transportation.map { [$0.rawValue] } ?? []
        case .author: author.map { [$0.description] } ?? []
        case .likedBy: likedBy.map { [$0.description] } ?? []
        case .sort: sort == .newest ? [] : [sort.rawValue]
        }
    }

    /// Adds a value to a criterion, by their names in the text form, or removes it. In a criterion with a single value, it
    /// replaces the previous one. An unknown name or value changes nothing.
    package mutating func toggle(_ value: String, of name: String) {
        guard let name = Name(rawValue: name) else { return }
        var values = values(of: name)
        if let index = values.firstIndex(of: value) {
            values.remove(at: index)
        } else {
            values = name.allowsSeveral ? values + [value] : [value]
        }
        var changed = TripCriteria()
        for other in Name.allCases {
            let texts = other == name ? values : self.values(of: other)
            guard texts.isEmpty || changed.set(other, to: texts.joined(separator: ",")) else { return }
        }
        self = changed
    }

    /// The values of the criterion with that name in the text form; empty if it is not set.
    package func values(of name: String) -> [String] {
        Name(rawValue: name).map(values) ?? []
    }

    /// Creates criteria from their text form, with the pairs in any order; `nil` when a name or a value is unknown, or
    /// when a name occurs twice.
    public init?(text: some StringProtocol) {
        self.init()
        var names: Set<Name> = []
        for pair in text.split(separator: "&", omittingEmptySubsequences: false) where !text.isEmpty {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Name(rawValue: String(parts[0])), names.insert(name).inserted,
                let value = String(percentEncoded: parts[1]), set(name, to: value)
            else { return nil }
        }
    }

    /// Whether `name` is that of a criterion in the text form.
    package static func isName(_ name: some StringProtocol) -> Bool { Name(rawValue: String(name)) != nil }

    /// The names of all criteria in the text form.
    package static var names: [String] { Name.allCases.map(\.rawValue) }

    private enum Name: String, CaseIterable {
        case keyword, region, theme, companion, season, period, headcount, budget, transportation, author, likedBy, sort

        var allowsSeveral: Bool {
            switch self {
            case .region, .theme, .companion, .season: true
            default: false
            }
        }
    }

    /// Sets one criterion; returns false for an unknown value.
    private mutating func set(_ name: Name, to text: String) -> Bool {
        switch name {
        case .keyword: Self.set(&keyword, Keyword(text))
        case .region: Self.set(&regions, text)
        case .theme: Self.set(&themes, text)
        case .companion: Self.set(&companions, text)
        case .season: Self.set(&seasons, text)
        case .period: Self.set(&period, Period(rawValue: text))
        case .headcount: Self.set(&headcount, Int(digits: text).flatMap { Headcount(rawValue: $0) })
        case .budget: Self.set(&budget, Budget(rawValue: text))
        case .transportation: Self.set(&transportation, Transportation(rawValue: text))
        case .author: Self.set(&author, User.ID(text))
        case .likedBy: Self.set(&likedBy, User.ID(text))
        case .sort: Self.set(&sort, TripSort(rawValue: text))
        }
    }

    private static func set<Value>(_ criterion: inout Value?, _ value: Value?) -> Bool {
        criterion = value
        return value != nil
    }

    private static func set(_ criterion: inout TripSort, _ value: TripSort?) -> Bool {
        criterion = value ?? criterion
        return value != nil
    }

    private static func set<Value: RawRepresentable<String>>(_ criterion: inout Set<Value>, _ list: String) -> Bool {
        for text in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = Value(rawValue: String(text)) else { return false }
            criterion.insert(value)
        }
        return true
    }
}

/// A query for one page of search results.
///
/// ```swift
/// try TripQuery(TripCriteria(regions: [.jeju]), viewer: nil, limit: 50)    // the first page that everyone sees
/// try TripQuery(TripCriteria(), viewer: nil, limit: 0)                     // throws TravelError.invalid
/// ```
public struct TripQuery: Hashable, Sendable {
    public let criteria: TripCriteria
    /// The viewer, who determines which trips are visible, liked and their own.
    public let viewer: User.ID?
    public let cursor: TripCursor?
    public let limit: Int

    public static let limits = 1...100

    /// Creates a query for one page.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `limit` is not in ``limits``, or when `cursor` comes from a search in
    ///   another order, or from one by keyword while the criteria have none.
    public init(_ criteria: TripCriteria, viewer: User.ID?, after cursor: TripCursor? = nil, limit: Int = 20)
        throws(TravelError)
    {
        guard Self.limits.contains(limit) else {
            throw .invalid(.init(.limit, .outOfRange("\(Self.limits.lowerBound)…\(Self.limits.upperBound)")))
        }
        guard cursor?.isPosition(in: criteria) ?? true else { throw .invalid(.init(.cursor, .foreignCursor)) }
        self.criteria = criteria
        self.viewer = viewer
        self.cursor = cursor
        self.limit = limit
    }
}
