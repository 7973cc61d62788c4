internal import SQLiteStore
internal import Synchronization
internal import TravelDataShared
public import TravelDomain

/// Stores travels in the SQLite file of a ``TravelDatabase``.
///
/// It fulfils the contract of `TravelRepository`, as `TravelRepositoryContract` verifies. Each addition is one
/// transaction, each search reads one snapshot, and each database error becomes `TravelError.unavailable` with the
/// reason. `InMemoryTravelRepository` in `TravelDataInMemory` stores travels without a file.
///
/// ```swift
/// let database = try await TravelDatabase.open(path: "trips.db")
/// try await database.travels.add(author)
/// try await database.travels.add([travel])
/// try await database.travels.travel(travel.id, viewer: nil).title    // the title of `travel`
/// ```
public struct SQLiteTravelRepository: TravelRepository {
    let database: Database
    let imageFolder: ImageFolder
    private let effort: SearchEffort

    init(_ database: Database, imageFolder: ImageFolder, effort: SearchEffort) {
        self.database = database
        self.imageFolder = imageFolder
        self.effort = effort
    }

    public func search(_ query: TravelQuery) async throws -> TravelPage {
        try await database.readMappingErrors { db in try page(of: query, db) }
    }

    public func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try await database.readMappingErrors { db in try travel(id, viewer: viewer, db) }
    }

    public func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await database.readMappingErrors { db in try timeline(of: id, viewer: viewer, db) }
    }

    public func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await database.readMappingErrors { db in
            try TrackRecord.track(of: key(of: id, seenBy: viewer, db), db)
        }
    }

    public func details(of id: Travel.ID, viewer: User.ID?) async throws -> TravelDetails {
        try await database.readMappingErrors { db in
            let travel = try travel(id, viewer: viewer, db)
            return try TravelRecord.details(of: travel, key(of: id, db), db)
        }
    }

    public func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await write(adding: images) { new, write, db in try TravelRecord.add(travels, &new, &write, db) }
    }

    public func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await database.writeMappingErrors { db in
            // First, because a like can be taken back even if the travel is hidden by now.
            if !isLiked, try LikeRecord.remove(id, by: user, db) { return }
            let travel = try key(of: id, seenBy: user, db)
            let person = try PersonRecord.requireKey(of: user, db)
            if isLiked { try LikeRecord.insert(travel, by: person, db) }
        }
    }

    func page(of query: TravelQuery, _ db: Connection) throws -> TravelPage {
        let viewer = try Viewer(query.viewer, db)
        let keys = try TravelSearch(query: query, viewer: viewer, effort: effort).keys(db)
        let travels = try travels(keys.prefix(query.limit), seenBy: query.viewer, in: query.criteria.sort, db)
        return TravelPage(travels, hasMore: keys.count > query.limit, of: query)
    }

    func travel(_ id: Travel.ID, viewer: User.ID?, _ db: Connection) throws -> Travel {
        let key = try key(of: id, seenBy: viewer, db)
        let select = TravelRecord.select(seenBy: viewer, where: "travel.key = \(key)")
        guard let record = try db.fetchOne(TravelRecord.self, select) else { throw TravelError.notFound(.travel(id)) }
        return record.travel
    }

    func timeline(of id: Travel.ID, day: Int? = nil, viewer: User.ID?, _ db: Connection) throws -> [TimelineEntry] {
        let key = try key(of: id, seenBy: viewer, db)
        return try db.fetchAll(EntryRecord.self, EntryRecord.select(of: key, day: day)).map(\.entry)
    }

    func key(of id: Travel.ID, _ db: Connection) throws -> Int64 {
        guard let key = try db.fetchOne(Int64.self, "SELECT key FROM travel WHERE id = \(id)") else {
            throw TravelError.notFound(.travel(id))
        }
        return key
    }

    func key(of id: Travel.ID, seenBy viewer: User.ID?, _ db: Connection) throws -> Int64 {
        let select: SQL = "SELECT key, author, report_count FROM travel WHERE id = \(id)"
        let travel = try db.fetchOne(select) { row in
            (key: try row[0] as Int64, author: try row[1] as Int64, reports: try row[2] as Int)
        }
        guard let travel, try Viewer(viewer, db).sees(travelBy: travel.author, reports: travel.reports, db) else {
            throw TravelError.notFound(.travel(id))
        }
        return travel.key
    }

    private func travels(
        _ keys: ArraySlice<Int64>, seenBy viewer: User.ID?, in sort: TravelSort, _ db: Connection
    ) throws -> [Travel] {
        let isOnPage: SQL = "travel.key IN (SELECT value FROM json_each(\(json: keys)))"
        let travels = try db.fetchAll(TravelRecord.self, TravelRecord.select(seenBy: viewer, where: isOnPage))
        return travels.map(\.travel).sorted(by: sort.precedes)
    }
}

