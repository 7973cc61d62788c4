#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

@Suite("PostgreSQL accesses", .needsServer, .limitedConcurrency)
struct AccessTests {
    static let schema = [Migration("t", script: "CREATE TABLE t (x integer PRIMARY KEY, y text)")]

    @Test("a write is visible to the next read, and a failed write leaves nothing")
    func writes() async throws {
        struct Failure: Error {}
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            try await database.write { (db) throws in
                #expect(try db.execute("INSERT INTO t VALUES (\(1), \("a")), (\(2), \("b"))") == 2)
            }
            await #expect(throws: Failure.self) {
                try await database.write { (db) throws in
                    try db.execute("DELETE FROM t")
                    throw Failure()
                }
            }
            let rows = try await database.read { (db) throws in
                try db.fetchAll("SELECT x, y FROM t ORDER BY x") { row in
                    "\(try row[0] as Int)\(try row["y"] as String)"
                }
            }
            #expect(rows == ["1a", "2b"])
        }
    }

    @Test("a read cannot write, and sees one state of the database")
    func reads() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            await #expect {
                try await database.read { db in _ = try db.execute("INSERT INTO t VALUES (1)") }
            } throws: {
                ($0 as? PostgreSQLError)?.code == .readOnly
            }
            let other = try await Database.open(database.location)
            let counts = try await database.read { (db) throws in
                let first = try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t")
                try other.blockingWrite { db in try db.execute("INSERT INTO t VALUES (1)") }
                return [first, try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t")]
            }
            #expect(counts == [0, 0])
        }
    }

    @Test("a nested transaction that fails is undone, and the enclosing one continues")
    func nested() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            try await database.write { (db) throws in
                for x in [1, 1, 2] {
                    do {
                        try db.transaction { try db.execute("INSERT INTO t VALUES (\(x))") }
                    } catch let error as PostgreSQLError {
                        #expect(error.code == .uniqueViolation)
                        #expect(error.constraint == "t_pkey")
                    }
                }
            }
            #expect(
                try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t ORDER BY x") } == [1, 2])
        }
    }

    @Test("an error that is not rethrown fails the write instead of committing nothing silently")
    func swallowedError() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let error = await #expect(throws: PostgreSQLError.self) {
                try await database.write { (db) throws in
                    try db.execute("INSERT INTO t VALUES (1)")
                    _ = try? db.execute("INSERT INTO t VALUES (1)")
                }
            }
            let later = await #expect(throws: PostgreSQLError.self) {
                try await database.write { (db) throws in
                    try db.execute("INSERT INTO t VALUES (1)")
                    _ = try? db.execute("INSERT INTO t VALUES (1)")
                    try db.execute("INSERT INTO t VALUES (2)")
                }
            }
            for error in [error, later] {
                #expect(error?.code == .transactionAborted)
                #expect(error?.message.contains("duplicate key value violates unique constraint \"t_pkey\"") == true)
            }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
        }
    }

    @Test("an access within another access to the same database throws")
    func reentrancy() async throws {
        try await withTemporaryDatabase { (database) async throws in
            let code = try await database.read { (db) throws -> PostgreSQLError.Code? in
                do { try database.blockingWrite { _ in } } catch let error as PostgreSQLError { return error.code }
                return nil
            }
            #expect(code == .reentrantAccess)
            let other = try await database.writeWithoutTransaction { (db) throws -> PostgreSQLError.Code? in
                do { try database.blockingRead { _ in } } catch let error as PostgreSQLError { return error.code }
                return nil
            }
            #expect(other == .reentrantAccess)
        }
    }

    @Test("blocking accesses read and write")
    func blocking() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let count = try await withCheckedThrowingContinuation { continuation in
                onThread {
                    continuation.resume(
                        with: Result {
                            try database.blockingWrite { db in try db.execute("INSERT INTO t VALUES (1)") }
                            return try database.blockingRead { (db) throws in
                                try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t")
                            }
                        })
                }
            }
            #expect(count == 1)
        }
    }

    @Test(
        "statements that begin or end a transaction are rejected before they run",
        arguments: [
            "COMMIT", "BEGIN", " -- x\n/* /* y */ */ rollback", "SAVEPOINT a", "END", "(COMMIT)",
            "prepare/**/transaction 'x'",
        ])
    func control(text: String) async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            struct Refusal: Error {}
            await #expect(throws: Refusal.self) {
                try await database.write { (db) throws in
                    #expect(throws: PostgreSQLError.self) { try db.execute(SQL(raw: text), forEach: [0]) { _, _ in } }
                    try db.execute("INSERT INTO t VALUES (1)")
                    throw Refusal()
                }
            }
            await #expect(throws: PostgreSQLError.self) {
                try await database.write { (db) throws in
                    try db.execute("INSERT INTO t VALUES (1)")
                    try db.execute(SQL(raw: text))
                }
            }
            await #expect(throws: PostgreSQLError.self) {
                try await database.writeWithoutTransaction { db in try db.execute(SQL(raw: text)) }
            }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 0)
        }
    }

    @Test("a script that ends the transaction is an error, and one that leaves a transaction open is rolled back")
    func scripts() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let first = await #expect(throws: PostgreSQLError.self) {
                try await database.write { db in try db.executeScript("INSERT INTO t VALUES (1); COMMIT") }
            }
            #expect(first?.code == .misuse)
            let second = await #expect(throws: PostgreSQLError.self) {
                try await database.writeWithoutTransaction { (db) throws in
                    try db.executeScript("BEGIN; INSERT INTO t VALUES (2)")
                }
            }
            #expect(second?.code == .misuse)
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
            for script in [
                "COMMIT; BEGIN", "COMMIT AND CHAIN", "ROLLBACK; BEGIN", "ROLLBACK and\n chain;",
                "ROLLBACK /* 1 /* 2 */ */ and -- 3\n chain",
            ] {
                let code = await #expect(throws: PostgreSQLError.self) {
                    try await database.write { (db) throws in
                        _ = try? db.executeScript(script)
                        try db.execute("INSERT INTO t VALUES (3)")
                    }
                }?.code
                #expect(code == .transactionAborted, "\(script)")
            }
            try await database.write { db in
                try db.executeScript(
                    """
                    SAVEPOINT a; CREATE TABLE blockchain (x int, chain_id int);
                    DELETE FROM blockchain WHERE x = 1 AND chain_id = 2; ROLLBACK TO a; RELEASE a
                    """)
            }
            try await database.writeWithoutTransaction { db in try db.executeScript("-- nothing") }
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
        }
    }

    @Test("a database rejects accesses after it was closed, and lets those run that wait")
    func closing() async throws {
        try await withTemporarySchema { (location) async throws in
            let configuration = Database.Configuration().with { $0.connectionCount = 1 }
            let database = try await Database.open(location, configuration: configuration)
            let reads = (1...10).map { x in
                Task.detached { try await database.read { db in try db.fetchOne(Int.self, "SELECT \(x)::int") } }
            }
            let sum = try await reads.asyncSum()
            #expect(sum == 55)
            await database.close()
            await database.close()
            let error = await #expect(throws: PostgreSQLError.self) { try await database.read { _ in } }
            #expect(error?.code == .closed)
        }
    }
}

extension [Task<Int?, any Error>] {
    fileprivate func asyncSum() async throws -> Int {
        var sum = 0
        for task in self { sum += try await task.value ?? 0 }
        return sum
    }
}
#endif
