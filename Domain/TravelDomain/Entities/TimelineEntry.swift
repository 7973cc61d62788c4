/// One moment of a trip, on one of its days.
public struct TimelineEntry: Hashable, Sendable, Identifiable {
    /// Which entry it is.
    public let id: Identifier<TimelineEntry>
    /// The day of the trip, 1-based.
    public let day: Int
    /// The time of day.
    public let time: TimeOfDay
    /// What it is called.
    public let title: Title
    /// What the author wrote about it.
    public let text: EntryText
    /// Where it was, where told.
    public let place: Place?
    /// The image that shows it, where there is one.
    public let image: TravelImage.ID?

    /// An entry with these parts.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `day` is below 1.
    public init(
        id: ID = ID(), day: Int, time: TimeOfDay, title: Title, text: EntryText, place: Place? = nil,
        image: TravelImage.ID? = nil
    ) throws(TravelError) {
        guard day >= 1 else { throw .invalid(.init(.day, .outOfRange("a day of the trip, from 1"))) }
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
    /// The order of a timeline: by day, then by time, then by identity, so that no two orders are possible.
    public static func precedes(_ a: TimelineEntry, _ b: TimelineEntry) -> Bool {
        (a.day, a.time, a.id) < (b.day, b.time, b.id)
    }
}
