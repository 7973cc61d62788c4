/// One entry in the timeline of a travel, on one of its days.
///
/// ```swift
/// let entry = try TimelineEntry(
///     day: 1, time: TimeOfDay("09:30"), title: Title("출발"), text: EntryText("비가 왔다."))
/// ```
public struct TimelineEntry: Hashable, Sendable, Identifiable {
    /// The ID of the entry, unique among all travels.
    public let id: Identifier<TimelineEntry>
    /// The number of the day of the travel, 1-based.
    public let day: Int
    /// The time of day, without a time zone.
    public let time: TimeOfDay
    /// The title, of 1 to 60 characters.
    public let title: Title
    /// The text that the author wrote, of 1 to 5,000 characters.
    public let text: EntryText
    /// The place of the entry, which may have a name only; `nil` for none.
    public let place: Place?
    /// The image of the entry, if there is one.
    public let image: TravelImage.ID?

    /// Creates an entry from its parts.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `day` is below 1.
    public init(
        id: ID = ID(), day: Int, time: TimeOfDay, title: Title, text: EntryText, place: Place? = nil,
        image: TravelImage.ID? = nil
    ) throws(TravelError) {
        guard day >= 1 else { throw .invalid(.init(.day, .outOfRange("a day of the trip, starting at 1"))) }
        self.id = id
        self.day = day
        self.time = time
        self.title = title
        self.text = text
        self.place = place
        self.image = image
    }
}

extension TimelineEntry {
    /// The location of the entry on the map: that of its place, if it is known.
    public var coordinate: Coordinate? { place?.coordinate }

    /// Whether `a` comes before `b` in a timeline: by day, then by time, then by ID. The order is total.
    public static func precedes(_ a: TimelineEntry, _ b: TimelineEntry) -> Bool {
        (a.day, a.time, a.id) < (b.day, b.time, b.id)
    }
}
