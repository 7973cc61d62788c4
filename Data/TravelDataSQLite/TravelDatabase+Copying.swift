internal import SQLiteStore
package import TravelDataShared
import TravelDomain

extension TravelDatabase: CopiedStore {
    package func readRecords(_ receive: @escaping @Sendable (StoreRecord) throws -> Void) async throws {
        try await mappingErrors {
            try await database.read { [folder = trips.imageFolder] db in
                // Taken before the first query, which determines the snapshot: no file of it is removed meanwhile.
                let lock = try folder.keepFiles()
                defer { withExtendedLifetime(lock) {} }
                try StoreRecords(folder: folder).forEach(db, receive)
            }
        }
    }
}

struct StoreRecords {
    let folder: ImageFolder

    /// The number of people or trips that are held in memory at a time.
    private static let batch = 200

    func forEach(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        try forEachUser(db, receive)
        try forEachTrip(db, receive)
        let blocks = try db.fetchAll(
            """
            SELECT author.id, app_user.id FROM blocked
            JOIN app_user AS author ON author.key = blocked.author JOIN app_user ON app_user.key = blocked.app_user
            WHERE \(UserRecord.isKnown)
            """
        ) { try $0.read { (author: try $0.next() as User.ID, user: try $0.next() as User.ID) } }
        for block in blocks { try receive(.block(author: block.author, by: block.user)) }
        try forEachRemovedTrip(db, receive)
    }

    private func forEachRemovedTrip(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        var last: Trip.ID?
        while true {
            let next: SQL = """
                SELECT id, author FROM removed_trip WHERE \(last) IS NULL OR id > \(last) ORDER BY id LIMIT 1000
                """
            let removed = try db.fetchAll(next) {
                try $0.read { (trip: try $0.next() as Trip.ID, author: try $0.next() as User.ID) }
            }
            for one in removed { try receive(.removed(one.trip, author: one.author)) }
            last = removed.last?.trip
            if removed.isEmpty { return }
        }
    }

    private func forEachUser(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        var last: User.ID?
        while true {
            let next: SQL = """
                SELECT id FROM app_user WHERE (\(last) IS NULL OR id > \(last)) AND \(UserRecord.isKnown)
                ORDER BY id LIMIT \(Self.batch)
                """
            let users = try UserRecord.users("app_user.id IN (\(next))", db)
            let accounts = try AccountRecord.stored("app_user.id IN (\(next))", db)
            for user in users {
                let avatar = try user.avatar.flatMap { try image($0, db) }
                try receive(.user(user, avatar: avatar, account: accounts[user.id]))
            }
            last = users.last?.id
            if users.isEmpty { return }
        }
    }

    private func forEachTrip(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        var last: Trip.ID?
        while true {
            let next: SQL = """
                SELECT key, id FROM trip
                WHERE \(last) IS NULL OR id > \(last) ORDER BY id LIMIT \(Self.batch)
                """
            let keys = try db.fetchAll(next) { row in
                try row.read { (key: try $0.next() as Int64, id: try $0.next() as Trip.ID) }
            }
            let isNext: SQL = "trip.key IN (SELECT value FROM json_each(\(json: keys.map(\.key))))"
            let records = try db.fetchAll(TripRecord.self, TripRecord.select(seenBy: nil, where: isNext))
            let trips = Dictionary(uniqueKeysWithValues: records.map { ($0.trip.id, $0.trip) })
            for (key, id) in keys {
                if let trip = trips[id] { try receive(.trip(try stored(trip, key, db))) }
            }
            last = keys.last?.id
            if keys.isEmpty { return }
        }
    }

    private func stored(_ trip: Trip, _ key: Int64, _ db: Connection) throws -> StoredTrip {
        let details = try TripRecord.details(of: trip, key, db)
        let recorded = try readingValues { try details.recorded }
        let images = try recorded.images.map { id in
            guard let image = try image(id, db) else { throw ImageRecord.missing }
            return image
        }
        return StoredTrip(
            recorded, images: images, likedBy: try users("liked", key, db),
            reports: try ReportRecord.reports(of: key, db), isHidden: try HiddenTripRecord.isHidden(key, db),
            likeCount: trip.likeCount)
    }

