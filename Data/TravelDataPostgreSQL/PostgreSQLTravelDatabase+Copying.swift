#if PostgreSQL
internal import PostgreSQLStore
package import TravelDataShared
import TravelDomain

extension PostgreSQLTravelDatabase: CopiedStore {
    package func readRecords(_ receive: @escaping @Sendable (StoreRecord) throws -> Void) async throws {
        try await database.readLong { db in try StoreRecords.forEach(db, receive) }
    }

    package func writeRecords(
        _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoreRecord?,
        check: (@Sendable (StoreSummary) throws -> Void)?
    ) async throws {
        try await database.writeLong { db in
            try prepare(policy, db)
            try RecordBatch.forEach(of: next, limit: 1_000) { try $0.write(policy, db) }
            if let check {
                // Of what is stored, not of what was sent.
                var summary = StoreSummary()
                try StoreRecords.forEach(db) { summary.add($0) }
                try check(summary)
            }
        }
    }

    /// Makes sure that the database is empty, or makes it so.
    private func prepare(_ policy: CopyPolicy, _ db: Connection) throws {
        switch policy {
        case .add: return
        case .requireEmpty:
            let isUsed = try db.fetchOne(
                Bool.self, "SELECT EXISTS (SELECT FROM app_user) OR EXISTS (SELECT FROM trip)")
            if isUsed != false { throw StoreNotEmpty() }
        case .replace:
            for table in ["trip", "removed_trip", "blocked", "avatar", "app_user"] {
                try db.execute("DELETE FROM \(identifier: table)")
            }
        }
    }
}

extension RecordBatch {
    fileprivate func write(_ policy: CopyPolicy, _ db: Connection) throws {
        for (user, avatar, account) in users {
            try UserRecord.save(policy == .add ? withFreeNickname(user, db) : user, db)
            if let avatar { try AvatarRecord.set(avatar, of: user.id, db) }
            if let account { try AccountRecord.insert(account, of: user.id, db) }
        }
        var new = try NewImages(trips.flatMap(\.images))
        try TripRecord.load(trips.map(\.recorded), likedBy: trips.map(\.likedBy), db)
        for trip in trips where !trip.recorded.images.isEmpty {
            try ImageRecord.insert(new.take(for: trip.recorded), trip: trip.recorded.id, db)
        }
        try addReports(db)
        try db.copy(into: "blocked", columns: ["app_user", "author"], blocks) { block, values in
            try values.bind(block.user, block.author)
        }
        try db.execute(
            "INSERT INTO removed_trip (id, author) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", forEach: removed
        ) { one, values in try values.bind(one.trip, one.author) }
    }

    /// The user, with a number behind the nickname if someone else has it.
    private func withFreeNickname(_ user: User, _ db: Connection) throws -> User {
        var nickname = user.nickname
        var number = 1
        while try UserRecord.holder(of: nickname, except: user.id, db) != nil {
            number += 1
            let name = user.nickname.text.prefix(Nickname.length.upperBound - "\(number)".count)
            nickname = try Nickname("\(name)\(number)")
        }
        return User(id: user.id, nickname: nickname, avatar: user.avatar)
    }

    private func addReports(_ db: Connection) throws {
        let rows = trips.flatMap { (trip: StoredTrip) -> [(Trip.ID, StoredReport)] in
            trip.reports.map { (trip.recorded.id, $0) }
        }
        try db.copy(into: "reported", columns: ["trip", "app_user", "reported_at", "counts"], rows) { row, values in
            try values.bind(row.0, row.1.user, row.1.time, row.1.counts)
        }
        try db.copy(into: "hidden_trip", columns: ["trip"], trips.filter(\.isHidden)) { trip, values in
            try values.bind(trip.recorded.id)
        }
        try db.execute(
            "UPDATE trip_rank SET report_count = report_count + $2 WHERE trip = $1",
            forEach: trips.filter { $0.reportCount > 0 }
        ) { trip, values in
            try values.bind(trip.recorded.id, trip.reportCount)
        }
    }
}

enum StoreRecords {
    /// The number of people, trips or blocks that are held in memory at a time.
    private static let batch = 500

    /// Calls `receive` with each record: people, trips and blocks.
    static func forEach(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        // Trips are read together with these rows.
        let isIncomplete = try db.fetchOne(
            Bool.self,
            """
            SELECT EXISTS (
                SELECT FROM trip LEFT JOIN trip_rank AS rank ON rank.trip = trip.id WHERE rank.trip IS NULL)
            """)
        if isIncomplete != false {
            throw TravelError.unavailable(
                .init("A trip is incomplete: restore a backup.", cause: .damaged, canRetry: false))
        }
        try forEachUser(db, receive)
        try forEachTrip(db) { record, stored in
            let images = try stored.recorded.images.map { id in
                try image(
                    id,
                    "SELECT bytes FROM image WHERE id = \(id) AND trip = \(record.trip.id)",
                    db)
            }
            try receive(
                .trip(
                    StoredTrip(
                        stored.recorded, images: images, likedBy: stored.likedBy, reports: stored.reports,
                        isHidden: stored.isHidden,
                        likeCount: stored.likeCount)))
        }
        let blocks = try db.fetchAll("SELECT author, app_user FROM blocked") { row in
            try row.read { (author: try $0.next() as User.ID, user: try $0.next() as User.ID) }
        }
        for block in blocks { try receive(.block(author: block.author, by: block.user)) }
        try forEachRemovedTrip(db, receive)
    }

