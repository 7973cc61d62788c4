#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

@Suite("PostgreSQL statements", .needsServer, .limitedConcurrency)
struct StatementTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x integer, y text)")]

    private func configuration(_ change: (inout Database.Configuration) -> Void) -> Database.Configuration {
        Database.Configuration().with {
            $0.connectionCount = 1
            change(&$0)
        }
    }

    private static let preparedCount: SQL = "SELECT COUNT(*) FROM pg_prepared_statements"

    @Test("a statement is prepared once, and the least recently used ones are evicted")
    func cache() async throws {
        let configuration = configuration { $0.statementCacheCapacity = 10 }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            try await database.read { (db) throws in
                for x in 0..<100 { #expect(try db.fetchOne(Int.self, "SELECT \(x)::int") == x) }
                #expect(try db.fetchOne(Int.self, Self.preparedCount) == 2)
                for x in 0..<100 {
                    #expect(try db.fetchOne(Int.self, "SELECT \(x)::int + \(raw: "\(x)")") == 2 * x)
                }
                let count = try db.fetchOne(Int.self, Self.preparedCount) ?? 0
                #expect((5...11).contains(count))
            }
        }
    }

    @Test("without prepared statements, and for statements planned for each run, the server keeps none")
    func unprepared() async throws {
        for prepares in [true, false] {
            let configuration = configuration { $0.preparesStatements = prepares }
            try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) {
                (database) async throws in
                let before =
                    prepares ? try await database.read { db in try db.fetchOne(Int.self, Self.preparedCount) } : 0
                try await database.write { (db) throws in
                    for x in 0..<10 {
                        let insert: SQL = "INSERT INTO t VALUES (\(x), \("a"))"
                        try db.execute(insert.planned(.custom))
                    }
                    #expect(try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") == 10)
                }
                let after = try await database.read { db in try db.fetchOne(Int.self, Self.preparedCount) }
                #expect((after ?? 0) - (before ?? 0) <= (prepares ? 2 : 0))
            }
        }
    }

    @Test("the server plans each statement in the way that it asks for, also after others in the transaction")
    func plans() async throws {
        func count(_ offset: Int) -> SQL { "SELECT \(offset)::int + x FROM generate_series(1, 3) AS x" }
        let (often, once): (SQL, SQL) = (count(1) + " /* often */", count(1) + " /* once */")
        try await withTemporaryDatabase(configuration: configuration { _ in }) { (database) async throws in
            let plans = try await database.read { (db) throws in
                guard try db.fetchOne(Int.self, "SELECT current_setting('server_version_num')::int") ?? 0 >= 140_000
                else { return [(generic: 3, custom: 0), (generic: 0, custom: 3)] }
                for _ in 1...3 {
                    #expect(try db.fetchAll(Int.self, once.planned(.generic)) == [2, 3, 4])
                    #expect(try db.fetchAll(Int.self, often) == [2, 3, 4])
                }
                return try db.fetchAll(
                    """
                    SELECT generic_plans, custom_plans FROM pg_prepared_statements
                    WHERE statement LIKE 'SELECT $1::int + x%' ORDER BY statement DESC
                    """
                ) { row in (generic: try row[0] as Int, custom: try row[1] as Int) }
            }
            #expect(plans.map(\.generic) == [3, 0])
            #expect(plans.map(\.custom) == [0, 3])
        }
    }

    @Test("a savepoint that is rolled back leaves the way in which the server plans as it was before")
    func plansAfterSavepoint() async throws {
        struct Failure: Error {}
        let mode: SQL = "SELECT current_setting('plan_cache_mode')"
        try await withTemporaryDatabase(configuration: configuration { _ in }) { (database) async throws in
            try await database.write { (db) throws in
                #expect(try db.fetchOne(String.self, mode) == "auto")
                #expect(throws: Failure.self) {
                    try db.transaction {
                        #expect(try db.fetchOne(String.self, mode.planned(.generic)) == "force_generic_plan")
                        throw Failure()
                    }
                }
                #expect(try db.fetchOne(String.self, mode.planned(.generic)) == "force_generic_plan")
                var modes: [String] = []
                try db.forEach(mode) { row in modes.append(try row[0]) }
                #expect(modes == ["auto"])
            }
            #expect(try await database.read { db in try db.fetchOne(String.self, mode) } == "auto")
            #expect(
                try await database.writeWithoutTransaction { db in
                    try db.fetchOne(String.self, mode.planned(.generic))
                } == "auto")
        }
    }

    @Test("a change of the schema between two runs is noticed, within a transaction and without one")
    func schemaChange() async throws {
        try await withTemporaryDatabase(configuration: configuration { _ in }, migrations: Self.schema) {
            (database) async throws in
            let other = try await Database.open(database.location)
            let select: SQL = "SELECT * FROM t"
            try await database.write { db in try db.execute("INSERT INTO t VALUES (1, 'a')") }
            for number in 1...3 {
                let columns = { @Sendable (db: Connection) in
                    try db.fetchOne(select) { row in row.columnCount }
                }
                #expect(try await database.read(columns) == 1 + number)
                try await other.write { (db) throws in
                    try db.execute("ALTER TABLE t ADD COLUMN \(identifier: "c\(number)") int")
                }
                #expect(
                    try await (number == 1 ? database.read(columns) : database.writeWithoutTransaction(columns))
                        == 2 + number)
            }
            await other.close()
        }
    }

    @Test("a statement takes values of the types that the server has changed its parameters to")
    func changedTypes() async throws {
        let schema = [Migration("t", script: "CREATE TABLE t (x int)")]
        try await withTemporaryDatabase(configuration: configuration { _ in }, migrations: schema) {
            (database) async throws in
            let other = try await Database.open(database.location)
            let insert = { @Sendable (db: Connection, x: Int) in _ = try db.execute("INSERT INTO t VALUES (\(x))") }
            let count = { @Sendable (db: Connection, x: Int) in
                try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t WHERE x = \(x)")
            }
            try await database.write { db in try insert(db, 1) }
            #expect(try await database.read { db in try count(db, 1) } == 1)
            // A value that the type does not admit stays an error.
            await #expect(throws: PostgreSQLError.self) { try await database.write { db in try insert(db, .max) } }
            try await database.write { db in try insert(db, 2) }
            try await other.write { db in _ = try db.execute("ALTER TABLE t ALTER COLUMN x TYPE bigint") }
            try await database.write { db in
                try insert(db, 3)
                try insert(db, .max)
            }
            #expect(try await database.read { db in try count(db, .max) } == 1)
            #expect(try await database.writeWithoutTransaction { db in try count(db, .max) } == 1)
            // The server refuses a statement that it has prepared with the old type.
            try await other.write { db in _ = try db.execute("ALTER TABLE t ALTER COLUMN x TYPE text") }
            let insertText = { @Sendable (db: Connection) in _ = try db.execute("INSERT INTO t VALUES (\("text"))") }
            try await database.write(insertText)
            await #expect(throws: PostgreSQLError.self) { try await database.write { db in try insert(db, 4) } }
            try await database.write(insertText)
            await other.close()
        }
    }

    @Test("a statement goes on with a type that was dropped and created again", arguments: [nil, false])
    func recreatedType(preparesStatements: Bool?) async throws {
        let create = """
            CREATE TYPE mood AS ENUM ('calm', 'wild'); ALTER TABLE t ADD COLUMN m mood;
            CREATE DOMAIN size AS int; ALTER TABLE t ADD COLUMN s size
            """
        let schema = [Migration("t", script: "CREATE TABLE t (x int); \(create)")]
        let configuration = configuration { $0.preparesStatements = preparesStatements }
        try await withTemporaryDatabase(configuration: configuration, migrations: schema) { (database) async throws in
            let other = try await Database.open(database.location)
            let insert = { @Sendable (db: Connection) in
                _ = try db.execute("INSERT INTO t (m, s) VALUES (\("calm"), \(1))")
            }
            let count = { @Sendable (db: Connection) in
                try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t WHERE m = \("calm")")
            }
            for _ in 0..<2 {
                try await database.write(insert)
                #expect(try await database.read(count) == 1)
                try await other.writeWithoutTransaction { db in
                    try db.executeScript(
                        "ALTER TABLE t DROP COLUMN m, DROP COLUMN s; DROP TYPE mood; DROP DOMAIN size; \(create)")
                }
                #expect(try await database.read(count) == 0)
            }
            try await database.write(insert)
            await other.close()
        }
    }

    @Test("a change of the schema is noticed by a later statement of the same transaction")
    func ownSchemaChange() async throws {
        try await withTemporaryDatabase(configuration: configuration { _ in }, migrations: Self.schema) {
            (database) async throws in
            let columns = { @Sendable (db: Connection) in
                try db.fetchOne("SELECT * FROM t") { row in row.columnCount }
            }
            try await database.write { (db) throws in
                try db.execute("INSERT INTO t VALUES (1, 'a')")
                #expect(try columns(db) == 2)
                try db.execute("ALTER TABLE t ADD COLUMN c1 int")
                #expect(try columns(db) == 3)
                try db.executeScript("ALTER TABLE t ADD COLUMN c2 int; SELECT 1")
                #expect(try columns(db) == 4)
            }
            #expect(try await database.read(columns) == 4)
        }
    }

    @Test("statements whose texts differ only in the composition of a character are not confused")
    func composition() async throws {
        try await withTemporaryDatabase { (database) async throws in
            for (text, length) in [("\u{E9}", 1), ("e\u{301}", 2)] {
                let read = try await database.read { db in
                    try db.fetchOne(Int.self, "SELECT length(\(raw: "'\(text)'"))")
                }
                #expect(read == length)
            }
            #expect(SQLValue.text("\u{E9}") != .text("e\u{301}"))
        }
    }

    @Test("a statement that something else has deallocated is prepared again")
    func deallocated() async throws {
        try await withTemporaryDatabase(configuration: configuration { _ in }) { (database) async throws in
            for _ in 1...2 {
                #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT \(5)::int") } == 5)
                try await database.writeWithoutTransaction { db in try db.executeScript("DEALLOCATE ALL") }
                #expect(
                    try await database.writeWithoutTransaction { db in try db.fetchOne(Int.self, "SELECT \(5)::int")
                    } == 5)
                try await database.writeWithoutTransaction { db in try db.executeScript("DISCARD ALL") }
                let batch: @Sendable (Connection) throws -> Int = { db in
                    try db.execute("UPDATE pg_class SET relname = $1 WHERE false", forEach: ["a"]) { name, values in
                        try values.bind(name)
                    }
                }
                #expect(try await database.write(batch) == 0)
                try await database.writeWithoutTransaction { db in try db.executeScript("DEALLOCATE ALL") }
                #expect(try await database.write(batch) == 0)
            }
        }
    }

    @Test(
        "a statement runs with as many parameters as the protocol has, and with more is refused untouched",
        arguments: [true, false])
    func statementRunsWithAsManyParametersAsTheProtocolHas(prepares: Bool) async throws {
        @Sendable func row(_ count: Int) -> SQL {
            "INSERT INTO t (x) VALUES \((0..<count).map { "(\($0))" as SQL }.joined(separator: ", "))"
        }
        let configuration = configuration { $0.preparesStatements = prepares }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) {
            (database) async throws in
            for count in [7_498, 7_499, 7_500, 65_535] {
                for _ in 1...2 {
                    #expect(try await database.write { db in try db.execute(row(count)) } == count)
                    #expect(
                        try await database.writeWithoutTransaction { db in try db.execute(row(count)) } == count)
                }
            }
            let error = await #expect(throws: PostgreSQLError.self) {
                try await database.write { db in try db.execute(row(65_536)) }
            }
            #expect(error?.code == .range)
            let sum = try await database.read { db in try db.fetchOne(Int.self, "SELECT SUM(x) FROM t") }
            #expect(sum == [7_498, 7_499, 7_500, 65_535].reduce(0) { $0 + 4 * ($1 * ($1 - 1) / 2) })
            let left: SQL = "SELECT COUNT(*) FROM pg_prepared_statements WHERE length(statement) > 10000"
            #expect(try await database.read { db in try db.fetchOne(Int.self, left) } ?? 0 <= (prepares ? 1 : 0))
        }
    }

    @Test("the name of a prepared statement is a digest of its text, the same on every connection")
    func nameOfAStatementIsADigestOfItsText() async throws {
        let names: @Sendable (Connection) throws -> [String] = { db in
            for number in 1...50 { try db.execute("SELECT 1 /* \(raw: "\(number)") */") }
            return try db.fetchAll(
                String.self,
                "SELECT name FROM pg_prepared_statements WHERE statement LIKE 'SELECT 1 /*%' ORDER BY 1")
        }
        try await withTemporarySchema { (location) async throws in
            var seen: [[String]] = []
            for _ in 1...2 {
                let database = try await Database.open(location, configuration: configuration { _ in })
                seen.append(try await database.read(names))
                await database.close()
            }
            #expect(seen[0] == seen[1] && Set(seen[0]).count == 50)
            #expect(seen[0].allSatisfy { $0.hasPrefix("postgresql_store_") && $0.utf8.count == 17 + 32 })
        }
    }
}
#endif
