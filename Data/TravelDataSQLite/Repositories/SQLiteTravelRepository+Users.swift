internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: UserRepository {
    /// Returns the person with that ID.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person; `TravelError.unavailable` when the database
    ///   cannot answer; `CancellationError`.
    public func user(_ id: User.ID) async throws -> User {
        try await database.readMappingErrors { db in
            guard let user = try PersonRecord.users("person.id = \(id.bytes)", db).first else {
                throw TravelError.notFound(.user(id))
            }
            return user
        }
    }

    /// Returns whether someone other than `user` has that nickname; `nil` for whether anyone has it.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await database.readMappingErrors { db in try PersonRecord.holder(of: nickname, except: user, db) != nil }
    }

    /// Adds a person, without a picture.
    ///
    /// - Throws: `TravelError.conflict` when the person already exists, or when someone else has the nickname;
    ///   `TravelError.unavailable` when the database cannot answer; `CancellationError`. Nothing changes then.
    public func add(_ user: User) async throws {
        try await database.writeMappingErrors { db in
            guard try PersonRecord.knownKey(of: user.id, db) == nil else { throw TravelError.conflict(.user(user.id)) }
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
        try await database.writeMappingErrors { db in
            let key = try PersonRecord.requireKey(of: id, by: user, db)
            try requireFree(nickname, for: id, db)
            try PersonRecord.rename(key, to: nickname, db)
        }
    }

    /// Sets the picture of a person, or removes it, in one transaction.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person; `TravelError.forbidden` when `user` is someone
    ///   else; `TravelError.conflict` when a travel or someone else has the image; `TravelError.unavailable` when the
    ///   database cannot answer; `CancellationError`. Nothing changes then.
    public func setAvatar(_ image: TravelImage?, of id: User.ID, by user: User.ID) async throws {
        try await write(adding: image.map { [$0] } ?? []) { _, write, db in
            try AvatarRecord.set(image, of: PersonRecord.requireKey(of: id, by: user, db), &write, db)
        }
    }

    /// Removes a person and everything they own.
    ///
    /// It takes several transactions if the person has recorded at least 50 travels or likes at least 100, so that the
    /// writes of others need not wait for all of it. When one of them fails, what has been removed before stays
    /// removed; calling this again continues.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person; `TravelError.forbidden` when `user` is someone
    ///   else; `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        while try await !removePart(of: id, by: user) {}
    }

    /// Removes some travels of a person, then some of their likes, or finally the person. Returns whether nothing is
    /// left.
    private func removePart(of id: User.ID, by user: User.ID) async throws -> Bool {
        try await write { _, write, db in
            let key = try PersonRecord.requireKey(of: id, by: user, db)
            let some: SQL = "SELECT key FROM travel WHERE author = \(key) ORDER BY created_at LIMIT 50"
            if try TravelRecord.remove(where: "key IN (\(some))", &write, db) == 50 { return false }
            if try LikeRecord.removeSome(of: key, atMost: 100, db) == 100 { return false }
            write.abandon(try AvatarRecord.files("person = \(key)", db))
            try db.execute("DELETE FROM person WHERE key = \(key)")
            return true
        }
    }

    private func requireFree(_ nickname: Nickname, for user: User.ID, _ db: Connection) throws {
        if let holder = try PersonRecord.holder(of: nickname, except: user, db) {
            throw TravelError.conflict(.user(holder))
        }
    }
}
