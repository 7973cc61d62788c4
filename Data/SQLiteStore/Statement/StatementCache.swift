/// The compiled statements of one connection.
///
/// There are two levels. A small table finds the statement of a literal by the addresses of its pieces, without so much
/// as making its text; a dictionary by text stands behind it, which holds every statement and drops those that were not
/// used for longest when it is full. Statements of very many parameters are not kept: each length of a list is another,
/// and large.
final class StatementCache {
    /// Unmanaged, because looking at one is then not counted; each slot holds one reference.
    private let literals = UnsafeMutableBufferPointer<Unmanaged<Literal>?>.allocate(capacity: 512)
    private var statements: [String: Statement] = [:]
    private var clock: UInt64 = 0
    private let capacity: Int
    /// Of how many parameters a statement is kept: some 100 bytes each.
    private static let maximumParameterCount = 500

    /// A literal and its statement.
    private final class Literal {
        let pieces: ContiguousArray<Piece>
        let statement: Statement

        init(_ sql: borrowing SQL, _ statement: Statement) {
            pieces = ContiguousArray(sql.parts.map(Piece.init))
            self.statement = statement
        }
    }

    /// A piece of a literal: text by its address and length, or the place of a value. Addresses of literals never change,
    /// and never stand for another text.
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

    /// The statement of `sql`, made by `prepare` from its text if there is none yet.
    func statement(for sql: borrowing SQL, prepare: (String) throws -> Statement) throws -> Statement {
        clock &+= 1
        if let statement = statement(ofLiteral: sql) {
            statement.lastUse = clock
            return statement
        }
        let text = sql.text
        let statement = try statements[text] ?? prepare(text)
        guard statement.parameterCount <= Self.maximumParameterCount else { return statement }
        statement.lastUse = clock
        if statements.updateValue(statement, forKey: text) == nil, statements.count > capacity { dropOlderHalf() }
        if sql.objects.isEmpty {
            let slot = slot(of: sql)
            // Of the two places that a literal may have, the one that is free, or was used less recently.
            put(Literal(sql, statement), lastUse(slot ^ 1) < lastUse(slot) ? slot ^ 1 : slot)
        }
        return statement
    }

    /// Finalizes every statement.
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

    /// When the literal in the slot was last run; never if there is none.
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

    /// By halves, so that the search for what to drop is paid once for many.
    private func dropOlderHalf() {
        let uses = statements.values.map(\.lastUse).sorted()
        let limit = uses[uses.count / 2]
        statements = statements.filter { $0.value.lastUse >= limit }
        for index in literals.indices {
            if lastUse(index) < limit { put(nil, index) }
        }
    }
}
