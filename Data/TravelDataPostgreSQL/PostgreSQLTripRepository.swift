#if PostgreSQL
internal import PostgreSQLStore
internal import TravelDataShared
public import TravelDomain

/// Trips, people, images, reports and blocks on a PostgreSQL server.
///
/// ```swift
/// let database = try await PostgreSQLTravelDatabase.open(.url("postgresql://localhost/travel"))
/// let page = try await database.trips.search(TripQuery(TripCriteria(), viewer: nil))
/// ```
public struct PostgreSQLTripRepository: TripRepository {
    let database: Database
    private let effort: SearchEffort
    let commonTerms = CommonTerms.ofTitles()
    private let commonEntryTerms = CommonTerms.ofEntries()
    /// The key of the link that viewers of this copy follow.
    private var key: LinkKey?

    init(_ database: Database, effort: SearchEffort = SearchEffort()) {
        (self.database, self.effort) = (database, effort)
    }

    public func search(_ query: TripQuery) async throws -> TripPage {
        try await database.readTrips { db in try page(of: query, db) }
    }

    public func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try await database.readTrips { db in try trip(id, viewer: viewer, db) }
    }

    public func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await database.readTrips { db in try timeline(of: id, viewer: viewer, db) }
    }

    public func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await database.readTrips { db in
            try requireVisible(id, viewer: viewer, db)
            return try TrackRecord.tracks(of: [id], db)[id]
        }
    }

    public func details(of id: Trip.ID, viewer: User.ID?) async throws -> TripDetails {
        try await database.readTrips { db in
            let trip = try trip(id, viewer: viewer, db)
            let timeline = try EntryRecord.timeline(of: id, db).seen(byAuthor: trip.isMine)
            return TripDetails(trip: trip, timeline: timeline, track: try TrackRecord.tracks(of: [id], db)[id])
        }
    }

    public func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        let new = try NewImages(images)
        try await database.writeTrips { db in
            var new = new
            try TripRecord.add(trips, &new, db)
        }
    }

    public func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        // The lock on the trip orders its likes; a serializable transaction would only fail more often.
        try await database.writeTrips(isolation: .readCommitted) { db in
            let select: SQL = """
                SELECT rank.created_at, \(Viewer.columns)
                FROM trip_rank AS rank JOIN trip ON trip.id = rank.trip WHERE rank.trip = \(id) FOR UPDATE OF rank
                """
            let viewer = Viewer(user, key: key)
            let rank = try db.fetchOne(select) { row in
                try row.read { columns in
                    let createdAt: Double = try columns.next()
                    return (createdAt: createdAt, isSeen: try viewer.sees(&columns, db).isSeen)
                }
            }
            // First, because a like can be taken back even if the trip is hidden by now.
            if !isLiked {
                let delete: SQL = "DELETE FROM liked WHERE trip = \(id) AND app_user = \(user)"
                if try db.execute(delete) == 1 { return try count(-1, id, db) }
            }
            guard let rank, rank.isSeen else { throw TravelError.notFound(.trip(id)) }
            try UserRecord.require(user, db)
            guard isLiked else { return }
            let insert: SQL = """
                INSERT INTO liked (trip, app_user, created_at)
                VALUES (\(id), \(user), \(rank.createdAt)) ON CONFLICT DO NOTHING
                """
            if try db.execute(insert) == 1 { try count(1, id, db) }
        }
    }

    private func count(_ change: Int, _ id: Trip.ID, _ db: Connection) throws {
        try db.execute(
            "UPDATE trip_rank SET like_count = like_count + \(change) WHERE trip = \(id)")
    }

    func page(of query: TripQuery, _ db: Connection) throws -> TripPage {
        var search = TripSearch(query, effort: effort, commonTerms: commonTerms, commonEntryTerms: commonEntryTerms)
        return TripPage(try search.results(db), of: query)
    }

    func trip(_ id: Trip.ID, viewer: User.ID?, _ db: Connection) throws -> Trip {
        let select: SQL = "\(TripRecord.select(seenBy: viewer)) WHERE rank.trip = \(id)"
        guard let record = try db.fetchOne(TripRecord.self, select),
            try Viewer(viewer, key: key).sees(
                tripBy: record.trip.author.id, to: record.trip.content.audience, reports: record.reports, db)
        else { throw TravelError.notFound(.trip(id)) }
        return record.trip
    }

    func timeline(of id: Trip.ID, day: Int? = nil, viewer: User.ID?, _ db: Connection) throws -> [TimelineEntry] {
        let author = try requireVisible(id, viewer: viewer, db)
        return try EntryRecord.timeline(of: id, day: day, db).seen(byAuthor: author == viewer)
    }

    /// Returns the author of a trip that the viewer sees.
    @discardableResult
    func requireVisible(_ id: Trip.ID, viewer: User.ID?, _ db: Connection) throws -> User.ID {
        let select: SQL = """
            SELECT \(Viewer.columns) FROM trip_rank AS rank JOIN trip ON trip.id = rank.trip WHERE rank.trip = \(id)
            """
        let trip = try db.fetchOne(select) { row in try row.read { try Viewer(viewer, key: key).sees(&$0, db) } }
        guard let trip, trip.isSeen else { throw TravelError.notFound(.trip(id)) }
        return trip.author
    }
}

