internal import SQLiteStore
internal import Synchronization
internal import TravelDataShared
public import TravelDomain

/// Stores trips in the SQLite file of a ``TravelDatabase``.
///
/// It fulfils the contract of `TripRepository`, as `TripRepositoryContract` verifies. Each addition is one
/// transaction, each search reads one snapshot, and each database error becomes `TravelError.unavailable` with the
/// reason. `InMemoryTripRepository` in `TravelDataInMemory` stores trips without a file.
///
/// ```swift
/// let database = try await TravelDatabase.open(path: "trips.db")
/// try await database.trips.add(author)
/// try await database.trips.add([trip])
/// try await database.trips.trip(trip.id, viewer: nil).title    // the title of `trip`
/// ```
public struct SQLiteTripRepository: TripRepository {
    let database: Database
    let imageFolder: ImageFolder
    private let effort: SearchEffort
    /// The key of the link that viewers of this copy follow.
    private var key: LinkKey?

    init(_ database: Database, imageFolder: ImageFolder, effort: SearchEffort) {
        self.database = database
        self.imageFolder = imageFolder
        self.effort = effort
    }

    public func search(_ query: TripQuery) async throws -> TripPage {
        try await database.readMappingErrors { db in try page(of: query, db) }
    }

    public func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try await database.readMappingErrors { db in try trip(id, viewer: viewer, db) }
    }

    public func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await database.readMappingErrors { db in try timeline(of: id, viewer: viewer, db) }
    }

    public func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await database.readMappingErrors { db in
            try TrackRecord.track(of: key(of: id, seenBy: viewer, db), db)
        }
    }

    public func details(of id: Trip.ID, viewer: User.ID?) async throws -> TripDetails {
        try await database.readMappingErrors { db in
            let trip = try trip(id, viewer: viewer, db)
            let details = try TripRecord.details(of: trip, key(of: id, db), db)
            return TripDetails(
                trip: trip, timeline: details.timeline.seen(byAuthor: trip.isMine), track: details.track)
        }
    }

    public func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        try await write(adding: images) { new, write, db in try TripRecord.add(trips, &new, &write, db) }
    }

    public func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try await database.writeMappingErrors { db in
            // First, because a like can be taken back even if the trip is hidden by now.
            if !isLiked, try LikeRecord.remove(id, by: user, db) { return }
            let trip = try key(of: id, seenBy: user, db)
            let likingUser = try UserRecord.requireKey(of: user, db)
            if isLiked { try LikeRecord.insert(trip, by: likingUser, db) }
        }
    }

    func page(of query: TripQuery, _ db: Connection) throws -> TripPage {
        let viewer = try Viewer(query.viewer, db)
        var search = TripSearch(query: query, viewer: viewer, effort: effort)
        let results = try search.results(db)
        let trips = try trips(results.map(\.key), seenBy: query.viewer, db)
        return TripPage(
            results.compactMap { key, entry in
                trips[key].map { FoundTrip($0, entry.map { .entry($0) } ?? .title) }
            }, of: query)
    }

    func trip(_ id: Trip.ID, viewer: User.ID?, _ db: Connection) throws -> Trip {
        let key = try key(of: id, seenBy: viewer, db)
        let select = TripRecord.select(seenBy: viewer, where: "trip.key = \(key)")
        guard let record = try db.fetchOne(TripRecord.self, select) else { throw TravelError.notFound(.trip(id)) }
        return record.trip
    }

    func timeline(of id: Trip.ID, day: Int? = nil, viewer: User.ID?, _ db: Connection) throws -> [TimelineEntry] {
        let key = try key(of: id, seenBy: viewer, db)
        return try EntryRecord.timeline(of: key, day: day, db).seen(byAuthor: isAuthor(viewer, of: key, db))
    }

    private func isAuthor(_ viewer: User.ID?, of trip: Int64, _ db: Connection) throws -> Bool {
        guard let viewer else { return false }
        let author: SQL = "SELECT id FROM app_user WHERE key = (SELECT author FROM trip WHERE key = \(trip))"
        return try db.fetchOne(author) { try $0[0] as User.ID } == viewer
    }

    func key(of id: Trip.ID, _ db: Connection) throws -> Int64 {
        guard let key = try db.fetchOne(Int64.self, "SELECT key FROM trip WHERE id = \(id)") else {
            throw TravelError.notFound(.trip(id))
        }
        return key
    }

    func key(of id: Trip.ID, seenBy viewer: User.ID?, _ db: Connection) throws -> Int64 {
        let select: SQL = "SELECT key, \(Viewer.columns) FROM trip WHERE id = \(id)"
        let trip = try db.fetchOne(select) { row in
            try row.read { columns in
                let trip: Int64 = try columns.next()
                return try Viewer(viewer, key: key, db).sees(&columns, db) ? trip : nil
            }
        }
        guard let trip = trip ?? nil else { throw TravelError.notFound(.trip(id)) }
        return trip
    }

    private func trips(_ keys: [Int64], seenBy viewer: User.ID?, _ db: Connection) throws -> [Int64: Trip] {
        let isOnPage: SQL = "trip.key IN (SELECT value FROM json_each(\(json: keys)))"
        let trips = try db.withinTrips(keys) {
            try db.fetchAll(TripRecord.self, TripRecord.select(seenBy: viewer, where: isOnPage))
        }
        return Dictionary(trips.map { ($0.key, $0.trip) }) { first, _ in first }
    }
}

