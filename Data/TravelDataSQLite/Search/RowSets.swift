internal import SQLiteStore

/// Sets of row IDs, stored in the table `row_set`.
///
/// A search needs the rows that are in one set of each of several groups, for example in one of two regions, in one
/// season, and in the sets of all characters of a keyword:
///
/// ```swift
/// try RowSets.apply([RowSets.Change(row: 7, joins: [busan, summer])], db)
/// try RowSets.rows(in: 0, ofEach: [[busan, jeju], [summer]], db).rows    // [7]
/// ```
///
/// Row IDs are divided into blocks of 32,000. Each set has one record for each block in which it has members: a list of
/// them if they are few, otherwise a bitmap of 4,000 bytes, which fits in a page. A row that joins or leaves a set
/// therefore writes one page, however many rows there are. The records of a block are adjacent, so that new rows write
/// to the end of the table, and a search that needs one block reads only that part.
///
/// A removed row joins the set of removed rows of its block, and leaves its other sets when a later removal cleans up
/// their records, a bounded number at a time, so that removing many rows does not write the whole table. Until then it
/// is in the results: the reader finds no such row. Row IDs must therefore not be reused.
///
/// The format is part of the file format; changing it requires a migration.
enum RowSets {
    /// The number of a set, below 2⁴³.
    typealias Number = Int64

    /// The sets that a row joins and leaves. A set in both lists keeps the row.
    struct Change {
        let row: Int64
        var leaves: [Number] = []
        var joins: [Number] = []
    }

    static func block(of row: Int64) -> Int64 { row / Int64(RowBlock.size) }

    /// Stores that rows join and leave sets. Writes no set that stays the same.
    static func apply(_ changes: [Change], _ db: Connection) throws {
        for (block, changes) in Dictionary(grouping: changes, by: { block(of: $0.row) }).sorted(by: { $0.key < $1.key })
        {
            var steps: [Number: [(row: Int64, isMember: Bool)]] = [:]
            for change in changes {
                for set in change.leaves { steps[set, default: []].append((change.row, false)) }
                for set in change.joins { steps[set, default: []].append((change.row, true)) }
            }
            let records = try db.withStatement(select) { record in
                try steps.sorted { $0.key < $1.key }.compactMap { set, steps -> (key: Int64, bytes: [UInt8])? in
                    var rows = RowBlock(block)
                    try read(key(of: set, block), into: &rows, &record)
                    var isChanged = false
                    for step in steps where rows.contains(step.row) != step.isMember {
                        rows.set(step.row, isMember: step.isMember)
                        isChanged = true
                    }
                    return isChanged ? (key: key(of: set, block), bytes: rows.bytes) : nil
                }
            }
            try write(records, db)
        }
    }

    /// The rows of a block that are in at least one set of each of `groups`, and in `rows` unless that is `nil`, and all
    /// rows that are in the set `other`; possibly with removed rows.
    static func rows(
        in block: Int64, ofEach groups: [[Number]], within rows: RowBlock? = nil, or other: Number? = nil,
        _ db: Connection
    ) throws -> RowBlock {
        var rows = rows
        // Compiled once: there are about 30 sets in a search.
        try db.withStatement(select) { record in
            for group in groups where rows?.isEmpty != true {
                var union = RowBlock(block)
                for set in group { try read(key(of: set, block), into: &union, &record) }
                rows?.formIntersection(union)
                rows = rows ?? union
            }
            if let other {
                var union = rows ?? RowBlock(block)
                try read(key(of: other, block), into: &union, &record)
                rows = union
            }
        }
        return rows ?? RowBlock(block)
    }

    // MARK: Removed rows

    /// Removes rows from all sets, eventually.
    static func remove(_ rows: [Int64], _ db: Connection) throws {
        guard !rows.isEmpty else { return }
        try apply(rows.map { Change(row: $0, joins: [removed]) }, db)
        // A removed row stays in its sets until a quarter as many rows have been removed as there are records.
        try cleanUp(atMost: min(rows.count * 4, 512), db)
    }

    /// Deletes removed rows from the next records. `row_set_cleaned` has the key of the last.
    static func cleanUp(atMost count: Int, _ db: Connection) throws {
        let last = try db.fetchOne(Int64.self, "SELECT key FROM row_set_cleaned") ?? -1
        var (next, read): (Int64, Int) = (-1, 0)
        var gone = RowBlock(-1)
        var records: [(key: Int64, bytes: [UInt8])] = []
        let some: SQL = "SELECT key, rows FROM row_set WHERE key > \(last) ORDER BY key LIMIT \(count)"
        try db.forEach(some) { row in
            next = try row[0]
            read += 1
            let block = next >> 43
            if gone.block != block { gone = try rows(in: block, ofEach: [[removed]], db) }
            guard next & (1 << 43 - 1) != removed, !gone.isEmpty else { return }
            var rows = RowBlock(block)
            try add(row, 1, to: &rows)
            let count = rows.count
            rows.subtract(gone)
            if rows.count < count { records.append((next, rows.bytes)) }
        }
        try write(records, db)
        // After the last record, the first is next.
        try db.execute("UPDATE row_set_cleaned SET key = \(read < count ? -1 : next)")
    }

