internal import Synchronization
internal import TravelDataShared
public import TravelDomain

/// Stores trips in memory. They are lost when the actor is released.
///
/// It fulfils the contract of a `TravelStore`, as `TravelDomainTesting` verifies, and needs neither a file nor setup,
/// which makes it suitable for tests of use cases and view models. It is also the shortest example of a store:
/// dictionaries, which each call searches from end to end by the rules of the domain.
///
/// ```swift
/// let trips = InMemoryTripRepository()
/// try await trips.add([recorded])
/// let page = try await SearchTrips(trips: trips, session: .signedOut)(TripCriteria())
/// ```
///
/// The cost of every call grows with the number of trips. `SQLiteTripRepository` in `TravelDataSQLite` stores
/// millions, persistently.
public actor InMemoryTripRepository: TripRepository {
    var users: [User.ID: User] = [:]
    var avatars: [User.ID: TripImage] = [:] {
        didSet {
            for (user, image) in oldValue where avatars[user]?.id != image.id { smallerPictures[image.id] = nil }
        }
    }
    /// Smaller pictures of images, each with the bytes of the image that it shows. Those of images that trips had go when the
    /// next one is kept.
    var smallerPictures: [TripImage.ID: [PictureSize: (image: Data, picture: Data)]] = [:]
    var trips: [Trip.ID: StoredTrip] = [:]
    /// The authors of removed trips.
    var removedTrips: [Trip.ID: User.ID] = [:]
    var blocked: [User.ID: Set<User.ID>] = [:]
    var passwords: [User.ID: PasswordHash] = [:]
    /// When accounts were created, and those that are blocked.
    var accountsSince: [User.ID: Date] = [:]
    var blockedAccounts: Set<User.ID> = []
    var invitations: Set<TokenDigest> = []
    var devices: [SignedInDevice.ID: SignedInDevice] = [:]
    /// The refresh tokens that were used, with their devices.
    var usedTokens: [TokenDigest: (device: SignedInDevice.ID, expiresAt: Date)] = [:]
    /// The times of the last answers of another store.
    var answers: [String: Date] = [:]
    let changes = ChangeNotifier()

    public init() {}

    public func search(_ query: TripQuery) async throws -> TripPage {
        try Task.checkCancellation()
        let (criteria, visibility) = (query.criteria, visibility(for: query.viewer))
        var rest: [FoundTrip] = []
        for trip in trips.values where visibility.shows(trip) {
            guard let match = match(trip, criteria) else { continue }
            let seen = try seen(trip, by: query.viewer)
            if query.cursor?.precedes(seen, rank: match.rank) ?? true { rest.append(FoundTrip(seen, match)) }
        }
        rest.sort { FoundTrip.areInOrder($0, $1, by: criteria.sort) }
        return TripPage(rest, of: query)
    }

    public func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try trip(id, viewer: viewer, key: nil)
    }

    public func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try timeline(of: id, viewer: viewer, key: nil)
    }

    public func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try track(of: id, viewer: viewer, key: nil)
    }

    public func add(_ recorded: [RecordedTrip], images: [TripImage]) async throws {
        try Task.checkCancellation()
        var new = try NewImages(images)
        var entries = entries()
        var added: [Trip.ID: StoredTrip] = [:]
        for trip in recorded {
            guard trips[trip.id] == nil, added[trip.id] == nil,
                removedTrips[trip.id].map({ $0 == trip.author.id }) ?? true
            else {
                throw TravelError.conflict(.trip(trip.id))
            }
            let taken = try new.take(for: trip)
            try requireNew(taken)
            try Self.insert(trip.timeline, into: &entries)
            added[trip.id] = StoredTrip(recorded: trip, images: taken)
        }
        trips.merge(added) { _, new in new }
        for author in recorded.map(\.author) where users[author.id] == nil {
            users[author.id] = User(id: author.id, nickname: author.nickname)
        }
        changes.notify()
    }

    public func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try setLiked(isLiked, trip: id, by: user, key: nil)
    }
}

extension InMemoryTripRepository: TripEditingRepository {
    @discardableResult
    public func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try update(id, expecting: version, by: user, adding: images, key: nil, change)
    }

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage], key: LinkKey?,
        _ change: (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) throws -> RecordedTrip? {
        try Task.checkCancellation()
        let stored = try stored(id, seenBy: user, key: key)
        let current = try current(stored.recorded)
        guard current.author.id == user else { throw TravelError.forbidden(.trip(id)) }
        try current.requireVersion(version)
        guard let changed = try change(current) else {
            trips[id] = nil
            removedTrips[id] = user
            changes.notify()
            return nil
        }
        var new = try NewImages(images)
        let added = try new.take(for: changed, besides: current.images)
        try requireNew(added)
        var entries = entries(except: id)
        try Self.insert(changed.timeline, into: &entries)
        let revision = try changed.revision(of: current)
        trips[id]?.recorded = revision
        trips[id]?.images = (stored.images + added).filter { revision.images.contains($0.id) }
        changes.notify()
        return revision
    }
}

