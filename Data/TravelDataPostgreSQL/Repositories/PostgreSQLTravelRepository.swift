#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
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

        /// Returns the visible travels that match, in order.
        ///
        /// - Throws: `TravelError.unavailable`; `CancellationError`.
        public func search(_ query: TravelQuery) async throws -> TravelPage {
            try await database.readTravels { db in try page(of: query, db) }
        }

        /// Returns a travel as the viewer sees it.
        ///
        /// - Throws: `TravelError.notFound` for an unknown or hidden travel, and `.unavailable`; `CancellationError`.
        public func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
            try await database.readTravels { db in try travel(id, viewer: viewer, db) }
        }

        /// Returns the entries of a travel in order.
        ///
        /// - Throws: `TravelError.notFound` for an unknown or hidden travel, and `.unavailable`; `CancellationError`.
        public func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
            try await database.readTravels { db in try timeline(of: id, viewer: viewer, db) }
        }

        /// Returns the way of the recorded track of a travel.
        ///
        /// - Throws: `TravelError.notFound` for an unknown or hidden travel, and `.unavailable`; `CancellationError`.
        public func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? {
            try await database.readTravels { db in
                try requireVisible(id, viewer: viewer, db)
                return try TrackRecord.tracks(of: [id.rawValue], db)[id]
            }
        }

        /// Adds travels with their images, all or none.
        ///
        /// - Throws: `TravelError.conflict` for a known ID, `.notFound` for a missing image, and `.unavailable`;
        ///   `CancellationError`.
        public func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
            let new = try NewImages(images)
            try await database.writeTravels { db in
                var new = new
                try TravelRecord.add(travels, &new, db)
            }
        }

        /// Adds or takes back a like.
        ///
        /// - Throws: `TravelError.notFound` for an unknown or hidden travel, or an unknown person, and `.unavailable`;
        ///   `CancellationError`.
        public func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
            // The lock on the travel orders its likes; a serializable transaction would only fail more often.
            try await database.writeTravels(isolation: .readCommitted) { db in
                let rank = try db.fetchOne(
                    "SELECT author, report_count, created_at FROM travel_rank WHERE travel = \(id.rawValue) FOR UPDATE"
                ) { row in
                    (author: User.ID(try row[0] as UUID), reports: try row[1] as Int, createdAt: try row[2] as Double)
                }
                // First, because a like can be taken back even if the travel is hidden by now.
                if !isLiked {
                    let delete: SQL = "DELETE FROM liked WHERE travel = \(id.rawValue) AND person = \(user.rawValue)"
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
                    VALUES (\(id.rawValue), \(user.rawValue), \(rank.createdAt)) ON CONFLICT DO NOTHING
                    """
                if try db.execute(insert) == 1 { try count(1, id, db) }
            }
        }

        private func count(_ change: Int, _ id: Travel.ID, _ db: Connection) throws {
            try db.execute(
                "UPDATE travel_rank SET like_count = like_count + \(change) WHERE travel = \(id.rawValue)")
        }

        func page(of query: TravelQuery, _ db: Connection) throws -> TravelPage {
            let found = try TravelSearch(query, effort: effort, commonTerms: commonTerms).travels(db)
            let travels = Array(found.prefix(query.limit))
            return TravelPage(
                travels: travels,
                next: found.count > query.limit
                    ? travels.last.map { TravelCursor(after: $0, in: query.criteria.sort) } : nil)
        }

        func travel(_ id: Travel.ID, viewer: User.ID?, _ db: Connection) throws -> Travel {
            let select: SQL = "\(TravelRecord.select(seenBy: viewer)) WHERE rank.travel = \(id.rawValue)"
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
            let rank = try db.fetchOne("SELECT author, report_count FROM travel_rank WHERE travel = \(id.rawValue)") {
                row in
                (author: User.ID(try row[0] as UUID), reports: try row[1] as Int)
            }
            guard let rank, try Viewer(viewer).sees(travelBy: rank.author, reports: rank.reports, db) else {
                throw TravelError.notFound(.travel(id))
            }
            return rank.author
        }
    }
#endif
