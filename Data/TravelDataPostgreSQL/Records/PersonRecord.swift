#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    import TravelDataSQL
    import TravelDomain

    /// A row of `person`.
    enum PersonRecord {
        static func find(_ id: User.ID, _ db: Connection) throws -> User? {
            try db.fetchOne("\(select) WHERE person.id = \(id.rawValue)", user)
        }

        /// Selects people with their pictures, for ``user(row:)``.
        static let select: SQL = """
            SELECT person.id, nickname, avatar.id FROM person LEFT JOIN avatar ON avatar.person = person.id
            """

        static func user(row: borrowing Row) throws -> User {
            let (id, nickname): (UUID, String) = (try row[0], try row[1])
            let avatar = (try row[2] as UUID?).map { TravelImage.ID($0) }
            return try readingValues { User(id: User.ID(id), nickname: try Nickname(nickname), avatar: avatar) }
        }

        /// - Throws: `TravelError.notFound` for an unknown ID.
        @discardableResult
        static func require(_ id: User.ID, _ db: Connection) throws -> User {
            guard let user = try find(id, db) else { throw TravelError.notFound(.user(id)) }
            return user
        }

        /// - Throws: `TravelError.notFound` for an unknown ID, and `.forbidden` if the person is not `user`.
        static func require(_ id: User.ID, by user: User.ID, _ db: Connection) throws {
            try require(id, db)
            guard id == user else { throw TravelError.forbidden(.user(id)) }
        }

        /// Inserts the person unless the ID is known; returns whether it was not.
        @discardableResult
        static func save(_ person: User, _ db: Connection) throws -> Bool {
            try db.execute(
                """
                INSERT INTO person (id, nickname, nickname_key)
                VALUES (\(person.id.rawValue), \(person.nickname.text), \(key(of: person.nickname)))
                ON CONFLICT DO NOTHING
                """) == 1
        }

        static func rename(_ id: User.ID, to nickname: Nickname, _ db: Connection) throws {
            try db.execute(
                """
                UPDATE person SET nickname = \(nickname.text), nickname_key = \(key(of: nickname))
                WHERE id = \(id.rawValue)
                """)
        }

        /// Removes a person whose travels, likes and reports have been removed.
        static func remove(_ id: User.ID, _ db: Connection) throws {
            let person = id.rawValue
            try db.execute("DELETE FROM blocked WHERE person = \(person) OR author = \(person)")
            try db.execute("DELETE FROM avatar WHERE person = \(person)")
            try db.execute("DELETE FROM person WHERE id = \(person)")
        }

        /// Returns who else has the nickname, compared in its folded form.
        static func holder(of nickname: Nickname, except user: User.ID?, _ db: Connection) throws -> User.ID? {
            let others = try db.fetchAll(
                "SELECT id, nickname FROM person WHERE nickname_key = \(key(of: nickname)) ORDER BY id"
            ) { row in (id: User.ID(try row[0] as UUID), nickname: try row[1] as String) }
            return try readingValues {
                try others.first { try $0.id != user && Nickname($0.nickname).folded == nickname.folded }?.id
            }
        }

        /// Equal for equal nicknames, and different for most others.
        private static func key(of nickname: Nickname) -> String {
            CharacterKey.text(of: nickname.folded)
        }
    }
#endif
