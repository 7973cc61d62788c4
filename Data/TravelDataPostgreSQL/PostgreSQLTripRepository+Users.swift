#if PostgreSQL
internal import PostgreSQLStore
internal import TravelDataShared
public import TravelDomain

extension PostgreSQLTripRepository: UserRepository {
    public func user(_ id: User.ID) async throws -> User {
        try await database.readTrips { db in try UserRecord.require(id, db) }
    }

    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await database.readTrips { db in try UserRecord.holder(of: nickname, except: user, db) != nil }
    }

    public func add(_ user: User) async throws {
        try await database.writeTrips(isolation: .serializable) { db in
            try UserRecord.insert(user, db)
        }
    }

    public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await database.writeTrips(isolation: .serializable) { db in
            try UserRecord.require(id, by: user, db)
            try UserRecord.requireFree(nickname, for: id, db)
            try UserRecord.rename(id, to: nickname, db)
        }
    }

    public func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws {
        try await database.writeTrips(isolation: .serializable) { db in
            try UserRecord.require(id, by: user, db)
            try AvatarRecord.set(image, of: id, db)
        }
    }

    /// Takes several transactions if the user has recorded at least 50 trips, or likes or reports at least
    /// 100, so that the writes of others need not wait for all of it. When one of them fails, what has been removed
    /// before stays removed; calling this again continues.
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        while try await !removePart(of: id, by: user) {}
    }

    /// Removes some trips of a user, then some of their likes and reports, or finally the user. Returns
    /// whether nothing is left.
    private func removePart(of id: User.ID, by user: User.ID) async throws -> Bool {
        // The locks order this and other writes: first the user, to whom nothing is added meanwhile, then
        // trips, which others like and edit after locking them, too.
        try await database.writeTrips(isolation: .readCommitted) { db in
            try UserRecord.require(id, by: user, db)
            try db.execute("SELECT id FROM app_user WHERE id = \(id) FOR UPDATE")
            if try TripRecord.removeSome(by: id, atMost: 50, db) == 50 { return false }
            let likes = try CountedRecord.like.removeSome(of: id, atMost: 100, db)
            let reports = try CountedRecord.report.removeSome(of: id, atMost: 100, db)
            if max(likes, reports) == 100 { return false }
            try UserRecord.remove(id, db)
            return true
        }
    }
}

extension PostgreSQLTripRepository: ModerationRepository {
    @discardableResult
    public func report(_ id: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try await database.writeTrips { db in
            let author = try requireVisible(id, viewer: user, db)
            try UserRecord.require(user, db)
            guard author != user else { throw TravelError.forbidden(.trip(id)) }
            // One after the other, as each counts those before. The lock is that of a removal, and is taken first there, too.
            try db.execute("SELECT id FROM app_user WHERE id = \(user) FOR NO KEY UPDATE")
            let counts = try ReportRecord.counts(by: user, at: time, db)
            let insert: SQL = """
                INSERT INTO reported (trip, app_user, reported_at, counts)
                VALUES (\(id), \(user), \(time.timeIntervalSinceReferenceDate), \(counts)) ON CONFLICT DO NOTHING
                """
            guard try db.execute(insert) == 1 else { return false }
            if counts { try ReportRecord.add(1, to: [id], db) }
            return true
        }
    }

    @discardableResult
    public func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await database.writeTrips { db in
            try UserRecord.require(author, db)
            try UserRecord.require(user, db)
            guard author != user else { throw TravelError.forbidden(.user(author)) }
            let insert: SQL = """
                INSERT INTO blocked (app_user, author) VALUES (\(user), \(author))
                ON CONFLICT DO NOTHING
                """
            return try db.execute(insert) == 1
        }
    }

    public func unblock(_ author: User.ID, by user: User.ID) async throws {
        try await database.writeTrips { db in
            _ = try db.execute(
                "DELETE FROM blocked WHERE app_user = \(user) AND author = \(author)")
        }
    }

    public func blocked(by user: User.ID) async throws -> [User] {
        try await database.readTrips { db in
            try db.fetchAll(
                """
                \(UserRecord.select) JOIN blocked ON blocked.author = app_user.id
                WHERE blocked.app_user = \(user) ORDER BY app_user.id
                """
            ) { try $0.read(UserRecord.user) }
        }
    }
}

