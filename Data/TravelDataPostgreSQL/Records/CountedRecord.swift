#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    import TravelDomain

    /// The rows of a table that `travel_rank` counts for each travel.
    enum CountedRecord {
        /// The rows of `liked`.
        case like
        /// The rows of `reported`.
        case report

        private var table: SQL {
            switch self {
            case .like: "liked"
            case .report: "reported"
            }
        }

        private var column: SQL {
            switch self {
            case .like: "like_count"
            case .report: "report_count"
            }
        }

        /// Deletes some rows of a person, whose row is locked, and subtracts them from the counts. Returns their
        /// number.
        func removeSome(of person: User.ID, atMost limit: Int, _ db: Connection) throws -> Int {
            let isOfPerson: SQL = "person = \(person.rawValue)"
            let some = try db.fetchAll(
                UUID.self, "SELECT travel FROM \(table) WHERE \(isOfPerson) LIMIT \(raw: String(limit))")
            guard !some.isEmpty else { return 0 }
            try TravelRecord.lock(some, db)
            // Before the lock, the person may have taken some back.
            let removed = try db.fetchAll(
                UUID.self, "DELETE FROM \(table) WHERE \(isOfPerson) AND travel = ANY(\(some)) RETURNING travel")
            try db.execute("UPDATE travel_rank SET \(column) = \(column) - 1 WHERE travel = ANY(\(removed))")
            return some.count
        }
    }
#endif
