#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
public import TravelDomain

/// Stores travels in memory. They are lost when the actor is released.
///
/// It fulfils the contract of `TravelRepository`, as `TravelRepositoryContract` verifies, and needs neither a file nor
/// setup, which makes it suitable for tests of use cases and view models.
///
/// ```swift
/// let travels = InMemoryTravelRepository()
/// try await travels.add([recorded])
/// let page = try await SearchTravels(travels: travels, session: .signedOut)(TravelCriteria())
/// ```
///
/// Both orders are kept sorted, so that the cost of a page depends only on the number of travels that are skipped to
/// fill it, wherever the page begins. An index finds titles by any part. `SQLiteTravelRepository` in
/// `TravelDataSQLite` stores travels persistently.
public actor InMemoryTravelRepository: TravelRepository {
    var authors: [User.ID: User] = [:]
    var blocked: [User.ID: Set<User.ID>] = [:]
    var travels: [Travel.ID: StoredTravel] = [:]
    var entries: Set<TimelineEntry.ID> = []
    var images: [TravelImage.ID: StoredImage] = [:]
    /// The times of the last answers of another store.
    var answers: [String: Date] = [:]
    var index = TravelIndex()
    let changes = ChangeNotifier()

    /// Creates an empty repository.
    public init() {}

    /// Returns one page of the travels that meet the criteria.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func search(_ query: TravelQuery) async throws -> TravelPage {
        try Task.checkCancellation()
        let visibility = visibility(for: query.viewer)
        var found: [Travel] = []
        var next: TravelCursor?
        try index.forEach(query.criteria, after: query.cursor) { id in
            let travel = try stored(id)
            let (author, likers) = (travel.recorded.author.id, travel.likers)
            guard query.criteria.matches(author: author, likers: likers), visibility.shows(travel) else { return true }
            if found.count == query.limit {
                next = found.last.map { TravelCursor(after: $0, in: query.criteria.sort) }
                return false
            }
            found.append(try travel.seen(by: query.viewer, authors: authors))
            return true
        }
        return TravelPage(travels: found, next: next)
    }

    /// Returns the travel as `viewer` sees it.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when `viewer` does not see it;
    ///   `CancellationError`.
    public func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try Task.checkCancellation()
        return try stored(id, seenBy: viewer).seen(by: viewer, authors: authors)
    }

    /// Returns the timeline of a travel, ordered by day and then by time.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when `viewer` does not see it;
    ///   `CancellationError`.
    public func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try Task.checkCancellation()
        return try stored(id, seenBy: viewer).recorded.timeline
    }

    /// Adds complete travels, all or none.
    ///
    /// - Throws: `TravelError.conflict` when a travel, an entry or an image with the same ID already exists;
    ///   `TravelError.notFound` when a travel shows an image that is not among `images`; `CancellationError`. Nothing
    ///   changes then.
    public func add(_ recorded: [RecordedTravel], images: [TravelImage]) async throws {
        try Task.checkCancellation()
        let added = try newImages(of: recorded, among: images)
        for (travel, number) in zip(recorded, index.add(recorded)) {
            authors[travel.author.id] = authors[travel.author.id] ?? travel.author
            travels[travel.id] = StoredTravel(travel, number: number)
            entries.formUnion(travel.timeline.lazy.map(\.id))
        }
        for image in added { self.images[image.image.id] = image }
        changes.notify()
    }

    /// Sets whether `user` likes the travel. The call is idempotent.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel or person, or when `user` neither sees nor likes
    ///   the travel; `CancellationError`. Nothing changes then.
    public func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        let (number, likes, wasLiked) = try likes(of: id, by: user, changingTo: isLiked)
        guard wasLiked != isLiked else { return }
        if isLiked { travels[id]?.likers.insert(user) } else { travels[id]?.likers.remove(user) }
        index.setLikes(of: number, from: likes, to: likes + (isLiked ? 1 : -1))
        changes.notify()
    }

    /// The number of the travel in the index, its number of likes, and whether `user` likes it.
    private func likes(
        of id: Travel.ID, by user: User.ID, changingTo willLike: Bool
    ) throws(TravelError) -> (Int, Int, Bool) {
        let travel = try stored(id)
        let isLiked = travel.likers.contains(user)
        // One's own like can be taken back even if the travel is hidden by now.
        guard isLiked && !willLike || visibility(for: user).shows(travel) else { throw .notFound(.travel(id)) }
        try requirePerson(user)
        return (travel.number, travel.likeCount, isLiked)
    }

    func stored(_ id: Travel.ID) throws(TravelError) -> StoredTravel {
        guard let travel = travels[id] else { throw .notFound(.travel(id)) }
        return travel
    }

    /// The travel, if `viewer` sees it.
    func stored(_ id: Travel.ID, seenBy viewer: User.ID?) throws(TravelError) -> StoredTravel {
        let travel = try stored(id)
        guard visibility(for: viewer).shows(travel) else { throw .notFound(.travel(id)) }
        return travel
    }

    func requirePerson(_ id: User.ID) throws(TravelError) {
        guard authors[id] != nil else { throw .notFound(.user(id)) }
    }

    func visibility(for viewer: User.ID?) -> Visibility {
        Visibility(viewer: viewer, blocked: viewer.flatMap { blocked[$0] } ?? [])
    }

    func requireNew(_ images: [TravelImage]) throws(TravelError) {
        if let image = images.first(where: { self.images[$0.id] != nil }) { throw .conflict(.image(image.id)) }
    }

    /// The images to store with new travels. Checks that the travels, their entries and their images are all new.
    private func newImages(
        of recorded: [RecordedTravel], among images: [TravelImage]
    ) throws(TravelError) -> [StoredImage] {
        var new = try NewImages(images)
        var added: [StoredImage] = []
        var newTravels: Set<Travel.ID> = []
        var newEntries: Set<TimelineEntry.ID> = []
        for travel in recorded {
            guard travels[travel.id] == nil, newTravels.insert(travel.id).inserted else {
                throw .conflict(.travel(travel.id))
            }
            let taken = try new.take(for: travel)
            try requireNew(taken)
            added += taken.map { StoredImage(image: $0, travel: travel.id) }
            for entry in travel.timeline {
                guard !entries.contains(entry.id), newEntries.insert(entry.id).inserted else {
                    throw .conflict(.entry(entry.id))
                }
            }
        }
        return added
    }
}