    private func users(_ table: String, _ trip: Int64, _ db: Connection) throws -> [User.ID] {
        let select: SQL = """
            SELECT app_user.id FROM \(identifier: table) AS done JOIN app_user ON app_user.key = done.app_user
            WHERE done.trip = \(trip) AND \(UserRecord.isKnown)
            """
        return try db.fetchAll(select) { try $0[0] }
    }

    /// The image with its bytes; `nil` when another store has them and this one has never seen them.
    private func image(_ id: TripImage.ID, _ db: Connection) throws -> TripImage? {
        guard let record = try db.fetchOne(ImageRecord.self, ImageRecord.select(id)) else { return nil }
        guard let bytes = try record.bytes(in: folder) else { throw ImageRecord.missing }
        return try readingValues { try TripImage(id: id, bytes: bytes) }
    }
}

extension TravelDatabase {
    package func writeRecords(
        _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoreRecord?,
        check: (@Sendable (StoreSummary) throws -> Void)?
    ) async throws {
        let folder = trips.imageFolder
        try await trips.write { _, write, db in
            try prepare(policy, &write, db)
            try RecordBatch.forEach(of: next, limit: 500) { try $0.write(to: folder, &write, db) }
            guard let check else { return }
            // Of what is stored, not of what was sent.
            var summary = StoreSummary()
            try StoreRecords(folder: folder).forEach(db) { summary.add($0) }
            try check(summary)
        }
    }

    /// Makes sure that the database is empty, or makes it so.
    private func prepare(_ policy: CopyPolicy, _ write: inout ImageWrite, _ db: Connection) throws {
        switch policy {
        case .add: return
        case .requireEmpty:
            let isEmpty: SQL = "SELECT NOT EXISTS (SELECT 1 FROM app_user) AND NOT EXISTS (SELECT 1 FROM trip)"
            if try db.fetchOne(Bool.self, isEmpty) != true { throw StoreNotEmpty() }
        case .replace:
            try TripRecord.remove(where: "1", &write, db)
            write.abandon(try AvatarRecord.files("1", db))
            for table in ["removed_trip", "avatar", "blocked", "app_user"] {
                try db.execute("DELETE FROM \(identifier: table)")
            }
        }
    }
}

extension RecordBatch {
    fileprivate func write(to folder: ImageFolder, _ write: inout ImageWrite, _ db: Connection) throws {
        try folder.add(users.compactMap(\.avatar) + trips.flatMap(\.images), &write)
        for (user, avatar, account) in users {
            let key = try UserRecord.save(user, db)
            if let avatar { try AvatarRecord.set(avatar, of: key, &write, db) }
            if let account { try AccountRecord.insert(account, of: key, db) }
        }
        var new = try NewImages(trips.flatMap(\.images))
        try TripRecord.add(trips.map(\.recorded), &new, &write, db)
        for trip in trips { try add(likesAndReportsOf: trip, db) }
        for (trip, author) in removed {
            try db.execute("INSERT OR IGNORE INTO removed_trip (id, author) VALUES (\(trip), \(author))")
        }
        for (author, user) in blocks {
            try db.execute(
                """
                INSERT INTO blocked (app_user, author)
                VALUES (\(try UserRecord.requireKey(of: user, db)), \(try UserRecord.requireKey(of: author, db)))
                """)
        }
    }

    private func add(likesAndReportsOf trip: StoredTrip, _ db: Connection) throws {
        guard !trip.likedBy.isEmpty || !trip.reports.isEmpty || trip.isHidden,
            let key = try db.fetchOne(Int64.self, "SELECT key FROM trip WHERE id = \(trip.recorded.id)")
        else { return }
        for user in trip.likedBy { try LikeRecord.insert(key, by: UserRecord.requireKey(of: user, db), db) }
        for report in trip.reports { try ReportRecord.insert(report, of: key, db) }
        try HiddenTripRecord.set(trip.isHidden, key, db)
    }
}
