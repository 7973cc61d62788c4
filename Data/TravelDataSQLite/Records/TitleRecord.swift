internal import SQLiteStore
import TravelDomain

/// A row of `title`, with the bits and the signature of its grams.
struct TitleRecord {
    let key: Int64
    let bits: Int64
    let signature: TitleGrams.Signature

    /// Returns the row of `title` and inserts it if necessary. ``index(_:_:)`` must be called with the titles in `new`
    /// before the transaction ends.
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

    /// Inserts new titles into the full-text table.
    ///
    /// All titles in sequence, because the full-text table flushes its pending terms whenever another statement begins,
    /// which dominates the total time.
    static func index(_ new: [NewTitle], _ db: Connection) throws {
        for title in new {
            try db.execute("INSERT INTO title_gram (rowid, grams) VALUES (\(title.key), \(title.grams))")
        }
    }

    /// Deletes the titles that no travel has.
    static func removeUnused(_ db: Connection) throws {
        let unused = try db.fetchAll("SELECT key, text FROM title WHERE travels = 0") { row in
            (key: try row[0] as Int64, text: try row[1] as String)
        }
        for title in unused {
            // The full-text table is contentless: deleting an entry requires the text with which it was inserted.
            let grams = try readingValues { TitleGrams.of(try Title(title.text)).text }
            try db.execute(
                "INSERT INTO title_gram (title_gram, rowid, grams) VALUES ('delete', \(title.key), \(grams))")
            try db.execute("DELETE FROM title WHERE key = \(title.key)")
        }
    }
}

/// A title that the full-text table does not contain yet.
struct NewTitle {
    let key: Int64
    let grams: String
}
