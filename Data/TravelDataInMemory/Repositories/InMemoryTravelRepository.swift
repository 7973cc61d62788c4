#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
public import TravelDomain

/// Stores travels in memory. They are lost when the actor is released.
///
/// It fulfils the contract of a `TravelStore`, as `TravelDomainTesting` verifies, and needs neither a file nor setup,
/// which makes it suitable for tests of use cases and view models. It is also the shortest example of a store:
/// dictionaries, which each call searches from end to end by the rules of the domain.
///
/// ```swift
/// let travels = InMemoryTravelRepository()
/// try await travels.add([recorded])
/// let page = try await SearchTravels(travels: travels, session: .signedOut)(TravelCriteria())
/// ```
///
/// The cost of every call grows with the number of travels. `SQLiteTravelRepository` in `TravelDataSQLite` stores
/// millions, persistently.
public actor InMemoryTravelRepository: TravelRepository {
    var people: [User.ID: User] = [:]
    var avatars: [User.ID: TravelImage] = [:]
    var travels: [Travel.ID: StoredTravel] = [:]
    var blocked: [User.ID: Set<User.ID>] = [:]
    /// The times of the last answers of another store.
    var answers: [String: Date] = [:]
    let changes = ChangeNotifier()

    /// Creates a repository without travels, people and images.
    public init() {}

    /// Returns one page of the travels that meet the criteria.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func search(_ query: TravelQuery) async throws -> TravelPage {
        try Task.checkCancellation()
        let (criteria, visibility) = (query.criteria, visibility(for: query.viewer))
        let rest = try travels.values
            .filter { visibility.shows($0) && matches($0, criteria) }
            .map { try seen($0, by: query.viewer) }
            .filter { query.cursor?.precedes($0) ?? true }
            .sorted(by: criteria.sort.precedes)
        let page = Array(rest.prefix(query.limit))
        return TravelPage(
            travels: page,
            next: rest.count > page.count ? page.last.map { TravelCursor(after: $0, in: criteria.sort) } : nil)
    }

    /// Returns the travel as `viewer` sees it.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when `viewer` does not see it;
    ///   `CancellationError`.
    public func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try Task.checkCancellation()
        return try seen(stored(id, seenBy: viewer), by: viewer)
    }

    /// Returns the timeline of a travel, ordered by day and then by time.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when `viewer` does not see it;
    ///   `CancellationError`.
    public func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try Task.checkCancellation()
        return try stored(id, seenBy: viewer).recorded.timeline
    }

    /// Returns the way of the recorded track of a travel.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when `viewer` does not see it;
    ///   `CancellationError`.
    public func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try Task.checkCancellation()
        return try stored(id, seenBy: viewer).recorded.track
    }

    /// Adds complete travels, all or none.
    ///
    /// - Throws: `TravelError.conflict` when a travel, an entry or an image with the same ID already exists;
    ///   `TravelError.notFound` when a travel shows an image that is not among `images`; `CancellationError`. Nothing
    ///   changes then.
    public func add(_ recorded: [RecordedTravel], images: [TravelImage]) async throws {
        try Task.checkCancellation()
        var new = try NewImages(images)
        var entries = entries()
        var added: [Travel.ID: StoredTravel] = [:]
        for travel in recorded {
            guard travels[travel.id] == nil, added[travel.id] == nil else {
                throw TravelError.conflict(.travel(travel.id))
            }
            let taken = try new.take(for: travel)
            try requireNew(taken)
            try Self.insert(travel.timeline, into: &entries)
            added[travel.id] = StoredTravel(recorded: travel, images: taken)
        }
        travels.merge(added) { _, new in new }
        for author in recorded.map(\.author) where people[author.id] == nil {
            people[author.id] = User(id: author.id, nickname: author.nickname)
        }
        changes.notify()
    }

    /// Sets whether `user` likes the travel. The call is idempotent.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel or person, or when `user` neither sees nor likes
    ///   the travel; `CancellationError`. Nothing changes then.
    public func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        // One's own like can be taken back even if the travel is hidden by now.
        if !isLiked, try stored(id).likers.contains(user) {
            travels[id]?.likers.remove(user)
        } else {
            _ = try (stored(id, seenBy: user), person(user))
            if isLiked { travels[id]?.likers.insert(user) }
        }
        changes.notify()
    }
}
