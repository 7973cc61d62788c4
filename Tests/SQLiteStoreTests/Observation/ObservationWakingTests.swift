import CSQLite
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import TestReporting
import Testing

@Suite("What wakes an observer", .limitedConcurrency)
struct ObservationWakingTests {
    static let schema = [
        Migration(
            "all kinds of tables",
            script: """
                CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT, population INTEGER);
                CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, city INTEGER REFERENCES cities ON DELETE CASCADE);
                CREATE TABLE pairs (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
                CREATE TABLE log (what TEXT);
                CREATE TRIGGER logged AFTER INSERT ON people BEGIN INSERT INTO log VALUES (new.name); END;
                CREATE VIEW big AS SELECT name FROM cities WHERE population > 100;
                CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT);
                CREATE VIRTUAL TABLE note_texts USING fts5(body, content = 'notes', content_rowid = 'id');
                CREATE TRIGGER indexed AFTER INSERT ON notes BEGIN
                    INSERT INTO note_texts (rowid, body) VALUES (new.id, new.body);
                END;
                INSERT INTO cities VALUES (1, 'Seoul', 900), (2, 'Jeju', 60);
                INSERT INTO people VALUES (1, 'Kim', 1);
                INSERT INTO pairs VALUES (1, 1);
                INSERT INTO notes VALUES (1, 'a day at the sea');
                CREATE TABLE sums (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, a UNIQUE, b, c, total AS (a + b), shown AS (total || '!') STORED);
                CREATE TABLE slots (name UNIQUE ON CONFLICT REPLACE, holder, PRIMARY KEY (holder)) WITHOUT ROWID;
                CREATE TABLE moves (x);
                CREATE TRIGGER moved AFTER INSERT ON moves BEGIN UPDATE OR REPLACE pairs SET a = new.x, b = 1; END;
                CREATE TABLE copies (x);
                CREATE TRIGGER copied AFTER UPDATE OF x ON copies BEGIN UPDATE pairs SET a = new.x, b = 1; END;
                CREATE TABLE lefts (k, l); CREATE TABLE rights (k, r);
                CREATE VIEW both AS SELECT l FROM lefts NATURAL JOIN rights;
                CREATE VIRTUAL TABLE terms USING fts5vocab(note_texts, 'row');
                INSERT INTO sums (a, b) VALUES (1, 1), (2, 2);
                INSERT INTO slots VALUES ('x', 1), ('y', 2);
                INSERT INTO pairs VALUES (7, 7);
                INSERT INTO copies VALUES (1);
                INSERT INTO lefts VALUES (1, 1);
                INSERT INTO rights VALUES (1, 1);
                CREATE TABLE "ÄRZTE" (name, "größe", "GRÖßE" AS ("größe"));
                CREATE TABLE "ärzte" (name);
                CREATE VIRTUAL TABLE "ÄRZTE_suche" USING fts5(name, content = 'ÄRzTE', content_rowid = 'rowid');
                INSERT INTO "ÄRZTE" (name, "größe") VALUES ('Kim', 1);
                INSERT INTO "ärzte" VALUES ('Lee');
                ANALYZE;
                """)
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        let query: SQL
        let change: String
        let wakes: Bool

        init(_ query: SQL, _ change: String, wakes: Bool) {
            self.query = query
            self.change = change
            self.wakes = wakes
        }

        var testDescription: String { "\(query.text) / \(change)" }
    }

