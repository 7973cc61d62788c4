public import TravelDomain

/// Travels kept in memory, for as long as this actor lives.
///
/// It keeps every promise of `TravelRepository`, as `TravelRepositoryContract` shows, and is the store to test
/// use cases and view models with: it needs no file and no set-up.
///
/// ```swift
/// let travels = InMemoryTravelRepository()
/// try await travels.add([recorded])
/// let page = try await SearchTravels(travels: travels)(TravelCriteria(), viewer: nil)
/// ```
///
/// Both orders are kept sorted, so that a page costs the travels that are passed over to fill it (some nanoseconds each),
/// wherever it begins, and a title is found by any of its parts. `SQLiteTravelRepository` in `TravelDataSQLite` is the one that survives a restart.
public actor InMemoryTravelRepository: TravelRepository {
    var authors: [User.ID: User] = [:]
    var blocked: [User.ID: Set<User.ID>] = [:]
    var travels: [Travel.ID: StoredTravel] = [:]
    var entries: Set<TimelineEntry.ID> = []
    var images: [TravelImage.ID: KeptImage] = [:]
    var index = TravelIndex()
    let changes = ChangeSignal()

    /// A store without travels.
    public init() {}

    /// One page of the travels that meet the criteria.
    public func search(_ query: TravelQuery) async throws -> TravelPage {
        try Task.checkCancellation()
        let visibility = visibility(for: query.viewer)
        var found: [Travel] = []
        var next: TravelCursor?
        try index.forEach(query.criteria, after: query.cursor) { id in
            let travel = try stored(id)
            guard visibility.shows(travel) else { return true }
            if found.count == query.limit {
                next = found.last.map { TravelCursor(after: $0, in: query.criteria.sort) }
                return false
            }
            found.append(travel.seen(by: query.viewer, authors: authors))
            return true
        }
        return TravelPage(travels: found, next: next)
    }

    /// The travel, as `viewer` sees it.
    public func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try Task.checkCancellation()
        return try stored(id, seenBy: viewer).seen(by: viewer, authors: authors)
    }

    /// The timeline of a travel.
    public func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try Task.checkCancellation()
        return try stored(id, seenBy: viewer).recorded.timeline
    }

    /// Adds whole trips: all of them or none.
    public func add(_ recorded: [RecordedTravel], images: [TravelImage]) async throws {
        try Task.checkCancellation()
        let added = try newImages(of: recorded, among: images)
        for (travel, number) in zip(recorded, index.add(recorded)) {
            authors[travel.author.id] = authors[travel.author.id] ?? travel.author
            travels[travel.id] = StoredTravel(travel, number: number)
            entries.formUnion(travel.timeline.lazy.map(\.id))
        }
        for image in added { self.images[image.image.id] = image }
        changes.send()
    }

    /// Makes `user` like the travel, or no longer like it.
    public func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        let (number, likes, wasLiked) = try likes(of: id, by: user)
        guard wasLiked != isLiked else { return }
        if isLiked { travels[id]?.likers.insert(user) } else { travels[id]?.likers.remove(user) }
        index.setLikes(of: number, from: likes, to: likes + (isLiked ? 1 : -1))
        changes.send()
    }

    /// The number of the travel, how many people like it, and whether `user` does.
    private func likes(of id: Travel.ID, by user: User.ID) throws(TravelError) -> (Int, Int, Bool) {
        let travel = try stored(id, seenBy: user)
        try requirePerson(user)
        return (travel.number, travel.likers.count, travel.likers.contains(user))
    }

    func stored(_ id: Travel.ID) throws(TravelError) -> StoredTravel {
        guard let travel = travels[id] else { throw .notFound(.travel(id)) }
        return travel
    }

    /// The travel, where `viewer` sees it.
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

    /// What to keep of `images` with travels that are all new, down to their entries and images.
    private func newImages(
        of recorded: [RecordedTravel], among images: [TravelImage]
    ) throws(TravelError) -> [KeptImage] {
        var new = try NewImages(images)
        var added: [KeptImage] = []
        var newTravels: Set<Travel.ID> = []
        var newEntries: Set<TimelineEntry.ID> = []
        for travel in recorded {
            guard travels[travel.id] == nil, newTravels.insert(travel.id).inserted else {
                throw .conflict(.travel(travel.id))
            }
            let taken = try new.take(for: travel)
            try requireNew(taken)
            added += taken.map { KeptImage(image: $0, travel: travel.id) }
            for entry in travel.timeline {
                guard !entries.contains(entry.id), newEntries.insert(entry.id).inserted else {
                    throw .conflict(.entry(entry.id))
                }
            }
        }
        return added
    }
}
