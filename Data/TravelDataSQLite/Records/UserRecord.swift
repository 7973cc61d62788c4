internal import SQLiteStore
import TravelDataShared
import TravelDomain

/// A row of `app_user`.
///
/// A cache knows some people only by ID, because they like or block something: these are named in `unfetched_user`, and
/// their nickname is a placeholder. Nothing but their likes and blocks is found until their profile is stored.
enum UserRecord {
    /// The key of the user, whether or not their profile is known; `nil` when there is no such row.
    static func key(of id: User.ID, _ db: Connection) throws -> Int64? {
        try db.fetchOne(Int64.self, "SELECT key FROM app_user WHERE id = \(id)")
    }

    /// A condition on `user`: the profile is known.
    static let isKnown: SQL = "app_user.key NOT IN (SELECT app_user FROM unfetched_user)"

    /// The key of the user if their profile is known; `nil` otherwise.
    static func knownKey(of id: User.ID, _ db: Connection) throws -> Int64? {
        try db.fetchOne(Int64.self, "SELECT key FROM app_user WHERE id = \(id) AND \(isKnown)")
    }

    /// The key of the user; inserts a row without a profile if there is none.
    static func saveUnfetched(_ id: User.ID, _ db: Connection) throws -> Int64 {
        if let key = try key(of: id, db) { return key }
        try db.execute("INSERT INTO app_user (id, nickname, nickname_key) VALUES (\(id), '??', '??')")
        let key = db.lastInsertedRowID
        try db.execute("INSERT INTO unfetched_user VALUES (\(key))")
        return key
    }

    /// The key of the user.
    ///
    /// - Throws: `TravelError.notFound` when there is no such user.
    static func requireKey(of id: User.ID, _ db: Connection) throws -> Int64 {
        guard let key = try knownKey(of: id, db) else { throw TravelError.notFound(.user(id)) }
        return key
    }

    /// The key of a user who acts on their own account.
    ///
    /// - Throws: `TravelError.notFound` when there is no such user; `TravelError.forbidden` when `user` is someone
    ///   else.
    static func requireKey(of id: User.ID, by user: User.ID, _ db: Connection) throws -> Int64 {
        let key = try requireKey(of: id, db)
        guard id == user else { throw TravelError.forbidden(.user(id)) }
        return key
    }

    /// Inserts the user, unless their profile is known, with whatever nickname and no picture; returns the key.
    static func save(_ user: User, _ db: Connection) throws -> Int64 {
        if let key = try key(of: user.id, db) {
            if try db.execute("DELETE FROM unfetched_user WHERE app_user = \(key)") == 1 {
                try rename(key, to: user.nickname, db)
            }
            return key
        }
        try db.execute(
            """
            INSERT INTO app_user (id, nickname, nickname_key, nickname_skeleton)
            VALUES (
                \(user.id), \(user.nickname.text), \(CharacterKey.nickname(user.nickname)),
                \(CharacterKey.skeleton(user.nickname)))
            """)
        return db.lastInsertedRowID
    }

    /// Inserts a new user, without a picture; returns the key.
    ///
    /// - Throws: `TravelError.conflict` when they exist already, or someone else has the nickname.
    static func insert(_ user: User, _ db: Connection) throws -> Int64 {
        guard try knownKey(of: user.id, db) == nil else { throw TravelError.conflict(.user(user.id)) }
        try requireFree(user.nickname, for: user.id, db)
        return try save(user, db)
    }

    /// - Throws: `TravelError.conflict` when someone other than `user` has the nickname.
    static func requireFree(_ nickname: Nickname, for user: User.ID, _ db: Connection) throws {
        if let holder = try holder(of: nickname, except: user, db) { throw TravelError.conflict(.user(holder)) }
    }

    /// The people who meet `condition` and whose profile is known, ordered by ID.
    static func users(_ condition: SQL, _ db: Connection) throws -> [User] {
        try db.fetchAll(
            """
            SELECT app_user.id, nickname, avatar.id FROM app_user LEFT JOIN avatar ON avatar.app_user = key
            WHERE \(condition) AND \(isKnown) ORDER BY app_user.id
            """
        ) { try $0.read(user) }
    }

    /// The user in the next three columns: ID, nickname, and the ID of the picture.
    static func user(_ columns: inout ColumnCursor) throws -> User {
        try User(id: columns.next(), nickname: columns.next() as String, avatar: columns.next())
    }

