internal import SQLiteStore
import TravelDomain

/// A row of `liked`.
enum LikeRecord {
    /// Inserts a like of the travel with the key `travel` by the person with the key `person`, unless there is one.
    static func insert(_ travel: Int64, by person: Int64, _ db: Connection) throws {
        try db.execute(
            """
            INSERT OR IGNORE INTO liked (travel, person, created_at)
            SELECT key, \(person), created_at FROM travel WHERE key = \(travel)
            """)
    }

    /// Deletes a like, and returns whether there was one.
    static func remove(_ travel: Travel.ID, by person: User.ID, _ db: Connection) throws -> Bool {
        let like: SQL = """
            travel = (SELECT key FROM travel WHERE id = \(travel.bytes))
            AND person = (SELECT key FROM person WHERE id = \(person.bytes))
            """
        return try db.execute("DELETE FROM liked WHERE \(like)") == 1
    }

    /// Deletes some likes of the person with the key `person`, and returns their number.
    static func removeSome(of person: Int64, atMost count: Int, _ db: Connection) throws -> Int {
        let some: SQL = "SELECT travel FROM liked WHERE person = \(person) LIMIT \(count)"
        return try db.execute("DELETE FROM liked WHERE person = \(person) AND travel IN (\(some))")
    }
}
