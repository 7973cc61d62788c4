#if PostgreSQL
    internal import PostgreSQLStore
    import TravelDomain

    /// The rule of `Visibility` for one viewer, as SQL.
    struct Viewer {
        private let id: User.ID?

        /// Creates the viewer with that ID, or an anonymous viewer.
        init(_ id: User.ID?) { self.id = id }

        /// The condition that a row of `travel_rank`, called `rank`, is shown. Nobody blocks themselves.
        var sees: SQL {
            let isTolerated: SQL = "rank.report_count <= \(Visibility.toleratedReports)"
            guard let id else { return isTolerated }
            return """
                (\(isTolerated) OR rank.author = \(id.rawValue)) AND NOT EXISTS (
                    SELECT 1 FROM blocked WHERE blocked.person = \(id.rawValue) AND blocked.author = rank.author)
                """
        }

        /// Whether the viewer sees a travel by that author with that number of reports.
        func sees(travelBy author: User.ID, reports: Int, _ db: Connection) throws -> Bool {
            guard author != id else { return true }
            guard reports <= Visibility.toleratedReports else { return false }
            guard let id else { return true }
            let blocks: SQL = """
                SELECT EXISTS (SELECT 1 FROM blocked WHERE person = \(id.rawValue) AND author = \(author.rawValue))
                """
            return try db.fetchOne(Bool.self, blocks) == false
        }
    }
#endif
