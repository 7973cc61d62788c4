internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: TitleRepository {
    /// Titles that contain `text`, of travels that `viewer` sees; those that begin with it first, and of these the newest.
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
                ) { row, isEnough in
                    let title: String = try row[0]
                    guard isWanted(Keyword.folded(title)) else { return }
                    // Spellings of one title that differ in their encoding alone are equal.
                    let new = try readingValues { try Title(title) }
                    if try !titles.contains(new) && viewer.seesTravel(titled: row[1], db) { titles.append(new) }
                    isEnough = titles.count >= limit
                }
            }
            try add(TitleGrams.match([TitleGrams.beginning(of: text)])) { text.begins(folded: $0) }
            try add(TitleGrams.match(TitleGrams(in: text).tokens)) { text.matches(folded: $0) }
            return titles
        }
    }
}