extension SQLiteTripRepository: TripEditingRepository {
    @discardableResult
    public func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try await write(adding: images) { new, write, db in
            let key = try key(of: id, seenBy: user, db)
            let recorded = try recorded(key, db)
            guard recorded.author.id == user else { throw TravelError.forbidden(.trip(id)) }
            try recorded.requireVersion(version)
            guard let changed = try change(recorded) else {
                try TripRecord.removeForGood(where: "key = \(key)", &write, db)
                return nil
            }
            let revision = try changed.revision(of: recorded)
            if revision.version != recorded.version {
                try TripRecord.update(key, from: recorded, to: revision, &new, &write, db)
            }
            return revision
        }
    }

    func recorded(_ key: Int64, _ db: Connection) throws -> RecordedTrip {
        let select = TripRecord.select(seenBy: nil, where: "trip.key = \(key)")
        guard let trip = try db.fetchOne(TripRecord.self, select)?.trip else {
            // Its row was read in the same transaction, but that of its author is missing.
            throw SQLiteError(.corrupt, "the trip has no author")
        }
        let details = try TripRecord.details(of: trip, key, db)
        return try readingValues { try details.recorded }
    }
}

extension SQLiteTripRepository: ImageRepository {
    public func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        try await reading { db in try image(id, record(of: id, viewer: viewer, db)) }
    }

    public func picture(_ id: TripImage.ID, in size: PictureSize?, viewer: User.ID?) async throws -> StoredPicture {
        try await reading { db in
            let record = try record(of: id, viewer: viewer, db)
            if let size, let picture = try imageFolder.read(size, of: record.file) { return .kept(picture) }
            return try image(id, record).map { try .original($0, isMine: record.isOwned(by: viewer, db)) }
        }
    }

    public func keep(_ picture: Data, of image: TripImage, in size: PictureSize) async throws {
        try await mappingErrors {
            // Held from before the snapshot until the file is written: it is not the file of a row that is gone.
            let lock = try await database.offload { [imageFolder] in try imageFolder.keepFiles() }
            try await database.read { db in
                guard let record = try db.fetchOne(ImageRecord.self, ImageRecord.select(image.id)),
                    try record.bytes(in: imageFolder) == image.bytes
                else { return }
                try imageFolder.keep(picture, size, of: record.file)
            }
            withExtendedLifetime(lock) {}
        }
        // Removes the files that were kept meanwhile; what this leaves, a later sweep removes.
        try? await imageFolder.sweep(database)
    }

    /// Reads an image. A file is removed after its row: if the file is missing although the row existed, a second read finds
    /// no row.
    private func reading<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value?) async throws
        -> Value
    {
        for _ in 1...2 {
            if let value = try await database.readMappingErrors(body) { return value }
        }
        throw ImageRecord.missing
    }

    /// Writes the files of `images` durably, then calls `body` in a transaction, and removes the files to which no row
    /// refers any more. Other writes wait only for the transaction.
    func write<Value: Sendable>(
        adding images: [TripImage] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout NewImages, inout ImageWrite, Connection) throws -> Value
    ) async throws -> Value {
        let new = try NewImages(images)
        // Kept outside of the accesses, which may fail or be cancelled at any step.
        let state = Mutex(ImageWrite())
        return try await mappingErrors {
            do {
                if !images.isEmpty {
                    try await database.offload { [imageFolder] in
                        try state.withLock { try imageFolder.add(images, &$0) }
                    }
                }
                let value = try await database.write(fileID: fileID, line: line) { [imageFolder] db in
                    try state.withLock { write in
                        var new = new
                        let value = try body(&new, &write, db)
                        try imageFolder.prepareCommit(&write)
                        return value
                    }
                }
                // The write is committed: an error of the sweep must not look like one of the write. A later sweep
                // removes what this one leaves.
                if state.withLock({ $0.endMarking() }) { try? await imageFolder.sweep(database) }
                return value
            } catch {
                // Files that cannot be removed keep their markers.
                state.withLock { try? imageFolder.undo($0) }
                throw error
            }
        }
    }

    private func record(of image: TripImage.ID, viewer: User.ID?, _ db: Connection) throws -> ImageRecord {
        guard let record = try db.fetchOne(ImageRecord.self, ImageRecord.select(image)),
            try record.isVisible(to: viewer, key: key, db)
        else { throw TravelError.notFound(.image(image)) }
        return record
    }

    private func image(_ id: TripImage.ID, _ record: ImageRecord) throws -> TripImage? {
        guard let bytes = try record.bytes(in: imageFolder) else { return nil }
        return try readingValues { try TripImage(id: id, bytes: bytes) }
    }
}

