/// What one looks for: eight filters, a keyword, and the order of the answer.
///
/// Every filter that is set must hold. Within regions, themes, companions and seasons any of the chosen values
/// will do; an empty set chooses nothing and lets everything through.
public struct TravelCriteria: Hashable, Sendable {
    /// Part of the title.
    public var keyword: Keyword?
    /// Where the trip went: any of these.
    public var regions: Set<Region>
    /// What it was for: any of these.
    public var themes: Set<Theme>
    /// Who came along: any of these.
    public var companions: Set<Companion>
    /// The season of the first day: any of these.
    public var seasons: Set<Season>
    /// How long it took.
    public var period: Period?
    /// How many travelled.
    public var headcount: Headcount?
    /// What it cost.
    public var budget: Budget?
    /// How they got around.
    public var transportation: Transportation?
    /// The order of the answer.
    public var sort: TravelSort

    /// Criteria with these parts; by default everything, newest first.
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

    /// Whether a travel with this content meets every criterion.
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

/// The order of a search.
public enum TravelSort: String, CaseIterable, Hashable, Sendable {
    /// The travels recorded last come first.
    case newest
    /// The travels with the most likes come first; of those with as many, the ones recorded last.
    case mostLiked
}
