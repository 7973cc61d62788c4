internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: UserRepository {
    /// Returns the person with that ID.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person; `TravelError.unavailable` when the database
    ///   cannot answer; `CancellationError`.
    public func user(_ id: User.ID) async throws -> User {
        try await database.readTravels { db in
            guard let nickname = try db.fetchOne(String.self, "SELECT nickname FROM person WHERE id = \(id.bytes)")
            else {
                throw TravelError.notFound(.user(id))
            }
            return try readingValues { User(id: id, nickname: try Nickname(nickname)) }
        }
    }

    /// Returns whether someone other than `user` has that nickname; `nil` for whether anyone has it.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await database.readTravels { db in try PersonRecord.holder(of: nickname, except: user, db) != nil }
    }

    /// Adds a person.
    ///
    /// - Throws: `TravelError.conflict` when the person already exists, or when someone else has the nickname;
    ///   `TravelError.unavailable` when the database cannot answer; `CancellationError`. Nothing changes then.
    public func add(_ user: User) async throws {
        try await database.writeTravels { db in
            guard try PersonRecord.key(of: user.id, db) == nil else { throw TravelError.conflict(.user(user.id)) }
            try requireFree(user.nickname, for: user.id, db)
            _ = try PersonRecord.save(user, db)
        }
    }

    /// Changes the nickname of a person, which also appears on all their travels.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person; `TravelError.forbidden` when `user` is someone
    ///   else; `TravelError.conflict` when someone else has the nickname; `TravelError.unavailable` when the database
    ///   cannot answer; `CancellationError`. Nothing changes then.
    public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await database.writeTravels { db in
            let key = try PersonRecord.requireKey(of: id, by: user, db)
            try requireFree(nickname, for: id, db)
            try PersonRecord.rename(key, to: nickname, db)
        }
    }

    /// Removes a person and everything they own, in one transaction.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person; `TravelError.forbidden` when `user` is someone
    ///   else; `TravelError.unavailable` when the database cannot answer; `CancellationError`. Nothing changes then.
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        try await write { _, write, db in
            let key = try PersonRecord.requireKey(of: id, by: user, db)
            write.abandon(try ImageRecord.files(ofTravels: "author = \(key)", db))
            try db.execute("DELETE FROM person WHERE key = \(key)")
            try TitleRecord.removeUnused(db)
        }
    }

    private func requireFree(_ nickname: Nickname, for user: User.ID, _ db: Connection) throws {
        if let holder = try PersonRecord.holder(of: nickname, except: user, db) {
            throw TravelError.conflict(.user(holder))
        }
    }
}
