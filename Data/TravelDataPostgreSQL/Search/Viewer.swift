#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    import TravelDomain

    /// A viewer, and the travels that they see.
    struct Viewer {
        private let id: User.ID?
        private let blocked: [UUID]
        let visibility: Visibility

        init(_ id: User.ID?, _ db: Connection) throws {
            self.id = id
            blocked =
                try id.map { try db.fetchAll(UUID.self, "SELECT author FROM blocked WHERE person = \($0.rawValue)") }
                ?? []
            visibility = Visibility(viewer: id, blocked: Set(blocked.map { User.ID($0) }))
        }

        /// The condition that a row of `travel_rank`, called `rank`, is shown.
        var sees: SQL {
            let others: SQL = blocked.isEmpty ? "" : " AND rank.author <> ALL(\(blocked))"
            let isShown: SQL = "rank.report_count <= \(Visibility.toleratedReports)\(others)"
            return id.map { "(rank.author = \($0.rawValue) OR \(isShown))" } ?? isShown
        }
    }
#endif
