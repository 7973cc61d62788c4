/// What the author of a travel decides: everything but its identity and its likes.
public struct TravelContent: Hashable, Sendable {
    /// The title.
    public var title: Title
    /// Where the trip went.
    public var region: Region
    /// When the trip was.
    public var days: DayRange
    /// What it was for.
    public var themes: Set<Theme>
    /// Who came along.
    public var companions: Set<Companion>
    /// How many travelled, where told.
    public var headcount: Headcount?
    /// What it cost a head, where told.
    public var budget: Budget?
    /// How they got around, where told.
    public var transportation: Transportation?
    /// The image its author chose to stand for it; without one, it is the first of the timeline.
    public var thumbnail: TravelImage.ID?

    /// Content with these parts.
    public init(
        title: Title, region: Region, days: DayRange, themes: Set<Theme> = [], companions: Set<Companion> = [],
        headcount: Headcount? = nil, budget: Budget? = nil, transportation: Transportation? = nil,
        thumbnail: TravelImage.ID? = nil
    ) {
        self.title = title
        self.region = region
        self.days = days
        self.themes = themes
        self.companions = companions
        self.headcount = headcount
        self.budget = budget
        self.transportation = transportation
        self.thumbnail = thumbnail
    }
}