    private static func forEachRemovedTrip(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        var last: Trip.ID?
        while true {
            let isNext: SQL = last.map { "id > \($0)" } ?? "true"
            let removed = try db.fetchAll(
                "SELECT id, author FROM removed_trip WHERE \(isNext) ORDER BY id LIMIT 1000"
            ) { row in try row.read { (trip: try $0.next() as Trip.ID, author: try $0.next() as User.ID) } }
            for one in removed { try receive(.removed(one.trip, author: one.author)) }
            guard let end = removed.last?.trip else { return }
            last = end
        }
    }

    private static func forEachUser(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        var last: User.ID?
        while true {
            let isNext: SQL = last.map { "app_user.id > \($0)" } ?? "true"
            let users = try db.fetchAll(
                "\(UserRecord.select) WHERE \(isNext) ORDER BY app_user.id LIMIT \(batch)"
            ) { try $0.read(UserRecord.user) }
            let accounts = try AccountRecord.stored(users.map(\.id), db)
            for user in users {
                let avatar = try user.avatar.map { id in
                    try image(id, "SELECT bytes FROM avatar WHERE id = \(id)", db)
                }
                try receive(.user(user, avatar: avatar, account: accounts[user.id]))
            }
            guard let end = users.last?.id else { return }
            last = end
        }
    }

    /// Calls `receive` with each trip, without images, in the order of their IDs.
    static func forEachTrip(
        _ db: Connection, _ receive: (TripRecord, StoredTrip) throws -> Void
    ) throws {
        var last: Trip.ID?
        while true {
            let isNext: SQL = last.map { "id > \($0)" } ?? "true"
            let ids = try db.fetchAll(
                Trip.ID.self, "SELECT id FROM trip WHERE \(isNext) ORDER BY id LIMIT \(batch)")
            guard let end = ids.last else { return }
            let records = try db.fetchAll(
                TripRecord.self,
                "\(TripRecord.select(seenBy: nil)) WHERE trip.id = ANY(\(ids)) ORDER BY trip.id")
            let timelines = try timelines(of: ids, db)
            let tracks = try TrackRecord.tracks(of: ids, db)
            let likes = try users("liked", ids, db)
            let reports = try ReportRecord.reports(of: ids, db)
            let hidden = Set(
                try db.fetchAll(Trip.ID.self, "SELECT trip FROM hidden_trip WHERE trip = ANY(\(ids))"))
            for record in records {
                let trip = record.trip
                let recorded = try readingValues {
                    try TripDetails(
                        trip: trip, timeline: timelines[trip.id] ?? [], track: tracks[trip.id]
                    ).recorded
                }
                try receive(
                    record,
                    StoredTrip(
                        recorded, likedBy: likes[trip.id] ?? [], reports: reports[trip.id] ?? [],
                        isHidden: hidden.contains(trip.id),
                        likeCount: trip.likeCount))
            }
            last = end
        }
    }

    private static func timelines(of trips: [Trip.ID], _ db: Connection) throws -> [Trip.ID: [TimelineEntry]] {
        let select: SQL = """
            SELECT trip, \(EntryRecord.columnList) FROM entry WHERE trip = ANY(\(trips))
            ORDER BY trip, day, minutes, position
            """
        let entries = try db.fetchAll(select) { row in
            try row.read { (trip: try $0.next() as Trip.ID, entry: try EntryRecord(reading: &$0).entry) }
        }
        return Dictionary(grouping: entries, by: \.trip).mapValues { $0.map(\.entry) }
    }

    private static func users(_ table: String, _ trips: [Trip.ID], _ db: Connection) throws
        -> [Trip.ID: [User.ID]]
    {
        let rows = try db.fetchAll(
            "SELECT trip, app_user FROM \(identifier: table) WHERE trip = ANY(\(trips))"
        ) { row in try row.read { (trip: try $0.next() as Trip.ID, user: try $0.next() as User.ID) } }
        return Dictionary(grouping: rows, by: \.trip).mapValues { $0.map(\.user) }
    }

    private static func image(_ id: TripImage.ID, _ select: SQL, _ db: Connection) throws -> TripImage {
        guard let bytes = try db.fetchOne(Data.self, select) else {
            throw TravelError.unavailable(
                .init("An image is missing: restore a backup.", cause: .damaged, canRetry: false))
        }
        return try readingValues { try TripImage(id: id, bytes: bytes) }
    }
}
#endif
