internal import CSQLite

extension SQLiteError {
    /// The error without what SQLite's message has taken from the values bound to the statement, as that of a mistake in
    /// a full-text query or a JSON path does: words of values that are no words of the SQL become `…`.
    func withoutValues(of statement: OpaquePointer) -> SQLiteError {
        // What constraints report are names in the schema.
        guard code != .constraint, let sql else { return self }
        // SQLite's own rendering, in which every value is a literal.
        guard let expansion = sqlite3_expanded_sql(statement) else {
            return SQLiteError(extendedCode, String(cString: sqlite3_errstr(code.rawValue)), sql: sql)
        }
        defer { sqlite3_free(expansion) }
        let expanded = String(cString: expansion)
        let (known, bound) = (Set(Self.words(of: sql)), Set(Self.words(of: expanded)))
        func isFromValue(_ word: Substring) -> Bool {
            guard !known.contains(word) else { return false }
            // A part of a word counts if it is not so short that it would be part of any.
            if bound.contains(word) || word.count > 2 && expanded.contains(word) { return true }
            // Of a blob, digits are all that the literal has.
            return expanded.contains("x'") && expanded.contains(Self.hexadecimal(word))
        }
        var message = ""
        var rest = self.message[...]
        while let start = rest.firstIndex(where: Self.isPartOfWord) {
            let word = rest[start...].prefix(while: Self.isPartOfWord)
            message += rest[..<start] + (isFromValue(word) ? "…" : word)
            rest = rest[word.endIndex...]
        }
        return SQLiteError(extendedCode, message + rest, sql: sql)
    }

    private static func words(of text: String) -> [Substring] {
        text.split { !isPartOfWord($0) }
    }

    private static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || !character.isASCII
    }

    private static func hexadecimal(_ text: Substring) -> String {
        text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
