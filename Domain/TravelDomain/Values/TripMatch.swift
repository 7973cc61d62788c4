/// How a search finds a trip: by its title, or by an entry of its timeline.
///
/// ```swift
/// let keyword = Keyword("바다")
/// keyword?.match(title: try Title("부산 밤바다"), timeline: [])            // .title
/// keyword?.match(title: try Title("부산 여행"), timeline: [atTheBeach])    // .entry(…), by the title or the place of the entry
/// ```
public enum TripMatch: Hashable, Sendable {
    /// The title contains the keyword, or the search has none.
    case title
    /// The title does not contain the keyword, and this entry is the first in the order of the timeline that does.
    case entry(MatchedEntry)

    public var rank: Rank {
        switch self {
        case .title: .title
        case .entry: .entry
        }
    }

    public var entry: MatchedEntry? {
        switch self {
        case .title: nil
        case .entry(let entry): entry
        }
    }

    /// The order of results before the chosen one: trips that are found by their title come first.
    public enum Rank: String, CaseIterable, Hashable, Comparable, Sendable {
        case title, entry

        public static func < (a: Rank, b: Rank) -> Bool { a == .title && b == .entry }
    }
}

/// What a list shows of the entry by which a search found a trip.
public struct MatchedEntry: Hashable, Sendable, Identifiable {
    public let id: TimelineEntry.ID
    /// The number of the day of the trip, 1-based.
    public let day: Int
    public let title: Title
    /// The name of its place, if it has one.
    public let placeName: String?

    public init(id: TimelineEntry.ID, day: Int, title: Title, placeName: String?) {
        self.id = id
        self.day = day
        self.title = title
        self.placeName = placeName
    }

    public init(_ entry: TimelineEntry) {
        self.init(id: entry.id, day: entry.day, title: entry.title, placeName: entry.place?.name)
    }
}

extension Keyword {
    /// Whether the title of the entry or the name of its place contains this keyword, each by itself, as
    /// ``matches(_:)-(Title)`` compares. Texts and addresses do not count.
    public func matches(_ entry: TimelineEntry) -> Bool {
        matches(entryTitle: entry.title.text, placeName: entry.place?.name)
    }

    package func matches(entryTitle: String, placeName: String?) -> Bool {
        matches(text: entryTitle) || (placeName.map(matches(text:)) ?? false)
    }

    /// How a search for this keyword finds a trip with this title and timeline; `nil` if it does not.
    ///
    /// The title precedes the entries, and of those the first in the order of the timeline is the one that matches.
    public func match(title: Title, timeline: [TimelineEntry]) -> TripMatch? {
        if matches(title) { return .title }
        return timeline.first(where: matches).map { .entry(MatchedEntry($0)) }
    }
}

extension TripCriteria {
    /// How a search finds a trip with this content and timeline; `nil` when it does not meet the keyword or a filter.
    /// ``matches(author:likedBy:)`` compares the people.
    public func match(_ content: TripContent, timeline: [TimelineEntry]) -> TripMatch? {
        guard meetsFilters(content) else { return nil }
        guard let keyword else { return .title }
        return keyword.match(title: content.title, timeline: timeline)
    }
}
