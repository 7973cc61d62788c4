import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing
import TravelSamples

@testable import TravelDataSQLite

@Suite("Sets of rows", .limitedConcurrency)
struct RowSetsTests {
    /// Sets by number, and the removed rows, as plain Swift values.
    private struct Model {
        var sets: [Int64: Set<Int64>] = [:]
        var removed: Set<Int64> = []

        /// The rows in each of the groups, by block.
        func rows(ofEach groups: [[Int64]]) -> [Int64: [Int64]] {
            let unions = groups.map { group in group.reduce(into: Set<Int64>()) { $0.formUnion(sets[$1] ?? []) } }
            let all = unions.dropFirst().reduce(unions[0]) { $0.intersection($1) }.subtracting(removed)
            return Dictionary(grouping: all.sorted(), by: RowSets.block)
        }
    }

    private func withSets(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.write { try body($0) }
        }
    }

    @Test(
        "rows that join and leave agree with plain sets, in every block, apart from removed rows",
        arguments: 0..<3 as Range<UInt64>
    )
    func agreesWithPlainSets(seed: UInt64) async throws {
        try await withSets { db in
            var (random, model) = (SplitMix64(state: seed), Model())
            // The first set is a list, the second and the third are bitmaps; the last number is the greatest possible.
            let numbers: [Int64] = [0, 7, 62, 1 << 43 - 1]
            for step in 0..<12 {
                let rows = (0..<[1, 3, 2_500][step % 3]).map { _ in Int64(random.index(below: 70_000)) }
                let changes = Set(rows).subtracting(model.removed).map { row in
                    let joins = numbers.filter { _ in random.index(below: 3) > 0 }
                    return RowSets.Change(row: row, leaves: numbers.filter { !joins.contains($0) }, joins: joins)
                }
                try RowSets.apply(changes, db)
                for change in changes {
                    for set in change.leaves { model.sets[set]?.remove(change.row) }
                    for set in change.joins { model.sets[set, default: []].insert(change.row) }
                }
                let gone = model.sets[7]?.subtracting(model.removed).filter { _ in random.index(below: 9) == 0 } ?? []
                try RowSets.remove(Array(gone), db)
                model.removed.formUnion(gone)
                for groups in [[[0]], [[7], [62]], [[0, 1 << 43 - 1], [7]], [[5]], [[5, 7], [0], [62]]] as [[[Int64]]] {
                    let rows = model.rows(ofEach: groups)
                    for block in 0...3 as ClosedRange<Int64> {
                        let found = try RowSets.rows(in: block, ofEach: groups, db)
                        let expected = rows[block, default: []]
                        let left = Set(found.rows).subtracting(model.removed).sorted()
                        #expect(left == expected)
                        #expect(found.count == found.rows.count)
                        #expect(expected.prefix(9).allSatisfy(found.contains))
                    }
                }
            }
        }
    }

    @Test("a set is a list up to 1,999 rows of a block, a bitmap above, and has no record when it is empty")
    func records() async throws {
        try await withSets { db in
            func sizes() throws -> [Int] { try db.fetchAll(Int.self, "SELECT length(rows) FROM row_set ORDER BY key") }
            let rows = Array(32_000..<34_000 as Range<Int64>)
            try RowSets.apply(rows.dropLast().map { RowSets.Change(row: $0, joins: [9]) }, db)
            #expect(try sizes() == [3_998])
            try RowSets.apply([RowSets.Change(row: rows[1_999], joins: [9])], db)
            #expect(try sizes() == [4_000])
            #expect(try RowSets.rows(in: 1, ofEach: [[9]], db).rows == rows)
            try RowSets.apply(rows.map { RowSets.Change(row: $0, leaves: [9]) }, db)
            #expect(try sizes() == [])
        }
    }

    @Test("a row that leaves and joins a set in one change is in it")
    func bothAtOnce() async throws {
        try await withSets { db in
            try RowSets.apply([RowSets.Change(row: 5, leaves: [9], joins: [9])], db)
            #expect(try RowSets.rows(in: 0, ofEach: [[9]], db).rows == [5])
        }
    }

    @Test("removed rows leave the records of their sets as others are removed, at most 512 records at a time")
    func cleaningUp() async throws {
        try await withSets { db in
            let rows = Array(1...300 as ClosedRange<Int64>)
            try RowSets.apply(rows.map { row in RowSets.Change(row: row, joins: [1, 2, 100 + row]) }, db)
            func records() throws -> Int { try db.fetchOne(Int.self, "SELECT count(*) FROM row_set") ?? 0 }
            #expect(try records() == 302)
            try RowSets.remove(Array(rows.prefix(299)), db)
            // The sets 1, 2 and 400, and the set of removed rows.
            #expect(try records() == 4)
            let left = try db.fetchAll([UInt8].self, "SELECT rows FROM row_set WHERE key IN (1, 2, 400)")
            #expect(left == [[44, 1], [44, 1], [44, 1]])

            try RowSets.apply(
                (301...2_000 as ClosedRange<Int64>).map { RowSets.Change(row: $0, joins: [1_000 + $0]) }, db)
            let before = try records()
            try RowSets.remove(Array(301...2_000 as ClosedRange<Int64>), db)
            #expect(try before - records() <= 512)
            for row in 1...10 as ClosedRange<Int64> { try RowSets.remove([40_000 + row], db) }
            #expect(try records() <= before - 512 - 10 * 3)
        }
    }

    @Test(
        "damaged records do not end the process",
        arguments: [[1], [1, 2, 3], [255, 255, 7, 0], Array(repeating: 255, count: 4_000)])
    func damage(bytes: [UInt8]) async throws {
        try await withSets { db in
            try db.execute("PRAGMA ignore_check_constraints = ON")
            try db.execute("INSERT INTO row_set VALUES (9, \(bytes))")
            try db.execute("PRAGMA ignore_check_constraints = OFF")
            let rows = try RowSets.rows(in: 0, ofEach: [[9]], db).rows
            #expect(rows.allSatisfy { (0..<32_000).contains($0) })
        }
    }
}
