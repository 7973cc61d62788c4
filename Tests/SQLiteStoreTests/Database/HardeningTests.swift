import CSQLite
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Legacy features of SQLite that connections of this library disable.
@Suite("Hardening", .limitedConcurrency)
struct HardeningTests {
    private static let schema = [
        Migration("t", script: "CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('a'), ('b'), (NULL)")
    ]

    /// Returns the error of the access, on a database with the functions `loud`, for statements only, and `harmless`,
    /// for schemas too.
    private func error(_ access: @escaping @Sendable (Connection) throws -> Void) async throws -> SQLiteError? {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in
                try db.addFunction("loud") { (text: String) in text + "!" }
                try db.addFunction("harmless", isAllowedInSchema: true) { (text: String?) in (text ?? "") + "." }
            }
        }
        return try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { database in
            do { try await database.writeWithoutTransaction(access) } catch let error as SQLiteError { return error }
            return nil
        }
    }

    @Test(
        "an unknown name in double quotes is an error and not a text",
        arguments: [
            #"DELETE FROM t WHERE "deleted_at" IS NOT NULL"#, #"SELECT "y" FROM t"#, #"UPDATE t SET x = "y""#,
            #"CREATE INDEX i ON t ("y")"#, #"CREATE TABLE u (x CHECK (x <> "y"))"#,
        ])
    func quotedNames(sql: String) async throws {
        let error = try await error { db in
            #expect(throws: SQLiteError.self) { try db.execute("\(raw: sql)") }
            #expect(try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") == 3)
            try db.executeScript(sql)
        }
        #expect(error?.message.hasPrefix("no such column: ") == true, "\(String(describing: error))")
    }

    @Test("schema tables and shadow tables cannot be modified directly")
    func defensive() async throws {
        for sql in ["DELETE FROM sqlite_schema", "DELETE FROM texts_data"] {
            let error = try await error { db in
                try db.executeScript("CREATE VIRTUAL TABLE texts USING fts5 (x); PRAGMA writable_schema = ON")
                try db.executeScript(sql)
            }
            #expect(error?.message.hasSuffix("may not be modified") == true, "\(String(describing: error))")
        }
    }

    @Test("the schema can call only functions of the app that allow it")
    func functions() async throws {
        let ofHarmless = try await error { db in
            try db.executeScript("CREATE VIEW harmless_texts AS SELECT harmless(x) AS x FROM t")
            #expect(try db.fetchOne(String.self, "SELECT x FROM harmless_texts") == "a.")
            #expect(try db.fetchOne(String.self, "SELECT loud(x) FROM t") == "a!")
            try db.executeScript("CREATE TRIGGER h AFTER INSERT ON t BEGIN UPDATE t SET x = harmless(x); END")
            try db.execute("INSERT INTO t VALUES ('c')")
        }
        #expect(ofHarmless == nil)
        let ofView = try await error { db in
            try db.executeScript("CREATE VIEW loud_texts AS SELECT loud(x) AS x FROM t")
            _ = try db.fetchAll(String.self, "SELECT x FROM loud_texts")
        }
        #expect(ofView?.message.hasPrefix("unsafe use of loud(): only statements of the app can call it") == true)
        let ofTrigger = try await error { db in
            try db.executeScript("CREATE TRIGGER l AFTER INSERT ON t BEGIN UPDATE t SET x = loud(x); END")
            try db.execute("INSERT INTO t VALUES ('c')")
        }
        #expect(ofTrigger?.message.hasPrefix("unsafe use of loud(): only statements of the app can call it") == true)
    }

    @Test(
        "triggers and views can use the index modules of SQLite",
        arguments: [
            ("fts4 (x)", "(x) VALUES (new.x)"), ("fts5(x)", "(x) VALUES (new.x)"),
            ("RTREE(id, low, high)", "VALUES (new.rowid, 1, 2)"),
        ])
    func virtualTables(module: String, insertion: String) async throws {
        let error = try await error { db in
            try db.executeScript(
                """
                CREATE VIRTUAL TABLE "an ""index"" using" USING \(module); CREATE VIEW v AS SELECT rowid FROM "an ""index"" using";
                CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO "an ""index"" using" \(insertion); END
                """)
            #expect(try db.fetchAll(Int.self, "SELECT * FROM v") == [])
            try db.execute("INSERT INTO t VALUES ('sea')")
            #expect(try db.fetchAll(Int.self, "SELECT COUNT(*) FROM v") == [1])
        }
        #expect(error == nil)
    }

    @Test("triggers keep a full-text index up to date, whichever connection created them")
    func fullText() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let location = Database.Location.file(folder + "/database")
            let notes = Migration("notes", script: "CREATE TABLE notes (id INTEGER PRIMARY KEY, x)")
            let database = try await Database.open(location, migrations: Self.schema + [notes])
            let insert = { @Sendable (db: Connection) in _ = try db.execute("INSERT INTO notes (x) VALUES ('sea')") }
            try await database.write(insert)
            let other = try await Database.open(location)
            try await other.write { db in
                try db.executeScript(FullTextIndex("texts", of: "notes", columns: ["x"]).script)
                try insert(db)
            }
            // The statement was compiled before the triggers were created.
            try await database.write(insert)
            let found = try await database.read { db in
                try db.fetchOne(Int.self, "SELECT COUNT(*) FROM texts WHERE texts MATCH 'sea'")
            }
            #expect(found == 3)
            // On a connection that detects the trigger within a batch.
            let third = try await Database.open(location)
            try await third.write { db in
                try db.execute("DROP TRIGGER \(identifier: "texts insert")")
                try db.withStatement("INSERT INTO notes (x) VALUES (?)") { insert in
                    try insert.execute("lake")
                    try db.executeScript(
                        "CREATE TRIGGER i AFTER INSERT ON notes BEGIN INSERT INTO texts (rowid, x) VALUES (new.rowid, new.x); END"
                    )
                    try insert.execute("lake")
                }
                try db.execute("INSERT INTO notes (x) VALUES (?)", forEach: ["lake"]) { try $1.bind($0) }
                #expect(try db.fetchOne(Int.self, "SELECT COUNT(*) FROM texts WHERE texts MATCH 'lake'") == 2)
            }
            await third.close()
            await other.close()
            await database.close()
        }
    }

    /// Who owns a file. Only root can give a file to another user.
    enum Owner: CaseIterable {
        case user, other

        static var possible: [Owner] { geteuid() == 0 ? allCases : [.user] }
    }

    /// Opens a file that another program has created by `script`, with the functions of `function`.
    private func withFile(
        of owner: Owner, _ script: String, prepare: (@Sendable (Connection) throws -> Void)? = nil,
        _ body: (Database) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let path = folder + "/db"
            var handle: OpaquePointer?
            defer { sqlite3_close_v2(handle) }
            try #require(sqlite3_open(path, &handle) == SQLITE_OK)
            for name in ["loud", "harmless", "unmarked"] {
                sqlite3_create_function_v2(
                    handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
                    { context, _, arguments in sqlite3_result_value(context, arguments![0]) }, nil, nil, nil)
            }
            try #require(sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK)
            if owner == .other { try #require(chown(path, 4711, 4711) == 0) }
            let configuration = Database.Configuration().with { $0.prepare = prepare }
            let database = try await Database.open(.file(path), configuration: configuration)
            do {
                try await body(database)
            } catch {
                await database.close()
                throw error
            }
            await database.close()
        }
    }

    @Test("the schema of every file can call SQLite's own functions", arguments: Owner.possible)
    func builtInFunctions(owner: Owner) async throws {
        let script = """
            CREATE TABLE app (
                id INTEGER PRIMARY KEY, j TEXT CHECK ((JSON_VALID(j) OR j IS NULL)), k AS (json_extract(j, '$.k')) STORED
            );
            CREATE INDEX app_k ON app (json_extract(j, '$.k')) WHERE json_type(j) = 'object';
            CREATE TABLE log (entry TEXT DEFAULT (json_array(1)));
            CREATE TRIGGER logged AFTER INSERT ON app WHEN new.j ->> '$.k' > 1
                BEGIN INSERT INTO log VALUES (json_object('k', new.k)); END;
            CREATE VIEW summary AS SELECT json_group_array(k) AS keys FROM (SELECT k FROM app ORDER BY k);
            CREATE VIEW texts AS SELECT j.value FROM app, json_each(app.j) AS j;
            INSERT INTO app (j) VALUES ('{"k":1}'), (NULL);
            """
        try await withFile(of: owner, script) { database in
            try await database.write { db in
                try db.execute("INSERT INTO app (j) VALUES ('{\"k\":2}')")
                try db.execute("INSERT INTO log DEFAULT VALUES")
                #expect(throws: SQLiteError.self) { try db.execute("INSERT INTO app (j) VALUES ('{')") }
            }
            try await database.read { db in
                #expect(try db.fetchAll(String.self, "SELECT entry FROM log") == [#"{"k":2}"#, "[1]"])
                #expect(try db.fetchOne(String.self, "SELECT keys FROM summary") == "[null,1,2]")
                #expect(try db.fetchAll(Int.self, "SELECT value FROM texts ORDER BY 1") == [1, 2])
                let ids = try db.fetchAll(
                    Int.self, "SELECT id FROM app WHERE json_extract(j, '$.k') = 2 AND json_type(j) = 'object'")
                #expect(ids == [3])
            }
            #expect(try await database.integrityCheck() == [])
        }
    }

    /// A schema that calls a function in each place where a schema can.
    private static func schema(calling function: String) -> [String] {
        [
            "CREATE TABLE u (x TEXT CHECK (\(function)(x) IS NOT NULL))",
            "CREATE TABLE u (x TEXT, y AS (\(function)(x)) STORED)", "CREATE TABLE u (x TEXT, y AS (\(function)(x)))",
            "CREATE TABLE u (x TEXT); CREATE INDEX i ON u (\(function)(x))",
            "CREATE TABLE u (x TEXT); CREATE INDEX i ON u (x) WHERE \(function)(x) > ''",
            "CREATE TABLE u (x TEXT); CREATE TRIGGER r AFTER INSERT ON u BEGIN SELECT \(function)(new.x); END",
        ]
    }

    @Test(
        "no place in the schema of a file can call a function of the app without its permission",
        arguments: Owner.possible)
    func refusedFunctions(owner: Owner) async throws {
        for script in Self.schema(calling: "loud") {
            let error = await #expect(throws: SQLiteError.self, "\(script)") {
                try await withFile(of: owner, script) { db in
                    try db.addFunction("loud") { (text: String) in
                        Issue.record("called by: \(script)")
                        return text
                    }
                } _: { database in
                    try await database.write { db in _ = try db.execute("INSERT INTO u (x) VALUES ('a')") }
                }
            }
            // The file is sound.
            #expect(error?.code == .error, "\(script)")
            #expect(error?.message.hasPrefix("unsafe use of loud()") == true, "\(String(describing: error))")
            #expect(error?.message.contains("isAllowedInSchema") == true, "\(String(describing: error))")
        }
    }

    @Test("every place in a schema can call a function that allows it", arguments: Owner.possible)
    func allowedFunctions(owner: Owner) async throws {
        for script in Self.schema(calling: "harmless") {
            try await withFile(of: owner, script) { db in
                try db.addFunction("harmless", isAllowedInSchema: true) { (text: String) in text }
            } _: { database in
                try await database.write { db in _ = try db.execute("INSERT INTO u (x) VALUES ('a')") }
                #expect(try await database.read { db in try db.fetchAll(String.self, "SELECT x FROM u") } == ["a"])
                #expect(try await database.integrityCheck() == [], "\(script)")
            }
        }
    }

    @Test("a function registered through the handle must say whether the file of another user can call it")
    func unmarkedFunctions() async throws {
        @Sendable func register(_ flags: Int32) -> @Sendable (Connection) throws -> Void {
            { db in
                sqlite3_create_function_v2(
                    db.handle, "unmarked", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | flags, nil,
                    { context, _, arguments in sqlite3_result_value(context, arguments![0]) }, nil, nil, nil)
            }
        }
        let script = Self.schema(calling: "unmarked")[0]
        let insert = { @Sendable (db: Connection) in _ = try db.execute("INSERT INTO u (x) VALUES ('a')") }
        try await withFile(of: .user, script, prepare: register(0)) { try await $0.write(insert) }
        for owner in Owner.possible {
            try await withFile(of: owner, script, prepare: register(SQLITE_INNOCUOUS)) { try await $0.write(insert) }
        }
        if Owner.possible.contains(.other) {
            let error = await #expect(throws: SQLiteError.self) {
                try await withFile(of: .other, script, prepare: register(0)) { try await $0.write(insert) }
            }
            #expect(error?.code == .misuse)
            #expect(error?.message.contains("\"unmarked\"") == true)
        }
    }
}
