internal import SQLiteStore
import TravelDomain

/// A row of `title`, and what `title_gram` knows of it.
struct TitleRecord {
    let key: Int64
    let bits: Int64
    let signature: TitleGrams.Signature

    /// The row of `title`, added if there is none yet. ``index(_:_:)`` must follow for those in `new` before the
    /// transaction ends.
    static func save(_ title: Title, _ new: inout [NewTitle], _ db: Connection) throws -> TitleRecord {
        let grams = TitleGrams.of(title)
        if let key = try db.fetchOne(Int64.self, "SELECT key FROM title WHERE text = \(title.text)") {
            return TitleRecord(key: key, bits: grams.bits, signature: grams.signature)
        }
        try db.execute("INSERT INTO title (text) VALUES (\(title.text))")
        let key = db.lastInsertedRowID
        new.append(NewTitle(key: key, grams: grams.text))
        return TitleRecord(key: key, bits: grams.bits, signature: grams.signature)
    }

    /// Tells the full-text table of titles that were added.
    ///
    /// One after the other, because that table writes out what it has gathered whenever another statement begins,
    /// which takes longer than all else.
    static func index(_ new: [NewTitle], _ db: Connection) throws {
        for title in new {
            try db.execute("INSERT INTO title_gram (rowid, grams) VALUES (\(title.key), \(title.grams))")
        }
    }

    /// Removes the titles that no travel has any more.
    static func removeUnused(_ db: Connection) throws {
        let unused = try db.fetchAll("SELECT key, text FROM title WHERE travels = 0") { row in
            (key: try row[0] as Int64, text: try row[1] as String)
        }
        for title in unused {
            // The full-text table keeps no copy: to forget a title, it must be told what it was told before.
            let grams = try readingValues { TitleGrams.of(try Title(title.text)).text }
            try db.execute(
                "INSERT INTO title_gram (title_gram, rowid, grams) VALUES ('delete', \(title.key), \(grams))")
            try db.execute("DELETE FROM title WHERE key = \(title.key)")
        }
    }
}

/// A title of which the full-text table is still to be told.
struct NewTitle {
    let key: Int64
    let grams: String
}
