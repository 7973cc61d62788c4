#if PostgreSQL
internal import PostgreSQLStore
import TravelDataShared
import TravelDomain

enum UserRecord {
    static func find(_ id: User.ID, _ db: Connection) throws -> User? {
        try db.fetchOne("\(select) WHERE app_user.id = \(id)") { try $0.read(user) }
    }

    /// Selects people with their pictures, for ``user(_:)``.
    static let select: SQL = """
        SELECT app_user.id, nickname, avatar.id FROM app_user LEFT JOIN avatar ON avatar.app_user = app_user.id
        """

    /// The user in the next three columns.
    static func user(_ columns: inout ColumnCursor) throws -> User {
        try User(id: columns.next(), nickname: columns.next() as String, avatar: columns.next())
    }

    /// - Throws: `TravelError.notFound` for an unknown ID.
    @discardableResult
    static func require(_ id: User.ID, _ db: Connection) throws -> User {
        guard let user = try find(id, db) else { throw TravelError.notFound(.user(id)) }
        return user
    }

    /// - Throws: `TravelError.notFound` for an unknown ID, and `.forbidden` if it is not that of `user`.
    static func require(_ id: User.ID, by user: User.ID, _ db: Connection) throws {
        try require(id, db)
        guard id == user else { throw TravelError.forbidden(.user(id)) }
    }

    /// Inserts the user unless the ID is known; returns whether it was not.
    @discardableResult
    static func save(_ user: User, _ db: Connection) throws -> Bool {
        try db.execute(
            """
            INSERT INTO app_user (id, nickname, nickname_key, nickname_skeleton)
            VALUES (
                \(user.id), \(user.nickname.text), \(CharacterKey.nickname(user.nickname)),
                \(CharacterKey.skeleton(user.nickname)))
            ON CONFLICT DO NOTHING
            """) == 1
    }

    /// Inserts a new user. Only a serializable transaction keeps nicknames unique.
    ///
    /// - Throws: `TravelError.conflict` when they exist already, or someone else has the nickname.
    static func insert(_ user: User, _ db: Connection) throws {
        guard try find(user.id, db) == nil else { throw TravelError.conflict(.user(user.id)) }
        try requireFree(user.nickname, for: user.id, db)
        guard try save(user, db) else { throw TravelError.conflict(.user(user.id)) }
    }

    /// - Throws: `TravelError.conflict` when someone other than `user` has the nickname.
    static func requireFree(_ nickname: Nickname, for user: User.ID, _ db: Connection) throws {
        if let holder = try holder(of: nickname, except: user, db) { throw TravelError.conflict(.user(holder)) }
    }

    static func rename(_ id: User.ID, to nickname: Nickname, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE app_user SET nickname = \(nickname.text), nickname_key = \(CharacterKey.nickname(nickname)),
                nickname_skeleton = \(CharacterKey.skeleton(nickname))
            WHERE id = \(id)
            """)
    }

    /// Removes a user whose trips, likes and reports have been removed.
    static func remove(_ id: User.ID, _ db: Connection) throws {
        try db.execute("DELETE FROM blocked WHERE app_user = \(id) OR author = \(id)")
        try db.execute("DELETE FROM avatar WHERE app_user = \(id)")
        try db.execute("DELETE FROM app_user WHERE id = \(id)")
    }

    /// Returns who else has the nickname, or one that looks like it.
    static func holder(of nickname: Nickname, except user: User.ID?, _ db: Connection) throws -> User.ID? {
        let others = try db.fetchAll(
            """
            SELECT id, nickname FROM app_user
            WHERE nickname_key = \(CharacterKey.nickname(nickname))
                OR nickname_skeleton = \(CharacterKey.skeleton(nickname))
            ORDER BY id
            """
        ) { row in try row.read { (id: try $0.next() as User.ID, nickname: try $0.next() as String) } }
        return try readingValues {
            try others.first { try $0.id != user && Nickname(stored: $0.nickname).looksLike(nickname) }?.id
        }
    }
}

enum AvatarRecord {
    /// Stores the picture of a user, or removes it.
    ///
    /// - Throws: `TravelError.conflict` when a trip or someone else has the image.
    static func set(_ image: TripImage?, of user: User.ID, _ db: Connection) throws {
        guard let image else {
            return _ = try db.execute("DELETE FROM avatar WHERE app_user = \(user)")
        }
        let isOfTrip = try db.fetchOne(
            Bool.self, "SELECT EXISTS (SELECT 1 FROM image WHERE id = \(image.id))")
        guard isOfTrip == false else { throw TravelError.conflict(.image(image.id)) }
        // A repeat keeps the stored picture.
        try db.execute("DELETE FROM avatar WHERE app_user = \(user) AND id <> \(image.id)")
        try db.execute(
            """
            INSERT INTO avatar (id, app_user, bytes) VALUES (\(image.id), \(user), \(image.bytes))
            ON CONFLICT DO NOTHING
            """)
        let holder = try db.fetchOne(
            Bool.self, "SELECT EXISTS (SELECT 1 FROM avatar WHERE id = \(image.id) AND app_user = \(user))")
        guard holder == true else { throw TravelError.conflict(.image(image.id)) }
    }

    static func requireNone(_ images: [TripImage], _ db: Connection) throws {
        guard !images.isEmpty else { return }
        let taken = try db.fetchOne(
            TripImage.ID.self, "SELECT id FROM avatar WHERE id = ANY(\(images.map(\.id))) ORDER BY id LIMIT 1")
        if let taken { throw TravelError.conflict(.image(taken)) }
    }
}

enum ImageRecord {
    /// Inserts images, whose IDs no other image may have.
    static func insert(_ images: [TripImage], trip: Trip.ID, _ db: Connection) throws {
        try AvatarRecord.requireNone(images, db)
        for image in images {
            try unique(.image(image.id)) {
                try db.execute(
                    """
                    INSERT INTO image (id, trip, bytes)
                    VALUES (\(image.id), \(trip), \(image.bytes))
                    """)
            }
        }
    }
}

/// The rows of a table that `trip_rank` counts for each trip.
struct CountedRecord {
    let table: SQL
    let column: SQL
    /// The condition that a row is among those that are counted.
    let counts: SQL

    static let like = CountedRecord(table: "liked", column: "like_count", counts: "true")
    static let report = CountedRecord(table: "reported", column: "report_count", counts: "counts")

    /// Deletes some rows of a user, whose row is locked, and subtracts them from the counts. Returns their
    /// number.
    func removeSome(of user: User.ID, atMost limit: Int, _ db: Connection) throws -> Int {
        let isOfUser: SQL = "app_user = \(user)"
        let some = try db.fetchAll(
            Trip.ID.self, "SELECT trip FROM \(table) WHERE \(isOfUser) LIMIT \(raw: String(limit))")
        guard !some.isEmpty else { return 0 }
        try TripRecord.lock(some, db)
        // Before the lock, the user may have taken some back.
        let removed = try db.fetchAll(
            "DELETE FROM \(table) WHERE \(isOfUser) AND trip = ANY(\(some)) RETURNING trip, \(counts)"
        ) { row in try row.read { (trip: try $0.next() as Trip.ID, counts: try $0.next() as Bool) } }
        let counted = removed.filter(\.counts).map(\.trip)
        try db.execute("UPDATE trip_rank SET \(column) = \(column) - 1 WHERE trip = ANY(\(counted))")
        return some.count
    }
}
#endif
