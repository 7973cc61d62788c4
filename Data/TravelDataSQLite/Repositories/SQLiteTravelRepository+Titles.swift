internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: TitleRepository {
    /// Returns titles of visible travels: those that begin with `text`, in the order of their characters, then those
    /// that contain it, then those of which it opens a word, each the newest first.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await database.readMappingErrors { db in
            var suggestions = Suggestions(limit: limit, viewer: try Viewer(viewer, db))
            try suggestions.addBeginning(with: text, db)
            try suggestions.add(of: TravelSets.groups(text), db) { text.matches($0) }
            try suggestions.add(of: TravelSets.groups(openedBy: text), db) { text.opens($0) }
            return suggestions.titles
        }
    }
}

/// The suggested titles for a text that a person is typing.
private struct Suggestions {
    let limit: Int
    let viewer: Viewer
    private(set) var titles: [Title] = []
    /// The titles that were examined. Titles that differ only in their Unicode encoding are equal.
    private var known: Set<String> = []

    init(limit: Int, viewer: Viewer) { (self.limit, self.viewer) = (limit, viewer) }

    /// Adds titles from a range of the index of titles.
    mutating func addBeginning(with text: Keyword, _ db: Connection) throws {
        let first = TravelRecord.titleKey(of: text.text)
        let end = first + "\u{10FFFF}"
        var last = (key: first, title: "")
        while titles.count < limit {
            let next: SQL = """
                SELECT title_key, title FROM travel INDEXED BY travel_title
                WHERE (title_key, title) > (\(last.key), \(last.title)) AND title_key < \(end)
                ORDER BY title_key, title LIMIT 1
                """
            guard let row = try db.fetchOne(next, { (key: try $0[0] as String, title: try $0[1] as String) }) else {
                return
            }
            last = row
            guard try readingValues({ text.begins(try Title(row.title)) }) else { continue }
            try db.forEach(
                "SELECT author, report_count FROM travel WHERE title_key = \(row.key) AND title = \(row.title)"
            ) { travel, stop in
                stop = try viewer.sees(travelBy: travel[0], reports: travel[1], db)
                if stop { try add(row.title) }
            }
        }
    }

    /// Adds titles that meet a condition, of travels in the sets of `groups`, the newest first.
    mutating func add(
        of groups: [[RowSets.Number]], _ db: Connection, where isWanted: (Title) -> Bool
    ) throws {
        guard titles.count < limit else { return }
        let last = try db.fetchOne(Int64.self, "SELECT ifnull(max(key), 0) FROM travel") ?? 0
        for block in (0...RowSets.block(of: last)).reversed() {
            for travel in try RowSets.rows(in: block, ofEach: groups, or: TravelSets.long, db).rows.reversed() {
                guard titles.count < limit else { return }
                try db.forEach("SELECT title, author, report_count FROM travel WHERE key = \(travel)") { row in
                    let text: String = try row[0]
                    guard !known.contains(text), try isWanted(readingValues { try Title(text) }),
                        try viewer.sees(travelBy: row[1], reports: row[2], db)
                    else { return }
                    try add(text)
                }
            }
        }
    }

    private mutating func add(_ title: String) throws {
        guard known.insert(title).inserted else { return }
        titles.append(try readingValues { try Title(title) })
    }
}
