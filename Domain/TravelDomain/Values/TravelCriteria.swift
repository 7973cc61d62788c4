/// The criteria of a search: eight filters, a keyword, and a sort order.
///
/// A travel must match every filter that is set. Within regions, themes, companions and seasons, one common value
/// is enough; an empty set matches every travel.
public struct TravelCriteria: Hashable, Sendable {
    /// A part of the title.
    public var keyword: Keyword?
    /// The destinations; any of them matches.
    public var regions: Set<Region>
    /// The purposes; any of them matches.
    public var themes: Set<Theme>
    /// The companions; any of them matches.
    public var companions: Set<Companion>
    /// The seasons of the first day; any of them matches.
    public var seasons: Set<Season>
    /// The category of the length.
    public var period: Period?
    /// The number of travellers.
    public var headcount: Headcount?
    /// The cost per person.
    public var budget: Budget?
    /// The means of transportation.
    public var transportation: Transportation?
    /// The order of the results.
    public var sort: TravelSort

    /// Creates criteria from their parts; by default they match every travel, newest first.
    public init(
        keyword: Keyword? = nil, regions: Set<Region> = [], themes: Set<Theme> = [], companions: Set<Companion> = [],
        seasons: Set<Season> = [], period: Period? = nil, headcount: Headcount? = nil, budget: Budget? = nil,
        transportation: Transportation? = nil, sort: TravelSort = .newest
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
        self.sort = sort
    }

    /// Whether a travel with this content matches every criterion.
    public func matches(_ content: TravelContent) -> Bool {
        (keyword?.matches(content.title) ?? true)
            && (regions.isEmpty || regions.contains(content.region))
            && (themes.isEmpty || !themes.isDisjoint(with: content.themes))
            && (companions.isEmpty || !companions.isDisjoint(with: content.companions))
            && (seasons.isEmpty || seasons.contains(content.days.season))
            && (period == nil || period == content.days.period)
            && (headcount == nil || headcount == content.headcount)
            && (budget == nil || budget == content.budget)
            && (transportation == nil || transportation == content.transportation)
    }
}

/// The order of search results.
public enum TravelSort: String, CaseIterable, Hashable, Sendable {
    /// The most recently recorded travels first.
    case newest
    /// The travels with the most likes first; those with equal likes in the order of ``newest``.
    case mostLiked
}
