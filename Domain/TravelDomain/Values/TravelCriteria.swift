/// The criteria of a search: a keyword, eight filters, two people, and a sort order.
///
/// ```swift
/// TravelCriteria(author: me)                       // my travels, newest first
/// TravelCriteria(likedBy: me, sort: .mostLiked)    // the travels that I like
/// ```
///
/// A travel must match every criterion that is set. Within regions, themes, companions and seasons, one common value
/// is enough; an empty set matches every travel.
public struct TravelCriteria: Hashable, Sendable {
    /// A part of the title; `nil` for any title.
    public var keyword: Keyword?
    /// The destinations; any of them matches, and none matches all.
    public var regions: Set<Region>
    /// The purposes; any of them matches, and none matches all.
    public var themes: Set<Theme>
    /// The companions; any of them matches, and none matches all.
    public var companions: Set<Companion>
    /// The seasons of the first day; any of them matches.
    public var seasons: Set<Season>
    /// The category of the length; `nil` for any.
    public var period: Period?
    /// The number of travellers; `nil` for any.
    public var headcount: Headcount?
    /// The cost per person; `nil` for any.
    public var budget: Budget?
    /// The means of transportation; `nil` for any.
    public var transportation: Transportation?
    /// The person who recorded the travel; `nil` for anyone.
    public var author: User.ID?
    /// A person who likes the travel; `nil` for anyone.
    public var likedBy: User.ID?
    /// The order of the results, newest first by default.
    public var sort: TravelSort

    /// Creates criteria from their parts; by default they match every travel, newest first.
    public init(
        keyword: Keyword? = nil, regions: Set<Region> = [], themes: Set<Theme> = [], companions: Set<Companion> = [],
        seasons: Set<Season> = [], period: Period? = nil, headcount: Headcount? = nil, budget: Budget? = nil,
        transportation: Transportation? = nil, author: User.ID? = nil, likedBy: User.ID? = nil,
        sort: TravelSort = .newest
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

    /// Whether a travel with this content matches the keyword and every filter. ``matches(author:likers:)`` compares
    /// the people.
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

    /// Whether a travel by `author` that `likers` like matches the criteria about people.
    public func matches(author: User.ID, likers: Set<User.ID>) -> Bool {
        (self.author == nil || self.author == author) && (likedBy.map(likers.contains) ?? true)
    }
}

/// The order of search results.
///
/// ```swift
/// try await repository.search(TravelQuery(TravelCriteria(sort: .mostLiked), viewer: nil))    // the most liked first
/// ```
public enum TravelSort: String, CaseIterable, Hashable, Sendable {
    /// The most recently recorded travels first.
    case newest
    /// The travels with the most likes first; those with equal likes in the order of ``newest``.
    case mostLiked
    /// The travels with the latest first day first; those that begin on the same day in the order of ``newest``.
    case tripDate
}
