#if PostgreSQL
internal import DatabaseAccess

/// A statement whose parameter types the server has inferred.
@usableFromInline
final class Statement {
    /// The name of the prepared statement on the server; nil if each run sends the text.
    let name: String?
    @usableFromInline
    let sql: String
    let parameterTypes: [TypeID]
    /// The types that the elements of arrays of domains are based on, by the types of the arrays.
    let domainElements: [TypeID: TypeID]
    /// Whether it begins or ends a transaction or a savepoint.
    let isControl: Bool
    /// Whether a run has succeeded since the statement was last suspected of having other types than the server.
    var hasSucceeded = false
    /// The time of the last use, as a count of lookups in the cache.
    var lastUse: UInt64 = 0

    init(name: String?, sql: String, parameterTypes: [TypeID], domainElements: [TypeID: TypeID] = [:]) {
        self.name = name
        self.sql = sql
        self.parameterTypes = parameterTypes
        self.domainElements = domainElements
        let word = SQLScanner.firstWord(of: sql)
        isControl = Self.controls.contains(word) || word == "PREPARE" && SQLScanner.secondWord(of: sql) == "TRANSACTION"
    }

    private static let controls: Set<String> = [
        "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE",
    ]
}

enum SQLScanner {
    /// Returns the first word in upper case, after white space, comments and parentheses; empty if there is none.
    static func firstWord(of sql: String) -> String {
        var rest = Substring(sql).utf8
        return nextWord(&rest)
    }

    static func secondWord(of sql: String) -> String {
        var rest = Substring(sql).utf8
        _ = nextWord(&rest)
        return nextWord(&rest)
    }

    /// Returns all words in upper case, without those in comments.
    static func words(of sql: String) -> [String] {
        var (rest, words) = (Substring(sql).utf8, [String]())
        while !rest.isEmpty {
            let word = nextWord(&rest)
            if word.isEmpty { rest = rest.dropFirst() } else { words.append(word) }
        }
        return words
    }

    private static func nextWord(_ rest: inout Substring.UTF8View) -> String {
        while let first = rest.first {
            if rest.starts(with: "--".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            } else if rest.starts(with: "/*".utf8) {
                rest = afterComment(rest)
            } else if first <= 0x20 || first == UInt8(ascii: "(") || first == UInt8(ascii: ";") {
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        let word = rest.prefix {
            0x41...0x5A ~= $0 & 0xDF || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "_") || $0 >= 0x80
        }
        rest = rest[word.endIndex...]
        return String(decoding: word, as: UTF8.self).uppercased()
    }

    /// Returns the text after a comment, which can contain nested comments.
    private static func afterComment(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var rest = text.dropFirst(2)
        var depth = 1
        while depth > 0, !rest.isEmpty {
            if rest.starts(with: "/*".utf8) {
                (depth, rest) = (depth + 1, rest.dropFirst(2))
            } else if rest.starts(with: "*/".utf8) {
                (depth, rest) = (depth - 1, rest.dropFirst(2))
            } else {
                rest = rest.dropFirst()
            }
        }
        return rest
    }
}

/// The cache of the statements of one connection, by text. When it is full, it evicts the less recently used half.
final class StatementCache {
    private var statements: [ExactText: Statement] = [:]
    private var clock: UInt64 = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    func statement(for text: String) -> Statement? {
        guard let statement = statements[ExactText(text)] else { return nil }
        clock &+= 1
        statement.lastUse = clock
        return statement
    }

    /// Adds a statement, and returns the evicted ones: half of them at once, so that the cost of finding the oldest
    /// is amortised.
    func insert(_ statement: Statement) -> [Statement] {
        clock &+= 1
        statement.lastUse = clock
        statements[ExactText(statement.sql)] = statement
        guard statements.count > capacity else { return [] }
        let uses = statements.values.map(\.lastUse).sorted()
        let limit = uses[uses.count / 2]
        let evicted = statements.values.filter { $0.lastUse < limit }
        for statement in evicted { statements[ExactText(statement.sql)] = nil }
        return evicted
    }

    func remove(_ statement: Statement) {
        statements[ExactText(statement.sql)] = nil
    }

    func removeAll() {
        statements = [:]
    }
}
#endif