    static func rename(_ key: Int64, to nickname: Nickname, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE app_user SET nickname = \(nickname.text), nickname_key = \(CharacterKey.nickname(nickname)),
                nickname_skeleton = \(CharacterKey.skeleton(nickname))
            WHERE key = \(key) AND nickname <> \(nickname.text)
            """)
    }

    /// The ID of someone other than `user` who has that nickname, or one that looks like it.
    static func holder(of nickname: Nickname, except user: User.ID?, _ db: Connection) throws -> User.ID? {
        let others = try db.fetchAll(
            """
            SELECT id, nickname FROM app_user
            WHERE \(mayLookLike(nickname)) AND id IS NOT \(user) AND \(isKnown) ORDER BY key
            """
        ) { try $0.read { (id: try $0.next() as User.ID, nickname: try $0.next() as String) } }
        return try readingValues {
            try others.first { try Nickname(stored: $0.nickname).looksLike(nickname) }?.id
        }
    }

    /// A condition on `app_user`, which is true for all nicknames that look like this one, and for few others.
    static func mayLookLike(_ nickname: Nickname) -> SQL {
        """
        (nickname_key = \(CharacterKey.nickname(nickname)) OR nickname_skeleton = \(CharacterKey.skeleton(nickname)))
        """
    }
}

enum AvatarRecord {
    /// Stores the picture of the user with the key `user`, or removes it.
    ///
    /// - Throws: `TravelError.conflict` when a trip or someone else has the image.
    static func set(
        _ image: TripImage?, of user: Int64, _ write: inout ImageWrite, _ db: Connection
    ) throws {
        let former = try db.fetchOne("SELECT id FROM avatar WHERE app_user = \(user) AND file IS NOT NULL") {
            try $0[0] as TripImage.ID
        }
        if let image, image.id == former { return }
        write.abandon(try files("app_user = \(user)", db))
        try db.execute("DELETE FROM avatar WHERE app_user = \(user)")
        guard let image else { return }
        let isOfTrip = try db.fetchOne(Bool.self, "SELECT EXISTS (SELECT 1 FROM image WHERE id = \(image.id))")
        guard isOfTrip == false else { throw TravelError.conflict(.image(image.id)) }
        _ = try TripRecord.unique(.image(image.id)) {
            try db.execute(
                """
                INSERT INTO avatar (app_user, id, file, size)
                VALUES (\(user), \(image.id), \(write.file(of: image.id).bytes), \(image.bytes.count))
                """)
        }
    }

    /// Stores the picture of a user as another store has answered it, without a file if it is a new one.
    static func setSeen(
        _ image: TripImage.ID?, of user: Int64, _ write: inout ImageWrite, _ db: Connection
    ) throws {
        let known = try db.fetchOne("SELECT id FROM avatar WHERE app_user = \(user)") { try $0[0] as TripImage.ID }
        if image == known { return }
        // Someone else who had it must have changed theirs since.
        let isReplaced: SQL = "(app_user = \(user) OR id = \(image))"
        write.abandon(try files(isReplaced, db))
        try db.execute("DELETE FROM avatar WHERE \(isReplaced)")
        guard let image else { return }
        try db.execute("INSERT INTO avatar (app_user, id) VALUES (\(user), \(image))")
    }

    /// Stores the file of a picture that another store has; returns whether it was lacking.
    static func setFile(_ file: ImageFolder.FileID, of image: TripImage, _ db: Connection) throws -> Bool {
        try db.execute(
            """
            UPDATE avatar SET (file, size) = (\(file), \(image.bytes.count))
            WHERE id = \(image.id) AND file IS NULL
            """) == 1
    }

    /// The files of the pictures that meet `condition`.
    static func files(_ condition: SQL, _ db: Connection) throws -> [ImageFolder.FileID] {
        try db.fetchAll("SELECT file FROM avatar WHERE \(condition) AND file IS NOT NULL") { try $0[0] }
    }

    static func requireNone(_ image: TripImage.ID, _ db: Connection) throws {
        let isThere = try db.fetchOne(Bool.self, "SELECT EXISTS (SELECT 1 FROM avatar WHERE id = \(image))")
        if isThere == true { throw TravelError.conflict(.image(image)) }
    }
}

/// A row of `image`, the file and the trip of an image, or of `avatar`.
struct ImageRecord: RowDecodable {
    let file: ImageFolder.FileID
    let size: Int
    /// The author of the trip, or the user whose picture it is.
    private let owner: Int64
    /// What decides who sees the trip; `nil` for the picture of a user.
    private let trip: (audience: Audience, reports: Int)?

    static func select(_ id: TripImage.ID) -> SQL {
        "\(ofTrips) WHERE image.id = \(id) UNION ALL \(ofUsers) AND id = \(id)"
    }

    /// Selects the rows of all images that have a file.
    static let selectAll: SQL = "\(ofTrips) UNION ALL \(ofUsers)"

    private static let ofTrips: SQL = """
        SELECT file, size, \(Viewer.columns) FROM image JOIN trip
            ON trip.key = image.trip AND image.id NOT IN (SELECT id FROM unfetched_image)
        """
    private static let ofUsers: SQL = "SELECT file, size, app_user, NULL, NULL FROM avatar WHERE file IS NOT NULL"

    /// Whether `viewer` sees the image. Everyone sees the pictures of people.
    func isVisible(to viewer: User.ID?, key: LinkKey?, _ db: Connection) throws -> Bool {
        guard let trip else { return true }
        return try Viewer(viewer, key: key, db).sees(tripBy: owner, to: trip.audience, reports: trip.reports, db)
    }

    /// Whether the trip, or the picture, is that of `viewer`.
    func isOwned(by viewer: User.ID?, _ db: Connection) throws -> Bool {
        guard let viewer else { return false }
        return try UserRecord.key(of: viewer, db) == owner
    }

    init(row: borrowing Row) throws {
        (file, size, owner, trip) = try row.read { columns in
            let (file, size) = (try columns.next() as ImageFolder.FileID, try columns.next() as Int)
            let owner: Int64 = try columns.next()
            guard let reports: Int = try columns.next() else { return (file, size, owner, nil) }
            return (file, size, owner, (try columns.next(), reports))
        }
    }

    /// Reads the file; `nil` when it does not exist.
    ///
    /// - Throws: `TravelError.unavailable` when its size is not the expected one.
    func bytes(in folder: ImageFolder) throws -> Data? {
        guard let bytes = try folder.read(file) else { return nil }
        guard bytes.count == size else {
            throw TravelError.unavailable(
                .init("The file of an image is damaged: restore a backup.", cause: .damaged, canRetry: false))
        }
        return bytes
    }

    /// The error for a missing file whose row exists.
    static let missing = TravelError.unavailable(
        .init("The file of an image is missing: restore a backup.", cause: .damaged, canRetry: false))

    static func insert(_ image: TripImage, file: ImageFolder.FileID, trip: Int64, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO image (trip, id, file, size)
            VALUES (\(trip), \(image.id), \(file), \(image.bytes.count))
            """)
    }

    /// Stores which image the author of a trip chose to represent it.
    static func setThumbnail(_ image: TripImage.ID?, of trip: Int64, _ db: Connection) throws {
        try db.withinTrips([trip]) {
            try db.execute("UPDATE image SET is_thumbnail = 0 WHERE trip = \(trip) AND is_thumbnail")
            guard let image else { return }
            try db.execute("UPDATE image SET is_thumbnail = 1 WHERE trip = \(trip) AND id = \(image)")
        }
    }

    /// Deletes the rows of images that a trip no longer shows, and returns their files.
    static func removeUnused(of trip: Int64, showing: [TripImage.ID], _ db: Connection) throws -> [ImageFolder
        .FileID]
    {
        let shown = Set(showing)
        let rows = try db.fetchAll("SELECT id, file FROM image WHERE trip = \(trip)") { row in
            try row.read { (id: try $0.next() as TripImage.ID, file: try $0.next() as ImageFolder.FileID) }
        }
        let unused = rows.filter { !shown.contains($0.id) }
        try db.withinTrips([trip]) {
            for row in unused { try db.execute("DELETE FROM image WHERE trip = \(trip) AND id = \(row.id)") }
        }
        return unused.map(\.file)
    }

    static func isNamed(_ file: ImageFolder.FileID, _ db: Connection) throws -> Bool {
        try db.fetchOne(
            Bool.self,
            """
            SELECT EXISTS (SELECT 1 FROM image WHERE file = \(file))
                OR EXISTS (SELECT 1 FROM avatar WHERE file = \(file))
            """) ?? false
    }

    static func files(of trip: Int64, _ db: Connection) throws -> [ImageFolder.FileID] {
        try db.fetchAll("SELECT file FROM image WHERE trip = \(trip)") { try $0[0] }
    }
}
