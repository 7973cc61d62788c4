internal import SQLiteStore
internal import TravelDataShared
public import TravelDomain

extension SQLiteTripRepository: UserRepository {
    public func user(_ id: User.ID) async throws -> User {
        try await database.readMappingErrors { db in
            guard let user = try UserRecord.users("app_user.id = \(id)", db).first else {
                throw TravelError.notFound(.user(id))
            }
            return user
        }
    }

    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await database.readMappingErrors { db in try UserRecord.holder(of: nickname, except: user, db) != nil }
    }

    public func add(_ user: User) async throws {
        try await database.writeMappingErrors { db in
            _ = try UserRecord.insert(user, db)
        }
    }

    public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await database.writeMappingErrors { db in
            let key = try UserRecord.requireKey(of: id, by: user, db)
            try UserRecord.requireFree(nickname, for: id, db)
            try UserRecord.rename(key, to: nickname, db)
        }
    }

    public func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws {
        try await write(adding: image.map { [$0] } ?? []) { _, write, db in
            try AvatarRecord.set(image, of: UserRecord.requireKey(of: id, by: user, db), &write, db)
        }
    }

    /// Takes several transactions if the user has recorded at least 50 trips or likes at least 100, so that the
    /// writes of others need not wait for all of it. When one of them fails, what has been removed before stays
    /// removed; calling this again continues.
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        while try await !removePart(of: id, by: user) {}
    }

    /// Removes some trips of a user, then some of their likes, or finally the user. Returns whether nothing is
    /// left.
    private func removePart(of id: User.ID, by user: User.ID) async throws -> Bool {
        try await write { _, write, db in
            let key = try UserRecord.requireKey(of: id, by: user, db)
            let some: SQL = "SELECT key FROM trip WHERE author = \(key) ORDER BY created_at LIMIT 50"
            if try TripRecord.removeForGood(where: "key IN (\(some))", &write, db) == 50 { return false }
            if try LikeRecord.removeSome(of: key, atMost: 100, db) == 100 { return false }
            write.abandon(try AvatarRecord.files("app_user = \(key)", db))
            try db.execute("DELETE FROM app_user WHERE key = \(key)")
            return true
        }
    }
}

extension SQLiteTripRepository: ModerationRepository {
    @discardableResult
    public func report(_ id: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try await database.writeMappingErrors { db in
            let (trip, reporter) = (try key(of: id, seenBy: user, db), try UserRecord.requireKey(of: user, db))
            let isAuthor: SQL = "SELECT author = \(reporter) FROM trip WHERE key = \(trip)"
            guard try db.fetchOne(Bool.self, isAuthor) == false else { throw TravelError.forbidden(.trip(id)) }
            let isKnown: SQL = "SELECT EXISTS (SELECT 1 FROM reported WHERE trip = \(trip) AND app_user = \(reporter))"
            if try db.fetchOne(Bool.self, isKnown) == true { return false }
            try ReportRecord.insert(trip, by: reporter, at: time, db)
            return true
        }
    }

    @discardableResult
    public func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await database.writeMappingErrors { db in
            let blocked = try UserRecord.requireKey(of: author, db)
            let blocker = try UserRecord.requireKey(of: user, db)
            guard author != user else { throw TravelError.forbidden(.user(author)) }
            let block: SQL = "INSERT OR IGNORE INTO blocked (app_user, author) VALUES (\(blocker), \(blocked))"
            return try db.execute(block) == 1
        }
    }

    public func unblock(_ author: User.ID, by user: User.ID) async throws {
        try await database.writeMappingErrors { db in
            _ = try db.execute(
                """
                DELETE FROM blocked
                WHERE app_user = (SELECT key FROM app_user WHERE id = \(user))
                    AND author = (SELECT key FROM app_user WHERE id = \(author))
                """)
        }
    }

    public func blocked(by user: User.ID) async throws -> [User] {
        try await database.readMappingErrors { db in
            let isBlocked: SQL = """
                key IN (
                    SELECT author FROM blocked WHERE app_user = (SELECT key FROM app_user WHERE id = \(user)))
                """
            return try UserRecord.users(isBlocked, db)
        }
    }
}

extension SQLiteTripRepository: OversightRepository {
    public func reportedTrips(limit: Int) async throws -> [ReportedTrip] {
        try await database.readMappingErrors { db in try ReportRecord.reportedTrips(limit: limit, db) }
    }

    public func setHidden(_ isHidden: Bool, trip id: Trip.ID) async throws {
        try await database.writeMappingErrors { db in
            let trip = try key(of: id, db)
            try HiddenTripRecord.set(isHidden, trip, db)
            if !isHidden { try db.execute("UPDATE reported SET counts = 0 WHERE trip = \(trip) AND counts") }
        }
    }