extension PostgreSQLTripRepository: OversightRepository {
    public func reportedTrips(limit: Int) async throws -> [ReportedTrip] {
        try await database.readTrips { db in try ReportRecord.reportedTrips(limit: limit, db) }
    }

    public func setHidden(_ isHidden: Bool, trip id: Trip.ID) async throws {
        try await database.writeTrips { db in
            let isThere = try db.fetchOne(
                Bool.self, "SELECT true FROM trip_rank WHERE trip = \(id) FOR UPDATE")
            guard isThere == true else { throw TravelError.notFound(.trip(id)) }
            if isHidden {
                let hide: SQL = "INSERT INTO hidden_trip VALUES (\(id)) ON CONFLICT DO NOTHING"
                if try db.execute(hide) == 1 { try ReportRecord.add(StoredReport.weightOfHiding, to: [id], db) }
            } else {
                // No report counts, and the trip is not hidden.
                try db.execute("DELETE FROM hidden_trip WHERE trip = \(id)")
                try db.execute("UPDATE reported SET counts = false WHERE trip = \(id) AND counts")
                try db.execute(
                    """
                    UPDATE trip_rank
                    SET report_count = CASE audience WHEN 'everyone' THEN 0 ELSE \(StoredReport.weightOfAudience) END
                    FROM trip WHERE trip.id = trip_rank.trip AND trip_rank.trip = \(id)
                    """)
            }
        }
    }

    public func usage(of user: User.ID) async throws -> AccountUsage {
        try await database.readTrips { db in
            // The length of what is stored without compression is read without its bytes.
            let sizes: SQL = """
                SELECT length(bytes)::bigint AS size FROM trip JOIN image ON image.trip = trip.id WHERE author = \(user)
                UNION ALL SELECT length(bytes)::bigint FROM avatar WHERE app_user = \(user)
                """
            let select: SQL = """
                SELECT (SELECT count(*) FROM trip WHERE author = \(user)), count(*), coalesce(sum(size), 0)::bigint
                FROM (\(sizes)) AS pictures
                """
            return try db.fetchOne(select) { row in
                try row.read { try AccountUsage(trips: $0.next(), pictures: $0.next(), bytes: $0.next()) }
            } ?? AccountUsage()
        }
    }

    public func setBlocked(_ isBlocked: Bool, account user: User.ID, at time: Date) async throws {
        let seconds = isBlocked ? time.timeIntervalSinceReferenceDate : nil
        try await database.writeTrips { db in
            try db.execute("SELECT id FROM app_user WHERE id = \(user) FOR NO KEY UPDATE")
            let block: SQL = "UPDATE account SET blocked_at = \(seconds) WHERE app_user = \(user)"
            guard try db.execute(block) == 1 else { throw TravelError.notFound(.user(user)) }
            guard isBlocked else { return }
            try db.execute("DELETE FROM device WHERE account = \(user)")
            let trips = try db.fetchAll(
                Trip.ID.self, "SELECT trip FROM reported WHERE app_user = \(user) AND counts ORDER BY trip")
            try TripRecord.lock(trips, db)
            let uncounted = try db.fetchAll(
                Trip.ID.self, "UPDATE reported SET counts = false WHERE app_user = \(user) AND counts RETURNING trip")
            try ReportRecord.add(-1, to: uncounted, db)
        }
    }
}

