/// A full-text index (FTS5) over columns of a table, kept in step with it by triggers.
///
/// ```swift
/// let index = FullTextIndex("travel_texts", of: "travels", columns: ["title"], tokenizer: "trigram")
/// let migrations = [
///     Migration("travels", script: "CREATE TABLE travels (id INTEGER PRIMARY KEY, title TEXT NOT NULL)"),
///     Migration("travel texts", script: index.creationScript),
/// ]
/// …
/// let words = FullTextIndex.match(allWordsOf: input)
/// try db.fetchAll(Int.self, "SELECT rowid FROM travel_texts WHERE travel_texts MATCH \(words)")
/// ```
///
/// The texts stay in the table alone: the index refers to it by `rowid`.
///
/// NB: A `trigram` index finds nothing for fewer than three characters, by `MATCH` and by `LIKE` alike.
public struct FullTextIndex: Hashable, Sendable {
    /// The name of the index, which is that of a virtual table.
    public let name: String
    /// The table whose texts are indexed; it has a `rowid`.
    public let table: String
    /// The columns that are indexed.
    public let columns: [String]
    /// The FTS5 tokenizer with its options: `unicode61 remove_diacritics 2`, `trigram`; FTS5's own choice if nil.
    public let tokenizer: String?

    /// An index with these parts.
    public init(_ name: String, of table: String, columns: [String], tokenizer: String? = nil) {
        self.name = name
        self.table = table
        self.columns = columns
        self.tokenizer = tokenizer
    }

    /// Creates the index and its triggers, and fills it with what is in the table.
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
        return """
            CREATE VIRTUAL TABLE \(index) USING fts5(\(list), \(options.joined(separator: ", ")));
            \(trigger("insert", "AFTER INSERT", insertion))
            \(trigger("delete", "AFTER DELETE", deletion))
            \(trigger("update", "AFTER UPDATE", deletion + " " + insertion))
            INSERT INTO \(index) (\(index)) VALUES ('rebuild');
            """
    }

    /// The expression that matches texts with every word of `input`, in any order. Nothing in it is taken for an
    /// operator; nil if there is no word.
    ///
    /// - Parameter lastIsPrefix: Whether the last word may go on, as while someone is typing.
    public static func match(allWordsOf input: String, lastIsPrefix: Bool = false) -> String? {
        let words = input.split(whereSeparator: \.isWhitespace).map(quotedWord)
        guard !words.isEmpty else { return nil }
        return words.joined(separator: " ") + (lastIsPrefix ? "*" : "")
    }

    /// The expression that matches texts with `input` as it is, word after word; nil if it is blank.
    public static func match(phrase input: String) -> String? {
        input.allSatisfy(\.isWhitespace) ? nil : quotedWord(input[...])
    }

    private static func quotedWord(_ word: Substring) -> String {
        // NUL would end the expression.
        "\""
            + word.filter { $0 != "\0" }.split(separator: "\"", omittingEmptySubsequences: false).joined(
                separator: "\"\"")
            + "\""
    }
}