extension SQLiteTravelRepository: TravelEditingRepository {
    @discardableResult
    public func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try await write(adding: images) { new, write, db in
            let key = try key(of: id, db)
            let recorded = try recorded(key, db)
            guard recorded.author.id == user else { throw TravelError.forbidden(.travel(id)) }
            try recorded.requireVersion(version)
            guard let changed = try change(recorded) else {
                try TravelRecord.remove(where: "key = \(key)", &write, db)
                return nil
            }
            let revision = try changed.revision(of: recorded)
            if revision.version != recorded.version {
                try TravelRecord.update(key, from: recorded, to: revision, &new, &write, db)
            }
            return revision
        }
    }

    func recorded(_ key: Int64, _ db: Connection) throws -> RecordedTravel {
        let select = TravelRecord.select(seenBy: nil, where: "travel.key = \(key)")
        guard let travel = try db.fetchOne(TravelRecord.self, select)?.travel else {
            // Its row was read in the same transaction, but that of its author is missing.
            throw SQLiteError(.corrupt, "the travel has no author")
        }
        let details = try TravelRecord.details(of: travel, key, db)
        return try readingValues { try details.recorded }
    }
}

extension SQLiteTravelRepository: ImageRepository {
    public func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        // A file is removed after its row: if the file is missing although the row existed, a second read finds no row.
        for _ in 1...2 {
            if let image = try await database.readMappingErrors({ db in try image(id, viewer: viewer, db) }) {
                return image
            }
        }
        throw ImageRecord.missing
    }

    /// Writes the files of `images` durably, then calls `body` in a transaction, and removes the files to which no row
    /// refers any more. Other writes wait only for the transaction.
    func write<Value: Sendable>(
        adding images: [TravelImage] = [], fileID: StaticString = #fileID, line: UInt = #line,
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

    private func image(_ id: TravelImage.ID, viewer: User.ID?, _ db: Connection) throws -> TravelImage? {
        guard let record = try db.fetchOne(ImageRecord.self, ImageRecord.select(id)),
            try record.isVisible(to: viewer, db)
        else { throw TravelError.notFound(.image(id)) }
        guard let bytes = try record.bytes(in: imageFolder) else { return nil }
        return try readingValues { try TravelImage(id: id, bytes: bytes) }
    }
}

extension SQLiteTravelRepository: TravelObservingRepository {
    public func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        TravelObservation(database.observe(sharing: Observed.page(query)) { db in try page(of: query, db) })
    }

    public func observeTravel(
        _ id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<Travel, any Error> & Sendable {
        TravelObservation(
            database.observe(sharing: Observed.travel(id, viewer: viewer)) { db in try travel(id, viewer: viewer, db) })
    }

    /// What is observed: each once, however many observe it.
    private enum Observed: Hashable {
        case page(TravelQuery)
        case travel(Travel.ID, viewer: User.ID?)
        case timeline(Travel.ID, day: Int?, viewer: User.ID?)
    }

    public func observeTimeline(
        of id: Travel.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        TravelObservation(
            database.observe(sharing: Observed.timeline(id, day: day, viewer: viewer)) { db in
                try timeline(of: id, day: day, viewer: viewer, db)
            })
    }
}

extension SQLiteTravelRepository: TravelIdentifiers {
    package func travelIDs(in range: ClosedRange<Travel.ID>, limit: Int) async throws -> [Travel.ID] {
        try await database.readMappingErrors { db in
            let select: SQL = """
                SELECT id FROM travel WHERE id BETWEEN \(range.lowerBound) AND \(range.upperBound)
                ORDER BY id LIMIT \(limit)
                """
            return try db.fetchAll(select) { try $0[0] }
        }
    }

    package func neighbors(of ids: [Travel.ID]) async throws -> [Travel.ID: [Travel.ID]] {
        try await database.readMappingErrors { db in
            var neighbors: [Travel.ID: [Travel.ID]] = [:]
            for id in ids {
                let before: SQL = "SELECT id FROM travel WHERE id < \(id) ORDER BY id DESC LIMIT 1"
                let after: SQL = "SELECT id FROM travel WHERE id > \(id) ORDER BY id LIMIT 1"
                neighbors[id] = try [before, after].compactMap { select in try db.fetchOne(select) { try $0[0] } }
            }
            return neighbors
        }
    }

    package func people(of id: Travel.ID) async throws -> (likedBy: [User.ID], reportedBy: [User.ID]) {
        try await database.readMappingErrors { db in
            func people(_ table: String) throws -> [User.ID] {
                let select: SQL = """
                    SELECT person.id FROM \(identifier: table) AS done JOIN person ON person.key = done.person
                    WHERE done.travel = (SELECT key FROM travel WHERE id = \(id)) ORDER BY person.id
                    """
                return try db.fetchAll(select) { try $0[0] }
            }
            return (try people("liked"), try people("reported"))
        }
    }
}
