internal import SQLiteStore
import TravelDomain

/// A row of `person`.
enum PersonRecord {
    /// The key of the person.
    static func key(of id: User.ID, _ db: Connection) throws -> Int64? {
        try db.fetchOne(Int64.self, "SELECT key FROM person WHERE id = \(id.bytes)")
    }

    /// The key of the person.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person.
    static func requireKey(of id: User.ID, _ db: Connection) throws -> Int64 {
        guard let key = try key(of: id, db) else { throw TravelError.notFound(.user(id)) }
        return key
    }

    /// Adds the person, or gives the one who is there the nickname; returns the key.
    static func save(_ person: User, _ db: Connection) throws -> Int64 {
        if let key = try key(of: person.id, db) {
            try db.execute(
                """
                UPDATE person SET nickname = \(person.nickname.text)
                WHERE key = \(key) AND nickname <> \(person.nickname.text)
                """)
            return key
        }
        try db.execute("INSERT INTO person (id, nickname) VALUES (\(person.id.bytes), \(person.nickname.text))")
        return db.lastInsertedRowID
    }
}