extension SQLiteTripRepository: TripObservingRepository {
    public func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        TripObservation(database.observe(sharing: Observed.page(query)) { db in try page(of: query, db) })
    }

    public func observeTrip(
        _ id: Trip.ID, viewer: User.ID?
    ) -> any AsyncSequence<Trip, any Error> & Sendable {
        TripObservation(
            database.observe(sharing: Observed.trip(id, viewer: viewer, key: key)) { db in
                try observedTrip(id, viewer: viewer, db)
            })
    }

    /// What is observed: each once, however many observe it.
    private enum Observed: Hashable {
        case page(TripQuery)
        case trip(Trip.ID, viewer: User.ID?, key: LinkKey?)
        case timeline(Trip.ID, day: Int?, viewer: User.ID?, key: LinkKey?)
    }

    public func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        TripObservation(
            database.observe(sharing: Observed.timeline(id, day: day, viewer: viewer, key: key)) { db in
                try observedTimeline(of: id, day: day, viewer: viewer, db)
            })
    }
}

extension SQLiteTripRepository {
    /// A trip, for an observation that changes of other trips do not concern.
    func observedTrip(_ id: Trip.ID, viewer: User.ID?, _ db: Connection) throws -> Trip {
        try db.withinTrips([key(of: id, db)]) { try trip(id, viewer: viewer, db) }
    }

    /// A timeline, for such an observation.
    func observedTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?, _ db: Connection
    ) throws -> [TimelineEntry] {
        try db.withinTrips([key(of: id, db)]) { try timeline(of: id, day: day, viewer: viewer, db) }
    }
}

extension Connection {
    /// Runs `body`, whose statements change only these trips and what belongs to them alone, or read only these, and what
    /// no write changes within a trip: observers of other trips fetch nothing after it.
    @discardableResult
    func withinTrips<Result>(_ keys: [Int64], _ body: () throws -> Result) rethrows -> Result {
        try within("trip", keys: keys, body)
    }
}

extension SQLiteTripRepository: LinkFollowing {
    public func following(_ key: LinkKey) -> any TravelStore {
        var copy = self
        copy.key = key
        return copy
    }
}

extension SQLiteTripRepository: TripIdentifiers {
    package func tripIDs(in range: ClosedRange<Trip.ID>, limit: Int) async throws -> [Trip.ID] {
        try await database.readMappingErrors { db in
            let select: SQL = """
                SELECT id FROM trip WHERE id BETWEEN \(range.lowerBound) AND \(range.upperBound)
                ORDER BY id LIMIT \(limit)
                """
            return try db.fetchAll(select) { try $0[0] }
        }
    }

    package func neighbors(of ids: [Trip.ID]) async throws -> [Trip.ID: [Trip.ID]] {
        try await database.readMappingErrors { db in
            var neighbors: [Trip.ID: [Trip.ID]] = [:]
            for id in ids {
                let before: SQL = "SELECT id FROM trip WHERE id < \(id) ORDER BY id DESC LIMIT 1"
                let after: SQL = "SELECT id FROM trip WHERE id > \(id) ORDER BY id LIMIT 1"
                neighbors[id] = try [before, after].compactMap { select in try db.fetchOne(select) { try $0[0] } }
            }
            return neighbors
        }
    }

    package func users(of id: Trip.ID) async throws -> (likedBy: [User.ID], reportedBy: [User.ID]) {
        try await database.readMappingErrors { db in
            func users(_ table: String) throws -> [User.ID] {
                let select: SQL = """
                    SELECT app_user.id FROM \(identifier: table) AS done JOIN app_user ON app_user.key = done.app_user
                    WHERE done.trip = (SELECT key FROM trip WHERE id = \(id)) ORDER BY app_user.id
                    """
                return try db.fetchAll(select) { try $0[0] }
            }
            return (try users("liked"), try users("reported"))
        }
    }
}
