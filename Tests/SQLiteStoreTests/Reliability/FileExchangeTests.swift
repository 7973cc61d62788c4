import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Files that are replaced while they are open", .takesTurns)
struct FileExchangeTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY, y TEXT)")]

    enum Accident: CaseIterable {
        case deleted, moved, exchanged, overwritten, cut, emptied

        var code: SQLiteError.Code { self == .emptied || self == .cut ? .corrupt : .replaced }
    }

    /// Creates a database with some rows, and an earlier copy of it.
    private func withDatabase(_ body: (_ database: Database, _ path: String, _ copy: String) async throws -> Void)
        async throws
    {
        try await withTemporaryFolder { (folder) async throws in
            let (path, copy) = (folder + "/db", folder + "/copy")
            let database = try await Database.open(.file(path), migrations: Self.schema)
            try await database.backup(to: copy)
            try await fill(database)
            try await database.checkpoint(.truncate)
            try await body(database, path, copy)
            await database.close()
        }
    }

    private func fill(_ database: Database) async throws {
        try await database.write { db in
            _ = try db.execute(
                """
                WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500)
                INSERT INTO t (y) SELECT hex(zeroblob(40)) FROM n
                """)
        }
    }

    private func count(_ database: Database) async throws -> Int? {
        try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
    }

    /// Uses another process, because this one would lose SQLite's locks.
    private func cause(_ accident: Accident, _ path: String, _ copy: String) throws {
        let command =
            switch accident {
            case .deleted: ["rm", path]
            case .moved: ["mv", path, path + "-moved"]
            case .exchanged: ["mv", copy, path]
            case .overwritten: ["cp", copy, path]
            case .cut: ["truncate", "-s", "4096", path]
            case .emptied: ["cp", "/dev/null", path]
            }
        let process = try Process.run(URL(filePath: "/usr/bin/env"), arguments: command)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(
        "a write to a file that was replaced, moved, deleted, overwritten or truncated is rejected",
        arguments: Accident.allCases)
    func writing(accident: Accident) async throws {
        try await withDatabase { database, path, copy in
            // Reads the current header.
            _ = try await database.write { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
            try cause(accident, path, copy)
            for _ in 0..<2 {
                let error = await #expect(throws: SQLiteError.self) { try await fill(database) }
                #expect(error?.code == accident.code)
                #expect(error?.message.contains(path) == true)
            }
        }
    }

    @Test(
        "reads of a file that was replaced, moved, deleted, overwritten or truncated soon throw",
        arguments: Accident.allCases)
    func reading(accident: Accident) async throws {
        try await withDatabase { database, path, copy in
            _ = try await database.write { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
            try cause(accident, path, copy)
            let error = await #expect(throws: SQLiteError.self) {
                while true {
                    _ = try await count(database)
                    try Task.checkCancellation()
                }
            }
            #expect(error?.code == accident.code)
        }
    }

    @Test("an observation fails when its path leads to another file")
    func health() async throws {
        try await withDatabase { database, path, copy in
            let observation = database.observe(Int.self, "SELECT COUNT(*) FROM t")
            var values = observation.makeAsyncIterator()
            #expect(try await values.next() == [500])
            try cause(.exchanged, path, copy)
            let error = await #expect(throws: SQLiteError.self) { try await values.next() }
            #expect(error?.code == .replaced)
            guard case .failed(let reason as SQLiteError) = observation.health else {
                Issue.record("the health is \(observation.health)")
                return
            }
            #expect(reason.code == .replaced)
        }
    }

    @Test("writes, checkpoints and vacuums of others do not count as a replacement")
    func others() async throws {
        try await withDatabase { database, path, _ in
            let other = try await Database.open(.file(path), migrations: Self.schema)
            for round in 2...6 {
                try await fill(round.isMultiple(of: 2) ? other : database)
                try await other.checkpoint(.truncate)
                if round == 3 { try await other.vacuum() }
                #expect(
                    try await database.write { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == round
                        * 500)
            }
            await other.close()
        }
    }
}
