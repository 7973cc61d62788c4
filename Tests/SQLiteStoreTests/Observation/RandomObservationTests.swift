import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestReporting
import TestConcurrency
import Testing

/// Compares every observed query of random schemas with a fresh read after each random access.
@Suite("Observations of random schemas", .limitedConcurrency)
struct RandomObservationTests {
    /// The number of comparisons, from `SQLITE_COMPARISONS`.
    private static let comparisons =
        ProcessInfo.processInfo.environment["SQLITE_COMPARISONS"].flatMap(Int.init) ?? 1500

    /// The seed of the first schema, from `SQLITE_SEED`; each schema has the next one.
    private static let seed = ProcessInfo.processInfo.environment["SQLITE_SEED"].flatMap(UInt64.init) ?? 1

    private static let configuration = Database.Configuration().with {
        $0.readerCount = 2
        $0.synchronous = .normal
    }

    @Test("after every access each observed query is stale, or its value is that of a fresh read")
    func neverStale() async throws {
        var (seed, count, changed, woken) = (Self.seed, 0, 0, 0)
        while count < Self.comparisons {
            var schema = RandomSchema(seed: seed)
            let script = schema.script()
            let rows = schema.rows()
            try await withTemporaryFolder { (folder) async throws in
                let file = Database.Location.file(folder + "/db")
                let migrations = [Migration("random", script: script)]
                let database = try await Database.open(file, configuration: Self.configuration, migrations: migrations)
                let other = try await Database.open(file, configuration: Self.configuration)
                // Rows that violate a constraint are left out.
                for row in rows { try? await database.write { db in _ = try db.execute("\(raw: row)") } }
                var queries: [ObservedQuery] = []
                for sql in schema.queries() {
                    // A query that the schema does not admit, such as of a missing `rowid`, is left out.
                    guard let query = try? await ObservedQuery(sql, in: database) else { continue }
                    queries.append(query)
                }
                #expect(queries.count > 10, "seed \(seed)")
                for _ in 0..<40 {
                    let access = schema.access()
                    await access.run(on: database, other)
                    for index in queries.indices {
                        let (hasChanged, isStale) = try await queries[index].check(in: database)
                        if hasChanged, !isStale {
                            Issue.record("seed \(seed): stale after \(access): \(queries[index].sql)\n\(script)")
                            return
                        }
                        (count, changed, woken) = (
                            count + 1, changed + (hasChanged ? 1 : 0), woken + (isStale ? 1 : 0)
                        )
                    }
                }
                await database.close()
                await other.close()
            }
            seed += 1
        }
        // Neither does nothing ever change, nor does everything always wake.
        #expect(changed > count / 50)
        #expect(woken < count * 2 / 3)
        print("\(count) comparisons from seed \(Self.seed): \(changed) changed, \(woken) woken")
    }
}

/// A query, its observer, and the value that the observer received last.
private struct ObservedQuery {
    let sql: String
    private let observation: DatabaseObservation<[[SQLValue]]>
    private var iterator: DatabaseObservation<[[SQLValue]]>.Iterator
    private var value: [[SQLValue]]

    init(_ sql: String, in database: Database) async throws {
        self.sql = sql
        observation = database.observe { db in try ObservedQuery.rows(of: sql, db) }
        iterator = observation.makeAsyncIterator()
        value = try await iterator.next() ?? []
    }

    /// Returns whether a fresh read differs from the last value, and whether the observation is stale. The observer then
    /// receives the new value.
    mutating func check(in database: Database) async throws -> (hasChanged: Bool, isStale: Bool) {
        let sql = sql
        let isStale = observation.isStale
        let fresh = try await database.read { db in try ObservedQuery.rows(of: sql, db) }
        guard fresh != value else {
            // Without a new value the iterator would wait; the next change must still find the observation fetched.
            if isStale { try await restart(in: database) }
            return (false, isStale)
        }
        if isStale { value = try await iterator.next() ?? [] }
        #expect(value == fresh || !isStale, "\(sql)")
        return (true, isStale)
    }

    private mutating func restart(in database: Database) async throws {
        self = try await ObservedQuery(sql, in: database)
    }

    private static func rows(of sql: String, _ db: Connection) throws -> [[SQLValue]] {
        try db.fetchAll("\(raw: sql)") { row in try (0..<row.columnCount).map { try row[$0] as SQLValue } }
            .sorted { "\($0)" < "\($1)" }
    }
}

