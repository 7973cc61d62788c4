internal import SQLiteStore
import TravelDataSQL
import TravelDomain

/// A row of `person`.
///
/// A cache knows some people only by ID, because they like or block something: these are named in `unseen_person`, and
/// their nickname is a placeholder. Nothing but their likes and blocks is found until their profile is stored.
enum PersonRecord {
    /// The key of the person, whether or not their profile is known; `nil` when there is no such row.
    static func key(of id: User.ID, _ db: Connection) throws -> Int64? {
        try db.fetchOne(Int64.self, "SELECT key FROM person WHERE id = \(id.bytes)")
    }

    /// A condition on `person`: the profile is known.
    static let isKnown: SQL = "person.key NOT IN (SELECT person FROM unseen_person)"

    /// The key of the person if their profile is known; `nil` otherwise.
    static func knownKey(of id: User.ID, _ db: Connection) throws -> Int64? {
        try db.fetchOne(Int64.self, "SELECT key FROM person WHERE id = \(id.bytes) AND \(isKnown)")
    }

    /// The key of the person; inserts a row without a profile if there is none.
    static func saveUnseen(_ id: User.ID, _ db: Connection) throws -> Int64 {
        if let key = try key(of: id, db) { return key }
        try db.execute("INSERT INTO person (id, nickname, nickname_key) VALUES (\(id.bytes), '??', '??')")
        let key = db.lastInsertedRowID
        try db.execute("INSERT INTO unseen_person VALUES (\(key))")
        return key
    }

    /// The key of the person.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person.
    static func requireKey(of id: User.ID, _ db: Connection) throws -> Int64 {
        guard let key = try knownKey(of: id, db) else { throw TravelError.notFound(.user(id)) }
        return key
    }

    /// The key of a person who acts on their own account.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person; `TravelError.forbidden` when `user` is someone
    ///   else.
    static func requireKey(of id: User.ID, by user: User.ID, _ db: Connection) throws -> Int64 {
        let key = try requireKey(of: id, db)
        guard id == user else { throw TravelError.forbidden(.user(id)) }
        return key
    }

    /// Inserts the person, unless their profile is known, with whatever nickname and no picture; returns the key.
    static func save(_ person: User, _ db: Connection) throws -> Int64 {
        if let key = try key(of: person.id, db) {
            if try db.execute("DELETE FROM unseen_person WHERE person = \(key)") == 1 {
                try rename(key, to: person.nickname, db)
            }
            return key
        }
        try db.execute(
            """
            INSERT INTO person (id, nickname, nickname_key)
            VALUES (\(person.id.bytes), \(person.nickname.text), \(nicknameKey(of: person.nickname)))
            """)
        return db.lastInsertedRowID
    }

    /// The people who meet `condition` and whose profile is known, ordered by ID.
    static func users(_ condition: SQL, _ db: Connection) throws -> [User] {
        try db.fetchAll(
            """
            SELECT person.id, nickname, avatar.id FROM person LEFT JOIN avatar ON avatar.person = key
            WHERE \(condition) AND \(isKnown) ORDER BY person.id
            """
        ) { row in
            let (id, nickname) = (try User.ID(row, 0), try row[1] as String)
            let avatar = try TravelImage.ID(ifPresent: row, 2)
            return try readingValues { User(id: id, nickname: try Nickname(nickname), avatar: avatar) }
        }
    }

    /// Changes the nickname of the person with the key `key`.
    static func rename(_ key: Int64, to nickname: Nickname, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE person SET nickname = \(nickname.text), nickname_key = \(nicknameKey(of: nickname))
            WHERE key = \(key) AND nickname <> \(nickname.text)
            """)
    }

    /// The ID of someone other than `user` who has that nickname.
    static func holder(of nickname: Nickname, except user: User.ID?, _ db: Connection) throws -> User.ID? {
        let others = try db.fetchAll(
            """
            SELECT id, nickname FROM person
            WHERE nickname_key = \(nicknameKey(of: nickname)) AND id IS NOT \(user?.bytes) AND \(isKnown) ORDER BY key
            """
        ) { row in (id: try User.ID(row, 0), nickname: try row[1] as String) }
        return try readingValues { try others.first { try Nickname($0.nickname).folded == nickname.folded }?.id }
    }

    /// The key of `nickname` in the index of nicknames; equal for nicknames that look alike.
    static func nicknameKey(of nickname: Nickname) -> String {
        CharacterKey.text(of: nickname.folded)
    }
}
