internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: TitleRepository {
    /// Returns titles of visible travels: those that begin with `text`, then those that contain it, then those of which
    /// it opens a word; each the newest first.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await database.readTravels { db in
            let viewer = try Viewer(viewer, db)
            var titles: [Title] = []
            func add(_ candidates: SQL, where isWanted: (Title) -> Bool) throws {
                guard titles.count < limit else { return }
                try db.forEach(candidates) { row, stop in
                    let title = try readingValues { try Title(row[0] as String) }
                    guard isWanted(title) else { return }
                    // Titles that differ only in their Unicode encoding are equal.
                    if try !titles.contains(title) && viewer.seesTravel(titled: row[1], db) { titles.append(title) }
                    stop = titles.count >= limit
                }
            }
            func titlesWithAll(_ tokens: [String]) -> SQL {
                """
                SELECT text, key FROM title_gram CROSS JOIN title ON key = title_gram.rowid
                WHERE title_gram MATCH \(TitleGrams.match(tokens)) AND travels > 0 ORDER BY title_gram.rowid DESC
                """
            }
            try add(titlesWithAll([TitleGrams.beginning(of: text)]), where: text.begins)
            try add(titlesWithAll(TitleGrams(in: text).tokens), where: text.matches)
            try add("SELECT text, key FROM title WHERE travels > 0 ORDER BY key DESC", where: text.opens)
            return titles
        }
    }
}
