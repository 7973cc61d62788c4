internal import SQLiteStore
public import TravelDomain

/// Stores the session and the ID of a device in the SQLite file of a ``TravelDatabase``.
///
/// It identifies the person without a sign-in service: everyone who can open the file is the same person.
public struct SQLiteSession: SessionRepository, IdentityProvider {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Returns the ID of the device, which is created on the first call.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func identify() async throws -> User.ID {
        let device: SQL = "SELECT device FROM session WHERE device IS NOT NULL"
        if let id = try await database.readTravels({ db in try db.fetchOne(device) { try User.ID($0, 0) } }) {
            return id
        }
        let new = User.ID()
        return try await database.writeTravels { db in
            // Another task may have created it in the meantime.
            try db.execute("UPDATE session SET device = \(new.bytes) WHERE device IS NULL")
            return try db.fetchOne(device) { try User.ID($0, 0) } ?? new
        }
    }

    /// Returns the ID of the signed-in user; `nil` when nobody is signed in.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func signedInUser() async throws -> User.ID? {
        try await database.readTravels { db in
            try db.fetchOne("SELECT user FROM session WHERE user IS NOT NULL") { try User.ID($0, 0) }
        }
    }

    /// Replaces the signed-in user; `nil` signs out.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`. Nothing changes then.
    public func setSignedInUser(_ user: User.ID?) async throws {
        _ = try await database.writeTravels { db in try db.execute("UPDATE session SET user = \(user?.bytes)") }
    }
}