enum ReportRecord {
    /// Whether a new report of a user counts, whose row is locked.
    static func counts(by user: User.ID, at time: Date, _ db: Connection) throws -> Bool {
        let seconds = time.timeIntervalSinceReferenceDate
        let since: SQL = "SELECT since FROM account WHERE app_user = \(user) AND since IS NOT NULL"
        let accountSince = try db.fetchOne(Double.self, since).map { Date(timeIntervalSinceReferenceDate: $0) }
        let others: SQL = """
            SELECT count(*) FROM (
                SELECT FROM reported WHERE app_user = \(user) AND reported_at > \(seconds - ReportStanding.day)
                LIMIT \(ReportStanding.reportsPerDay)) AS recent
            """
        let standing = ReportStanding(accountSince: accountSince, otherReports: try db.fetchOne(Int.self, others) ?? 0)
        return standing.counts(at: time)
    }

    /// Adds a number to those by which searches decide whether trips are shown.
    static func add(_ change: Int, to trips: [Trip.ID], _ db: Connection) throws {
        try db.execute("UPDATE trip_rank SET report_count = report_count + \(change) WHERE trip = ANY(\(trips))")
    }

    static func reports(of trips: [Trip.ID], _ db: Connection) throws -> [Trip.ID: [StoredReport]] {
        let rows = try db.fetchAll(
            "SELECT trip, app_user, reported_at, counts FROM reported WHERE trip = ANY(\(trips))"
        ) { row in
            try row.read { columns in
                let trip: Trip.ID = try columns.next()
                return (
                    trip: trip, report: try StoredReport(by: columns.next(), at: columns.next(), counts: columns.next())
                )
            }
        }
        return Dictionary(grouping: rows, by: \.trip).mapValues { $0.map(\.report) }
    }

    /// The trips that were reported or hidden, as `OversightRepository.reportedTrips(limit:)` orders them.
    static func reportedTrips(limit: Int, _ db: Connection) throws -> [ReportedTrip] {
        let select: SQL = """
            SELECT trip.id, trip.title, app_user.id, app_user.nickname, avatar.id, sums.counting, sums.others,
                hidden_trip.trip IS NOT NULL
            FROM (SELECT trip FROM reported UNION SELECT trip FROM hidden_trip) AS named
                JOIN trip ON trip.id = named.trip
                JOIN app_user ON app_user.id = trip.author
                LEFT JOIN avatar ON avatar.app_user = trip.author
                LEFT JOIN hidden_trip ON hidden_trip.trip = named.trip,
                LATERAL (
                    SELECT count(*) FILTER (WHERE counts) AS counting, count(*) FILTER (WHERE NOT counts) AS others
                    FROM reported WHERE reported.trip = named.trip) AS sums
            ORDER BY hidden_trip.trip IS NOT NULL OR sums.counting > \(Visibility.toleratedReports) DESC,
                sums.counting DESC, sums.others DESC, trip.id
            LIMIT \(max(0, limit))
            """
        return try db.fetchAll(select) { row in
            try row.read { columns in
                let (id, title) = (try columns.next() as Trip.ID, try columns.next() as String)
                return ReportedTrip(
                    id: id, title: try readingValues { try Title(stored: title) },
                    author: try UserRecord.user(&columns), counting: try columns.next(), others: try columns.next(),
                    isHiddenByOwner: try columns.next())
            }
        }
    }
}

extension PostgreSQLTripRepository: TitleRepository {
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await database.readTrips { db in
            var suggestions = Suggestions(limit: limit, sees: Viewer(viewer).sees, commonTerms: commonTerms)
            try suggestions.addBeginning(with: text, db)
            let signature = TripTerms.signature(of: text)
            try suggestions.add(having: TripTerms.grams(of: text), signature, db) { text.matches($0) }
            try suggestions.add(having: TripTerms.opening(by: text), nil, db) { text.opens($0) }
            return suggestions.titles
        }
    }
}