/// A random access that writes; some of its statements fail.
private struct RandomAccess: CustomStringConvertible, Sendable {
    enum Form {
        case write, writeOfScript, savepoint, alone
        /// A write that goes on after each statement that fails.
        case catching
        /// By another process, as far as the library can tell. A transaction that follows notices the commit.
        case other
    }

    let form: Form
    let statements: [String]

    var description: String { "\(form): \(statements.joined(separator: "; "))" }

    func run(on database: Database, _ other: Database) async {
        // What matters is the state afterwards: failing statements are part of the test.
        let statements = statements
        switch form {
        case .write:
            try? await database.write { db in for sql in statements { try db.execute("\(raw: sql)") } }
        case .writeOfScript:
            try? await database.write { db in try db.executeScript(statements.joined(separator: ";")) }
        case .catching:
            try? await database.write { db in for sql in statements { _ = try? db.execute("\(raw: sql)") } }
        case .savepoint:
            try? await database.write { db in
                for sql in statements { try? db.transaction { _ = try db.execute("\(raw: sql)") } }
            }
        case .alone:
            try? await database.writeWithoutTransaction { db in
                for sql in statements { try db.execute("\(raw: sql)") }
            }
        case .other:
            try? await other.write { db in for sql in statements { try db.execute("\(raw: sql)") } }
            try? await database.write { db in _ = try db.execute("PRAGMA user_version = 0") }
        }
    }
}

/// Generates a schema, the queries that are observed, and the accesses that write.
private struct RandomSchema {
    private var random: SeededGenerator
    private var tables: [Table] = []
    private var number = 0

