internal import SQLiteStore
import TravelDomain

/// A row of `title`, and what `title_gram` knows of it.
struct TitleRecord {
    let key: Int64
    let bits: Int64

    /// The row of `title`, added if there is none yet. ``index(_:_:)`` must follow for those in `new` before the
    /// transaction ends.
    static func save(_ title: Title, _ new: inout [NewTitle], _ db: Connection) throws -> TitleRecord {
        let grams = TitleGrams.of(title)
        if let key = try db.fetchOne(Int64.self, "SELECT key FROM title WHERE text = \(title.text)") {
            return TitleRecord(key: key, bits: grams.bits)
        }
        try db.execute("INSERT INTO title (text) VALUES (\(title.text))")
        let key = db.lastInsertedRowID
        new.append(NewTitle(key: key, grams: grams.text))
        return TitleRecord(key: key, bits: grams.bits)
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
}

/// A title of which the full-text table is still to be told.
struct NewTitle {
    let key: Int64
    let grams: String
}