    @Test(
        "a commit makes a query stale exactly if it touches the columns that were read",
        arguments: [
            Case("SELECT name FROM cities", "INSERT INTO cities (name) VALUES ('Busan')", wakes: true),
            Case("SELECT name FROM cities", "UPDATE cities SET name = 'Soul' WHERE id = 1", wakes: true),
            Case("SELECT name FROM cities", "UPDATE cities SET population = 1 WHERE id = 1", wakes: false),
            Case("SELECT name FROM cities WHERE population > 1", "UPDATE cities SET population = 1", wakes: true),
            Case("SELECT name FROM cities", "UPDATE cities SET name = 'x' WHERE id = 77", wakes: false),
            Case("SELECT name FROM cities", "DELETE FROM cities WHERE id = 2", wakes: true),
            Case("SELECT name FROM cities", "INSERT INTO pairs VALUES (8, 8)", wakes: false),
            Case("SELECT COUNT(*) FROM cities", "INSERT INTO cities (name) VALUES ('Busan')", wakes: true),
            Case("SELECT COUNT(*) FROM cities", "UPDATE cities SET name = 'x'", wakes: false),
            Case("SELECT a FROM pairs", "INSERT INTO pairs VALUES (2, 2)", wakes: true),
            Case("SELECT a FROM pairs", "UPDATE pairs SET a = 5", wakes: true),
            Case("SELECT a FROM pairs", "DELETE FROM pairs", wakes: true),
            Case("SELECT name FROM people", "DELETE FROM people", wakes: true),
            Case("SELECT name FROM people", "DELETE FROM cities WHERE id = 1", wakes: true),
            Case("SELECT what FROM log", "INSERT INTO people VALUES (2, 'Lee', 1)", wakes: true),
            Case("SELECT name FROM big", "UPDATE cities SET population = 2 WHERE id = 2", wakes: true),
            Case("SELECT name FROM big", "INSERT INTO pairs VALUES (8, 8)", wakes: false),
            Case(
                "SELECT rowid FROM note_texts WHERE note_texts MATCH 'sea'", "INSERT INTO notes VALUES (2, 'sea')",
                wakes: true),
            Case("SELECT body FROM note_texts", "UPDATE notes SET body = 'lake' WHERE id = 1", wakes: true),
            Case("SELECT rowid FROM note_texts", "INSERT INTO pairs VALUES (8, 8)", wakes: false),
            Case("SELECT name FROM cities", "REPLACE INTO cities VALUES (1, 'Soul', 900)", wakes: true),
            Case("SELECT name FROM cities", "ALTER TABLE cities ADD COLUMN mayor TEXT", wakes: true),
            // Columns and rows that the statement does not name.
            Case("SELECT total FROM sums", "UPDATE sums SET a = 5 WHERE id = 1", wakes: true),
            Case("SELECT shown FROM sums", "UPDATE sums SET b = 5 WHERE id = 1", wakes: true),
            Case("SELECT COUNT(*) FROM pairs", "UPDATE OR REPLACE pairs SET a = 3, b = 3", wakes: true),
            Case("SELECT COUNT(*) FROM pairs", "INSERT INTO moves VALUES (3)", wakes: true),
            Case("SELECT COUNT(*) FROM pairs", "UPDATE OR REPLACE copies SET x = 3", wakes: true),
            Case("SELECT COUNT(*) FROM pairs", "UPDATE pairs SET a = 8 WHERE b = 1", wakes: false),
            Case("SELECT COUNT(*) FROM slots", "UPDATE slots SET name = 'x' WHERE holder = 2", wakes: true),
            Case("SELECT holder FROM slots", "UPDATE slots SET name = 'x' WHERE holder = 2", wakes: true),
            Case("SELECT id FROM cities", "UPDATE cities SET rowid = 7 WHERE id = 2", wakes: true),
            Case("SELECT rowid FROM cities", "UPDATE cities SET id = 7 WHERE id = 2", wakes: true),
            Case("SELECT oid FROM cities", "UPDATE cities SET _rowid_ = 7 WHERE id = 2", wakes: true),
            Case("SELECT id FROM people", "UPDATE cities SET name = replace(name, 'e', 'a')", wakes: false),
            // Tables that SQLite keeps itself.
            Case("SELECT seq FROM sqlite_sequence", "INSERT INTO sums (a) VALUES (9)", wakes: true),
            Case("SELECT seq FROM sqlite_sequence", "INSERT OR IGNORE INTO sums (a) VALUES (1)", wakes: true),
            Case("SELECT seq FROM sqlite_sequence", "INSERT INTO pairs VALUES (8, 8)", wakes: false),
            Case("PRAGMA user_version", "PRAGMA user_version = 5", wakes: true),
            Case("SELECT * FROM pragma_user_version", "PRAGMA user_version = 5", wakes: true),
            Case("PRAGMA page_count", "INSERT INTO pairs VALUES (8, 8)", wakes: true),
            Case("SELECT stat FROM sqlite_stat1", "ANALYZE", wakes: true),
            Case("SELECT name FROM pragma_table_info('pairs')", "ALTER TABLE pairs ADD COLUMN c", wakes: true),
            Case("SELECT sql FROM sqlite_schema", "CREATE INDEX pairs_b ON pairs (b)", wakes: true),
            // Columns that a join compares.
            Case("SELECT l FROM lefts JOIN rights USING (k)", "UPDATE rights SET k = 2", wakes: true),
            Case("SELECT 1 FROM lefts NATURAL JOIN rights", "DELETE FROM rights", wakes: true),
            Case("SELECT l FROM both", "UPDATE lefts SET k = 2", wakes: true),
            Case("SELECT COUNT(*) FROM both", "INSERT INTO rights VALUES (1, 2)", wakes: true),
            Case("SELECT l FROM lefts NATURAL JOIN rights", "INSERT INTO pairs VALUES (8, 8)", wakes: false),
            // Tables of a virtual table.
            Case("SELECT term FROM terms", "INSERT INTO notes VALUES (2, 'sea')", wakes: true),
            Case("SELECT COUNT(*) FROM note_texts_docsize", "INSERT INTO notes VALUES (2, 'sea')", wakes: true),
            Case("SELECT term FROM terms", "INSERT INTO pairs VALUES (8, 8)", wakes: false),
            Case("SELECT name FROM CITIES", "INSERT INTO Cities (name) VALUES ('Busan')", wakes: true),
            // Names are compared as in SQLite: only the case of ASCII letters does not matter.
            Case("SELECT name FROM \"ÄRZTE\"", "UPDATE \"ÄrZTe\" SET NAME = 'x'", wakes: true),
            Case("SELECT name FROM \"ÄRZTE\"", "UPDATE \"ärzte\" SET name = 'x'", wakes: false),
            Case("SELECT \"GRÖßE\" FROM \"ÄRZTE\"", "UPDATE \"ÄRZTE\" SET \"größe\" = 2", wakes: true),
            Case("SELECT name FROM \"ÄRZTE_suche\"", "UPDATE \"ÄRZTE\" SET name = 'x'", wakes: true),
            Case("SELECT rowid FROM \"ärzte\"", "INSERT INTO \"ÄRZTE\" (name) VALUES ('x')", wakes: false),
        ])
    func waking(_ example: Case) async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let observation = database.observe { db in try db.fetchAll(example.query) { _ in () }.count }
            var counts = observation.makeAsyncIterator()
            _ = try await counts.next()
            #expect(!observation.isStale)
            try await database.write { db in try db.execute(SQL(raw: example.change)) }
            #expect(observation.isStale == example.wakes)
        }
    }

    @Test("a script makes a query stale")
    func script() async throws {
        try await expectStale(true) { (database) async throws in
            try await database.write { db in try db.executeScript("DELETE FROM pairs; DELETE FROM cities WHERE id = 2")
            }
        }
    }

    @Test("a rolled-back write does not make a query stale")
    func rollback() async throws {
        try await expectStale(false) { (database) async throws in
            try? await database.write { (db) throws in
                try db.execute("INSERT INTO cities (name) VALUES ('Busan')")
                throw CancellationError()
            }
        }
    }

    @Test("a rolled-back savepoint in a committed transaction does not make a query stale")
    func savepoint() async throws {
        try await expectStale(false) { (database) async throws in
            try await database.write { (db) throws in
                try db.execute("INSERT INTO pairs VALUES (3, 3)")
                try? db.transaction {
                    try db.execute("INSERT INTO cities (name) VALUES ('Busan')")
                    throw CancellationError()
                }
                try db.execute("INSERT INTO pairs VALUES (4, 4)")
            }
        }
    }

    @Test("a statement that was rolled back once and committed once makes a query stale")
    func savepointThenKept() async throws {
        try await expectStale(true) { (database) async throws in
            try await database.write { (db) throws in
                for keeps in [false, true] {
                    try? db.transaction {
                        try db.execute("INSERT INTO cities (name) VALUES ('Busan')")
                        if !keeps { throw CancellationError() }
                    }
                }
            }
        }
    }

    @Test("a query observes the columns of a changed table")
    func schemaChange() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let observation = database.observe { db in try db.fetchAll("SELECT * FROM cities") { $0.columnCount } }
            var counts = observation.makeAsyncIterator()
            #expect(try await counts.next() == [3, 3])
            try await database.write { db in try db.execute("ALTER TABLE cities ADD COLUMN mayor TEXT") }
            #expect(try await counts.next() == [4, 4])
            try await database.write { db in try db.execute("UPDATE cities SET mayor = 'Kim'") }
            #expect(observation.isStale)
        }
    }

    private func expectStale(
        _ isStale: Bool, _ change: (Database) async throws -> Void
    ) async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let observation = database.observe(String.self, "SELECT name FROM cities")
            var names = observation.makeAsyncIterator()
            _ = try await names.next()
            try await change(database)
            #expect(observation.isStale == isStale)
        }
    }

    @Test("a trigger that is newer than a compiled statement is observed")
    func newTrigger() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let observation = database.observe(String.self, "SELECT what FROM log")
            var log = observation.makeAsyncIterator()
            let insert: @Sendable (Connection) throws -> Int = {
                try $0.execute("INSERT INTO pairs VALUES (random(), 1)")
            }
            try await database.write(insert)
            try await database.write { db in
                try db.execute(
                    "CREATE TRIGGER paired AFTER INSERT ON pairs BEGIN INSERT INTO log VALUES ('pair'); END")
            }
            #expect(try await log.next() == ["Kim"])
            try await database.write(insert)
            #expect(observation.isStale)
            #expect(try await log.next() == ["Kim", "pair"])
            try await database.write(insert)
            #expect(observation.isStale)
        }
    }

    @Test("a commit to another table wakes nothing, whatever the name of an attached database")
    func nameOfAttached() async throws {
        try await withTemporaryFolder { (folder) async throws in
            // The accent is a part of one character with the quotation mark.
            let configuration = Database.Configuration().with {
                $0.attached = ["'\u{301} \"\u{301}": folder + "/other"]
            }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: Self.schema)
            let observation = database.observe(Int.self, "SELECT COUNT(*) FROM pairs")
            var counts = observation.makeAsyncIterator()
            #expect(try await counts.next() == [2])
            try await database.write { db in _ = try db.execute("INSERT INTO log VALUES ('x')") }
            #expect(!observation.isStale)
            await database.close()
        }
    }

    @Test("a change of the schema changes what an update wakes, also by another process and after a rollback")
    func changingRules() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let file = Database.Location.file(folder + "/db")
            let database = try await Database.open(file, migrations: Self.schema)
            let other = try await Database.open(file)
            let observation = database.observe(Int.self, "SELECT COUNT(*) FROM pairs")
            var counts = observation.makeAsyncIterator()
            #expect(try await counts.next() == [2])
            let update = { @Sendable (db: Connection, number: Int) in
                // A new statement each time.
                _ = try db.execute("\(raw: "UPDATE cities SET population = \(number) WHERE id = 2")")
            }
            try await database.write { db in try update(db, 1) }
            #expect(!observation.isStale)
            // The transaction takes the number of the next version of the schema, and gives it back.
            try? await database.write { (db) throws in
                try db.execute("CREATE INDEX failed ON log (what)")
                try update(db, 2)
                throw CancellationError()
            }
            try await other.write { db in
                _ = try db.execute(
                    """
                    CREATE TRIGGER merged AFTER UPDATE ON cities BEGIN UPDATE OR REPLACE pairs SET a = 1, b = 1; END
                    """)
            }
            // Notices the commit of the other, which wakes everything.
            try await database.write { db in _ = try db.execute("INSERT INTO log VALUES ('x')") }
            #expect(observation.isStale)
            try await database.write { db in _ = try db.execute("INSERT INTO pairs VALUES (8, 8)") }
            #expect(try await counts.next() == [3])
            try await database.write { db in try update(db, 3) }
            #expect(try await counts.next() == [1])
            await other.close()
            await database.close()
        }
    }

    @Test("statements through the handle of the connection are observed")
    func handle() async throws {
        try await expectStale(true) { database in
            try await database.write { db in
                _ = try db.fetchAll(Int.self, "SELECT id FROM cities")
                #expect(sqlite3_exec(db.handle, "UPDATE cities SET name = 'x'", nil, nil, nil) == SQLITE_OK)
            }
        }
        try await withTemporaryDatabase(migrations: Self.schema) { database in
            let observation = database.observe { db in
                sqlite3_exec(db.handle, "SELECT name FROM cities", nil, nil, nil)
            }
            var codes = observation.makeAsyncIterator()
            #expect(try await codes.next() == SQLITE_OK)
            try await database.write { db in _ = try db.execute("UPDATE cities SET name = 'x'") }
            #expect(observation.isStale)
        }
    }

    @Test("a commit within some keys makes only queries stale that have read within one of them")
    func partitions() async throws {
        @Sendable func within<Value>(_ cities: [Int64]?, _ db: Connection, _ body: () throws -> Value) rethrows -> Value
        {
            if let cities { try db.within("city", keys: cities, body) } else { try body() }
        }
        @Sendable func populations(of cities: [Int64]?, _ db: Connection) throws -> [Int] {
            let isOne: SQL = cities.map { "id IN (SELECT value FROM json_each(\(json: $0)))" } ?? "TRUE"
            return try db.fetchAll("SELECT population FROM cities WHERE \(isOne) ORDER BY id") { try $0[0] }
        }
        var random = SeededGenerator(seed: 7)
        try await withTemporaryDatabase(migrations: Self.schema) { database in
            try await database.write { db in
                for city in 3...6 { _ = try db.execute("INSERT INTO cities VALUES (\(city), 'x', \(city))") }
            }
            let reads: [[Int64]?] = [nil, [1], [2], [3, 4], [1, 2, 3, 4, 5, 6], []]
            let observations = reads.map { cities in
                database.observe { db in try within(cities, db) { try populations(of: cities, db) } }
            }
            var iterators = observations.map { $0.makeAsyncIterator() }
            for index in iterators.indices { _ = try await iterators[index].next() }
            // A stale query stays stale until its value has changed, for which an observer waits.
            var stale: Set<Int> = []
            for number in 100..<300 {
                let steps = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                    (
                        city: Int64.random(in: 1...6, using: &random), isWithin: Bool.random(using: &random),
                        isRolledBack: Int.random(in: 0..<4, using: &random) == 0
                    )
                }
                try await database.write { db in
                    for step in steps {
                        try? db.transaction {
                            _ = try within(step.isWithin ? [step.city] : nil, db) {
                                try db.execute("UPDATE cities SET population = \(number) WHERE id = \(step.city)")
                            }
                            if step.isRolledBack { throw CancellationError() }
                        }
                    }
                }
                let committed = steps.filter { !$0.isRolledBack }
                for (index, cities) in reads.enumerated() {
                    if committed.contains(where: { !$0.isWithin || cities?.contains($0.city) ?? true }) {
                        stale.insert(index)
                    }
                    #expect(
                        observations[index].isStale == stale.contains(index), "\(steps), \(String(describing: cities))")
                    guard committed.contains(where: { cities?.contains($0.city) ?? true }) else { continue }
                    let current = try await database.read { db in try populations(of: cities, db) }
                    #expect(try await iterators[index].next() == current)
                    stale.remove(index)
                }
            }
        }
    }

    @Test("announced changes make a query stale, unless they are rolled back")
    func announced() async throws {
        let change: @Sendable (Connection) throws -> Void = { db in
            var blob: OpaquePointer?
            #expect(sqlite3_blob_open(db.handle, "main", "cities", "name", 1, 1, &blob) == SQLITE_OK)
            #expect(sqlite3_blob_write(blob, "Soul", 4, 0) == SQLITE_OK)
            #expect(sqlite3_blob_close(blob) == SQLITE_OK)
            try db.notifyChanges(of: "Cities")
        }
        try await expectStale(true) { database in try await database.write(change) }
        try await expectStale(true) { database in try await database.writeWithoutTransaction(change) }
        try await expectStale(false) { database in
            try await database.write { db in
                try? db.transaction {
                    try change(db)
                    throw CancellationError()
                }
            }
        }
        for (table, isStale) in [("pairs", false), ("unknown", true), ("big", false)] {
            try await expectStale(isStale) { database in
                try await database.write { db in try db.notifyChanges(of: table) }
            }
        }
        let error = await #expect(throws: SQLiteError.self) {
            try await Database.open(.inMemory).read { db in try db.notifyChanges(of: "cities") }
        }
        #expect(error?.code == .readOnly)
    }

    @Test("changes before an error outside a transaction make a query stale")
    func withoutTransaction() async throws {
        try await expectStale(true) { database in
            try? await database.writeWithoutTransaction { db in
                try db.execute("INSERT INTO cities (name) VALUES ('Busan')")
                throw CancellationError()
            }
        }
    }

    @Test(
        "rows that a failed statement leaves make a query stale",
        arguments: [
            ("CREATE TABLE t (a INT) STRICT", "INSERT INTO t VALUES (1), (2), ('x')", [1, 2]),
            ("CREATE TABLE t (a INTEGER PRIMARY KEY)", "INSERT OR REPLACE INTO t VALUES (1), (2), ('x')", [1, 2]),
            ("CREATE TABLE t (a INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (1), ('x') ON CONFLICT DO NOTHING", [1]),
            (
                "CREATE TABLE t (a); CREATE TABLE s (j); INSERT INTO s VALUES ('[1]'), ('[2]'), ('bad')",
                "INSERT INTO t SELECT e.value FROM s, json_each(s.j) e", [1, 2]
            ),
            (
                "CREATE TABLE t (a); CREATE TABLE s (g, v); "
                    + "INSERT INTO s VALUES (1, 1), (2, 9223372036854775807), (2, 1)",
                "INSERT INTO t SELECT sum(v) FROM s GROUP BY g", [1]
            ),
            (
                "CREATE TABLE t (a); CREATE TRIGGER three BEFORE INSERT ON t WHEN new.a = 3 "
                    + "BEGIN SELECT RAISE(FAIL, 'no'); END", "INSERT INTO t VALUES (1), (2), (3)", [1, 2]
            ),
            ("CREATE TABLE t (a UNIQUE)", "INSERT OR FAIL INTO t VALUES (1), (2), (1)", [1, 2]),
            // Undone, although the transaction goes on.
            ("CREATE TABLE t (a UNIQUE)", "INSERT INTO t VALUES (1), (2), (1)", []),
        ])
    func failedStatement(setup: String, sql: String, left: [Int]) async throws {
        let runs: [@Sendable (Connection) throws -> Void] = [
            { db in _ = try db.execute(SQL(raw: sql)) },
            { db in try db.executeScript(sql) },
            { db in _ = try db.withStatement(SQL(raw: sql)) { statement in try statement.execute() } },
            { db in _ = try db.execute(SQL(raw: sql), forEach: [()]) { _, _ in } },
            { db in _ = try db.fetchAll(Int.self, SQL(raw: sql + " RETURNING a")) },
            { db in _ = try db.fetchOne(Int.self, SQL(raw: sql + " RETURNING a")) },
        ]
        for (index, run) in runs.enumerated() {
            let database = try await Database.open(.inMemory, migrations: [Migration("t", script: setup)])
            let observation = database.observe(Int.self, "SELECT a FROM t ORDER BY a")
            var values = observation.makeAsyncIterator()
            let before = try await values.next()
            try await database.write { db in
                // The import goes on without the bad row.
                var hasThrown = false
                do { try run(db) } catch { hasThrown = true }
                #expect(hasThrown, "\(index) \(sql)")
            }
            let after = try await database.read { db in try db.fetchAll(Int.self, "SELECT a FROM t ORDER BY a") }
            // With RETURNING, SQLite can undo the statement.
            if index < 4 { #expect(after == left, "\(index)") }
            if after != before {
                try #require(observation.isStale, "\(index)")
                #expect(try await values.next() == after, "\(index)")
            }
            await database.close()
        }
    }

    @Test("a failed statement whose changes are rolled back does not make a query stale")
    func undoneStatement() async throws {
        let failing: SQL = "INSERT INTO cities (name, id) VALUES ('Busan', 5), ('Ulsan', 'x')"
        try await expectStale(true) { database in
            try await database.write { db in _ = try? db.execute(failing) }
        }
        try await expectStale(false) { database in
            try await database.write { db in try? db.transaction { _ = try db.execute(failing) } }
        }
        try await expectStale(false) { database in
            // Outside a transaction the statement is one.
            try await database.writeWithoutTransaction { db in _ = try? db.execute(failing) }
        }
        try await expectStale(false) { database in
            try? await database.write { db in
                _ = try? db.execute("INSERT OR ROLLBACK INTO cities (name, id) VALUES ('Busan', 5), ('Ulsan', 1)")
            }
        }
    }

    @Test("a row that the closure cannot read does not hide those that the statement has written")
    func unreadableRow() async throws {
        try await expectStale(true) { database in
            try await database.write { db in
                _ = #expect(throws: SQLiteError.self) {
                    try db.fetchAll(Int.self, "INSERT INTO cities (name) VALUES ('Busan') RETURNING name")
                }
            }
        }
    }

    @Test(
        "a full-text table whose content is a view is observed with the tables of the view",
        arguments: [
            "fts5(body, author UNINDEXED, content = 'V', content_rowid = 'id')",
            "fts5(body, author UNINDEXED, content=\"v\", content_rowid=id)",
            "fts5(body, author UNINDEXED, content = [outer \"v\"], content_rowid = 'id')",
            "fts5(body, author UNINDEXED, content = 'outer \"v\"', content_rowid = 'id')",
            "fts4(content=\"v\", body, author)",
            "fts4(content='outer \"v\"', body, author)",
        ])
    func contentOfView(definition: String) async throws {
        let isFTS5 = definition.hasPrefix("fts5")
        let schema = """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age);
            CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT, person INTEGER);
            CREATE TABLE others (x);
            CREATE VIEW aged AS SELECT x FROM others;
            CREATE VIEW v AS SELECT notes.id AS id, notes.id AS rowid, body, name AS author
                FROM notes JOIN people ON people.id = person;
            CREATE VIEW [outer "v"] AS SELECT * FROM v;
            CREATE VIRTUAL TABLE f USING \(definition);
            INSERT INTO people VALUES (1, 'kim', 30), (2, 'park', 40);
            INSERT INTO notes VALUES (1, 'sea wind', 1);
            INSERT INTO f (\(isFTS5 ? "rowid" : "docid"), body, author) VALUES (1, 'sea wind', 'kim');
            """
        let configuration = Database.Configuration().with { $0.readerCount = 1 }
        try await withTemporaryFolder { (folder) async throws in
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: [Migration("f", script: schema)])
            // The table compiles its own statement once for each connection.
            _ = try await database.read { db in
                try db.fetchAll(String.self, "SELECT body FROM f WHERE f MATCH 'wind'")
            }
            let observation = database.observe(String.self, "SELECT author FROM f WHERE f MATCH 'sea'")
            var authors = observation.makeAsyncIterator()
            #expect(try await authors.next() == ["kim"])
            for (change, wakes) in [
                ("UPDATE people SET name = 'lee' WHERE id = 1", true), ("UPDATE people SET age = 31", false),
                ("INSERT INTO others VALUES (1)", false), ("UPDATE notes SET person = 2", true),
            ] {
                try await database.write { db in _ = try db.execute(SQL(raw: change)) }
                try #require(observation.isStale == wakes, "\(change)")
                if wakes { _ = try await authors.next() }
            }
            await database.close()
        }
    }
}
