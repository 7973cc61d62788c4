import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Faults of the file system", .takesTurns)
struct FaultTests {
    private static let schema = [
        Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY, y BLOB); CREATE INDEX t_y ON t (y)"),
        Migration("old", script: "INSERT INTO t VALUES (1, zeroblob(3000)), (2, zeroblob(3000))"),
    ]

    /// The distance between two failing calls: 1 if `SQLITE_FAULTS` is `all`.
    private static let step = ProcessInfo.processInfo.environment["SQLITE_FAULTS"] == "all" ? 1 : 5

    private static let old = [1, 2]
    private static let new = [2, 3, 4, 5]

    private static func change(_ db: Connection) throws {
        try db.execute("DELETE FROM t WHERE x = 1")
        for x in 3...5 { try db.execute("INSERT INTO t VALUES (\(x), \([UInt8](repeating: UInt8(x), count: 9000)))") }
    }

    private func rows(_ path: String) async throws -> [Int] {
        let database = try await Database.open(.file(path), migrations: Self.schema)
        let problems = try await database.integrityCheck()
        #expect(problems == [])
        let rows = try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t ORDER BY x") }
        await database.close()
        return rows
    }

    @Test(
        "whichever call of a transaction fails, the file is in the old or the new state",
        arguments: FaultyFileSystem.Fault.allCases, [true, false])
    func everyCall(fault: FaultyFileSystem.Fault, lasting: Bool) async throws {
        let files = FaultyFileSystem()
        let configuration = Database.Configuration().with {
            $0.fileSystem = files.name
            $0.execution = .inline
        }
        var (failed, succeeded) = (0, 0)
        for call in stride(from: 1, through: 400, by: Self.step) {
            let isOver = try await withTemporaryFolder { (folder) async throws -> Bool in
                let path = folder + "/db"
                let database = try await Database.open(
                    .file(path), configuration: configuration, migrations: Self.schema)
                files.fail(fault, atCall: call, lasting: lasting)
                var isAcknowledged = false
                do {
                    try await database.write { db in try Self.change(db) }
                    isAcknowledged = true
                    // The checkpoint meets the fault, too.
                    try await database.checkpoint(.truncate)
                } catch let error as SQLiteError {
                    #expect([.full, .io, .readOnly, .cannotOpen].contains(error.code), "\(error)")
                }
                let isOver = files.failureCount == 0
                files.recover()
                // The same database works again after the fault.
                let state = try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t ORDER BY x") }
                #expect(state == (isAcknowledged ? Self.new : Self.old) || (!isAcknowledged && state == Self.new))
                await database.close()
                let rows = try await rows(path)
                #expect(rows == state)
                if isAcknowledged { succeeded += 1 } else { failed += 1 }
                return isOver
            }
            if isOver { break }
        }
        #expect(failed > 0)
        #expect(succeeded > 0)
    }

    @Test("a fault while opening is an error, and opening again works", arguments: FaultyFileSystem.Fault.allCases)
    func opening(fault: FaultyFileSystem.Fault) async throws {
        let files = FaultyFileSystem()
        let configuration = Database.Configuration().with {
            $0.fileSystem = files.name
            $0.execution = .inline
        }
        for call in stride(from: 1, through: 400, by: Self.step) {
            let isOver = try await withTemporaryFolder { (folder) async throws -> Bool in
                let path = folder + "/db"
                files.fail(fault, atCall: call)
                do {
                    let database = try await Database.open(
                        .file(path), configuration: configuration, migrations: Self.schema)
                    await database.close()
                } catch let error as SQLiteError {
                    #expect([.full, .io, .readOnly, .cannotOpen].contains(error.code), "\(error)")
                }
                let isOver = files.failureCount == 0
                files.recover()
                #expect(try await rows(path) == Self.old)
                return isOver
            }
            if isOver { break }
        }
    }
}