/// The titles for what someone is typing.
private struct Suggestions {
    let limit: Int
    let sees: SQL
    let commonTerms: CommonTerms
    private(set) var titles: [Title] = []
    /// Titles that differ only in their Unicode encoding are equal.
    private var known: Set<Title> = []
    /// The UTF-8 bytes of the titles that need not be read again for the same condition.
    private var examined: Set<[UInt8]> = []

    /// The number of titles that are read at a time: the same title is often that of several trips.
    private static let batchSize = 32
    /// The number of the newest trips among which common terms are looked for first.
    private static let recentCount = 300
    /// The same if a signature rejects most of them, before their titles are read.
    private static let signedCount = 2_000

    init(limit: Int, sees: SQL, commonTerms: CommonTerms) {
        (self.limit, self.sees, self.commonTerms) = (limit, sees, commonTerms)
    }

    private var isFull: Bool { titles.count >= limit }

    /// Adds titles from a range of the index of titles.
    mutating func addBeginning(with text: Keyword, _ db: Connection) throws {
        let first = CharacterKey.title(text.text)
        var last = (key: first, title: "")
        while !isFull {
            let next: SQL = """
                SELECT trip.title_key, trip.title
                FROM trip JOIN trip_rank AS rank ON rank.trip = trip.id
                WHERE (trip.title_key, trip.title COLLATE "C") > (\(last.key), \(last.title)) AND \(sees)
                ORDER BY trip.title_key, trip.title COLLATE "C" LIMIT \(raw: String(Self.batchSize))
                """
            let rows = try db.fetchAll(next) { row in
                try row.read { (key: try $0.next() as String, title: try $0.next() as String) }
            }
            for row in rows {
                guard row.key.unicodeScalars.starts(with: first.unicodeScalars) else { return }
                try add(row.title) { text.begins($0) }
            }
            guard rows.count == Self.batchSize, let row = rows.last else { return }
            last = row
        }
    }

    /// Adds titles that have all terms, and the signature if there is one, and meet a condition: first those of the
    /// newest trips if all terms are common, because reading all that have a common term would take long.
    mutating func add(
        having terms: [Int32], _ signature: Int64?, _ db: Connection, where isWanted: (Title) -> Bool
    ) throws {
        guard !isFull else { return }
        examined = Set(titles.map { Array($0.text.utf8) })
        if try commonTerms.rare(among: terms, db).isEmpty {
            let count = signature == nil ? Self.recentCount : Self.signedCount
            let recent: SQL = """
                SELECT trip.title
                FROM (
                    SELECT trip, author, report_count, signature FROM trip_rank
                    ORDER BY created_at DESC, trip DESC LIMIT \(raw: String(count))
                ) AS rank JOIN trip ON trip.id = rank.trip
                WHERE rank.signature & \(signature ?? 0) = \(signature ?? 0)
                    AND \(TripSearch.hasTerms(terms, "trip")) AND \(sees)
                LIMIT \(raw: String(Self.batchSize))
                """
            for title in try db.fetchAll(String.self, recent) { try add(title, where: isWanted) }
        }
        var count = Self.batchSize
        while !isFull, count == Self.batchSize {
            let others: SQL = """
                SELECT trip.title FROM trip JOIN trip_rank AS rank ON rank.trip = trip.id
                WHERE trip.terms @> \(terms) AND trip.title <> ALL(\(examinedTitles)) AND \(sees)
                LIMIT \(raw: String(Self.batchSize))
                """
            let found = try db.fetchAll(String.self, others)
            for title in found { try add(title, where: isWanted) }
            count = found.count
        }
    }

    private var examinedTitles: [String] { examined.map { String(decoding: $0, as: UTF8.self) } }

    private mutating func add(_ text: String, where isWanted: (Title) -> Bool) throws {
        guard !isFull, examined.insert(Array(text.utf8)).inserted else { return }
        let title = try readingValues { try Title(stored: text) }
        if isWanted(title), known.insert(title).inserted { titles.append(title) }
    }
}
#endif
