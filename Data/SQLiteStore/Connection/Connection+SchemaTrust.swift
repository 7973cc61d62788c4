internal import CSQLite

extension Connection {
    /// Calls `compile`, and calls it again if it failed only because the schema uses a harmless virtual table.
    func compiling(_ compile: () -> Int32) -> Int32 {
        let code = compile()
        return code == SQLITE_ERROR && trustSchemaIfHarmless() ? compile() : code
    }

    /// Returns whether the last call failed because a trigger or a view uses a harmless virtual table of SQLite, and if
    /// so, trusts the schema from now on.
    ///
    /// By default the schema of a file is not trusted: it may use only what is marked as harmless. Full-text and
    /// spatial indexes are harmless, but earlier versions of SQLite do not mark them as such and reject the triggers
    /// that update them. In that case the connection trusts the schema, as SQLite does by default. Functions of the app
    /// are not affected: each is registered either as harmless or as unavailable to schemas.
    func trustSchemaIfHarmless() -> Bool {
        let refusal = "unsafe use of virtual table \""
        guard !trustsSchema, let text = sqlite3_errmsg(handle) else { return false }
        let message = SQLiteError.text(text, maximumByteCount: SQLiteError.maximumMessageByteCount)
        guard message.hasPrefix(refusal), isHarmless(message.dropFirst(refusal.count).dropLast()) else { return false }
        trustsSchema = true
        csqlite_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1)
        return true
    }

    /// Returns whether a virtual table of this name, in any attached database, uses a harmless module.
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
            .contains(where: SchemaRules.usesHarmlessModule)
        }
    }

    /// Returns the first column of an internal query; empty if the query fails.
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