extension PostgreSQLTripRepository: TripEditingRepository {
    /// `change` may run several times, on newer versions of the trip.
    @discardableResult
    public func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        let images = try NewImages(images)
        return try await database.writeTrips { db in
            var new = images
            let recorded = try recorded(id, db)
            try requireVisible(id, viewer: user, db)
            guard recorded.author.id == user else { throw TravelError.forbidden(.trip(id)) }
            try recorded.requireVersion(version)
            guard let changed = try change(recorded) else {
                try TripRecord.remove([id], by: user, db)
                return nil
            }
            let revision = try changed.revision(of: recorded)
            if revision.version != recorded.version {
                try TripRecord.update(from: recorded, to: revision, &new, db)
            }
            return revision
        }
    }

    private func recorded(_ id: Trip.ID, _ db: Connection) throws -> RecordedTrip {
        let select: SQL =
            "\(TripRecord.select(seenBy: nil)) WHERE rank.trip = \(id) FOR UPDATE OF rank"
        guard let trip = try db.fetchOne(TripRecord.self, select)?.trip else {
            throw TravelError.notFound(.trip(id))
        }
        let timeline = try EntryRecord.timeline(of: id, db)
        let track = try TrackRecord.tracks(of: [id], db)[id]
        return try readingValues { try TripDetails(trip: trip, timeline: timeline, track: track).recorded }
    }
}

