/// The part of a travel that its author edits: everything except its ID, timeline and likes.
///
/// ```swift
/// var content = TravelContent(title: try Title("부산 밤바다"), region: .busan, days: DayRange(first, days: 2))
/// content.themes = [.nature]
/// content.days.period    // .oneNight
/// ```
public struct TravelContent: Hashable, Sendable {
    /// The title of the travel, of 1 to 60 characters.
    public var title: Title
    /// The destination of the travel, one region.
    public var region: Region
    /// The days of the travel, the first through the last.
    public var days: DayRange
    /// The purposes of the trip; none is allowed.
    public var themes: Set<Theme>
    /// The companions of the author; none is allowed.
    public var companions: Set<Companion>
    /// The number of travellers; `nil` if it is not known.
    public var headcount: Headcount?
    /// The cost per person; `nil` if it is not known.
    public var budget: Budget?
    /// The means of transportation; `nil` if it is not known.
    public var transportation: Transportation?
    /// The image that the author chose to represent the travel; `nil` for the first image of the timeline.
    public var thumbnail: TravelImage.ID?

    /// Creates content from its parts, each of which is valid by itself; nothing is checked between them.
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