    public func usage(of user: User.ID) async throws -> AccountUsage {
        try await database.readMappingErrors { db in
            guard let key = try UserRecord.knownKey(of: user, db) else { return AccountUsage() }
            let sizes: SQL = """
                SELECT image.size FROM trip JOIN image ON image.trip = trip.key WHERE author = \(key)
                UNION ALL SELECT size FROM avatar WHERE app_user = \(key)
                """
            let select: SQL = """
                SELECT (SELECT count(*) FROM trip WHERE author = \(key)), count(*), ifnull(sum(size), 0) FROM (\(sizes))
                """
            return try db.fetchOne(select) { row in
                try row.read { try AccountUsage(trips: $0.next(), pictures: $0.next(), bytes: $0.next()) }
            } ?? AccountUsage()
        }
    }

    public func setBlocked(_ isBlocked: Bool, account user: User.ID, at time: Date) async throws {
        let seconds = isBlocked ? time.timeIntervalSinceReferenceDate : nil
        try await database.writeMappingErrors { db in
            let key = try UserRecord.requireKey(of: user, db)
            let block: SQL = "UPDATE account SET blocked_at = \(seconds) WHERE app_user = \(key)"
            guard try db.execute(block) == 1 else { throw TravelError.notFound(.user(user)) }
            guard isBlocked else { return }
            try db.execute("DELETE FROM device WHERE account = \(key)")
            try db.execute("UPDATE reported SET counts = 0 WHERE app_user = \(key) AND counts")
        }
    }
}

extension SQLiteTripRepository: TitleRepository {
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await database.readMappingErrors { db in
            var suggestions = Suggestions(limit: limit, viewer: try Viewer(viewer, db))
            try suggestions.addBeginning(with: text, db)
            try suggestions.add(of: TripSets.groups(text), db) { text.matches($0) }
            try suggestions.add(of: TripSets.groups(openedBy: text), db) { text.opens($0) }
            return suggestions.titles
        }
    }
}

/// The suggested titles for a text that a user is typing.
private struct Suggestions {
    let limit: Int
    let viewer: Viewer
    private(set) var titles: [Title] = []
    /// The titles that were examined. Titles that differ only in their Unicode encoding are equal.
    private var known: Set<String> = []

    init(limit: Int, viewer: Viewer) { (self.limit, self.viewer) = (limit, viewer) }

    /// Adds titles from a range of the index of titles.
    mutating func addBeginning(with text: Keyword, _ db: Connection) throws {
        let first = CharacterKey.title(text.text)
        var last = (key: first, title: "")
        while titles.count < limit {
            let next: SQL = """
                SELECT title_key, title FROM trip INDEXED BY trip_title
                WHERE (title_key, title) > (\(last.key), \(last.title))
                ORDER BY title_key, title LIMIT 1
                """
            guard
                let row = try db.fetchOne(
                    next, { try $0.read { (key: try $0.next() as String, title: try $0.next() as String) } }),
                row.key.unicodeScalars.starts(with: first.unicodeScalars)
            else { return }
            last = row
            guard try readingValues({ text.begins(try Title(stored: row.title)) }) else { continue }
            try db.forEach(
                "SELECT \(Viewer.columns) FROM trip WHERE title_key = \(row.key) AND title = \(row.title)"
            ) { trip, stop in
                stop = try trip.read { try viewer.sees(&$0, db) }
                if stop { try add(row.title) }
            }
        }
    }

    /// Adds titles that meet a condition, of trips in the sets of `groups`, the newest first.
    mutating func add(
        of groups: [[RowSets.Number]], _ db: Connection, where isWanted: (Title) -> Bool
    ) throws {
        guard titles.count < limit else { return }
        let last = try db.fetchOne(Int64.self, "SELECT ifnull(max(key), 0) FROM trip") ?? 0
        for block in (0...RowSets.block(of: last)).reversed() {
            let titled = try RowSets.rows(in: block, ofEach: groups, or: TripSets.long, db)
            for trip in try RowSets.rows(in: block, ofEach: [viewer.sets], within: titled, db).rows.reversed() {
                guard titles.count < limit else { return }
                try db.forEach("SELECT title, \(Viewer.columns) FROM trip WHERE key = \(trip)") { row in
                    try row.read { columns in
                        let text: String = try columns.next()
                        guard !known.contains(text), try isWanted(readingValues { try Title(stored: text) }),
                            try viewer.sees(&columns, db)
                        else { return }
                        try add(text)
                    }
                }
            }
        }
    }

    private mutating func add(_ title: String) throws {
        guard known.insert(title).inserted else { return }
        titles.append(try readingValues { try Title(stored: title) })
    }
}
