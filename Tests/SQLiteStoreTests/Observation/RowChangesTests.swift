import CSQLite
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestConcurrency
import TestReporting
import Testing

@Suite("Changed rows", .limitedConcurrency)
struct RowChangesTests {
    private static let script = """
        CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT UNIQUE, v);
        CREATE TABLE b (x, y, v, PRIMARY KEY (y, x)) WITHOUT ROWID;
        CREATE TABLE c (v, rowid);
        CREATE TABLE d (name TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, a REFERENCES a ON DELETE CASCADE ON UPDATE CASCADE);
        CREATE TABLE m (id INTEGER PRIMARY KEY);
        CREATE TRIGGER a_copies AFTER INSERT ON a WHEN new.v = 3 BEGIN REPLACE INTO b VALUES (new.id, 1, 'copy'); END;
        CREATE TRIGGER a_vanishes AFTER INSERT ON a WHEN new.v = 4 BEGIN DELETE FROM a WHERE id = new.id; END;
        """
    private static let migrations = [Migration("rows", script: script)]
    private static let tables = ["A", "b", "c", "d", "m"]

    private typealias Stream = AsyncThrowingStream<[RowChange], any Error>

    private func changes(of sql: String..., in database: Database) async throws -> [String] {
        let stream = try await database.rowChanges(in: Self.tables)
        try await database.write { db in for sql in sql { try db.execute("\(raw: sql)") } }
        var iterator = stream.makeAsyncIterator()
        return try await iterator.next()?.map(\.text) ?? []
    }

