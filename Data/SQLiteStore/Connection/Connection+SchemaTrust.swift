internal import CSQLite

extension Connection {
    /// Runs `compile`, once more if it failed for nothing but a full-text table that the schema itself writes to.
    func compiling(_ compile: () -> Int32) -> Int32 {
        let code = compile()
        return code == SQLITE_ERROR && trustsFullTextNow() ? compile() : code
    }

    /// Whether the last call failed because a trigger or a view uses a full-text table, which it may from now on.
    ///
    /// The schema of a file is not trusted: what it calls has to be known as harmless. FTS5 is, but earlier versions of
    /// SQLite do not say so, and refuse the triggers that keep an index in step with its table. There the connection comes
    /// to trust the schema as SQLite does by itself. Functions of the app's stay out of its reach: they are known either
    /// as harmless or as for statements alone.
    func trustsFullTextNow() -> Bool {
        let refusal = "unsafe use of virtual table \""
        guard !trustsSchema, let text = sqlite3_errmsg(handle) else { return false }
        let message = SQLiteError.text(text, longest: SQLiteError.longestMessage)
        guard message.hasPrefix(refusal), isFullText(message.dropFirst(refusal.count).dropLast()) else { return false }
        trustsSchema = true
        csqlite_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1)
        return true
    }

    /// Whether a table of this name, in any of the databases, is one of FTS5.
    private func isFullText(_ name: Substring) -> Bool {
        let earlier = recorder.take()
        defer {
            _ = recorder.take()
            noteFootprint(earlier)
        }
        let schemas = firstColumn(of: "SELECT name FROM pragma_database_list")
        return schemas.contains { schema in
            firstColumn(
                of: """
                    SELECT sql FROM \(SQL.quoted(identifier: schema)).sqlite_schema
                    WHERE type = 'table' AND name = \(SQL.quoted(text: name)) COLLATE NOCASE
                    """
            )
            .contains { definition in
                let words = definition.lowercased().split { $0.isWhitespace || $0 == "(" }
                return words.starts(with: ["create", "virtual", "table"])
                    && zip(words, words.dropFirst()).contains { $0 == "using" && $1 == "fts5" }
            }
        }
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
