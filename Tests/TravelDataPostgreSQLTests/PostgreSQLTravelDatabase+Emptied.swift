#if PostgreSQL
@testable import TravelDataPostgreSQL

extension PostgreSQLTravelDatabase {
    /// Removes all trips and people, which takes less time than a new schema for each check, and returns the
    /// repository.
    func emptied() async throws -> PostgreSQLTripRepository {
        try await database.write { db in
            for table in ["trip", "removed_trip", "blocked", "avatar", "app_user"] {
                try db.execute("DELETE FROM \(identifier: table)")
            }
        }
        return trips
    }
}
#endif
