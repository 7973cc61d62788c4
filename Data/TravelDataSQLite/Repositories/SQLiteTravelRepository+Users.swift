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
    /// writes of others need not wait for all of it. When one of them fails, what has been removed before stays removed;
    /// calling this again continues.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person; `TravelError.forbidden` when `user` is someone
    ///   else; `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        var step = RemovalStep()
        while true {
            let (isLast, start) = try await removePart(of: id, by: user, atMost: step.count)
            if isLast { return }
            step.adapt(to: start.duration(to: .now))
        }
    }

    /// Removes some travels of a person, then twice as many of their likes, or finally the person. Returns whether nothing
    /// is left, and when the transaction began.
    private func removePart(
        of id: User.ID, by user: User.ID, atMost count: Int
    ) async throws -> (isLast: Bool, start: ContinuousClock.Instant) {
        try await write { _, write, db in
            let start = ContinuousClock.now
            let key = try PersonRecord.requireKey(of: id, by: user, db)
            let some: SQL = "SELECT key FROM travel WHERE author = \(key) ORDER BY created_at LIMIT \(count)"
            if try TravelRecord.remove(where: "key IN (\(some))", &write, db) == count { return (false, start) }
            if try LikeRecord.removeSome(of: key, atMost: 2 * count, db) == 2 * count { return (false, start) }
            write.abandon(try AvatarRecord.files("person = \(key)", db))
            try db.execute("DELETE FROM person WHERE key = \(key)")
            return (true, start)
        }
    }

    private func requireFree(_ nickname: Nickname, for user: User.ID, _ db: Connection) throws {
        if let holder = try PersonRecord.holder(of: nickname, except: user, db) {
            throw TravelError.conflict(.user(holder))
        }
    }
}

/// How many travels one transaction of a removal takes: more while it is fast, because each transaction waits for the
/// disk, and fewer when others would wait for it noticeably.
struct RemovalStep {
    private(set) var count = 50

    /// Adapts the next transaction to the time that one took.
    mutating func adapt(to duration: Duration) {
        if duration < .milliseconds(20) {
            count = min(count * 2, 800)
        } else if duration > .milliseconds(40) {
            count = max(count / 2, 25)
        }
    }
}
