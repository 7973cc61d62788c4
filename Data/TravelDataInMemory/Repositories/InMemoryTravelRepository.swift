#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
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
/// Both orders are kept sorted, so that a page costs the travels that are passed over to fill it, wherever it
/// begins. `SQLiteTravelRepository` in `TravelDataSQLite` is the one that survives a restart.
public actor InMemoryTravelRepository: TravelRepository {
    var authors: [User.ID: User] = [:]
    var blocked: [User.ID: Set<User.ID>] = [:]
    var travels: [Travel.ID: StoredTravel] = [:]
    var entries: Set<TimelineEntry.ID> = []
    var images: [TravelImage.ID: KeptImage] = [:]
    var newest = DescendingOrder<Date>()
    var mostLiked = DescendingOrder<Int>()
    let changes = ChangeSignal()

    /// A store without travels.
    public init() {}

    /// One page of the travels that meet the criteria.
    public func search(_ query: TravelQuery) async throws -> TravelPage {
        try Task.checkCancellation()
        return switch (query.criteria.sort, query.cursor?.position) {
        case (.newest, .createdAt(let date)?):
            try page(of: query, in: newest.after(date, query.cursor?.id))
        case (.newest, _): try page(of: query, in: newest.all)
        case (.mostLiked, .likeCount(let count)?): try page(of: query, in: mostLiked.after(count, query.cursor?.id))
        case (.mostLiked, _): try page(of: query, in: mostLiked.all)
        }
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
        for travel in recorded {
            authors[travel.author.id] = travel.author
            travels[travel.id] = StoredTravel(travel)
            entries.formUnion(travel.timeline.lazy.map(\.id))
        }
        for image in added { self.images[image.image.id] = image }
        newest.insert(recorded.map { ($0.createdAt, $0.id) })
        mostLiked.insert(recorded.map { (0, $0.id) })
        changes.send()
    }

    /// Makes `user` like the travel, or no longer like it.
    public func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        var travel = try stored(id, seenBy: user)
        try requirePerson(user)
        let before = travel.likers.count
        if isLiked { travel.likers.insert(user) } else { travel.likers.remove(user) }
        travels[id] = travel
        mostLiked.move(id, from: before, to: travel.likers.count)
        changes.send()
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

    private func page<Key>(of query: TravelQuery, in order: ArraySlice<DescendingOrder<Key>.Place>) throws
        -> TravelPage
    {
        let keyword = query.criteria.keyword
        var filters = query.criteria
        filters.keyword = nil
        let visibility = visibility(for: query.viewer)
        var found: [Travel] = []
        for (passed, place) in order.enumerated() {
            if passed.isMultiple(of: 4_096) { try Task.checkCancellation() }
            let travel = try stored(place.id)
            guard travel.meets(filters, keyword), visibility.shows(travel) else { continue }
            if found.count == query.limit {
                return TravelPage(travels: found, next: found.last.map { TravelCursor(after: $0, in: filters.sort) })
            }
            found.append(travel.seen(by: query.viewer, authors: authors))
        }
        return TravelPage(travels: found, next: nil)
    }
}
