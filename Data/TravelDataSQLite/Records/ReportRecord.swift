internal import SQLiteStore
import TravelDataShared
import TravelDomain

/// A row of `reported`.
enum ReportRecord {
    /// Inserts a new report of the trip with the key `trip` by the user with the key `user`.
    static func insert(_ trip: Int64, by user: Int64, at time: Date, _ db: Connection) throws {
        let seconds = time.timeIntervalSinceReferenceDate
        let since: SQL = "SELECT since FROM account WHERE app_user = \(user) AND since IS NOT NULL"
        let accountSince = try db.fetchOne(Double.self, since).map { Date(timeIntervalSinceReferenceDate: $0) }
        let others: SQL = """
            SELECT count(*) FROM (
                SELECT 1 FROM reported WHERE app_user = \(user) AND reported_at > \(seconds - ReportStanding.day)
                LIMIT \(ReportStanding.reportsPerDay))
            """
        let standing = ReportStanding(accountSince: accountSince, otherReports: try db.fetchOne(Int.self, others) ?? 0)
        try insert(trip, user, at: seconds, counts: standing.counts(at: time), db)
    }

    /// Inserts a report of a known user, copied from another store.
    static func insert(_ report: StoredReport, of trip: Int64, _ db: Connection) throws {
        try insert(trip, UserRecord.requireKey(of: report.user, db), at: report.time, counts: report.counts, db)
    }

    private static func insert(_ trip: Int64, _ user: Int64, at time: Double?, counts: Bool, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO reported (trip, app_user, reported_at, counts)
            VALUES (\(trip), \(user), \(time), \(counts))
            """)
    }

    static func reports(of trip: Int64, _ db: Connection) throws -> [StoredReport] {
        let select: SQL = """
            SELECT app_user.id, reported_at, counts FROM reported JOIN app_user ON app_user.key = reported.app_user
            WHERE reported.trip = \(trip) AND \(UserRecord.isKnown)
            """
        return try db.fetchAll(select) { row in
            try row.read { try StoredReport(by: $0.next(), at: $0.next(), counts: $0.next()) }
        }
    }

    /// The trips that were reported or hidden, as `OversightRepository.reportedTrips(limit:)` orders them.
    static func reportedTrips(limit: Int, _ db: Connection) throws -> [ReportedTrip] {
        let select: SQL = """
            SELECT trip.id, trip.title, app_user.id, nickname, avatar.id, total(counts), count(counts),
                hidden_trip.trip IS NOT NULL
            FROM (SELECT trip FROM reported UNION SELECT trip FROM hidden_trip) AS named
                JOIN trip ON trip.key = named.trip JOIN app_user ON app_user.key = trip.author
                LEFT JOIN avatar ON avatar.app_user = trip.author
                LEFT JOIN reported ON reported.trip = trip.key LEFT JOIN hidden_trip ON hidden_trip.trip = trip.key
            GROUP BY trip.key
            ORDER BY report_count > \(Visibility.toleratedReports) DESC, total(counts) DESC, count(counts) DESC, trip.id
            LIMIT \(max(0, limit))
            """
        return try db.fetchAll(select) { row in
            try row.read { columns in
                let (id, title) = (try columns.next() as Trip.ID, try columns.next() as String)
                let author = try UserRecord.user(&columns)
                let (counting, all) = (Int(try columns.next() as Double), try columns.next() as Int)
                return ReportedTrip(
                    id: id, title: try readingValues { try Title(stored: title) }, author: author, counting: counting,
                    others: all - counting, isHiddenByOwner: try columns.next())
            }
        }
    }
}

/// A row of `hidden_trip`: a trip that the owner of the store has hidden or, in a cache, one that its author alone sees.
enum HiddenTripRecord {
    static func set(_ isHidden: Bool, _ trip: Int64, _ db: Connection) throws {
        try db.execute(
            isHidden
                ? "INSERT OR IGNORE INTO hidden_trip VALUES (\(trip))" : "DELETE FROM hidden_trip WHERE trip = \(trip)")
    }

    static func isHidden(_ trip: Int64, _ db: Connection) throws -> Bool {
        try db.fetchOne(Bool.self, "SELECT EXISTS (SELECT 1 FROM hidden_trip WHERE trip = \(trip))") ?? false
    }
}
