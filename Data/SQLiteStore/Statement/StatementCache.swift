internal import DatabaseAccess

/// The cache of compiled statements of one connection.
///
/// It has two levels. A small hash table finds the statement of a literal by the addresses of its texts, without
/// building the SQL text. A dictionary by text contains all cached statements, and evicts the least recently used ones
/// when it is full. Statements with very many parameters are not cached: each length of a list is another, large
/// statement.
final class StatementCache {
    /// Unmanaged, so that a lookup does not count references; each slot owns one reference.
    private let literals = UnsafeMutableBufferPointer<Unmanaged<Literal>?>.allocate(capacity: 512)
    private var statements: [ExactText: Statement] = [:]
    private var clock: UInt64 = 0
    private let capacity: Int
    /// The maximum number of parameters of a cached statement, each of which takes about 100 bytes.
    private static let maximumParameterCount = 500

    private final class Literal {
        let pieces: ContiguousArray<Piece>
        let statement: Statement

        init(_ sql: borrowing SQL, _ statement: Statement) {
            pieces = ContiguousArray(sql.parts.map(Piece.init))
            self.statement = statement
        }
    }

    /// A part of a literal: a text by address and length, or a placeholder for a value. The address of a literal text
    /// never changes, and never identifies another text.
    private struct Piece {
        let start: UnsafePointer<UInt8>?
        let count: Int

        init(_ part: SQL.Part) {
            if case .literal(let text) = part {
                start = text.utf8Start
                count = text.utf8CodeUnitCount
            } else {
                start = nil
                count = 0
            }
        }

        func matches(_ part: SQL.Part) -> Bool {
            guard case .literal(let text) = part else { return start == nil }
            return text.utf8Start == start && text.utf8CodeUnitCount == count
        }
    }

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        literals.initialize(repeating: nil)
    }

    deinit {
        removeAll()
        literals.deallocate()
    }

    /// Returns the statement of `sql`, compiled by `prepare` on first use.
    func statement(for sql: borrowing SQL, prepare: (String) throws -> Statement) throws -> Statement {
        clock &+= 1
        if let statement = statement(ofLiteral: sql) {
            statement.lastUse = clock
            return statement
        }
        let text = ExactText(sql.text)
        let statement = try statements[text] ?? prepare(text.string)
        guard statement.parameterCount <= Self.maximumParameterCount else { return statement }
        statement.lastUse = clock
        if statements.updateValue(statement, forKey: text) == nil, statements.count > capacity { evictOlderHalf() }
        if sql.objects.isEmpty {
            let slot = slot(of: sql)
            // Of the two possible slots, an empty one or the less recently used one.
            put(Literal(sql, statement), lastUse(slot ^ 1) < lastUse(slot) ? slot ^ 1 : slot)
        }
        return statement
    }

    func removeAll() {
        for slot in literals.indices { put(nil, slot) }
        statements = [:]
    }

    private func statement(ofLiteral sql: borrowing SQL) -> Statement? {
        guard sql.objects.isEmpty else { return nil }
        let slot = slot(of: sql)
        return self.statement(of: sql, in: slot) ?? self.statement(of: sql, in: slot ^ 1)
    }

    private func statement(of sql: borrowing SQL, in slot: Int) -> Statement? {
        guard let literal = literals[slot] else { return nil }
        return literal._withUnsafeGuaranteedRef { matches($0, sql) ? $0.statement : nil }
    }

    private func put(_ literal: Literal?, _ slot: Int) {
        literals[slot]?.release()
        literals[slot] = literal.map(Unmanaged.passRetained)
    }

    private func lastUse(_ slot: Int) -> UInt64 {
        literals[slot]?.takeUnretainedValue().statement.lastUse ?? 0
    }

    private func matches(_ literal: Literal, _ sql: borrowing SQL) -> Bool {
        literal.pieces.withUnsafeBufferPointer { pieces in
            sql.parts.withUnsafeBufferPointer { parts in
                guard parts.count == pieces.count else { return false }
                var index = 0
                while index < parts.count, pieces[index].matches(parts[index]) { index += 1 }
                return index == parts.count
            }
        }
    }

    private func slot(of sql: borrowing SQL) -> Int {
        Int(truncatingIfNeeded: sql.literalHash >> (UInt.bitWidth - 9))
    }

    /// Evicts half of the statements, so that the cost of finding the oldest is amortised.
    private func evictOlderHalf() {
        let uses = statements.values.map(\.lastUse).sorted()
        let limit = uses[uses.count / 2]
        statements = statements.filter { $0.value.lastUse >= limit }
        for index in literals.indices {
            if lastUse(index) < limit { put(nil, index) }
        }
    }
}