/// What several repositories of the store look up.
extension InMemoryTripRepository {
    func stored(_ id: Trip.ID) throws(TravelError) -> StoredTrip {
        guard let trip = trips[id] else { throw .notFound(.trip(id)) }
        return trip
    }

    func stored(_ id: Trip.ID, seenBy viewer: User.ID?, key: LinkKey?) throws(TravelError) -> StoredTrip {
        let trip = try stored(id)
        guard visibility(for: viewer, key: key).shows(trip) else { throw .notFound(.trip(id)) }
        return trip
    }

    func storedUser(_ id: User.ID) throws(TravelError) -> User {
        guard let user = users[id] else { throw .notFound(.user(id)) }
        return user
    }

    func visibility(for viewer: User.ID?, key: LinkKey? = nil) -> Visibility {
        Visibility(viewer: viewer, blocked: viewer.flatMap { blocked[$0] } ?? [], key: key)
    }

    private func match(_ trip: StoredTrip, _ criteria: TripCriteria) -> TripMatch? {
        guard criteria.matches(author: trip.recorded.author.id, likedBy: trip.likedBy) else { return nil }
        return criteria.match(trip.recorded.content, timeline: trip.recorded.timeline)
    }

    /// The trip as `viewer` sees it, with its author as they are now.
    func seen(_ trip: StoredTrip, by viewer: User.ID?) throws(TravelError) -> Trip {
        let recorded = trip.recorded
        return try Trip(
            id: recorded.id, author: storedUser(recorded.author.id), content: recorded.content,
            createdAt: recorded.createdAt, updatedAt: recorded.updatedAt, version: recorded.version,
            likeCount: trip.likeCount, isLiked: viewer.map(trip.likedBy.contains) ?? false,
            isMine: viewer == recorded.author.id, thumbnail: trip.thumbnail,
            isHidden: viewer == recorded.author.id && trip.isHidden)
    }

    /// The trip with its author as they are now.
    func current(_ recorded: RecordedTrip) throws(TravelError) -> RecordedTrip {
        try recorded.with(author: storedUser(recorded.author.id))
    }

    func entries(except trip: Trip.ID? = nil) -> Set<TimelineEntry.ID> {
        Set(trips.values.filter { $0.recorded.id != trip }.flatMap { $0.recorded.timeline.map(\.id) })
    }

    /// Inserts the IDs of new entries.
    ///
    /// - Throws: `TravelError.conflict` when one is in `entries` already.
    static func insert(
        _ timeline: [TimelineEntry], into entries: inout Set<TimelineEntry.ID>
    ) throws(TravelError) {
        for entry in timeline where !entries.insert(entry.id).inserted { throw .conflict(.entry(entry.id)) }
    }

    /// Checks that neither a trip nor a user has one of these images.
    func requireNew(_ images: [TripImage]) throws(TravelError) {
        if images.isEmpty { return }
        let known = Set((trips.values.flatMap(\.images) + avatars.values).map(\.id))
        if let image = images.first(where: { known.contains($0.id) }) { throw .conflict(.image(image.id)) }
    }
}

extension InMemoryTripRepository: TripObservingRepository {
    public nonisolated func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        InMemoryObservation(changes: changes) { try await self.search(query) }
    }

    public nonisolated func observeTrip(
        _ id: Trip.ID, viewer: User.ID?
    ) -> any AsyncSequence<Trip, any Error> & Sendable {
        InMemoryObservation(changes: changes) { try await self.trip(id, viewer: viewer) }
    }

    public nonisolated func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        InMemoryObservation(changes: changes) {
            try await self.timeline(of: id, viewer: viewer).filter { day == nil || $0.day == day }
        }
    }
}

extension InMemoryTripRepository: TitleRepository {
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try Task.checkCancellation()
        let visibility = visibility(for: viewer)
        let titles = Set(trips.values.filter(visibility.shows).map(\.recorded.content.title))
        // Those that begin with it, those that contain it, and those of which it opens a word.
        var found: (beginning: [Title], containing: [Title], opened: [Title]) = ([], [], [])
        for title in titles {
            let folded = Keyword.folded(title.text)
            if text.begins(folded: folded) {
                found.beginning.append(title)
            } else if text.matches(folded: folded) {
                found.containing.append(title)
            } else if text.opens(title) {
                found.opened.append(title)
            }
        }
        return Array((found.beginning + found.containing + found.opened).prefix(max(limit, 0)))
    }
}

