import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

/// Legacy features of SQLite that connections of this library disable.
@Suite("Hardening", .takesTurns)
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
        #expect(ofView?.message == "unsafe use of loud()")
        let ofTrigger = try await error { db in
            try db.executeScript("CREATE TRIGGER l AFTER INSERT ON t BEGIN UPDATE t SET x = loud(x); END")
            try db.execute("INSERT INTO t VALUES ('c')")
        }
        #expect(ofTrigger?.message == "unsafe use of loud()")
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

    @Test("triggers keep a full-text index up to date although the schema is not trusted")
    func fullText() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let location = Database.Location.file(folder + "/database")
            let notes = Migration("notes", script: "CREATE TABLE notes (id INTEGER PRIMARY KEY, x)")
            let database = try await Database.open(location, migrations: Self.schema + [notes])
            let insert = { @Sendable (db: Connection) in _ = try db.execute("INSERT INTO notes (x) VALUES ('sea')") }
            try await database.write(insert)
            #expect(try await database.write { db in try db.fetchOne(Bool.self, "PRAGMA trusted_schema") } == false)
            let other = try await Database.open(location)
            try await other.write { db in
                try db.executeScript(FullTextIndex("texts", of: "notes", columns: ["x"]).creationScript)
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
}
