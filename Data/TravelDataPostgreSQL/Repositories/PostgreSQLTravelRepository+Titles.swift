#if PostgreSQL
    internal import PostgreSQLStore
    public import TravelDomain

    extension PostgreSQLTravelRepository: TitleRepository {
        /// The number of titles that are read at a time.
        private static let batchSize = 1000

        /// Returns titles of visible travels: those that begin with `text`, then those that contain it, then those of which
        /// it opens a word.
        ///
        /// - Throws: `TravelError.unavailable`; `CancellationError`.
        public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
            try await database.readTravels { db in
                guard limit > 0 else { return [] }
                let sees = try Viewer(viewer, db).sees
                let isCandidate: SQL = TitleGrams.of(text).map { "travel.grams @> \([$0])" } ?? "TRUE"
                let containing = try titles(where: isCandidate, sees, db) { text.matches($0) }
                var titles = containing.filter(text.begins) + containing.filter { !text.begins($0) }
                if titles.count < limit {
                    let others = try self.titles(where: "TRUE", sees, atMost: limit, db) { text.opens($0) }
                    titles += others.filter { !titles.contains($0) }
                }
                return Array(titles.prefix(limit))
            }
        }

        /// Returns different titles of visible travels that are wanted.
        private func titles(
            where condition: SQL, _ sees: SQL, atMost limit: Int = .max, _ db: Connection,
            isWanted: (Title) -> Bool
        ) throws -> [Title] {
            var titles: [Title] = []
            var last: String?
            repeat {
                let isAfter: SQL = last.map { "travel.title > \($0)" } ?? "TRUE"
                let select: SQL = """
                    SELECT DISTINCT travel.title FROM travel JOIN travel_rank AS rank ON rank.travel = travel.id
                    WHERE \(condition) AND \(isAfter) AND \(sees) ORDER BY travel.title LIMIT \(Self.batchSize)
                    """
                let texts = try db.fetchAll(String.self, select.planned(.custom))
                for text in texts {
                    let title = try readingValues { try Title(text) }
                    // Titles that differ only in their Unicode encoding are equal.
                    if isWanted(title), !titles.contains(title) { titles.append(title) }
                }
                last = texts.count == Self.batchSize ? texts.last : nil
            } while last != nil && titles.count < limit
            return titles
        }
    }
#endif
