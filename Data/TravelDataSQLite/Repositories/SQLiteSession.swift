internal import SQLiteStore
public import TravelDomain

/// The session and the one identity of a device, kept in a SQLite file, as ``TravelDatabase`` opens it.
///
/// It signs in without a service: whoever can open the file is the person it belongs to.
public struct SQLiteSession: SessionRepository, IdentityProvider {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// The identity of the device, made when it is first asked for.
    public func identify() async throws -> User.ID {
        let device: SQL = "SELECT device FROM session WHERE device IS NOT NULL"
        if let id = try await database.readTravels({ db in try db.fetchOne(device) { try User.ID($0, 0) } }) {
            return id
        }
        let new = User.ID()
        return try await database.writeTravels { db in
            // Another task may have been first.
            try db.execute("UPDATE session SET device = \(new.bytes) WHERE device IS NULL")
            return try db.fetchOne(device) { try User.ID($0, 0) } ?? new
        }
    }

    /// Who is signed in.
    public func signedInUser() async throws -> User.ID? {
        try await database.readTravels { db in
            try db.fetchOne("SELECT user FROM session WHERE user IS NOT NULL") { try User.ID($0, 0) }
        }
    }

    /// Says who is signed in from now on.
    public func setSignedInUser(_ user: User.ID?) async throws {
        _ = try await database.writeTravels { db in try db.execute("UPDATE session SET user = \(user?.bytes)") }
    }
}
