internal import DatabaseAccess

/// A full-text index (FTS5) on columns of a table, which triggers keep equal to the table.
///
/// ```swift
/// let texts = FullTextIndex("trip_texts", of: "trips", columns: ["title", "notes"])
/// let migrations = [
///     Migration("trips", script: "CREATE TABLE trips (id INTEGER PRIMARY KEY, title TEXT NOT NULL, notes TEXT)"),
///     Migration("trip texts", creating: texts),
/// ]
///
/// guard let words = FullTextPattern(allWordsIn: typed, prefixes: .lastWord) else { return [] }    // nothing to search for
/// return try db.fetchAll(
///     String.self,
///     """
///     SELECT highlight(trip_texts, 0, '[', ']') FROM trip_texts WHERE trip_texts MATCH \(words)
///     ORDER BY bm25(trip_texts, 10, 1) LIMIT 20
///     """)    // titles weigh ten times as much as notes: ["a day at the [sea]"]
/// ```
///
/// The index does not store the texts; it refers to the rows of the table by their integer key. It follows every change:
/// inserts, updates also of keys, `ON CONFLICT`, and `REPLACE`, because every connection of this library sets
/// `PRAGMA recursive_triggers`. Other programs that write to the file without it leave replaced rows in the index; so does
/// this library if `configuration.prepare` turns it off. ``problems(in:)`` finds that, and ``rebuild(in:)`` mends it.
///
/// A tokenizer of your own is registered through SQLite's C interface, in `Configuration.prepare`: see <doc:TopicGuides>.
public struct FullTextIndex: Hashable, Sendable {
    public let name: String
    /// The indexed table, which has an `INTEGER PRIMARY KEY`: without one, `VACUUM` would renumber the rows.
    public let table: String
    public let columns: [String]
    /// The tokenizer with its options, such as `unicode61 remove_diacritics 2` or `trigram`; nil for the default of FTS5.
    ///
    /// `trigram` finds parts of words, but nothing for fewer than three characters; for those, use `instr` or `LIKE`.
    public let tokenizer: String?

    public init(_ name: String, of table: String, columns: [String], tokenizer: String? = nil) {
        (self.name, self.table, self.columns, self.tokenizer) = (name, table, columns, tokenizer)
    }
}

extension Migration {
    /// Creates a migration that creates a full-text index and its triggers, and indexes the rows that exist.
    ///
    /// - Throws: From opening: ``SQLiteError`` with `.misuse` if the table lacks one of the columns, or an
    ///   `INTEGER PRIMARY KEY`.
    public init(_ name: String, creating index: FullTextIndex) {
        self.init(name, revision: index.script) { db in try index.create(in: db) }
    }
}

extension FullTextIndex {
    /// Returns what is wrong with the index, in words: a missing trigger, or another content than the table has. Reads the
    /// whole table.
    ///
    /// ```swift
    /// let problems = try await database.write { db in try texts.problems(in: db) }    // []
    /// ```
    ///
    /// - Throws: ``SQLiteError``, also with `.readOnly` in a read: SQLite checks an index by a statement that writes.
    public func problems(in db: Connection) throws -> [String] {
        var problems: [String] = []
        for trigger in triggers {
            let script = try db.fetchOne(
                String?.self, "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = \(trigger.name)")
            if script == nil {
                problems.append("the trigger \"\(trigger.name)\" is missing")
            } else if script != trigger.script {
                problems.append("the trigger \"\(trigger.name)\" is not the one of this index")
            }
        }
        do {
            // 1: also compares the index with the table.
            try db.execute(
                """
                INSERT INTO \(identifier: name) (\(identifier: name), rank) VALUES ('integrity-check', 1)
                """)
        } catch let error as SQLiteError where error.code == .corrupt {
            problems.append("the index differs from the table \"\(table)\"")
        }
        return problems
    }

    /// Creates the index and its triggers, and indexes the rows that exist: within a migration from code.
    ///
    /// - Throws: ``SQLiteError`` with `.misuse` if the table lacks one of the columns, or an `INTEGER PRIMARY KEY`.
    public func create(in db: Connection) throws {
        try checkTable(db)
        try db.runScript(script)
    }

    /// Indexes all rows of the table anew.
    public func rebuild(in db: Connection) throws {
        try db.execute("INSERT INTO \(identifier: name) (\(identifier: name)) VALUES ('rebuild')")
    }

    /// The SQL that ``create(in:)`` runs.
    public var script: String {
        let options =
            ["content = \(table.quotedLiteral)"] + (tokenizer.map { ["tokenize = \($0.quotedLiteral)"] } ?? [])
        return """
            CREATE VIRTUAL TABLE \(name.quotedIdentifier) USING fts5(\(list), \(options.joined(separator: ", ")));
            \(triggers.map { "\($0.script);" }.joined(separator: "\n"))
            INSERT INTO \(name.quotedIdentifier) (\(name.quotedIdentifier)) VALUES ('rebuild');
            """
    }

    private var list: String { columns.map(\.quotedIdentifier).joined(separator: ", ") }

