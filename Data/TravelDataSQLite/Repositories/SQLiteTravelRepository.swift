internal import SQLiteStore
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

    /// Returns one page of the travels that meet the criteria.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func search(_ query: TravelQuery) async throws -> TravelPage {
        try await database.readMappingErrors { db in try page(of: query, db) }
    }

    /// Returns the travel as `viewer` sees it.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when `viewer` does not see it;
    ///   `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try await database.readMappingErrors { db in try travel(id, viewer: viewer, db) }
    }

    /// Returns the timeline of a travel, ordered by day and then by time.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when `viewer` does not see it;
    ///   `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await database.readMappingErrors { db in try timeline(of: id, viewer: viewer, db) }
    }

    /// Returns the way of the recorded track of a travel.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when `viewer` does not see it;
    ///   `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await database.readMappingErrors { db in
            try TrackRecord.track(of: key(of: id, seenBy: viewer, db), db)
        }
    }

    /// Adds complete travels, all or none, in one transaction.
    ///
    /// - Throws: `TravelError.conflict` when a travel, an entry or an image with the same ID already exists;
    ///   `TravelError.notFound` when a travel shows an image that is not among `images`; `TravelError.unavailable`
    ///   when the database cannot answer; `CancellationError`. Nothing changes then.
    public func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await write(adding: images) { new, write, db in try TravelRecord.add(travels, &new, &write, db) }
    }

    /// Sets whether `user` likes the travel. The call is idempotent.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel or person, or when `user` neither sees nor likes
    ///   the travel; `TravelError.unavailable` when the database cannot answer; `CancellationError`. Nothing changes
    ///   then.
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
        return TravelPage(
            travels: travels,
            next: keys.count > query.limit
                ? travels.last.map { TravelCursor(after: $0, in: query.criteria.sort) } : nil)
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
        guard let key = try db.fetchOne(Int64.self, "SELECT key FROM travel WHERE id = \(id.bytes)") else {
            throw TravelError.notFound(.travel(id))
        }
        return key
    }

    /// The key of the travel, if `viewer` sees it.
    func key(of id: Travel.ID, seenBy viewer: User.ID?, _ db: Connection) throws -> Int64 {
        let select: SQL = "SELECT key, author, report_count FROM travel WHERE id = \(id.bytes)"
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
