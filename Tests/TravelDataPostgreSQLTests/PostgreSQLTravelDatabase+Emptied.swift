#if PostgreSQL
@testable import TravelDataPostgreSQL

extension PostgreSQLTravelDatabase {
    /// Removes all travels and people, which takes less time than a new schema for each check, and returns the
    /// repository.
    func emptied() async throws -> PostgreSQLTravelRepository {
        try await database.write { db in
            for table in ["travel", "blocked", "avatar", "person"] {
                try db.execute("DELETE FROM \(identifier: table)")
            }
        }
        return travels
    }
}
#endif