extension InMemoryTripRepository: ImageRepository {
    public func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        try image(id, viewer: viewer, key: nil).image
    }

    public func picture(_ id: TripImage.ID, in size: PictureSize?, viewer: User.ID?) async throws -> StoredPicture {
        try picture(id, in: size, viewer: viewer, key: nil)
    }

    public func keep(_ picture: Data, of image: TripImage, in size: PictureSize) async throws {
        try Task.checkCancellation()
        let images = trips.values.flatMap(\.images) + avatars.values
        let known = Dictionary(images.map { ($0.id, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        // Those of images that were removed go now.
        for (id, pictures) in smallerPictures where pictures.values.contains(where: { $0.image != known[id] }) {
            smallerPictures[id] = nil
        }
        guard known[image.id] == image.bytes, smallerPictures[image.id]?[size] == nil else { return }
        smallerPictures[image.id, default: [:]][size] = (image.bytes, picture)
    }
}

/// A trip with everything that belongs to it.
struct StoredTrip: Sendable {
    /// The trip as it was added, or as its last edit left it.
    var recorded: RecordedTrip
    var images: [TripImage]
    var likedBy: Set<User.ID> = []
    var reports: [User.ID: Report] = [:]
    var isHiddenByOwner = false
    /// The number of people who like it, but are not known.
    var otherLikes = 0
    /// Whether the timeline is known, and the image that represents the trip if not.
    var isTimelineKnown = true
    var fetchedThumbnail: TripImage.ID?

    struct Report: Sendable {
        let time: Date
        var counts: Bool
    }

    /// Whether reports, or the owner of the store, hide it from everyone but its author.
    var isHidden: Bool { isHiddenByOwner || countingReports > Visibility.toleratedReports }
    var countingReports: Int { reports.values.count { $0.counts } }
    var likeCount: Int { likedBy.count + otherLikes }
    var thumbnail: TripImage.ID? { isTimelineKnown ? recorded.thumbnail : fetchedThumbnail }
}

extension Visibility {
    func shows(_ trip: StoredTrip) -> Bool {
        let reports = trip.isHiddenByOwner ? Self.toleratedReports + 1 : trip.countingReports
        return shows(
            tripBy: trip.recorded.author.id, to: trip.recorded.content.audience, reports: reports)
    }
}

final class ChangeNotifier: Sendable {
    private struct State {
        var version: UInt64 = 0
        var lastWaiter: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    var version: UInt64 { state.withLock(\.version) }

    /// Records a change and resumes all waiting tasks.
    func notify() {
        let waiters = state.withLock { state in
            state.version += 1
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Suspends until there are more than `version` changes or the task is cancelled.
    func wait(after version: UInt64) async {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    // A cancellation after this check finds the continuation; an earlier one is visible here.
                    if state.version > version || Task.isCancelled { return true }
                    state.waiters[waiter] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume()
        }
    }
}

/// An asynchronous sequence that fetches a value again after each change and emits it when it differs.
struct InMemoryObservation<Value: Equatable & Sendable>: AsyncSequence, Sendable {
    typealias Element = Value
    typealias Failure = any Error

    let changes: ChangeNotifier
    let fetch: @Sendable () async throws -> Value

    func makeAsyncIterator() -> Iterator {
        Iterator(changes: changes, fetch: fetch)
    }

    struct Iterator: AsyncIteratorProtocol {
        let changes: ChangeNotifier
        let fetch: @Sendable () async throws -> Value
        private var version: UInt64?
        private var last: Value?
        private var hasFailed = false

        init(changes: ChangeNotifier, fetch: @escaping @Sendable () async throws -> Value) {
            self.changes = changes
            self.fetch = fetch
        }

        mutating func next() async throws -> Value? {
            while !hasFailed {
                if let version { await changes.wait(after: version) }
                if Task.isCancelled { return nil }
                // Read before the value, so that a change in between leads to another fetch.
                version = changes.version
                do {
                    let value = try await fetch()
                    if value != last {
                        last = value
                        return value
                    }
                } catch is CancellationError where Task.isCancelled {
                    return nil
                } catch {
                    hasFailed = true
                    throw error
                }
            }
            return nil
        }
    }
}
