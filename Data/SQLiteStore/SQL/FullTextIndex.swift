/// A full-text index (FTS5) on columns of a table, kept up to date by triggers.
///
/// ```swift
/// let index = FullTextIndex("travel_texts", of: "travels", columns: ["title"], tokenizer: "trigram")
/// let migrations = [
///     Migration("travels", script: "CREATE TABLE travels (id INTEGER PRIMARY KEY, title TEXT NOT NULL)"),
///     Migration("travel texts", script: index.creationScript),
/// ]
/// …
/// guard let words = FullTextIndex.match(allWordsOf: input) else { return [] }    // there is nothing to search for
/// return try db.fetchAll(Int.self, "SELECT rowid FROM travel_texts WHERE travel_texts MATCH \(words)")
/// ```
///
/// The index does not store the texts; it refers to the rows of the table by their integer key. Rows that `REPLACE`
/// deletes leave the index too, because `PRAGMA recursive_triggers` is on in every connection of this library; in other
/// programs that write to the file, and if `configuration.prepare` turns it off, they do not. ``Database/integrityCheck()``
/// compares the index with the table.
///
/// NB: A `trigram` index finds no pattern of fewer than three characters, neither with `MATCH` nor with `LIKE`.
public struct FullTextIndex: Hashable, Sendable {
    public let name: String
    /// The indexed table, which must have an `INTEGER PRIMARY KEY`. Without one `VACUUM` would renumber the rows.
    public let table: String
    public let columns: [String]
    /// The FTS5 tokenizer with its options, such as `unicode61 remove_diacritics 2` or `trigram`; nil for the default
    /// of FTS5.
    public let tokenizer: String?

    public init(_ name: String, of table: String, columns: [String], tokenizer: String? = nil) {
        self.name = name
        self.table = table
        self.columns = columns
        self.tokenizer = tokenizer
    }

    /// The script that creates the index and its triggers, and indexes the existing rows. It fails if the table has no
    /// `INTEGER PRIMARY KEY`.
    public var creationScript: String {
        let index = SQL.quoted(identifier: name)
        let content = SQL.quoted(identifier: table)
        let list = columns.map { SQL.quoted(identifier: $0) }.joined(separator: ", ")
        func values(_ row: String) -> String {
            columns.map { "\(row).\(SQL.quoted(identifier: $0))" }.joined(separator: ", ")
        }
        let options =
            ["content = \(SQL.quoted(text: table))"]
            + (tokenizer.map { ["tokenize = \(SQL.quoted(text: $0))"] } ?? [])
        let insertion = "INSERT INTO \(index) (rowid, \(list)) VALUES (new.rowid, \(values("new")));"
        let deletion = "INSERT INTO \(index) (\(index), rowid, \(list)) VALUES ('delete', old.rowid, \(values("old")));"
        func trigger(_ event: String, _ when: String, _ body: String) -> String {
            "CREATE TRIGGER \(SQL.quoted(identifier: "\(name) \(event)")) \(when) ON \(content) BEGIN \(body) END;"
        }
        // A key of another type has an index of its own.
        let hasKey = """
            EXISTS (SELECT 1 FROM pragma_table_info(\(SQL.quoted(text: table))) WHERE pk > 0)
                AND NOT EXISTS (SELECT 1 FROM pragma_index_list(\(SQL.quoted(text: table))) WHERE origin = 'pk')
            """
        // SQL has no other way to fail with a message.
        let message = "the table \(table) has no INTEGER PRIMARY KEY by which a full-text index can refer to its rows"
        return """
            CREATE VIRTUAL TABLE \(index) USING fts5(\(list), \(options.joined(separator: ", ")));
            \(trigger("insert", "AFTER INSERT", insertion))
            \(trigger("delete", "AFTER DELETE", deletion))
            \(trigger("update", "AFTER UPDATE", deletion + " " + insertion))
            DROP TABLE IF EXISTS temp.full_text_requirement;
            CREATE TEMP TABLE full_text_requirement (x CONSTRAINT \(SQL.quoted(identifier: message)) CHECK (x));
            INSERT INTO temp.full_text_requirement SELECT \(hasKey);
            DROP TABLE temp.full_text_requirement;
            INSERT INTO \(index) (\(index)) VALUES ('rebuild');
            """
    }

    /// Returns the expression that matches texts with all words of `input`, in any order. Operators in `input` are
    /// treated as words. nil if there are no words: if `input` has neither a letter nor a digit.
    ///
    /// ```swift
    /// // "blue" "sea"*, which finds "The sea is blue"
    /// FullTextIndex.match(allWordsOf: "blue sea", lastIsPrefix: true)
    /// FullTextIndex.match(allWordsOf: " … ")    // nil
    /// ```
    ///
    /// A `trigram` index also finds punctuation: use ``match(phrase:)``.
    ///
    /// - Parameters:
    ///   - input: Text, usually typed by the user.
    ///   - lastIsPrefix: Whether the last word is matched as a prefix, for searches while typing.
    public static func match(allWordsOf input: String, lastIsPrefix: Bool = false) -> String? {
        let words = input.split(whereSeparator: \.isWhitespace).map(quotedWord)
        guard input.unicodeScalars.contains(where: isPartOfWords) else { return nil }
        return words.joined(separator: " ") + (lastIsPrefix ? "*" : "")
    }

    /// Returns the expression that matches texts with the words of `input` in sequence; nil if `input` is blank.
    ///
    /// ```swift
    /// FullTextIndex.match(phrase: "blue sea")    // "blue sea", which does not find "The sea is blue"
    /// ```
    public static func match(phrase input: String) -> String? {
        input.allSatisfy(\.isWhitespace) ? nil : quotedWord(input[...])
    }

    /// Whether the default tokenizer of FTS5 takes the character for a part of a word, not for a separator.
    private static func isPartOfWords(_ character: Unicode.Scalar) -> Bool {
        switch character.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }

    private static func quotedWord(_ word: Substring) -> String {
        // A NUL would end the expression.
        "\""
            + word.filter { $0 != "\0" }.split(separator: "\"", omittingEmptySubsequences: false).joined(
                separator: "\"\"")
            + "\""
    }
}
