import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing

@Suite("Commits by others", .limitedConcurrency)
struct ExternalChangesTests {
    private static let schema = [
        Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY); CREATE TABLE mine (x)")
    ]

    private static let configuration = Database.Configuration().with {
        $0.synchronous = .normal
        $0.externalChangeInterval = .milliseconds(5)
    }

    /// Opens two databases on one file, of which the first is observed.
    private func withTwo(
        _ configuration: Database.Configuration = configuration,
        _ body: (_ observed: Database, _ other: Database, _ folder: String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = Database.Location.file(folder + "/db")
            let observed = try await Database.open(path, configuration: configuration, migrations: Self.schema)
            let other = try await Database.open(path, configuration: configuration, migrations: Self.schema)
            try await body(observed, other, folder)
            await observed.close()
            await other.close()
        }
    }

    @Test("a commit by another is observed while the own writer is always busy")
    func busyWriter() async throws {
        try await withTwo { observed, other, _ in
            var values = observed.observe(Int.self, "SELECT x FROM t").makeAsyncIterator()
            #expect(try await values.next() == [])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        while !Task.isCancelled {
                            try? await observed.write { db in _ = try db.execute("INSERT INTO mine VALUES (1)") }
                        }
                    }
                }
                for x in 1...5 {
                    try await other.write { db in _ = try db.execute("INSERT INTO t VALUES (\(x))") }
                    #expect(try await values.next() == Array(1...x))
                }
                group.cancelAll()
            }
        }
    }

    @Test("a commit by another is observed while an access occupies the own writer")
    func occupiedWriter() async throws {
        try await withTwo { observed, other, _ in
            var values = observed.observe(Int.self, "SELECT x FROM t").makeAsyncIterator()
            #expect(try await values.next() == [])
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let semaphore = DispatchSemaphore(value: 0)
            let access = Task.detached {
                try await observed.writeWithoutTransaction { _ in
                    end.yield()
                    semaphore.wait()
                }
            }
            var beginnings = ends.makeAsyncIterator()
            await beginnings.next()
            try await other.write { db in _ = try db.execute("INSERT INTO t VALUES (1)") }
            #expect(try await values.next() == [1])
            semaphore.signal()
            try await access.value
        }
    }

    @Test("a commit by another to an attached database is observed")
    func attached() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let other = try await Database.open(.file(folder + "/archive"), migrations: Self.schema)
            let configuration = Self.configuration.with { $0.attached = ["archive": folder + "/archive"] }
            let observed = try await Database.open(.file(folder + "/db"), configuration: configuration)
            var values = observed.observe(Int.self, "SELECT x FROM archive.t").makeAsyncIterator()
            #expect(try await values.next() == [])
            try await other.write { db in _ = try db.execute("INSERT INTO t VALUES (1)") }
            #expect(try await values.next() == [1])
            await observed.close()
            await other.close()
        }
    }

    @Test("own commits and rollbacks do not count as changes by others")
    func ownCommits() async throws {
        struct Undone: Error {}
        let configuration = Self.configuration.with { $0.externalChangeInterval = .milliseconds(1) }
        try await withTwo(configuration) { observed, _, _ in
            let observation = observed.observe(Int.self, "SELECT x FROM t")
            var values = observation.makeAsyncIterator()
            #expect(try await values.next() == [])
            for _ in 0..<100 {
                try await observed.write { db in _ = try db.execute("INSERT INTO mine VALUES (1)") }
                try await observed.write { db in _ = try db.execute("DELETE FROM mine WHERE x = 2") }
                try? await observed.write { db in
                    try db.execute("INSERT INTO t VALUES (1)")
                    throw Undone()
                }
                #expect(!observation.isStale)
            }
        }
    }

    @Test("monitoring resumes when a query is observed again")
    func pause() async throws {
        try await withTwo { observed, other, _ in
            for x in 1...3 {
                var values = observed.observe(Int.self, "SELECT x FROM t").makeAsyncIterator()
                #expect(try await values.next() == Array(1..<x))
                try await other.write { db in _ = try db.execute("INSERT INTO t VALUES (\(x))") }
                #expect(try await values.next() == Array(1...x))
            }
        }
    }
}
