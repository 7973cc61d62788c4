/// Observes what the signed-in user has recorded in all: their trips and days, the way, the regions, and where they were.
///
/// ```swift
/// let summarizeTrips = SummarizeTrips(trips: trips, session: session)
/// for try await summary in summarizeTrips() {
///     show(summary.trips.count, summary.days, summary.length)
/// }
/// ```
public struct SummarizeTrips: Sendable {
    /// The number of trips that are read at once, and of the newest ones that are observed.
    public static let pageSize = TripQuery.limits.upperBound

    private let trips: any TripRepository & TripObservingRepository
    private let session: any SessionRepository

    public init(trips: any TripRepository & TripObservingRepository, session: any SessionRepository) {
        self.trips = trips
        self.session = session
    }

    /// Observes the summary: emits it first as it is now, and then after each change of the user's ``pageSize`` newest trips.
    /// A change of an older trip is in the value that follows the next one of those.
    ///
    /// The first value costs a search for each ``pageSize`` trips, and reads each trip with its timeline and its track; a
    /// later one costs the searches, and reads the trips that have another version. A trip that is removed in between is in
    /// no value.
    ///
    /// The user is the one who is signed in when the iteration begins. Consecutive values are never equal, and a slow
    /// consumer receives only the latest value. The sequence throws ``TravelError/signedOut`` when nobody is signed in, and
    /// other errors of the repositories; it ends when the task that iterates over it is cancelled.
    public func callAsFunction() -> any AsyncSequence<TravelSummary, any Error> & Sendable {
        DeferredSequence<OwnPage, TravelSummary>(
            make: { [trips, session] in
                let user = try await session.requireUser()
                return Self.owned(trips.observe(try Self.query(user, after: nil)), by: user)
            },
            complete: { [trips] first, last in
                try await trips.summary(of: first.user, beginningWith: first.page, from: last)
            })
    }

    fileprivate static func query(_ user: User.ID, after cursor: TripCursor?) throws(TravelError) -> TripQuery {
        try TripQuery(TripCriteria(author: user), viewer: user, after: cursor, limit: pageSize)
    }

    private static func owned(
        _ pages: some AsyncSequence<TripPage, any Error> & Sendable, by user: User.ID
    ) -> any AsyncSequence<OwnPage, any Error> & Sendable {
        pages.map { OwnPage(page: $0, user: user) }
    }
}

/// The newest trips of a user.
private struct OwnPage: Sendable {
    let page: TripPage
    let user: User.ID
}

extension TripRepository {
    /// The summary of a user's trips, of which the first page is known; `earlier` has those that need not be read again.
    fileprivate func summary(
        of user: User.ID, beginningWith first: TripPage, from earlier: TravelSummary?
    ) async throws -> TravelSummary {
        // A trip that was removed and added again in between may be on two pages.
        let known = Dictionary((earlier?.trips ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var parts: [TravelSummary.Part] = []
        var page = first
        while true {
            for trip in page.trips {
                if let part = known[trip.id], part.isUpToDate(with: trip) {
                    parts.append(part)
                } else if let details = try await details(ofOwn: trip.id, by: user) {
                    parts.append(TravelSummary.Part(details))
                }
            }
            guard let next = page.next else { return TravelSummary(parts) }
            page = try await search(SummarizeTrips.query(user, after: next))
        }
    }

    private func details(ofOwn id: Trip.ID, by user: User.ID) async throws -> TripDetails? {
        do {
            return try await details(of: id, viewer: user)
        } catch TravelError.notFound(.trip(id)) {
            // It was removed since the page was read.
            return nil
        }
    }
}

/// What a user has recorded in all.
public struct TravelSummary: Hashable, Sendable {
    /// What a trip contributes.
    public struct Part: Hashable, Sendable, Identifiable {
        public let id: Trip.ID
        public let title: Title
        public let region: Region
        public let days: DayRange
        /// The length of the recorded track in metres, as ``TrackGeometry/length`` defines it; `nil` without a track.
        public let length: Double?
        /// The way, roughly: at most ``longestRoute`` positions of the track, or without one, of the entries. The first and
        /// the last one are among them.
        public let route: [Coordinate]
        private let version: TripVersion
        private let createdAt: Date
        private let updatedAt: Date

        public static let longestRoute = 24

        public init(_ details: TripDetails) {
            let trip = details.trip
            (id, title, region, days) = (trip.id, trip.title, trip.region, trip.days)
            (version, createdAt, updatedAt) = (trip.version, trip.createdAt, trip.updatedAt)
            length = details.track?.length
            let track = details.track.map { $0.segments.flatMap(\.self) } ?? []
            route = (track.isEmpty ? details.timeline.compactMap(\.coordinate) : track).thinned(to: Self.longestRoute)
        }

        /// The position of ``route`` that is farthest from its beginning, which may be at home; `nil` without any.
        public var destination: Coordinate? {
            guard let first = route.first else { return nil }
            return route.max { first.distance(to: $0) < first.distance(to: $1) }
        }

        /// Whether it is that of the same version of the same recording.
        fileprivate func isUpToDate(with trip: Trip) -> Bool {
            (version, createdAt, updatedAt) == (trip.version, trip.createdAt, trip.updatedAt)
        }
    }

    /// The trips, the newest first.
    public let trips: [Part]
    /// The number of days on which the user travelled; one that several trips have counts once.
    public let days: Int
    /// The length of all recorded tracks in metres.
    public let length: Double
    /// The regions, those of most trips first; of as many trips in the order of ``Region``.
    public let regions: [Region]

    public init(_ trips: [Part]) {
        self.trips = trips
        days = Self.days(in: trips.map(\.days))
        length = trips.reduce(0) { $0 + ($1.length ?? 0) }
        let counts = Dictionary(grouping: trips, by: \.region).mapValues(\.count)
        regions = Region.allCases.filter { counts[$0] != nil }.sortedStably {
            counts[$0, default: 0] > counts[$1, default: 0]
        }
    }

    /// The number of days in the union of `ranges`.
    private static func days(in ranges: [DayRange]) -> Int {
        var (count, end) = (0, Int.min)
        for range in ranges.sorted(by: { $0.first < $1.first }) {
            let (first, next) = (max(end, range.first.daysSince1970), range.last.daysSince1970 + 1)
            guard first < next else { continue }
            count += next - first
            end = next
        }
        return count
    }
}

extension Array {
    /// At most `limit` elements in equal distances, the first and the last one among them; `limit` is at least 2.
    fileprivate func thinned(to limit: Int) -> [Element] {
        guard count > limit else { return self }
        return (0..<limit).map { self[$0 * (count - 1) / (limit - 1)] }
    }
}
