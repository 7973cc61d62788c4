/// Stores the answers of another store, in addition to the content of a ``TravelStore``.
///
/// A store that implements both can be the cache of a remote one, as in `CachedTripRepository` of `TravelDataCached`.
/// It then knows some trips only in part: the trips of a page without their timelines, images without their bytes,
/// and the number of likes without the people. Its other protocols apply to what it knows: searches find it, and
/// observers receive it when it changes.
///
/// ```swift
/// try await cache.store(fetched)                // a page of the server
/// try await cache.knowledge(of: trip.id)      // .withoutTimeline
/// ```
///
/// Every function throws ``TravelError/unavailable(_:)`` when the store cannot answer, and `CancellationError`; a call
/// that throws changes nothing. `TripCacheContract` in `TravelDomainTesting` checks an implementation.
public protocol TripCache: Sendable {
    /// Stores an answer of another store, all or nothing, as ``FetchedTrips`` describes.
    func store(_ fetched: FetchedTrips) async throws

    /// Returns the time of the last answer to `question`; `nil` if there was none, or if the store has forgotten it.
    func lastAnswer(to question: String) async throws -> Date?

    /// Returns how much of a trip the store knows, regardless of the viewer.
    func knowledge(of id: Trip.ID) async throws -> TripKnowledge

    /// Returns whether a trip or a user that the store knows shows the image, while the store does not know its
    /// bytes.
    func lacksBytes(of image: TripImage.ID) async throws -> Bool
}

/// How much of a trip a ``TripCache`` knows.
public enum TripKnowledge: Hashable, Sendable {
    case unknown
    /// All except the timeline is known, as after a search.
    case withoutTimeline
    /// All; the value has the current nickname of the author.
    case complete(RecordedTrip)
}

/// The answer of a store to one viewer, for a ``TripCache`` to store.
///
/// ```swift
/// var fetched = FetchedTrips(viewer: me)
/// fetched.trips = page.trips
/// fetched.answers["newest"] = now
/// try await cache.store(fetched)
/// ```
public struct FetchedTrips: Hashable, Sendable {
    /// The viewer to whom the answer was given. Their own profile may be unknown: their likes and blocks are stored
    /// all the same.
    public var viewer: User.ID?
    /// Trips as the viewer sees them.
    ///
    /// A trip with a timeline in ``timelines`` replaces the stored one, whatever its version. A trip without one
    /// replaces a stored trip whose timeline is unknown; of a complete one, it replaces the author and the likes
    /// only, so that the content and the timeline that are stored always belong to one version. The trip is liked by
    /// those who are known to like it, by the viewer if they like it, and by as many unknown others as its number of
    /// likes requires. A trip that someone other than its author sees has no more than
    /// ``Visibility/toleratedReports`` reports, and a block of its author by the viewer has ended.
    ///
    /// If a stored trip has an entry or an image of another trip here, it is removed: it must have changed since. So is one
    /// with the ID of a trip here, but another author or time of recording: it is another trip.
    public var trips: [Trip] = []
    /// The timelines of those trips, as far as they are known.
    public var timelines: [Trip.ID: [TimelineEntry]] = [:]
    /// The tracks of the trips in ``timelines``; those that are missing have none.
    public var tracks: [Trip.ID: TrackGeometry] = [:]
    /// Images; those that no stored trip or user shows are ignored.
    public var images: [TripImage] = []
    /// People; their nicknames and pictures replace the stored ones, and the nicknames need not be unique.
    public var users: [User] = []
    /// The people whom a user has blocked, all of them.
    public var blocked: [User.ID: [User]] = [:]
    /// Trips that the viewer no longer sees; they are removed with everything that belongs to them.
    public var missingTrips: Set<Trip.ID> = []
    /// People who no longer exist; they are removed with everything they own.
    public var missingUsers: Set<User.ID> = []
    /// The questions that this answers, with the time of the answer. A cache may forget all but the latest 1,000.
    public var answers: [String: Date] = [:]

    /// Creates an answer to `viewer` that contains nothing.
    public init(viewer: User.ID?) {
        self.viewer = viewer
    }
}