    private struct Table {
        let name: String
        var hasGenerated = false
        var hasRowID = true
    }

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &random)! }

    private mutating func value() -> String {
        pick(["0", "1", "2", "3", "4", "5", "6", "7", "NULL", "'x'"])
    }

    private mutating func conflict() -> String {
        pick(["", "", "", " ON CONFLICT REPLACE", " ON CONFLICT IGNORE", " ON CONFLICT FAIL"])
    }

    // MARK: Schema

    mutating func script() -> String {
        var lines: [String] = []
        for name in ["one", "Two", "three four"].prefix(Int.random(in: 2...3, using: &random)) {
            lines.append(createTable("\"\(name)\""))
        }
        for (index, table) in tables.enumerated() {
            if chance(30) {
                let expression = pick(["abs(b)", "b, c", "c) WHERE (b > 2", "coalesce(a, b)"])
                lines.append("CREATE UNIQUE INDEX unique_\(index) ON \(table.name) (\(expression))")
            }
            for _ in 0..<2 where chance(50) { lines.append(createTrigger(on: index)) }
        }
        let (first, second) = (tables[0].name, tables[1].name)
        lines.append("CREATE VIEW seen AS SELECT id AS n, a + 1 AS m, b FROM \(first) WHERE coalesce(b, 0) < 5")
        lines.append("CREATE VIEW joined AS SELECT x.c FROM \(first) AS x JOIN \(second) AS y USING (a, b)")
        lines.append("CREATE VIEW nested AS SELECT COUNT(*) AS k FROM joined NATURAL JOIN seen")
        let action =
            chance(50) ? "UPDATE \(first) SET b = new.b WHERE id = old.n" : "DELETE FROM \(second) WHERE a = new.b"
        lines.append("CREATE TRIGGER instead INSTEAD OF UPDATE ON seen BEGIN \(action); END")
        lines.append("CREATE TABLE pairs (k, l); CREATE TABLE others (k, r)")
        lines.append("CREATE VIEW both AS SELECT l FROM pairs NATURAL JOIN others")
        lines.append("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT, n UNIQUE)")
        lines.append(FullTextIndex("note_texts", of: "notes", columns: ["body"]).script)
        lines.append("CREATE VIRTUAL TABLE words USING fts5(word, more)")
        lines.append("CREATE VIRTUAL TABLE terms USING fts5vocab(words, 'row')")
        lines.append("CREATE VIRTUAL TABLE boxes USING rtree(id, low, high)")
        lines.append(
            "CREATE VIEW noted AS SELECT column1 AS id, column1 AS rowid, body, l FROM (VALUES (1), (2)) "
                + "LEFT JOIN notes ON notes.id = column1 LEFT JOIN pairs ON k = n")
        let content = "content = noted, content_rowid = id"
        lines.append("CREATE VIRTUAL TABLE view_texts USING fts5(body, l UNINDEXED, \(content))")
        lines.append("CREATE VIRTUAL TABLE old_texts USING fts4(content=\"noted\", body, l)")
        return lines.joined(separator: ";\n") + ";"
    }

    mutating func rows() -> [String] {
        var rows: [String] = []
        for table in tables {
            for _ in 0..<6 {
                rows.append(
                    "INSERT OR IGNORE INTO \(table.name) (id, a, b, c) "
                        + "VALUES (\(Int.random(in: 0...7, using: &random)), \(value()), \(value()), \(value()))")
            }
        }
        rows.append("INSERT INTO notes VALUES (1, 'sea and sun', 1), (2, 'mountain', 2)")
        rows.append("INSERT INTO pairs VALUES (1, 1), (2, 2)")
        rows.append("INSERT INTO others VALUES (2, 1), (3, 2)")
        if chance(50) { rows.append("ANALYZE") }
        rows.append("INSERT INTO words VALUES ('sea', 'sun'), ('lake', 'x')")
        rows.append("INSERT INTO view_texts (rowid, body) VALUES (1, 'sea and sun'), (2, 'sea')")
        rows.append("INSERT INTO old_texts (docid, body) VALUES (1, 'sea and sun'), (2, 'sea')")
        return rows
    }

    private mutating func createTable(_ name: String) -> String {
        var table = Table(name: name)
        let key = pick([
            "id INTEGER PRIMARY KEY", "id INTEGER PRIMARY KEY AUTOINCREMENT",
            "id INTEGER PRIMARY KEY ON CONFLICT REPLACE",
            "id UNIQUE", "id INT PRIMARY KEY", "id PRIMARY KEY ON CONFLICT REPLACE", "id INTEGER PRIMARY KEY DESC",
            "id NOT NULL PRIMARY KEY",
        ])
        var columns = [key]
        columns.append("a" + (chance(50) ? " UNIQUE" + conflict() : ""))
        columns.append("b" + (chance(20) ? " NOT NULL\(conflict()) DEFAULT 3" : ""))
        columns.append("c" + (chance(20) ? " UNIQUE" + conflict() : ""))
        if chance(50) {
            table.hasGenerated = true
            columns.append("g GENERATED ALWAYS AS (a + coalesce(b, 0)) \(pick(["", "STORED"]))")
            columns.append("h AS (g || c)")
        } else {
            columns.append("g DEFAULT 1")
            columns.append("h")
        }
        if let parent = tables.randomElement(using: &random), chance(40) {
            let actions = ["CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION"]
            columns.append(
                "p DEFAULT 1 REFERENCES \(parent.name) (id) ON DELETE \(pick(actions)) ON UPDATE \(pick(actions))"
                    + pick(["", " DEFERRABLE INITIALLY DEFERRED"]))
        } else {
            columns.append("p")
        }
        table.hasRowID = !(key.contains("PRIMARY KEY") && !key.contains("AUTOINCREMENT") && chance(30))
        tables.append(table)
        return "CREATE TABLE \(name) (\(columns.joined(separator: ", ")))\(table.hasRowID ? "" : " WITHOUT ROWID")"
    }

    /// A trigger that changes only later tables, so that triggers end.
    private mutating func createTrigger(on index: Int) -> String {
        number += 1
        let event = pick(["INSERT", "UPDATE", "UPDATE OF a", "UPDATE OF b, c", "DELETE"])
        let row = event == "DELETE" ? "old" : "new"
        var steps: [String] = []
        if index + 1 < tables.count {
            let other = tables[Int.random(in: (index + 1)..<tables.count, using: &random)]
            steps.append(
                pick([
                    "UPDATE \(other.name) SET b = \(row).a WHERE a = \(row).b",
                    "UPDATE OR REPLACE \(other.name) SET a = \(row).a WHERE b < 4",
                    "UPDATE OR IGNORE \(other.name) SET id = \(row).id WHERE id = 3",
                    "INSERT OR REPLACE INTO \(other.name) (id, a, b) VALUES (\(row).id, \(row).a, 1)",
                    "INSERT OR IGNORE INTO \(other.name) (a, b) VALUES (\(row).a, 2)",
                    "INSERT INTO \(other.name) (id, a, b) VALUES (4, \(row).a, 1) "
                        + "ON CONFLICT DO UPDATE SET b = excluded.a",
                    "DELETE FROM \(other.name) WHERE a = \(row).a",
                ]))
        }
        if chance(10) {
            steps.append("SELECT RAISE(\(pick(["IGNORE", "FAIL, 'no'", "ABORT, 'no'"]))) WHERE \(row).b = 4")
        }
        if steps.isEmpty { steps = ["SELECT 1"] }
        return "CREATE TRIGGER t\(number) \(pick(["BEFORE", "AFTER"])) \(event) ON \(tables[index].name) "
            + "BEGIN \(steps.joined(separator: "; ")); END"
    }

    // MARK: Queries

    mutating func queries() -> [String] {
        var queries: [String] = []
        for table in tables {
            let t = table.name
            queries += [
                "SELECT id, b FROM \(t)", "SELECT g FROM \(t)", "SELECT h FROM \(t) WHERE a IS NOT NULL",
                "SELECT COUNT(*) FROM \(t)", "SELECT oid FROM \(t)", "SELECT max(a), min(c) FROM \(t) WHERE p IS NULL",
                "SELECT EXISTS (SELECT 1 FROM \(t) WHERE b = 3)", "SELECT c FROM \(t)", "SELECT * FROM \(t)",
            ]
        }
        let (first, second) = (tables[0].name, tables[1].name)
        queries += [
            "SELECT x.c FROM \(first) AS x JOIN \(second) AS y USING (b)",
            "SELECT l FROM pairs NATURAL JOIN others", "SELECT 1 FROM pairs NATURAL JOIN others",
            "SELECT COUNT(*) FROM pairs LEFT JOIN others USING (k) WHERE r > 1", "SELECT l FROM both",
            "SELECT x.c FROM \(first) AS x NATURAL LEFT JOIN (SELECT a FROM \(second)) AS y",
            "WITH w AS (SELECT a, b FROM \(second)) SELECT COUNT(*) FROM w JOIN \(first) USING (a)",
            "SELECT COUNT(*) FROM \(first) WHERE a IN (SELECT b FROM \(second))",
            "SELECT c, row_number() OVER (ORDER BY id, a) FROM \(first)",
            "SELECT value FROM \(first), json_each(json_array(b, 1))", "SELECT m FROM seen", "SELECT * FROM joined",
            "SELECT k FROM nested", "SELECT * FROM sqlite_sequence", "SELECT COUNT(*) FROM sqlite_sequence",
            "SELECT tbl, stat FROM sqlite_stat1", "PRAGMA user_version", "SELECT * FROM pragma_user_version",
            "PRAGMA freelist_count", "SELECT name FROM sqlite_schema", "PRAGMA table_info(\(first))",
            "SELECT rowid FROM note_texts WHERE note_texts MATCH 'sea'", "SELECT body FROM note_texts",
            "SELECT COUNT(*) FROM note_texts_docsize", "SELECT n FROM notes", "SELECT rowid, word FROM words",
            "SELECT rowid FROM words WHERE words MATCH 'sea'", "SELECT more FROM words", "SELECT * FROM terms",
            "SELECT term FROM terms", "SELECT c1 FROM words_content", "SELECT id FROM boxes WHERE low > 2",
            "SELECT high FROM boxes", "SELECT COUNT(*) FROM boxes_rowid",
            "SELECT body FROM view_texts WHERE view_texts MATCH 'sea'",
            "SELECT l FROM view_texts WHERE view_texts MATCH 'sun'",
            "SELECT l FROM old_texts WHERE old_texts MATCH 'sea'",
        ]
        queries.shuffle(using: &random)
        return Array(queries.prefix(28))
    }

    // MARK: Accesses

    mutating func access() -> RandomAccess {
        let form = chance(6) ? .other : pick([RandomAccess.Form.write, .catching, .writeOfScript, .savepoint, .alone])
        return RandomAccess(
            form: form,
            statements: (0..<(chance(30) ? 2 : 1)).map { _ in
                chance(form == .other ? 70 : 8)
                    ? rareStatement(isAlone: form == .alone) : chance(20) ? otherStatement() : statement()
            })
    }

    /// A statement on an ordinary table.
    private mutating func statement() -> String {
        let table = pick(tables)
        let t = table.name
        let clause = pick(["", "", "", " OR REPLACE", " OR REPLACE", " OR IGNORE", " OR FAIL", " OR ROLLBACK"])
        let filter = pick([
            "", " WHERE id = \(value())", " WHERE id = \(value())", " WHERE a = \(value())", " WHERE b > 2",
            " WHERE id < 3", " WHERE 0",
        ])
        switch Int.random(in: 0..<14, using: &random) {
        case 12, 13:
            // Fails at a row that only its turn reveals, often without a journal of the statement.
            let wrong = pick(["json('bad')", "abs(-9223372036854775807 - 1)", "json_extract('[', '$')"])
            let column = pick(["a", "b", "c"])
            return pick([
                "INSERT\(clause) INTO \(t) (\(column)) SELECT iif(value < 8, value, \(wrong)) "
                    + "FROM json_each('[\(value()), 7, 9]')",
                "UPDATE\(clause) \(t) SET \(column) = iif(id < 3, 9 - id, \(wrong))",
                "DELETE FROM \(t) WHERE iif(id < 3, 1, \(wrong))",
            ])
        case 0..<5:
            let column = pick(["a", "a", "b", "c", "id", "rowid", "oid", "_rowid_", "p"])
            let new = pick([value(), value(), value(), "\(column) + 10", "b"])
            let more = chance(20) ? ", c = \(value())" : ""
            return "UPDATE\(clause) \(t) SET \(column) = \(new)\(more)\(filter)"
        case 5, 6: return "INSERT\(clause) INTO \(t) (a, b, c) VALUES (\(value()), \(value()), \(value()))"
        case 7: return "REPLACE INTO \(t) (id, a, b) VALUES (\(value()), \(value()), \(value()))"
        case 8:
            return "INSERT INTO \(t) (id, a, b) VALUES (\(value()), \(value()), 2) "
                + pick([
                    "ON CONFLICT DO NOTHING", "ON CONFLICT DO UPDATE SET b = 5",
                    "ON CONFLICT DO UPDATE SET a = excluded.b",
                ])
        case 9: return "DELETE FROM \(t)\(filter)"
        case 10: return "INSERT\(clause) INTO \(t) (a, b, c) SELECT b, a, 6 FROM \(pick(tables).name) LIMIT 2"
        default: return "UPDATE\(clause) \(t) SET b = y.a FROM \(pick(tables).name) AS y WHERE y.id = \(t).id"
        }
    }

    /// A statement on a view, a virtual table or the header.
    private mutating func otherStatement() -> String {
        let word = pick(["sea", "sun", "lake", "hill"])
        let key = Int.random(in: 1...4, using: &random)
        return pick([
            "UPDATE seen SET b = \(value())", "UPDATE OR REPLACE seen SET b = \(key) WHERE n = 2",
            "INSERT OR REPLACE INTO notes VALUES (\(key), '\(word)', \(key))", "DELETE FROM notes WHERE id = \(key)",
            "INSERT OR REPLACE INTO notes (body, n) VALUES ('\(word)', \(key))",
            "UPDATE OR REPLACE notes SET n = \(key)", "UPDATE notes SET body = '\(word)' WHERE id = \(key)",
            "INSERT INTO words VALUES ('\(word)', 'x')", "UPDATE words SET word = '\(word)' WHERE rowid = \(key)",
            "UPDATE words SET rowid = rowid + 7", "DELETE FROM words WHERE rowid = \(key)",
            "INSERT INTO words (words) VALUES ('rebuild')", "INSERT INTO note_texts (note_texts) VALUES ('rebuild')",
            "INSERT OR REPLACE INTO boxes VALUES (\(key), \(key), \(key + 2))",
            "UPDATE boxes SET low = \(key), high = 9 WHERE id = \(key)", "DELETE FROM boxes WHERE id = \(key)",
            "UPDATE pairs SET k = \(key)", "UPDATE others SET k = \(key) WHERE r = 1",
            "INSERT INTO others VALUES (\(key), 2)",
            "DELETE FROM others WHERE k = \(key)", "PRAGMA user_version = \(key)", "DELETE FROM sqlite_sequence",
            "UPDATE sqlite_sequence SET seq = seq + 1",
        ])
    }

    /// A statement that changes the schema or the statistics.
    private mutating func rareStatement(isAlone: Bool) -> String {
        number += 1
        let t = pick(tables).name
        if isAlone, chance(40) { return pick(["VACUUM", "PRAGMA optimize = 0x10002", "PRAGMA optimize"]) }
        return pick([
            "ANALYZE", "REINDEX", "ALTER TABLE \(t) ADD COLUMN n\(number) AS (b + 1)",
            "ALTER TABLE \(t) ADD COLUMN n\(number) DEFAULT 2",
            "CREATE UNIQUE INDEX i\(number) ON \(t) (b)",
            createTrigger(on: Int.random(in: tables.indices, using: &random)),
            "DROP TRIGGER IF EXISTS t\(max(1, number / 2))", "DROP INDEX IF EXISTS unique_0",
            "CREATE TABLE new\(number) (x)",
        ])
    }
}
