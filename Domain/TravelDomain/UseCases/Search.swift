/// Finds trips by keyword and filters, one page at a time. A keyword is looked for in titles first, and then in the titles and
/// places of entries (``TripMatch``).
///
/// ```swift
/// let search = SearchTrips(trips: repository, session: session)
/// let first = try await search(TripCriteria(regions: [.busan]))
/// let second = try await search(TripCriteria(regions: [.busan]), after: first.next)
/// ```
///
/// ``WatchTrips`` observes a page instead.
public struct SearchTrips: Sendable {
    public static let pageSize = 20

    private let trips: any TripRepository
    private let session: any SessionRepository

    public init(trips: any TripRepository, session: any SessionRepository) {
        self.trips = trips
        self.session = session
    }

    /// Returns the page that begins after `cursor`, as the signed-in user sees it; without a cursor, the first page.
    ///
    /// When nobody is signed in, it contains the trips that everyone sees.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` for a cursor from a search in another order; other errors of the
    ///   repositories; `CancellationError`.
    public func callAsFunction(
        _ criteria: TripCriteria, after cursor: TripCursor? = nil
    ) async throws -> TripPage {
        let viewer = try await session.session()?.user
        return try await trips.search(
            TripQuery(criteria, viewer: viewer, after: cursor, limit: Self.pageSize))
    }
}

/// Observes one page of a search, as the signed-in user sees it.
///
/// ```swift
/// let watchTrips = WatchTrips(trips: trips, session: session)
/// for try await page in watchTrips(TripCriteria(regions: [.busan])) { show(page.trips) }
/// ```
///
/// ``SearchTrips`` returns a page once.
public struct WatchTrips: Sendable {
    private let trips: any TripObservingRepository
    private let session: any SessionRepository

    public init(trips: any TripObservingRepository, session: any SessionRepository) {
        self.trips = trips
        self.session = session
    }

    /// Observes the page that begins after `cursor`, of ``SearchTrips/pageSize`` trips; without a cursor, the first
    /// page.
    ///
    /// The viewer is the signed-in user when the iteration begins, if there is one. The sequence throws
    /// ``TravelError/invalid(_:)`` for a cursor from a search in another order, the errors of the session, and those of
    /// ``TripObservingRepository/observe(_:)``. It ends when the task that iterates over it is cancelled.
    public func callAsFunction(
        _ criteria: TripCriteria, after cursor: TripCursor? = nil
    ) -> any AsyncSequence<TripPage, any Error> & Sendable {
        DeferredSequence { [trips, session] in
            trips.observe(
                try TripQuery(
                    criteria, viewer: await session.session()?.user, after: cursor, limit: SearchTrips.pageSize))
        }
    }
}

/// Suggests search keywords while someone types.
///
/// ```swift
/// let suggest = SuggestKeywords(
///     titles: database.trips, recent: database.recentKeywords, session: database.session)
/// try await suggest("부산")    // .titles: those that begin with 부산, then those that contain it
/// try await suggest("부ㅅ")    // .titles: those with a word that begins with 부산, 부석사, …
/// try await suggest("ㅂㅅ")    // .titles: those with a word of these initials, such as 부산 and 벚꽃 산책
/// try await suggest("")        // .recent: the latest keywords
/// ```
public struct SuggestKeywords: Sendable {
    /// The kinds of suggestions.
    public enum Suggestions: Hashable, Sendable {
        case recent([Keyword])
        /// Titles that the user may mean: those that begin with the text, then those that contain it, then those of
        /// which it is an unfinished word or its initials.
        case titles([Title])
    }

    public static let limit = 10

    private let titles: any TitleRepository
    private let recent: any RecentKeywordRepository
    private let session: any SessionRepository

    public init(
        titles: any TitleRepository, recent: any RecentKeywordRepository, session: any SessionRepository
    ) {
        self.titles = titles
        self.recent = recent
        self.session = session
    }

    /// Returns the suggestions for `text`; blanks alone count as empty. Titles are those of trips that the signed-in
    /// user sees, or that everyone sees when nobody is signed in.
    ///
    /// - Throws: The errors of the repositories; `CancellationError`.
    public func callAsFunction(_ text: String) async throws -> Suggestions {
        guard let keyword = Keyword(text) else { return .recent(try await recent.recentKeywords().keywords) }
        let viewer = try await session.session()?.user
        return .titles(try await titles.titles(containing: keyword, viewer: viewer, limit: Self.limit))
    }
}

/// Finds places by name while someone types, or near the position of a photo, to locate a timeline entry.
///
/// ```swift
/// let searchPlaces = SearchPlaces(places: Gazetteer.korea)
/// try await searchPlaces("gyeongbok").map(\.place.name)    // ["경복궁"]
/// ```
public struct SearchPlaces: Sendable {
    public static let limit = 20
    /// The maximum distance in metres of a place that is proposed for a position.
    public static let nearby = 1_000.0

    private let places: any PlaceRepository

    public init(places: any PlaceRepository) {
        self.places = places
    }

    /// Returns the places that match `text`, best matches first, as ``PlaceRepository/search(_:limit:)`` defines. Text
    /// that consists only of blanks returns none, without a request to the repository.
    ///
    /// - Throws: The errors of the repository; `CancellationError`.
    public func callAsFunction(_ text: String) async throws -> [KnownPlace] {
        guard let keyword = Keyword(text) else { return [] }
        return try await places.search(keyword.text, limit: Self.limit)
    }

    /// Returns the known place nearest to `coordinate`, at most ``nearby`` metres from it; `nil` if there is none.
    ///
    /// - Throws: The errors of the repository; `CancellationError`.
    public func callAsFunction(near coordinate: Coordinate) async throws -> KnownPlace? {
        try await places.nearest(to: coordinate, within: Self.nearby)
    }
}

/// Likes a trip for the signed-in user, or removes their like.
public struct LikeTrip: Sendable {
    private let trips: any TripRepository
    private let session: any SessionRepository

    public init(trips: any TripRepository, session: any SessionRepository) {
        self.trips = trips
        self.session = session
    }

    /// Sets whether the signed-in user likes the trip. The call is idempotent.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; the errors of
    ///   ``TripRepository/setLiked(_:trip:by:)``; `CancellationError`.
    public func callAsFunction(_ isLiked: Bool, trip id: Trip.ID) async throws {
        try await trips.setLiked(isLiked, trip: id, by: session.requireUser())
    }
}
