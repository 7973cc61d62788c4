internal import CSQLite

/// The compiled statements of one connection.
///
/// There are two levels. A small table finds the statement of a literal by the addresses of its pieces, without so much
/// as making its text; a dictionary by text stands behind it, which holds every statement and drops the one that was not
/// used for longest when it is full.
struct StatementCache {
    private var slots = ContiguousArray<Slot?>(repeating: nil, count: 256)
    private var statements: [String: Statement] = [:]
    private var clock: UInt64 = 0
    private let capacity: Int

    /// A literal's statement. Addresses of literals never change, and never stand for another text.
    private struct Slot {
        let pieces: ContiguousArray<Piece>
        let statement: Statement

        func matches(_ sql: borrowing SQL) -> Bool {
            guard sql.parts.count == pieces.count else { return false }
            var index = 0
            for part in sql.parts {
                guard pieces[index].matches(part) else { return false }
                index += 1
            }
            return true
        }
    }

    /// A piece of a literal: text by its address and length, or the place of a value.
    private struct Piece {
        let start: UnsafePointer<UInt8>?
        let count: Int

        init?(_ part: SQL.Part) {
            switch part {
            case .literal(let text):
                start = text.utf8Start
                count = text.utf8CodeUnitCount
            case .value:
                start = nil
                count = 0
            case .text, .argument, .failure: return nil
            }
        }

        func matches(_ part: SQL.Part) -> Bool {
            switch part {
            case .literal(let text): text.utf8Start == start && text.utf8CodeUnitCount == count
            case .value: start == nil
            case .text, .argument, .failure: false
            }
        }
    }

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    /// The statement of `sql`, made by `prepare` from its text if there is none yet.
    mutating func statement(for sql: borrowing SQL, prepare: (String) throws -> Statement) throws -> Statement {
        clock += 1
        let hash = Self.hash(sql)
        if let hash, let slot = slots[hash], slot.matches(sql) {
            slot.statement.lastUse = clock
            return slot.statement
        }
        let text = sql.text
        let statement = try statements[text] ?? prepare(text)
        statement.lastUse = clock
        if statements.updateValue(statement, forKey: text) == nil, statements.count > capacity { evict() }
        if let hash {
            slots[hash] = Slot(pieces: ContiguousArray(sql.parts.compactMap(Piece.init)), statement: statement)
        }
        return statement
    }

    /// Finalizes every statement.
    mutating func removeAll() {
        for index in slots.indices { slots[index] = nil }
        statements = [:]
    }

    /// Drops the older half, so that the search for them is paid once for many.
    private mutating func evict() {
        let uses = statements.values.map(\.lastUse).sorted()
        let limit = uses[uses.count / 2]
        statements = statements.filter { $0.value.lastUse >= limit }
        for index in slots.indices {
            if let slot = slots[index], slot.statement.lastUse < limit { slots[index] = nil }
        }
    }

    /// The slot of a literal, by the addresses of its pieces; nil for text made at run time.
    private static func hash(_ sql: borrowing SQL) -> Int? {
        var hash: UInt = 0
        for part in sql.parts {
            switch part {
            case .literal(let text): hash = (hash ^ UInt(bitPattern: text.utf8Start)) &* 0x9E37_79B9_7F4A_7C15
            case .value: break
            case .text, .argument, .failure: return nil
            }
        }
        return Int(truncatingIfNeeded: hash >> 56)
    }
}
