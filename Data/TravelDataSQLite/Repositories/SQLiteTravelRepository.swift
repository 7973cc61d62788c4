internal import SQLiteStore
public import TravelDomain

/// Travels kept in a SQLite file, as ``TravelDatabase`` opens it.
///
/// It keeps every promise of `TravelRepository`, as `TravelRepositoryContract` shows: an addition is one
/// transaction, a search reads one state of the database, and what the database cannot do is
/// `TravelError.unavailable` with the reason. `InMemoryTravelRepository` is the store without a file.
public struct SQLiteTravelRepository: TravelRepository {
    let database: Database
    let imageFolder: ImageFolder
    private let effort: SearchEffort

    init(_ database: Database, imageFolder: ImageFolder, effort: SearchEffort) {
        self.database = database
        self.imageFolder = imageFolder
        self.effort = effort
    }

    /// One page of the travels that meet the criteria.
    public func search(_ query: TravelQuery) async throws -> TravelPage {
        try await database.readTravels { db in try page(of: query, db) }
    }

    /// The travel, as `viewer` sees it.
    public func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try await database.readTravels { db in try travel(id, viewer: viewer, db) }
    }

    /// The timeline of a travel.
    public func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await database.readTravels { db in try timeline(of: id, viewer: viewer, db) }
    }

    /// Adds whole trips: all of them or none.
    public func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await write(adding: images) { new, write, db in try TravelRecord.add(travels, &new, &write, db) }
    }

    /// Makes `user` like the travel, or no longer like it.
    public func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await database.writeTravels { db in
            let travel = try key(of: id, seenBy: user, db)
            let person = try PersonRecord.requireKey(of: user, db)
            if isLiked {
                try db.execute("INSERT OR IGNORE INTO liked (travel, person) VALUES (\(travel), \(person))")
            } else {
                try db.execute("DELETE FROM liked WHERE travel = \(travel) AND person = \(person)")
            }
        }
    }

    func page(of query: TravelQuery, _ db: Connection) throws -> TravelPage {
        let viewer = try Viewer(query.viewer, db)
        let keys = try TravelSearch(query, seenBy: viewer, effort: effort).keys(db)
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

    /// The key of the travel, where `viewer` sees it.
    func key(of id: Travel.ID, seenBy viewer: User.ID?, _ db: Connection) throws -> Int64 {
        let select: SQL = "SELECT key, author, report_count FROM travel WHERE id = \(id.bytes)"
        let travel = try db.fetchOne(select) { row in
            (key: try row[0] as Int64, author: try row[1] as Int64, reports: try row[2] as Int)
        }
        guard let travel, try Viewer(viewer, db).sees(travelBy: travel.author, reports: travel.reports) else {
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
