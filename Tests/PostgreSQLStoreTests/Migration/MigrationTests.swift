#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

@Suite("PostgreSQL migrations", .needsServer, .limitedConcurrency)
struct MigrationTests {
    private static let first = Migration("first", script: "CREATE TABLE t (x integer)")
    private static let second = Migration("second", revision: "1") { (db) throws in
        try db.execute("INSERT INTO t VALUES (\(1))")
    }

    private func values(_ location: Database.Location, _ migrations: [Migration]) async throws -> [Int] {
        let database = try await Database.open(location, migrations: migrations)
        let values = try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t ORDER BY x") }
        await database.close()
        return values
    }

    @Test("each migration runs once, in order")
    func once() async throws {
        try await withTemporarySchema { (location) async throws in
            #expect(try await values(location, [Self.first]) == [])
            #expect(try await values(location, [Self.first, Self.second]) == [1])
            #expect(try await values(location, [Self.first, Self.second]) == [1])
            #expect(try await values(location, []) == [1])
        }
    }

    @Test("a merged migration counts as applied where all of its parts are, and runs elsewhere", arguments: [0, 1, 2])
    func merging(applied: Int) async throws {
        try await withTemporarySchema { (location) async throws in
            let merged = [
                Migration(
                    "both", merging: ["first", "second"], script: "CREATE TABLE t (x integer); INSERT INTO t VALUES (1)"
                ),
                Migration("third", script: "INSERT INTO t VALUES (3)"),
            ]
            try await Database.open(location, migrations: Array([Self.first, Self.second].prefix(applied))).close()
            if applied == 1 {
                let error = await #expect(throws: PostgreSQLError.self) { _ = try await values(location, merged) }
                #expect(error?.code == .migrationChanged)
                return
            }
            for _ in 1...2 { #expect(try await values(location, merged) == [1, 3]) }
        }
    }

    @Test("an edited, renamed, removed or unknown migration is an error, and nothing is changed")
    func changed() async throws {
        try await withTemporarySchema { (location) async throws in
            _ = try await values(location, [Self.first, Self.second])
            let edited = Migration("first", script: "CREATE TABLE t (x integer )")
            let cases: [([Migration], PostgreSQLError.Code)] = [
                ([edited, Self.second], .migrationChanged), ([Self.second, Self.first], .migrationChanged),
                ([Self.first], .databaseIsNewer),
                ([Self.first, Migration("second", revision: "2") { _ in }], .migrationChanged),
            ]
            for (migrations, code) in cases {
                let error = await #expect(throws: PostgreSQLError.self) {
                    _ = try await values(location, migrations)
                }
                #expect(error?.code == code)
            }
            #expect(try await values(location, [Self.first, Self.second]) == [1])
        }
    }

    @Test("a failing migration keeps the preceding ones, and leaves nothing of its own")
    func failing() async throws {
        try await withTemporarySchema { (location) async throws in
            let failing = Migration("failing", script: "CREATE TABLE u (x integer); SELECT 1 / 0")
            await #expect(throws: PostgreSQLError.self) { _ = try await values(location, [Self.first, failing]) }
            let fixed = Migration("failing", script: "CREATE TABLE u (x integer)")
            #expect(try await values(location, [Self.first, fixed]) == [])
        }
    }

    @Test("of many that open a database at the same time, one runs each migration and the others wait")
    func concurrently() async throws {
        try await withTemporarySchema { (location) async throws in
            let migrations =
                [Self.first]
                + (1...5).map { number in
                    Migration(
                        "insert \(number)", script: "INSERT INTO t VALUES (\(number)); SELECT pg_sleep(0.005)")
                }
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<8 { group.addTask { () async throws in try await values(location, migrations) } }
                for try await found in group { #expect(found == [1, 2, 3, 4, 5]) }
            }
        }
    }

    @Test("two processes that open a database at the same time run each migration once")
    func processes() async throws {
        let server = try await PostgreSQLServer.shared
        try await withTemporarySchema { (location) async throws in
            let admin = try await Database.open(location)
            let schema =
                try await admin.read { db in try db.fetchOne(String.self, "SELECT current_schema()") } ?? ""
            await admin.close()
            let folder = server.folder ?? ""
            try #require(!folder.isEmpty || !PostgreSQLServer.isOwned)
            async let mine: Void = Self.migrate(location)
            await #expect(processExitsWith: .success) { [folder = folder as String, schema = schema as String] in
                let server = try await Self.location(folder: folder)
                try await Self.migrate(server.inSchema(schema))
            }
            try await mine
            #expect(try await values(location, Self.many) == Array(0..<20))
        }
    }

    /// The location of the server in `folder`, or of the engine in the environment.
    private static func location(folder: String) async throws -> Database.Location {
        if folder.isEmpty { return try await PostgreSQLServer.shared.location }
        return .parameters(["host": folder, "user": "postgres", "dbname": "postgres"])
    }

    private static let many =
        [first]
        + (0..<20).map { Migration("\($0)", script: "INSERT INTO t VALUES (\($0)); SELECT pg_sleep(0.002)") }

    private static func migrate(_ location: Database.Location) async throws {
        let database = try await Database.open(location, migrations: many)
        await database.close()
    }
}
#endif
