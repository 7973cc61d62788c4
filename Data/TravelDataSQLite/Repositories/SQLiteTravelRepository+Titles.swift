internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: TitleRepository {
    /// Returns titles of visible travels that contain `text`; those that begin with it come first, the newest of them
    /// first.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await database.readTravels { db in
            let viewer = try Viewer(viewer, db)
            var titles: [Title] = []
            func add(_ match: String, where isWanted: (String) -> Bool) throws {
                guard titles.count < limit else { return }
                try db.forEach(
                    """
                    SELECT text, key FROM title_gram CROSS JOIN title ON key = title_gram.rowid
                    WHERE title_gram MATCH \(match) AND travels > 0 ORDER BY title_gram.rowid DESC
                    """
                ) { row, stop in
                    let title: String = try row[0]
                    guard isWanted(Keyword.folded(title)) else { return }
                    // Titles that differ only in their Unicode encoding are equal.
                    let new = try readingValues { try Title(title) }
                    if try !titles.contains(new) && viewer.seesTravel(titled: row[1], db) { titles.append(new) }
                    stop = titles.count >= limit
                }
            }
            try add(TitleGrams.match([TitleGrams.beginning(of: text)])) { text.begins(folded: $0) }
            try add(TitleGrams.match(TitleGrams(in: text).tokens)) { text.matches(folded: $0) }
            return titles
        }
    }
}
