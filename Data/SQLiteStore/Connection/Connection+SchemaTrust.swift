internal import CSQLite

extension Connection {
    /// Runs `compile`, once more if it failed for nothing but a virtual table that the schema itself uses, and may.
    func compiling(_ compile: () -> Int32) -> Int32 {
        let code = compile()
        return code == SQLITE_ERROR && trustSchemaIfHarmless() ? compile() : code
    }

    /// Whether the last call failed because a trigger or a view uses a virtual table of SQLite's own, which it may from now
    /// on.
    ///
    /// The schema of a file is not trusted: what it uses has to be known as harmless. Indexes of texts and of places are,
    /// but earlier versions of SQLite do not say so, and refuse the triggers that keep an index in step with its table.
    /// There the connection comes to trust the schema as SQLite does by itself. Functions of the app's stay out of its
    /// reach: they are known either as harmless or as for statements alone.
    func trustSchemaIfHarmless() -> Bool {
        let refusal = "unsafe use of virtual table \""
        guard !trustsSchema, let text = sqlite3_errmsg(handle) else { return false }
        let message = SQLiteError.text(text, maximumByteCount: SQLiteError.maximumMessageByteCount)
        guard message.hasPrefix(refusal), isHarmless(message.dropFirst(refusal.count).dropLast()) else { return false }
        trustsSchema = true
        csqlite_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1)
        return true
    }

    /// The modules of SQLite's own that read and write nothing but tables of the same database.
    private static let harmlessModules: Set<Substring> = [
        "fts3", "fts4", "fts4aux", "fts5", "fts5vocab", "rtree", "rtree_i32", "geopoly",
    ]

    /// Whether a virtual table of this name, in any of the databases, is one of a harmless module.
    private func isHarmless(_ name: Substring) -> Bool {
        let earlier = recorder.take()
        defer {
            _ = recorder.take()
            recordReadWriteSet(earlier)
        }
        let schemas = firstColumn(of: "SELECT name FROM pragma_database_list")
        return schemas.contains { schema in
            firstColumn(
                of: """
                    SELECT sql FROM \(SQL.quoted(identifier: schema)).sqlite_schema
                    WHERE type = 'table' AND name = \(SQL.quoted(text: name)) COLLATE NOCASE
                    """
            )
            .contains { Self.module(of: $0).map(Self.harmlessModules.contains) ?? false }
        }
    }

    /// The module of a virtual table with this definition, as SQLite keeps it; nil where it is not plain to see.
    private static func module(of definition: String) -> Substring? {
        let definition = definition.lowercased()
        let start = "create virtual table "
        guard definition.hasPrefix(start) else { return nil }
        var rest = definition.dropFirst(start.count)
        let closing: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
        if let end = rest.first.flatMap({ closing[$0] }) {
            // A quote within a name is doubled: what follows the first of the two is another quoted part.
            repeat { rest = rest.dropFirst().drop { $0 != end }.dropFirst() } while rest.first == end
        } else {
            rest = rest.drop { !$0.isWhitespace }
        }
        let words = rest.split(maxSplits: 2) { $0.isWhitespace || $0 == "(" }
        return words.first == "using" && words.count > 1 ? words[1] : nil
    }

    /// The texts that a query of the library's own yields; none where it fails.
    private func firstColumn(of sql: String) -> [String] {
        var (statement, texts): (OpaquePointer?, [String]) = (nil, [])
        guard sqlite3_prepare_v3(handle, sql, -1, 0, &statement, nil) == SQLITE_OK else { return [] }
        defer { sqlite3_finalize(statement) }
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { texts.append(String(cString: text)) }
        }
        return texts
    }
}
