#if PostgreSQL
internal import PostgreSQLStore
internal import TravelDataShared
public import TravelDomain

/// Travels, people, images, reports and blocks on a PostgreSQL server.
///
/// ```swift
/// let database = try await PostgreSQLTravelDatabase.open(.url("postgresql://localhost/travel"))
/// let page = try await database.travels.search(TravelQuery(TravelCriteria(), viewer: nil))
/// ```
public struct PostgreSQLTravelRepository: TravelRepository {
    let database: Database
    private let effort: SearchEffort
    let commonTerms = CommonTerms()

    init(_ database: Database, effort: SearchEffort = SearchEffort()) {
        (self.database, self.effort) = (database, effort)
    }

    public func search(_ query: TravelQuery) async throws -> TravelPage {
        try await database.readTravels { db in try page(of: query, db) }
    }

    public func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try await database.readTravels { db in try travel(id, viewer: viewer, db) }
    }

    public func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await database.readTravels { db in try timeline(of: id, viewer: viewer, db) }
    }

    public func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await database.readTravels { db in
            try requireVisible(id, viewer: viewer, db)
            return try TrackRecord.tracks(of: [id], db)[id]
        }
    }

    public func details(of id: Travel.ID, viewer: User.ID?) async throws -> TravelDetails {
        try await database.readTravels { db in
            let travel = try travel(id, viewer: viewer, db)
            let entries = try db.fetchAll(EntryRecord.self, EntryRecord.select(of: id))
            return TravelDetails(
                travel: travel, timeline: entries.map(\.entry), track: try TrackRecord.tracks(of: [id], db)[id]
            )
        }
    }

    public func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        let new = try NewImages(images)
        try await database.writeTravels { db in
            var new = new
            try TravelRecord.add(travels, &new, db)
        }
    }

    public func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        // The lock on the travel orders its likes; a serializable transaction would only fail more often.
        try await database.writeTravels(isolation: .readCommitted) { db in
            let rank = try db.fetchOne(
                "SELECT author, report_count, created_at FROM travel_rank WHERE travel = \(id) FOR UPDATE"
            ) { row in
                (author: try row[0] as User.ID, reports: try row[1] as Int, createdAt: try row[2] as Double)
            }
            // First, because a like can be taken back even if the travel is hidden by now.
            if !isLiked {
                let delete: SQL = "DELETE FROM liked WHERE travel = \(id) AND person = \(user)"
                if try db.execute(delete) == 1 { return try count(-1, id, db) }
            }
            guard let rank, try Viewer(user).sees(travelBy: rank.author, reports: rank.reports, db)
            else {
                throw TravelError.notFound(.travel(id))
            }
            try PersonRecord.require(user, db)
            guard isLiked else { return }
            let insert: SQL = """
                INSERT INTO liked (travel, person, created_at)
                VALUES (\(id), \(user), \(rank.createdAt)) ON CONFLICT DO NOTHING
                """
            if try db.execute(insert) == 1 { try count(1, id, db) }
        }
    }

    private func count(_ change: Int, _ id: Travel.ID, _ db: Connection) throws {
        try db.execute(
            "UPDATE travel_rank SET like_count = like_count + \(change) WHERE travel = \(id)")
    }

    func page(of query: TravelQuery, _ db: Connection) throws -> TravelPage {
        let found = try TravelSearch(query, effort: effort, commonTerms: commonTerms).travels(db)
        return TravelPage(found, of: query)
    }

    func travel(_ id: Travel.ID, viewer: User.ID?, _ db: Connection) throws -> Travel {
        let select: SQL = "\(TravelRecord.select(seenBy: viewer)) WHERE rank.travel = \(id)"
        guard let record = try db.fetchOne(TravelRecord.self, select),
            try Viewer(viewer).sees(travelBy: record.travel.author.id, reports: record.reports, db)
        else { throw TravelError.notFound(.travel(id)) }
        return record.travel
    }

    func timeline(of id: Travel.ID, day: Int? = nil, viewer: User.ID?, _ db: Connection) throws -> [TimelineEntry] {
        try requireVisible(id, viewer: viewer, db)
        return try db.fetchAll(EntryRecord.self, EntryRecord.select(of: id, day: day)).map(\.entry)
    }

    /// Returns the author of a travel that the viewer sees.
    @discardableResult
    func requireVisible(_ id: Travel.ID, viewer: User.ID?, _ db: Connection) throws -> User.ID {
        let rank = try db.fetchOne("SELECT author, report_count FROM travel_rank WHERE travel = \(id)") {
            row in
            (author: try row[0] as User.ID, reports: try row[1] as Int)
        }
        guard let rank, try Viewer(viewer).sees(travelBy: rank.author, reports: rank.reports, db) else {
            throw TravelError.notFound(.travel(id))
        }
        return rank.author
    }
}