    @Test("a commit names each changed row once, by its key, with the difference that it makes")
    func differences() async throws {
        let database = try await Database.open(.inMemory, migrations: Self.migrations)
        #expect(
            try await changes(of: "INSERT INTO a VALUES (1, 'x', 0), (2, 'y', 0)", in: database) == [
                "A insert 1", "A insert 2",
            ])
        #expect(
            try await changes(of: "REPLACE INTO a VALUES (3, 'x', 0)", in: database) == ["A delete 1", "A insert 3"])
        #expect(
            try await changes(of: "INSERT INTO b VALUES (1, 2, 'v')", "UPDATE b SET v = 'w'", in: database) == [
                "b insert 2,1"
            ])
        #expect(
            try await changes(of: "UPDATE b SET v = 'w'", "UPDATE b SET y = 3", in: database)
                == ["b delete 2,1", "b insert 3,1"])
        #expect(
            try await changes(
                of: "INSERT INTO a VALUES (9, 'z', 0)", "DELETE FROM a WHERE id = 9", "INSERT INTO c VALUES (7, 7)",
                in: database) == ["c insert 1"])
        #expect(
            try await changes(of: "INSERT INTO d VALUES ('k', 2)", "DELETE FROM a", in: database)
                == [
                    "A delete 3", "A delete 2",
                ].sorted())
        await database.close()
    }

    private static let unknown = ["A unknown", "d unknown"]

    @Test("an unknown change is reported after what does not name its rows")
    func unknown() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let database = try await Database.open(.file(path), migrations: Self.migrations)
            let stream = try await database.rowChanges(in: ["A", "d"])
            var changes = stream.makeAsyncIterator()

            let other = try await Database.open(.file(path))
            try await other.write { db in try db.execute("INSERT INTO a VALUES (1, 'x', 0)") }
            #expect(try await changes.next()?.map(\.text) == Self.unknown)

            try await database.write { db in try db.execute("CREATE INDEX i ON a (v)") }
            #expect(try await changes.next()?.map(\.text) == Self.unknown)

            try await database.write { db in
                try db.execute("DELETE FROM a")
                try db.notifyChanges(of: "D")
            }
            #expect(try await changes.next()?.map(\.text) == ["A delete 1", "d unknown"])

            await database.suspend()
            try await other.write { db in try db.execute("INSERT INTO a VALUES (2, 'x', 0)") }
            database.resume()
            #expect(try await changes.next()?.map(\.text) == Self.unknown)
            try await database.write { db in try db.execute("DELETE FROM a") }
            #expect(try await changes.next()?.map(\.text) == ["A delete 2"])
            try await other.write { db in try db.execute("INSERT INTO a VALUES (3, 'x', 0)") }
            #expect(try await changes.next()?.map(\.text) == Self.unknown)

            await other.close()
            await database.close()
            await #expect(throws: SQLiteError(.closed, "the database has been closed")) {
                for try await _ in stream {}
            }
        }
    }

    @Test("what is not committed is not reported")
    func undone() async throws {
        let database = try await Database.open(.inMemory, migrations: Self.migrations)
        var changes = try await database.rowChanges(in: ["a", "d"]).makeAsyncIterator()
        // Refused at the commit.
        let code = await errorCode {
            try await database.write { db in
                try db.execute("PRAGMA defer_foreign_keys = ON")
                try db.execute("INSERT INTO d VALUES ('k', 7)")
            }
        }
        #expect(code == .constraint)
        try await database.writeWithoutTransaction { db in
            try db.execute("INSERT INTO a VALUES (1, 'x', 0)")
            try? db.transaction {
                try db.execute("INSERT INTO a VALUES (2, 'y', 0)")
                try db.execute("INSERT INTO nowhere VALUES (1)")
            }
            try db.transaction { _ = try db.execute("INSERT INTO a VALUES (3, 'z', 0)") }
        }
        #expect(try await changes.next()?.map(\.text) == ["a insert 1", "a insert 3"])
        await database.close()
    }

    @Test("a commit that fails while its changes are collected reports none")
    func failedCollection() async throws {
        let database = try await Database.open(.inMemory, migrations: Self.migrations)
        var changes = try await database.rowChanges(in: ["a", "d"]).makeAsyncIterator()
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write { db in
                try db.execute("INSERT INTO a VALUES (1, 'x', 0)")
                let log = "SELECT name FROM temp.sqlite_schema WHERE type = 'table' ORDER BY name DESC"
                let last = try #require(try db.fetchOne(String.self, "\(raw: log)"))
                try db.execute("DROP TABLE temp.\(identifier: last)")
            }
        }
        #expect(error?.message.contains("no such table") == true)
        try await database.write { db in try db.execute("INSERT INTO a VALUES (2, 'x', 0)") }
        #expect(try await changes.next()?.map(\.text) == ["a insert 2"])
        await database.close()
    }

    @Test("notifying of changes leaves the identifier of the last inserted row")
    func lastInsertedRow() async throws {
        let database = try await Database.open(.inMemory, migrations: Self.migrations)
        let stream = try await database.rowChanges(in: ["a"])
        try await database.write { db in
            try db.execute("INSERT INTO a VALUES (7, 'x', 0)")
            try db.notifyChanges(of: "a")
            #expect(try db.fetchOne(Int.self, "SELECT last_insert_rowid()") == 7)
        }
        _ = stream
        await database.close()
    }

    @Test("a generated column hides the name of a key")
    func generatedColumn() async throws {
        let table = Migration("g", script: "CREATE TABLE g (v, rowid AS (v + 1))")
        let database = try await Database.open(.inMemory, migrations: [table])
        var changes = try await database.rowChanges(in: ["g"]).makeAsyncIterator()
        try await database.write { db in try db.execute("INSERT INTO g (v) VALUES (5)") }
        #expect(try await changes.next()?.map(\.text) == ["g insert 1"])
        await database.close()
    }

    @Test("a table that another connection drops and creates again can be written, and is reported")
    func droppedByOthers() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            let database = try await Database.open(.file(path), migrations: Self.migrations)
            var changes = try await database.rowChanges(in: ["b", "c"]).makeAsyncIterator()
            @Sendable func other(_ sql: String) {
                var handle: OpaquePointer?
                #expect(sqlite3_open(path, &handle) == SQLITE_OK)
                #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
                sqlite3_close(handle)
            }
            try await database.writeWithoutTransaction { db in
                other("DROP TABLE c")
                // SQLite reads the schema again, without the table.
                try db.execute("INSERT INTO m VALUES (1)")
            }
            try await database.write { db in try db.execute("INSERT INTO m VALUES (2)") }
            other("CREATE TABLE c (v TEXT PRIMARY KEY, w)")
            for number in 3...4 {
                try await database.write { db in try db.execute("INSERT INTO c VALUES ('\(raw: "\(number)")', 0)") }
            }
            var texts: [String] = []
            while texts.last?.hasSuffix("\"4\")") != true, let commit = try await changes.next() {
                texts += commit.map(\.text)
            }
            #expect(texts.last == "c insert text(\"4\")")
            await database.close()
        }
    }

    @Test("the commits of others are noticed again after their connection could not be opened")
    func monitorFails() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let fails = SharedFlag()
            let configuration = Database.Configuration().with {
                $0.externalChangeInterval = .milliseconds(5)
                $0.prepare = { db in
                    if fails.isOn, sqlite3_db_readonly(db.handle, "main") == 1 {
                        throw SQLiteError(.cannotOpen, "no descriptor is left")
                    }
                }
            }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.migrations)
            let other = try await Database.open(.file(folder + "/db"))
            fails.isOn = true
            #expect(await errorCode { _ = try await database.rowChanges(in: ["a"]) } == .cannotOpen)
            fails.isOn = false
            var changes = try await database.rowChanges(in: ["a"]).makeAsyncIterator()
            await database.suspend()
            fails.isOn = true
            database.resume()
            #expect(try await changes.next()?.map(\.text) == ["a unknown"])
            try await other.write { db in try db.execute("INSERT INTO a VALUES (1, 'x', 0)") }
            fails.isOn = false
            // Once the connection is open.
            #expect(try await changes.next()?.map(\.text) == ["a unknown"])
            try await other.write { db in try db.execute("INSERT INTO a VALUES (2, 'y', 0)") }
            #expect(try await changes.next()?.map(\.text) == ["a unknown"])
            await other.close()
            await database.close()
        }
    }

    @Test("the commits of others are noticed after a suspension that ends later than its database goes on")
    func lateSuspension() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with { $0.externalChangeInterval = .milliseconds(5) }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.migrations)
            let other = try await Database.open(.file(folder + "/db"))
            var changes = try await database.rowChanges(in: ["a"]).makeAsyncIterator()
            // The read of a snapshot holds the suspension up, also when the database goes on.
            let snapshot = try await database.snapshot()
            let (isReading, mayEnd) = (SharedCount(), DispatchSemaphore(value: 0))
            let read = Task {
                try await snapshot.read { _ in
                    isReading.increment()
                    mayEnd.wait()
                }
            }
            try await waitUntil { isReading.value == 1 }
            let suspension = Task { await database.suspend() }
            while await errorCode({ _ = try await database.read { _ in } }) != .suspended {
                try Task.checkCancellation()
            }
            database.resume()
            #expect(try await changes.next()?.map(\.text) == ["a unknown"])
            mayEnd.signal()
            await suspension.value
            try? await read.value

            try await other.write { db in try db.execute("INSERT INTO a VALUES (1, 'x', 0)") }
            var rowCount: Int? = 0
            while rowCount == 0, let commit = try await changes.next() {
                #expect(commit.map(\.text) == ["a unknown"])
                rowCount = try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM a") }
            }
            #expect(rowCount == 1)
            await snapshot.close()
            await other.close()
            await database.close()
        }
    }

    @Test("each stream has its tables, and none leaves a trigger behind")
    func streams() async throws {
        let database = try await Database.open(.inMemory, migrations: Self.migrations)
        let insert: @Sendable (Connection) throws -> Void = { db in
            try db.execute("INSERT INTO c VALUES (1, 1)")
            try db.execute("INSERT INTO b VALUES (last_insert_rowid(), 1, 1)")
        }
        let temporary: @Sendable (Connection) throws -> Int? = { db in
            try db.fetchOne(Int.self, "SELECT COUNT(*) FROM temp.sqlite_schema")
        }
        do {
            var first = try await database.rowChanges(in: ["c"]).makeAsyncIterator()
            var second = try await database.rowChanges(in: ["b", "c", "B"]).makeAsyncIterator()
            try await database.write(insert)
            #expect(try await first.next()?.map(\.text) == ["c insert 1"])
            #expect(try await second.next()?.map(\.text) == ["b insert 1,1", "c insert 1"])
            #expect(try await database.read(temporary) == 8)
        }
        try await database.write(insert)
        #expect(try await database.read(temporary) == 0)
        await database.close()
    }

    @Test("tables without keys are refused, as is REPLACE without triggers")
    func misuse() async throws {
        let script =
            "CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(x); CREATE TABLE k (rowid, _rowid_, oid);"
            + "CREATE TABLE q (id INTEGER PRIMARY KEY AUTOINCREMENT);"
        let migrations = Self.migrations + [Migration("others", script: script)]
        let database = try await Database.open(.inMemory, migrations: migrations)
        for table in ["missing", "v", "f", "k", "sqlite_sequence"] {
            #expect(await errorCode { _ = try await database.rowChanges(in: ["a", table]) } == .misuse, "\(table)")
        }
        #expect(try await changes(of: "INSERT INTO c VALUES (1, 1)", in: database) == ["c insert 1"])
        await database.close()
        let configuration = Database.Configuration().with {
            $0.prepare = { db in try db.execute("PRAGMA recursive_triggers = OFF") }
        }
        let other = try await Database.open(.inMemory, configuration: configuration, migrations: migrations)
        #expect(await errorCode { _ = try await other.rowChanges(in: ["a"]) } == .misuse)
        await other.close()
    }

    /// The number of random accesses, from `SQLITE_COMPARISONS`.
    private static let accesses =
        ProcessInfo.processInfo.environment["SQLITE_COMPARISONS"].flatMap(Int.init).map { $0 / 4 } ?? 400

    @Test("a replica that follows the changes equals the database after each access", arguments: 1...3)
    func replica(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var (rows, unknown) = (0, 0)
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with { $0.synchronous = .normal }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.migrations)
            let other = try await Database.open(.file(folder + "/db"), configuration: configuration)
            let stream = try await database.rowChanges(in: Self.tables)
            var iterator = stream.makeAsyncIterator()
            var replica: [String: [[SQLValue]: [SQLValue]]] = [:]
            for index in 1...Self.accesses {
                let access = RandomRowAccess(&random)
                await access.run(on: database, other)
                // A savepoint may have undone the second half.
                if try await database.read({ db in try db.fetchOne(Int.self, "SELECT 1 FROM pragma_table_list('c')") })
                    == nil
                {
                    try await database.write { db in try db.execute("CREATE TABLE c (v, rowid)") }
                }
                try await database.write { db in try db.execute("INSERT INTO m VALUES (\(index))") }
                // An unknown change makes the replica newer than the elements that follow.
                var (isOver, isExact) = (false, true)
                while !isOver, let commit = try await iterator.next() {
                    let current = try await database.read(Self.content)
                    #expect(Set(commit.map { [.text($0.table)] + $0.key }).count == commit.count)
                    for change in commit {
                        if change.table == "m" {
                            isOver = change.key == [.integer(Int64(index))]
                            continue
                        }
                        rows += 1
                        let isKnown = replica[change.table]?[change.key] != nil
                        switch change.kind {
                        case .unknown:
                            (unknown, isExact) = (unknown + 1, false)
                            replica[change.table] = current[change.table]
                            continue
                        case .insert, .update:
                            replica[change.table, default: [:]][change.key] = current[change.table]?[change.key]
                        case .delete: replica[change.table]?[change.key] = nil
                        }
                        let mustBeKnown = change.kind != .insert
                        #expect(isKnown == mustBeKnown || !isExact, "seed \(seed): \(change) after \(access)")
                    }
                }
                let current = try await database.read(Self.content)
                for table in Self.tables where table != "m" && (replica[table] ?? [:]) != (current[table] ?? [:]) {
                    Issue.record("seed \(seed): \(table) differs after access \(index): \(access)")
                    return
                }
            }
            await database.close()
            await other.close()
        }
        #expect(unknown < rows / 2)
        print("\(rows) changes from seed \(seed), \(unknown) unknown")
    }

    private static func content(_ db: Connection) throws -> [String: [[SQLValue]: [SQLValue]]] {
        var content: [String: [[SQLValue]: [SQLValue]]] = [:]
        let keys = [("A", "id"), ("b", "y, x"), ("c", "_rowid_"), ("d", "name")]
        for (table, key) in keys {
            let count = key.split(separator: ",").count
            let rows = try db.fetchAll("SELECT \(raw: key), * FROM \(raw: table)") { row in
                try (0..<row.columnCount).map { try row[$0] as SQLValue }
            }
            content[table] = Dictionary(uniqueKeysWithValues: rows.map { (Array($0[..<count]), Array($0[count...])) })
        }
        return content
    }
}