    /// The number of the set of removed rows.
    private static let removed: Number = 63

    // MARK: Records

    private static func key(of set: Number, _ block: Int64) -> Int64 { block << 43 | set }

    private static let select: SQL = "SELECT rows FROM row_set WHERE key = ?"

    private static func read(_ key: Int64, into rows: inout RowBlock, _ record: inout PreparedStatement) throws {
        try record.forEach(key) { row in try add(row, 0, to: &rows) }
    }

    /// Adds the rows of a record in a column.
    private static func add(_ row: borrowing Row, _ column: Int, to rows: inout RowBlock) throws {
        try row.withColumn(column) { try $0.withBlobBytes { rows.formUnion(UnsafeRawBufferPointer($0)) } }
    }

    /// Writes records in the order of their keys; deletes the empty ones.
    private static func write(_ records: [(key: Int64, bytes: [UInt8])], _ db: Connection) throws {
        try db.execute(
            "INSERT INTO row_set (key, rows) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET rows = excluded.rows",
            forEach: records.lazy.filter { !$0.bytes.isEmpty }
        ) { record, values in
            try values.bind(record.key, record.bytes)
        }
        let empty = records.lazy.filter { $0.bytes.isEmpty }
        try db.execute("DELETE FROM row_set WHERE key = ?", forEach: empty) { try $1.bind($0.key) }
    }
}

/// The members of a set among the row IDs of one block.
struct RowBlock {
    /// The number of row IDs in a block.
    static let size = 32_000
    /// The size of a bitmap in bytes. A shorter record is a list of places, with two bytes each.
    private static let bitmapSize = size / 8

    let block: Int64
    /// Loops read and write them through pointers: without checks of bounds and sharing, optimised code uses vector
    /// instructions, and code for debugging is thirty times as fast.
    private var words = [UInt64](repeating: 0, count: size / 64)

    init(_ block: Int64) { self.block = block }

    var isEmpty: Bool {
        words.withUnsafeBufferPointer { words in
            for word in words.indices where words[word] != 0 { return false }
            return true
        }
    }

    var count: Int {
        words.withUnsafeBufferPointer { words in
            var count = 0
            for word in words.indices { count += words[word].nonzeroBitCount }
            return count
        }
    }

    var rows: [Int64] {
        var rows: [Int64] = []
        forEachPlace { rows.append(block * Int64(Self.size) + Int64($0)) }
        return rows
    }

    func contains(_ row: Int64) -> Bool {
        let place = Int(row - block * Int64(Self.size))
        return words[place >> 6] & 1 << UInt64(place & 63) != 0
    }

    mutating func formIntersection(_ other: RowBlock) {
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { other in
                for word in words.indices { words[word] &= other[word] }
            }
        }
    }

    mutating func formUnion(_ other: RowBlock) {
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { other in
                for word in words.indices { words[word] |= other[word] }
            }
        }
    }

    mutating func subtract(_ other: RowBlock) {
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { other in
                for word in words.indices { words[word] &= ~other[word] }
            }
        }
    }

    mutating func set(_ row: Int64, isMember: Bool) { set(Int(row - block * Int64(Self.size)), isMember: isMember) }

    /// Adds or removes the row at a place in the block.
    private mutating func set(_ place: Int, isMember: Bool) {
        let bit = 1 << UInt64(place & 63) as UInt64
        if isMember { words[place >> 6] |= bit } else { words[place >> 6] &= ~bit }
    }

    /// Adds the rows of a stored record.
    mutating func formUnion(_ bytes: UnsafeRawBufferPointer) {
        words.withUnsafeMutableBufferPointer { words in
            if bytes.count == Self.bitmapSize {
                for word in words.indices {
                    words[word] |= UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
                }
            } else {
                for index in 0..<bytes.count / 2 {
                    let place = Int(
                        UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)))
                    // A place outside of the block is damage, which must not end the process.
                    if place < Self.size { words[place >> 6] |= 1 << UInt64(place & 63) }
                }
            }
        }
    }

    /// The record to store.
    var bytes: [UInt8] {
        let count = count
        guard count * 2 < Self.bitmapSize else {
            return words.map(\.littleEndian).withUnsafeBytes { Array($0) }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 2)
        forEachPlace { place in
            bytes.append(UInt8(place & 0xFF))
            bytes.append(UInt8(place >> 8))
        }
        return bytes
    }

    private func forEachPlace(_ body: (Int) -> Void) {
        words.withUnsafeBufferPointer { words in
            for word in words.indices {
                var rest = words[word]
                while rest != 0 {
                    body(word << 6 + rest.trailingZeroBitCount)
                    rest &= rest - 1
                }
            }
        }
    }
}
