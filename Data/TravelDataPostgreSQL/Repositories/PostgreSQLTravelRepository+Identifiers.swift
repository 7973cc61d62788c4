#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    package import TravelDomain

    extension PostgreSQLTravelRepository {
        /// The IDs of travels in a range, in order, at most `limit`, regardless of visibility.
        ///
        /// - Throws: `TravelError.unavailable` when the server cannot answer; `CancellationError`.
        package func travelIDs(in range: ClosedRange<Travel.ID>, limit: Int) async throws -> [Travel.ID] {
            try await database.readTravels { db in
                let select: SQL = """
                    SELECT id FROM travel
                    WHERE id BETWEEN \(range.lowerBound.rawValue) AND \(range.upperBound.rawValue)
                    ORDER BY id LIMIT \(limit)
                    """
                return try db.fetchAll(UUID.self, select).map { Travel.ID($0) }
            }
        }

        /// For each of the IDs, the ones before and after it in the order of all travels, regardless of visibility.
        ///
        /// They determine how many leading characters identify a travel.
        ///
        /// - Throws: `TravelError.unavailable` when the server cannot answer; `CancellationError`.
        package func neighbors(of ids: [Travel.ID]) async throws -> [Travel.ID: [Travel.ID]] {
            try await database.readTravels { db in
                var neighbors: [Travel.ID: [Travel.ID]] = [:]
                for id in ids {
                    let before: SQL = "SELECT id FROM travel WHERE id < \(id.rawValue) ORDER BY id DESC LIMIT 1"
                    let after: SQL = "SELECT id FROM travel WHERE id > \(id.rawValue) ORDER BY id LIMIT 1"
                    neighbors[id] = try [before, after].compactMap { select in
                        try db.fetchOne(UUID.self, select).map { Travel.ID($0) }
                    }
                }
                return neighbors
            }
        }

        /// The people who like a travel, and those who have reported it, in the order of their IDs.
        ///
        /// - Throws: `TravelError.unavailable` when the server cannot answer; `CancellationError`.
        package func people(of id: Travel.ID) async throws -> (likedBy: [User.ID], reportedBy: [User.ID]) {
            try await database.readTravels { db in
                func people(_ table: String) throws -> [User.ID] {
                    let select: SQL =
                        "SELECT person FROM \(identifier: table) WHERE travel = \(id.rawValue) ORDER BY person"
                    return try db.fetchAll(UUID.self, select).map { User.ID($0) }
                }
                return (try people("liked"), try people("reported"))
            }
        }
    }
#endif