/// A flag that a test sets.
private final class SharedFlag: Sendable {
    private let flag = Atomic(false)

    var isOn: Bool {
        get { flag.load(ordering: .relaxed) }
        set { flag.store(newValue, ordering: .relaxed) }
    }
}

extension RowChange {
    fileprivate var text: String {
        let key = key.map { if case .integer(let number) = $0 { "\(number)" } else { "\($0)" } }
        return "\(table) \(kind)" + (key.isEmpty ? "" : " " + key.joined(separator: ","))
    }
}

/// A random access that writes; some of its statements fail.
private struct RandomRowAccess: CustomStringConvertible, Sendable {
    enum Form: CaseIterable {
        case write, script, catching, nested, undone, alone, other
    }

    private struct Undo: Error {}

    let form: Form
    let statements: [String]

    var description: String { "\(form): \(statements.joined(separator: "; "))" }

    init(_ random: inout SeededGenerator) {
        // Most are of one commit of this process: they have exact changes.
        form =
            Int.random(in: 0..<12, using: &random) == 0
            ? .other : Form.allCases.dropLast().randomElement(using: &random)!
        var statements: [String] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) { statements.append(Self.statement(&random)) }
        if Int.random(in: 0..<15, using: &random) == 0 { statements.append(Self.rareStatement(&random)) }
        self.statements = statements
    }

    private static func statement(_ random: inout SeededGenerator) -> String {
        let (x, y) = (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<5, using: &random))
        let conflict = ["", " OR REPLACE", " OR IGNORE", " OR FAIL", " OR ABORT", " OR ROLLBACK"]
            .randomElement(using: &random)!
        let name = ["'k'", "'K'", "'l'", "'ł'", "'n\(x)'"].randomElement(using: &random)!
        return switch Int.random(in: 0..<18, using: &random) {
        case 0, 1: "INSERT\(conflict) INTO a VALUES (\(x), 'n\(y)', \(y))"
        case 2: "INSERT\(conflict) INTO a VALUES (\(x), 'n\(x)', 0), (\(x + 1), 'n\(y)', 3), (\(x), 'q', 4)"
        case 3: "UPDATE\(conflict) a SET id = \(x), name = 'n\(y)' WHERE id = \(y)"
        case 4: "UPDATE\(conflict) a SET id = id + 1 WHERE id > \(x)"
        case 5: "UPDATE\(conflict) a SET v = v + 1 WHERE id < \(x)"
        case 6: "DELETE FROM a WHERE id % \(y + 1) = 0"
        case 7: "INSERT INTO a VALUES (\(x), 'n\(y)', 1) ON CONFLICT DO UPDATE SET v = excluded.v, id = id + 10"
        case 8: "INSERT\(conflict) INTO b VALUES (\(x), \(y), 'v'), (\(y), \(x), NULL)"
        case 9: "UPDATE\(conflict) b SET x = y, y = \(y) WHERE x = \(x)"
        case 10: "DELETE FROM b"
        case 11: "INSERT INTO c VALUES (\(x), \(y)), (\(y), \(x))"
        case 12: "UPDATE c SET _rowid_ = _rowid_ + 100 WHERE v = \(x)"
        case 13: "DELETE FROM c WHERE v > \(y)"
        case 14: "INSERT\(conflict) INTO d VALUES (\(name), \(x))"
        case 15: "UPDATE\(conflict) d SET name = \(name), a = \(y) WHERE a = \(x)"
        case 16: "DELETE FROM a"
        default:
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(x * 20)) INSERT INTO c SELECT i, i FROM n"
        }
    }

    private static func rareStatement(_ random: inout SeededGenerator) -> String {
        [
            "ALTER TABLE b ADD COLUMN z\(Int.random(in: 0..<1000, using: &random))",
            "DROP TABLE c; CREATE TABLE c (v, rowid); INSERT INTO c VALUES (1, 2)",
            "ALTER TABLE c RENAME TO e; CREATE TABLE c (v, rowid); DROP TABLE e",
            "PRAGMA recursive_triggers = OFF; REPLACE INTO a VALUES (1, 'n2', 0)",
            "CREATE INDEX IF NOT EXISTS i ON a (v)", "DROP INDEX IF EXISTS i", "VACUUM",
        ].randomElement(using: &random)!
    }

    func run(on database: Database, _ other: Database) async {
        // What matters is the state afterwards: failing statements are part of the test.
        let statements = statements.flatMap { $0.components(separatedBy: "; ") }
        switch form {
        case .write:
            try? await database.write { db in for sql in statements { try db.execute("\(raw: sql)") } }
        case .script:
            try? await database.write { db in try db.executeScript(statements.joined(separator: ";")) }
        case .catching:
            try? await database.write { db in for sql in statements { _ = try? db.execute("\(raw: sql)") } }
        case .nested:
            try? await database.write { db in
                for (index, sql) in statements.enumerated() {
                    try? db.transaction {
                        try db.execute("\(raw: sql)")
                        if index % 2 == 1 { throw Undo() }
                    }
                }
            }
        case .undone:
            try? await database.write { db in
                for sql in statements { try db.execute("\(raw: sql)") }
                throw Undo()
            }
        case .alone:
            try? await database.writeWithoutTransaction { db in
                for sql in statements.dropLast() { _ = try? db.execute("\(raw: sql)") }
                try db.transaction { _ = try db.execute("\(raw: statements.last!)") }
            }
        case .other:
            try? await other.write { db in for sql in statements { try db.execute("\(raw: sql)") } }
        }
    }
}
