import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Damaged files", .takesTurns)
struct DamageTests {
    private static func schema(rows: Int) -> [Migration] {
        [
            Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY, y TEXT); CREATE INDEX t_y ON t (y)"),
            Migration(
                "rows",
                script: """
                    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(rows))
                    INSERT INTO t SELECT x, 'row number ' || x FROM n
                    """),
        ]
    }

    private static let schema = schema(rows: 200)

    /// Opens and reads the whole file, and returns the `SQLiteError`, if any; other errors fail the test.
    private func use(_ path: String, _ schema: [Migration] = schema) async throws -> SQLiteError? {
        do {
            let configuration = Database.Configuration().with { $0.execution = .inline }
            let database = try await Database.open(.file(path), configuration: configuration, migrations: schema)
            do {
                _ = try await database.integrityCheck()
                _ = try await database.read { db in
                    try db.fetchAll("SELECT x, y FROM t ORDER BY y") { row in (try row[0] as Int, try row[1] as String)
                    }
                }
                await database.close()
                return nil
            } catch {
                await database.close()
                throw error
            }
        } catch let error as SQLiteError {
            return error
        }
    }

    private func original(
        _ folder: String, _ schema: [Migration] = schema, pageSize: Int = 4096
    ) async throws -> Data {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in try db.execute("PRAGMA page_size = \(raw: String(pageSize))") }
        }
        let database = try await Database.open(
            .file(folder + "/original"), configuration: configuration, migrations: schema)
        try await database.checkpoint(.truncate)
        await database.close()
        return try Data(contentsOf: URL(filePath: folder + "/original"))
    }

    // SQLite treats a file of one byte as empty, because some file systems cannot lock an empty file.

    @Test(
        "a file that is not a database is rejected and left unchanged", arguments: [2, 15, 16, 100, 512, 4096, 100_000])
    func noDatabase(size: Int) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
            try content.write(to: URL(filePath: path))
            let error = await #expect(throws: SQLiteError.self) {
                try await Database.open(.file(path), migrations: Self.schema)
            }
            #expect(error?.code == .notADatabase)
            #expect(try Data(contentsOf: URL(filePath: path)) == content)
        }
    }

    @Test("a truncated file is an error and is left unchanged", arguments: [2, 100, 1000, 4096, 5000, 8192, 12_000])
    func truncated(size: Int) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let content = try await original(folder).prefix(size)
            try content.write(to: URL(filePath: path))
            let error = try await use(path)
            #expect(error.map { [.notADatabase, .corrupt].contains($0.code) } == true, "\(String(describing: error))")
            #expect(try Data(contentsOf: URL(filePath: path)) == content)
        }
    }

    /// The distance between two flipped bytes: 1 if `SQLITE_DAMAGE` is `all`, otherwise a prime.
    private static let step = ProcessInfo.processInfo.environment["SQLITE_DAMAGE"] == "all" ? 1 : 31

    @Test("a file with a flipped byte gives a result or an error, and is not written")
    func flipped() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            // Small pages, so that a small file has inner pages and leaves of tables and indexes.
            let schema = Self.schema(rows: 40)
            let content = try await original(folder, schema, pageSize: 512)
            #expect(content.count > 6 * 512 && content.count < 12 * 512)
            for position in stride(from: 0, to: content.count, by: Self.step) {
                var damaged = content
                damaged[position] ^= UInt8(truncatingIfNeeded: position &* 37 | 1)
                try damaged.write(to: URL(filePath: path))
                let error = try await use(path, schema)
                if error?.code == .notADatabase || error?.code == .corrupt {
                    #expect(try Data(contentsOf: URL(filePath: path)) == damaged, "byte \(position)")
                }
                for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
                    try FileManager.default.removeItem(atPath: path + suffix)
                }
            }
        }
    }
}