extension PostgreSQLTravelRepository: TravelEditingRepository {
    /// `change` may run several times, on newer versions of the travel.
    @discardableResult
    public func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        let images = try NewImages(images)
        return try await database.writeTravels { db in
            var new = images
            let recorded = try recorded(id, db)
            guard recorded.author.id == user else { throw TravelError.forbidden(.travel(id)) }
            try recorded.requireVersion(version)
            guard let changed = try change(recorded) else {
                try db.execute("DELETE FROM travel WHERE id = \(id)")
                return nil
            }
            let revision = try changed.revision(of: recorded)
            if revision.version != recorded.version {
                try TravelRecord.update(from: recorded, to: revision, &new, db)
            }
            return revision
        }
    }

    private func recorded(_ id: Travel.ID, _ db: Connection) throws -> RecordedTravel {
        let select: SQL =
            "\(TravelRecord.select(seenBy: nil)) WHERE rank.travel = \(id) FOR UPDATE OF rank"
        guard let travel = try db.fetchOne(TravelRecord.self, select)?.travel else {
            throw TravelError.notFound(.travel(id))
        }
        let timeline = try db.fetchAll(EntryRecord.self, EntryRecord.select(of: id)).map(\.entry)
        let track = try TrackRecord.tracks(of: [id], db)[id]
        return try readingValues { try TravelDetails(travel: travel, timeline: timeline, track: track).recorded }
    }
}

extension PostgreSQLTravelRepository: ImageRepository {
    public func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        try await database.readTravels { db in
            let avatar = try db.fetchOne(Data.self, "SELECT bytes FROM avatar WHERE id = \(id)")
            if let avatar { return try readingValues { try TravelImage(id: id, bytes: avatar) } }
            let select: SQL = """
                SELECT image.bytes, rank.author, rank.report_count
                FROM image JOIN travel_rank AS rank ON rank.travel = image.travel WHERE image.id = \(id)
                """
            let row = try db.fetchOne(select) { row in
                (bytes: try row[0] as Data, author: try row[1] as User.ID, reports: try row[2] as Int)
            }
            guard let row, try Viewer(viewer).sees(travelBy: row.author, reports: row.reports, db)
            else {
                throw TravelError.notFound(.image(id))
            }
            return try readingValues { try TravelImage(id: id, bytes: row.bytes) }
        }
    }
}

extension PostgreSQLTravelRepository: TravelObservingRepository {
    public func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        TravelObservation(database.observe([travelTopic]) { db in try page(of: query, db) })
    }

    public func observeTravel(
        _ id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<Travel, any Error> & Sendable {
        TravelObservation(database.observe([travelTopic]) { db in try travel(id, viewer: viewer, db) })
    }

    public func observeTimeline(
        of id: Travel.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        TravelObservation(database.observe([travelTopic]) { db in try timeline(of: id, day: day, viewer: viewer, db) })
    }
}

extension PostgreSQLTravelRepository: TravelIdentifiers {
    package func travelIDs(in range: ClosedRange<Travel.ID>, limit: Int) async throws -> [Travel.ID] {
        try await database.readTravels { db in
            let select: SQL = """
                SELECT id FROM travel
                WHERE id BETWEEN \(range.lowerBound) AND \(range.upperBound)
                ORDER BY id LIMIT \(limit)
                """
            return try db.fetchAll(Travel.ID.self, select)
        }
    }

    package func neighbors(of ids: [Travel.ID]) async throws -> [Travel.ID: [Travel.ID]] {
        try await database.readTravels { db in
            var neighbors: [Travel.ID: [Travel.ID]] = [:]
            for id in ids {
                let before: SQL = "SELECT id FROM travel WHERE id < \(id) ORDER BY id DESC LIMIT 1"
                let after: SQL = "SELECT id FROM travel WHERE id > \(id) ORDER BY id LIMIT 1"
                neighbors[id] = try [before, after].compactMap { select in try db.fetchOne(Travel.ID.self, select) }
            }
            return neighbors
        }
    }

    package func people(of id: Travel.ID) async throws -> (likedBy: [User.ID], reportedBy: [User.ID]) {
        try await database.readTravels { db in
            func people(_ table: String) throws -> [User.ID] {
                let select: SQL =
                    "SELECT person FROM \(identifier: table) WHERE travel = \(id) ORDER BY person"
                return try db.fetchAll(User.ID.self, select)
            }
            return (try people("liked"), try people("reported"))
        }
    }
}
#endif