    /// Each update removes and adds the row: a comparison of the columns would depend on their collation, and take a number
    /// and its text as equal.
    private var triggers: [(name: String, script: String)] {
        let index = name.quotedIdentifier
        func values(_ row: String) -> String {
            columns.map { "\(row).\($0.quotedIdentifier)" }.joined(separator: ", ")
        }
        let insertion = "INSERT INTO \(index) (rowid, \(list)) VALUES (new.rowid, \(values("new")));"
        let deletion = "INSERT INTO \(index) (\(index), rowid, \(list)) VALUES ('delete', old.rowid, \(values("old")));"
        return [("insert", insertion), ("delete", deletion), ("update", "\(deletion) \(insertion)")].map {
            event, body in
            let name = "\(name) \(event)"
            return (
                name,
                """
                CREATE TRIGGER \(name.quotedIdentifier) AFTER \(event.uppercased()) ON \(table.quotedIdentifier) \
                BEGIN \(body) END
                """
            )
        }
    }

    private func checkTable(_ db: Connection) throws {
        func misuse(_ message: String) -> SQLiteError {
            SQLiteError(.misuse, "the full-text index \"\(name)\" cannot be created: \(message)")
        }
        guard try db.hasTable(named: table) else { throw misuse("there is no table \"\(table)\"") }
        guard !columns.isEmpty else { throw misuse("it has no columns") }
        for column in columns {
            // Folded as SQLite folds names.
            let isKnown = try db.fetchOne(
                Bool.self,
                """
                SELECT EXISTS (SELECT 1 FROM pragma_table_info(\(table)) WHERE name = \(column) COLLATE NOCASE)
                """)
            if isKnown != true { throw misuse("the table \"\(table)\" has no column \"\(column)\"") }
        }
        // A key of another type has an index of its own.
        let hasIntegerKey = try db.fetchOne(
            Bool.self,
            """
            SELECT EXISTS (SELECT 1 FROM pragma_table_info(\(table)) WHERE pk > 0)
                AND NOT EXISTS (SELECT 1 FROM pragma_index_list(\(table)) WHERE origin = 'pk')
            """)
        guard hasIntegerKey == true else {
            throw misuse("the table \"\(table)\" has no INTEGER PRIMARY KEY, by which it would refer to the rows")
        }
    }
}

/// What a full-text search looks for, made from text that a person has typed: nothing in it is an operator of FTS5.
///
/// ```swift
/// FullTextPattern(allWordsIn: "blue sea")             // "blue" "sea": finds "The sea is blue"
/// FullTextPattern(allWordsIn: "blue se", prefixes: .lastWord)    // "blue" "se"*: finds it, too
/// FullTextPattern(phrase: "blue sea")                 // "blue sea": does not
/// FullTextPattern(allWordsIn: " … ")                  // nil
/// ```
public struct FullTextPattern: Hashable, Sendable, SQLBindable, CustomStringConvertible {
    /// Which words also find the words that begin with them.
    public enum Prefixes: Hashable, Sendable {
        case none, lastWord, everyWord
    }

    /// The pattern in the syntax of FTS5.
    public let description: String

    /// Creates a pattern from an expression of FTS5. Never pass text from untrusted sources: it may be an error.
    public init(raw expression: String) {
        description = expression
    }

    /// Creates the pattern that finds texts with all words of `text`, in any order; nil if it has neither a letter nor a
    /// digit.
    ///
    /// - Parameters:
    ///   - text: The words, with white space between them.
    ///   - prefixes: Which words also find the words that begin with them; the last one for searches while typing.
    ///   - columns: The columns to search in; by default all of the index.
    public init?(allWordsIn text: String, prefixes: Prefixes = .none, in columns: [String] = []) {
        self.init(text.split(whereSeparator: \.isWhitespace), " ", prefixes, columns)
    }

    /// Creates the pattern that finds texts with at least one word of `text`; nil if it has neither a letter nor a digit.
    public init?(anyWordIn text: String, prefixes: Prefixes = .none, in columns: [String] = []) {
        self.init(text.split(whereSeparator: \.isWhitespace), " OR ", prefixes, columns)
    }

    /// Creates the pattern that finds texts with the words of `text` in a row; nil if it is blank.
    ///
    /// With the tokenizer `trigram`, it finds texts with `text` anywhere, punctuation and spaces included.
    public init?(phrase text: String, in columns: [String] = []) {
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace && $0 != "\0" }) else { return nil }
        description = Self.filter(columns) + Self.quoted(text[...])
    }

    private init?(_ words: [Substring], _ separator: String, _ prefixes: Prefixes, _ columns: [String]) {
        // A word of punctuation alone has no tokens: it is ignored with AND, and would be an empty operand of OR.
        let words = words.filter { $0.unicodeScalars.contains(where: Self.isPartOfWords) }.map(Self.quoted)
        if words.isEmpty { return nil }
        let ends = words.indices.map { index in
            prefixes == .everyWord || prefixes == .lastWord && index == words.count - 1 ? "*" : ""
        }
        let all = zip(words, ends).map { $0 + $1 }.joined(separator: separator)
        description = columns.isEmpty ? all : "\(Self.filter(columns))(\(all))"
    }

    public var sqlValue: SQLValue { .text(description) }

    private static func filter(_ columns: [String]) -> String {
        columns.isEmpty ? "" : "{\(columns.map { quoted($0[...]) }.joined(separator: " "))} : "
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

    private static func quoted(_ word: Substring) -> String {
        // A NUL would end the expression. By scalars: a quotation mark and an accent behind it are one character.
        let scalars = word.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : $0 == "\0" ? [] : [$0] }
        return String(String.UnicodeScalarView(["\""] + scalars + ["\""]))
    }
}
