internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: ModerationRepository {
    /// Reports a travel, and returns whether the report is new.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel or person, or when `user` does not see the travel;
    ///   `TravelError.forbidden` when `user` is its author; `TravelError.unavailable` when the database cannot answer;
    ///   `CancellationError`. Nothing changes then.
    @discardableResult
    public func report(_ id: Travel.ID, by user: User.ID) async throws -> Bool {
        try await database.writeMappingErrors { db in
            let (travel, person) = (try key(of: id, seenBy: user, db), try PersonRecord.requireKey(of: user, db))
            let isAuthor: SQL = "SELECT author = \(person) FROM travel WHERE key = \(travel)"
            guard try db.fetchOne(Bool.self, isAuthor) == false else { throw TravelError.forbidden(.travel(id)) }
            let report: SQL = "INSERT OR IGNORE INTO reported (travel, person) VALUES (\(travel), \(person))"
            return try db.execute(report) == 1
        }
    }

    /// Hides the travels of `author` from `user`, and returns whether the block is new.
    ///
    /// - Throws: `TravelError.notFound` when either person does not exist; `TravelError.forbidden` when both are the
    ///   same; `TravelError.unavailable` when the database cannot answer; `CancellationError`. Nothing changes then.
    @discardableResult
    public func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await database.writeMappingErrors { db in
            let blocked = try PersonRecord.requireKey(of: author, db)
            let person = try PersonRecord.requireKey(of: user, db)
            guard author != user else { throw TravelError.forbidden(.user(author)) }
            let block: SQL = "INSERT OR IGNORE INTO blocked (person, author) VALUES (\(person), \(blocked))"
            return try db.execute(block) == 1
        }
    }

    /// Shows the travels of `author` to `user` again. Does nothing if `user` has not blocked `author`.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`. Nothing changes then.
    public func unblock(_ author: User.ID, by user: User.ID) async throws {
        try await database.writeMappingErrors { db in
            _ = try db.execute(
                """
                DELETE FROM blocked
                WHERE person = (SELECT key FROM person WHERE id = \(user.bytes))
                    AND author = (SELECT key FROM person WHERE id = \(author.bytes))
                """)
        }
    }

    /// Returns the people whom `user` has blocked, ordered by ID.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func blocked(by user: User.ID) async throws -> [User] {
        try await database.readMappingErrors { db in
            let isBlocked: SQL = """
                key IN (
                    SELECT author FROM blocked WHERE person = (SELECT key FROM person WHERE id = \(user.bytes)))
                """
            return try PersonRecord.users(isBlocked, db)
        }
    }
}
