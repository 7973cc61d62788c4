/// One entry of a timeline, as a card.
///
/// ```swift
/// card.entry.title.text    // "Breakfast"
/// card.preview             // the first 40 characters of the text
/// card.number              // 1: the first entry of the travel
/// ```
public struct EntryCard: Hashable, Sendable, Identifiable {
    /// The entry, with its title, text and place.
    public let entry: TimelineEntry
    /// The number of the entry in the timeline of the travel, from 1: the same on every day, on the map, in commands
    /// and in exported files.
    public let number: Int

    /// The number of characters of a preview.
    public static let previewLength = 40

    /// The ID of the entry, which identifies the value in a list.
    public var id: TimelineEntry.ID { entry.id }

    /// The beginning of the text on one line: its first 40 characters (extended grapheme clusters), and `…` if there
    /// are more. Line breaks and repeated blanks become one space.
    public var preview: String {
        let text = entry.text.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let beginning = text.prefix(Self.previewLength)
        return beginning.endIndex == text.endIndex ? text : "\(beginning)…"
    }
}

extension [EntryCard] {
    /// The cards of one day, in order of time.
    init(_ timeline: [TimelineEntry], day: Int) {
        self = timeline.enumerated().filter { $1.day == day }.map { EntryCard(entry: $1, number: $0 + 1) }
    }
}

/// One stop on the map of a day.
///
/// ```swift
/// for stop in state.stops {
///     map.addMarker("\(stop.number)", at: stop.coordinate)
/// }
/// ```
public struct MapStop: Hashable, Sendable, Identifiable {
    /// The number of the entry in the timeline of the travel, from 1, as ``EntryCard/number``.
    public let number: Int
    /// The entry, with its title, text and place.
    public let entry: TimelineEntry
    /// The place of the entry.
    public let place: Place
    /// The location of the place on the map.
    public let coordinate: Coordinate

    /// The ID of the entry, which identifies the value in a list.
    public var id: TimelineEntry.ID { entry.id }

    /// The stop of a card; `nil` for a card without a place on the map.
    init?(_ card: EntryCard) {
        guard let place = card.entry.place, let coordinate = place.coordinate else { return nil }
        self.number = card.number
        self.entry = card.entry
        self.place = place
        self.coordinate = coordinate
    }
}