extension PostgreSQLTripRepository: ImageRepository {
    public func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        guard case .original(let image, _) = try await picture(id, in: nil, viewer: viewer) else {
            preconditionFailure("an image itself is no smaller picture")
        }
        return image
    }

    public func picture(_ id: TripImage.ID, in size: PictureSize?, viewer: User.ID?) async throws -> StoredPicture {
        try await database.readTrips { db in
            // Only what is returned is read: an image is a hundred times larger than a small picture of it.
            let columns: (_ table: SQL) -> SQL = { table in
                guard let size else { return "\(table).bytes, NULL::bytea" }
                let kept: SQL = "\(table).\(identifier: size.rawValue)"
                return "CASE WHEN \(kept) IS NULL THEN \(table).bytes END, \(kept)"
            }
            let ofUser: SQL = "SELECT app_user, \(columns("avatar")) FROM avatar WHERE id = \(id)"
            let avatar = try db.fetchOne(ofUser) { row in
                try row.read { columns in
                    (owner: try columns.next() as User.ID, try Self.stored(&columns))
                }
            }
            let found =
                if let avatar { avatar } else { try picture(ofTrip: id, columns("image"), viewer: viewer, db) }
            guard let (owner, stored) = found else { throw TravelError.notFound(.image(id)) }
            if let kept = stored.kept { return .kept(kept) }
            guard let bytes = stored.original else { throw TravelError.notFound(.image(id)) }
            return .original(try readingValues { try TripImage(id: id, bytes: bytes) }, isMine: owner == viewer)
        }
    }

    public func keep(_ picture: Data, of image: TripImage, in size: PictureSize) async throws {
        try await mappingErrors {
            // No observer sees it.
            try await database.write(isolation: .readCommitted) { db in
                for table in ["image", "avatar"] {
                    let count = try db.execute(
                        """
                        UPDATE \(identifier: table) SET \(identifier: size.rawValue) = \(picture)
                        WHERE id = \(image.id) AND \(identifier: size.rawValue) IS NULL AND bytes = \(image.bytes)
                        """)
                    if count > 0 { return }
                }
            }
        }
    }

    /// The author of a trip, and what the database has of one of its images; `nil` if `viewer` does not see it.
    private func picture(
        ofTrip id: TripImage.ID, _ columns: SQL, viewer: User.ID?, _ db: Connection
    ) throws -> (owner: User.ID, stored: (original: Data?, kept: Data?))? {
        let select: SQL = """
            SELECT \(Viewer.columns), \(columns)
            FROM image JOIN trip_rank AS rank ON rank.trip = image.trip JOIN trip ON trip.id = image.trip
            WHERE image.id = \(id)
            """
        return try db.fetchOne(select) { row in
            try row.read { columns in
                let (author, isSeen) = try Viewer(viewer, key: key).sees(&columns, db)
                return isSeen ? (author, try Self.stored(&columns)) : nil
            }
        } ?? nil
    }

    private static func stored(_ columns: inout ColumnCursor) throws -> (original: Data?, kept: Data?) {
        (try columns.next(), try columns.next())
    }
}

extension PostgreSQLTripRepository: TripObservingRepository {
    public func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        TripObservation(database.observe([tripTopic]) { db in try page(of: query, db) })
    }

    public func observeTrip(
        _ id: Trip.ID, viewer: User.ID?
    ) -> any AsyncSequence<Trip, any Error> & Sendable {
        TripObservation(database.observe([tripTopic]) { db in try trip(id, viewer: viewer, db) })
    }

    public func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        TripObservation(database.observe([tripTopic]) { db in try timeline(of: id, day: day, viewer: viewer, db) })
    }
}

extension PostgreSQLTripRepository: LinkFollowing {
    public func following(_ key: LinkKey) -> any TravelStore {
        var copy = self
        copy.key = key
        return copy
    }
}

extension PostgreSQLTripRepository: TripIdentifiers {
    package func tripIDs(in range: ClosedRange<Trip.ID>, limit: Int) async throws -> [Trip.ID] {
        try await database.readTrips { db in
            let select: SQL = """
                SELECT id FROM trip
                WHERE id BETWEEN \(range.lowerBound) AND \(range.upperBound)
                ORDER BY id LIMIT \(limit)
                """
            return try db.fetchAll(Trip.ID.self, select)
        }
    }

    package func neighbors(of ids: [Trip.ID]) async throws -> [Trip.ID: [Trip.ID]] {
        try await database.readTrips { db in
            var neighbors: [Trip.ID: [Trip.ID]] = [:]
            for id in ids {
                let before: SQL = "SELECT id FROM trip WHERE id < \(id) ORDER BY id DESC LIMIT 1"
                let after: SQL = "SELECT id FROM trip WHERE id > \(id) ORDER BY id LIMIT 1"
                neighbors[id] = try [before, after].compactMap { select in try db.fetchOne(Trip.ID.self, select) }
            }
            return neighbors
        }
    }

    package func users(of id: Trip.ID) async throws -> (likedBy: [User.ID], reportedBy: [User.ID]) {
        try await database.readTrips { db in
            func users(_ table: String) throws -> [User.ID] {
                let select: SQL =
                    "SELECT app_user FROM \(identifier: table) WHERE trip = \(id) ORDER BY app_user"
                return try db.fetchAll(User.ID.self, select)
            }
            return (try users("liked"), try users("reported"))
        }
    }
}
#endif
