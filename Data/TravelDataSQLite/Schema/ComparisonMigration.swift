internal import SQLiteStore
import TravelDomain

/// Writes again what the indexes store about titles and nicknames, after the domain has changed how it compares them.
///
/// The next transaction that adds or changes a travel maps the existing travels again.
enum ComparisonMigration {
    static func run(_ db: Connection) throws {
        try rewriteTitles(db)
        try rewriteNicknames(db)
        try db.executeScript(
            """
            DELETE FROM travel_bitmap;
            DELETE FROM travel_block;
            INSERT OR REPLACE INTO travel_unmapped SELECT key, traits, title_bits FROM travel;
            """)
    }

    private static func rewriteTitles(_ db: Connection) throws {
        // The full-text table is contentless: its rows can only be removed all at once.
        try db.execute("INSERT INTO title_gram (title_gram) VALUES ('delete-all')")
        var titles: [NewTitle] = []
        let rows = try db.fetchAll("SELECT key, text FROM title") {
            (key: try $0[0] as Int64, text: try $0[1] as String)
        }
        for row in rows {
            // A title that breaks a rule is reported when it is read.
            guard let title = try? Title(row.text) else { continue }
            let grams = TitleGrams.of(title)
            titles.append(NewTitle(key: row.key, grams: grams.text))
            try db.execute(
                "UPDATE travel SET title_bits = \(grams.bits) WHERE title = \(row.key) AND title_bits <> \(grams.bits)")
        }
        try TitleRecord.index(titles, db)
    }

    private static func rewriteNicknames(_ db: Connection) throws {
        let rows = try db.fetchAll("SELECT key, nickname FROM person") { row in
            (key: try row[0] as Int64, nickname: try row[1] as String)
        }
        for row in rows {
            // A nickname that breaks a rule is reported when it is read.
            guard let nickname = try? Nickname(row.nickname) else { continue }
            let key = PersonRecord.nicknameKey(of: nickname)
            try db.execute(
                "UPDATE person SET nickname_key = \(key) WHERE key = \(row.key) AND nickname_key <> \(key)")
        }
    }
}
