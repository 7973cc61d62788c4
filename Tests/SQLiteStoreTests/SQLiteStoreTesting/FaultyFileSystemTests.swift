import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Faulty file systems", .takesTurns)
struct FaultyFileSystemTests {
    private func open(_ path: String, on files: FaultyFileSystem) async throws -> Database {
        let configuration = Database.Configuration().with {
            $0.fileSystem = files.name
            $0.execution = .inline
        }
        return try await Database.open(
            .file(path), configuration: configuration, migrations: [Migration("t", script: "CREATE TABLE t (x)")])
    }

    private func insert(_ database: Database) async -> SQLiteError.Code? {
        do {
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (1)") }
            return nil
        } catch {
            return (error as? SQLiteError)?.code
        }
    }

    @Test("a faulty file system works, fails while a fault is injected, and works again")
    func faults() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let files = FaultyFileSystem()
            let database = try await open(folder + "/db", on: files)
            #expect(await insert(database) == nil)
            #expect(files.callCount > 0)
            let codes: [FaultyFileSystem.Fault: SQLiteError.Code] = [
                .diskFull: .full, .shortWrite: .full, .ioError: .io, .readOnly: .readOnly,
            ]
            for (fault, code) in codes {
                files.fail(fault, atCall: 1)
                #expect(await insert(database) == code)
                #expect(files.failureCount > 0)
                files.recover()
                #expect(await insert(database) == nil)
            }
            await database.close()
        }
    }

    @Test("a fault that is not lasting occurs once")
    func once() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let files = FaultyFileSystem()
            let database = try await open(folder + "/db", on: files)
            files.fail(.ioError, atCall: 1, lasting: false)
            #expect(await insert(database) == .io)
            #expect(await insert(database) == nil)
            #expect(files.failureCount == 1)
            await database.close()
        }
    }
}
