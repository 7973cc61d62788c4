internal import SQLiteStore
internal import TravelDataShared
public import TravelDomain

/// Stores the session and the ID of a device in the SQLite file of a ``TravelDatabase`` or a ``DeviceDatabase``.
///
/// It identifies the user without a sign-in service: everyone who can open the file is the same user, and their
/// session does not expire.
///
/// ```swift
/// let database = try await TravelDatabase.open(path: path)
/// try await database.session.session()?.user    // the user who was signed in at the last run
/// ```
public struct SQLiteSession: SessionRepository, IdentityProvider {
    private let database: Database
    /// The key of the row; a travel database has one.
    private let key: Int64

    init(_ database: Database, key: Int64 = 1) {
        (self.database, self.key) = (database, key)
    }

    public func session() async throws -> Session? {
        try await database.readMappingErrors { [key] db in try Self.session(key, db) }
    }

    public func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        try await database.writeMappingErrors { [key] db in
            var session = try Self.session(key, db)
            change(&session)
            let expiry = session?.expiresAt?.timeIntervalSinceReferenceDate
            try db.execute(
                "UPDATE session SET user = \(session?.user), expires_at = \(expiry) WHERE key = \(key)")
        }
    }

    public func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        TripObservation(database.observe { [key] db in try Self.session(key, db) })
    }

    public func identify() async throws -> Session {
        let device: SQL = "SELECT device FROM session WHERE key = \(key) AND device IS NOT NULL"
        if let id = try await database.readMappingErrors({ db in try db.fetchOne(device) { try $0[0] as User.ID } }) {
            return Session(user: id)
        }
        let new = User.ID()
        return try await database.writeMappingErrors { [key] db in
            // Another task may have created it in the meantime.
            try db.execute("UPDATE session SET device = \(new) WHERE key = \(key) AND device IS NULL")
            return Session(user: try db.fetchOne(device) { try $0[0] } ?? new)
        }
    }

    public func refresh(_ session: Session) async throws -> Session {
        try Task.checkCancellation()
        return Session(user: session.user)
    }

    public func reauthenticate() async throws -> User.ID {
        try await identify().user
    }

    private static func session(_ key: Int64, _ db: Connection) throws -> Session? {
        try db.fetchOne("SELECT user, expires_at FROM session WHERE key = \(key) AND user IS NOT NULL") { row in
            let (user, expiry): (User.ID, Double?) = try row.read { (try $0.next(), try $0.next()) }
            return try readingValues {
                try Session(user: user, expiresAt: expiry.map { Date(timeIntervalSinceReferenceDate: $0) })
            }
        }
    }
}
