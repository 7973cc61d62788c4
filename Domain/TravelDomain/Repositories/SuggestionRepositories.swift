/// Finds titles of trips while someone types.
///
/// Every function throws ``TravelError/unavailable(_:)`` when the store cannot answer, and `CancellationError`.
/// `TitleRepositoryContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await repository.titles(containing: keyword, viewer: nil, limit: 3).map(\.text)    // ["Jeju", "Rain in Jeju"]
/// ```
public protocol TitleRepository: Sendable {
    /// Returns the titles that complete `text`, which may be unfinished, without duplicates.
    ///
    /// The titles that begin with `text` come first (``Keyword/begins(_:)``), then those that contain it
    /// (``Keyword/matches(_:)-(Title)``), then those of which it opens a word (``Keyword/opens(_:)``); apart from that, the
    /// order is unspecified. Returns at most `limit` titles, and fewer only when there are no more. Only trips that
    /// `viewer` sees count.
    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title]
}

/// Stores the keywords of recent searches on this device.
///
/// Every function throws ``TravelError/unavailable(_:)`` when the store cannot answer, and `CancellationError`; a call
/// that throws changes nothing. `RecentKeywordRepositoryContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await repository.updateRecentKeywords { $0.remember(keyword) }
/// try await repository.recentKeywords().keywords.first      // keyword
/// ```
public protocol RecentKeywordRepository: Sendable {
    /// Returns the recent keywords; empty at first.
    func recentKeywords() async throws -> RecentKeywords

    /// Changes the recent keywords. Changes are serialised: each sees the result of the previous one.
    func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws
}

/// A directory that finds places by name or by coordinate.
///
/// Both functions throw ``TravelError/unavailable(_:)`` when the directory cannot answer, or `CancellationError` when
/// their task is cancelled before the answer is available. Finding no place is not an error.
///
/// ```swift
/// try await places.search("해운대", limit: 10)      // 해운대해수욕장, …
/// try await places.search("haeundae", limit: 10)    // the same, by their English names
/// try await places.nearest(to: coordinate, within: 500)
/// ```
public protocol PlaceRepository: Sendable {
    /// Returns the places that match `text`, at most `limit`, best matches first.
    ///
    /// The text is compared with the Korean name, the English name and each other name separately. It matches, from
    /// best to worst:
    ///
    /// 1. a name that equals it,
    /// 2. a name that begins with it,
    /// 3. a name in which each of its words begins a word, in any order: `"tower seoul"`, `"gye pal"`,
    /// 4. a name that contains it, or contains all its words.
    ///
    /// Within each rank, matches of the Korean and the English name come before matches of other names.
    ///
    /// If the text has several words, a word may also match the beginning of a word in the address or in the region's
    /// name (`"busan"`), so that `"강릉 경포대"` matches 경포대; a text that matches only the address matches nothing. Ties are
    /// broken by the Korean name, so that the same search always has the same result.
    ///
    /// Comparison ignores letter case, accents, the encoding of syllables, white space, hyphens, full stops and middle
    /// dots, because names are written with and without them. There are no wildcards.
    ///
    /// - Parameters:
    ///   - text: Part of a name. A text without any comparable character matches nothing.
    ///   - limit: The maximum number of places; 0 or less returns none.
    func search(_ text: String, limit: Int) async throws -> [KnownPlace]

    /// Returns the place nearest to `coordinate` in a straight line; `nil` when none is near enough.
    ///
    /// - Parameters:
    ///   - coordinate: The location to search from.
    ///   - meters: The maximum distance in metres, inclusive.
    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace?
}

/// Tells the region in which a position lies.
///
/// ```swift
/// KoreanProvinces.shared.region(at: cityHallOfBusan)    // .busan
/// ```
public protocol RegionDirectory: Sendable {
    /// Returns the region of South Korea at `coordinate`; `nil` elsewhere, or if the directory cannot tell.
    func region(at coordinate: Coordinate) -> Region?
}

/// A directory that knows no region.
public struct NoRegions: RegionDirectory {
    public init() {}

    public func region(at coordinate: Coordinate) -> Region? { nil }
}

/// A directory of time zones, by their names in the IANA Time Zone Database, such as `Europe/Lisbon`.
///
/// ```swift
/// zones.zone(at: lisbon)                        // "Europe/Lisbon", or nil without positions of zones
/// zones.offset(of: "Europe/Lisbon", at: may)    // 3600: daylight saving time
/// ```
public protocol TimeZoneDirectory: Sendable {
    /// Returns the zone that probably applies at `coordinate`; `nil` if the directory cannot tell.
    func zone(at coordinate: Coordinate) -> String?

    /// Returns how many seconds the clocks of `zone` are ahead of Coordinated Universal Time at `date`, daylight saving
    /// time included; `nil` if there is no such zone.
    func offset(of zone: String, at date: Date) -> Int?
}

/// A directory without zones: local times then follow the longitude.
public struct NoTimeZones: TimeZoneDirectory {
    public init() {}

    public func zone(at coordinate: Coordinate) -> String? { nil }

    public func offset(of zone: String, at date: Date) -> Int? { nil }
}
