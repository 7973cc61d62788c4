import SQLiteStore
import TestConcurrency
import Testing

/// Returns the script of a full-text index that triggers keep up to date.
func fullTextIndex(_ name: String, on column: String, of table: String) -> String {
    let insertion = "INSERT INTO \(name) (rowid, \(column)) VALUES (new.rowid, new.\(column));"
    let deletion = "INSERT INTO \(name) (\(name), rowid, \(column)) VALUES ('delete', old.rowid, old.\(column));"
    return """
        CREATE VIRTUAL TABLE \(name) USING fts5(\(column), content = '\(table)');
        CREATE TRIGGER "\(name) insert" AFTER INSERT ON \(table) BEGIN \(insertion) END;
        CREATE TRIGGER "\(name) delete" AFTER DELETE ON \(table) BEGIN \(deletion) END;
        CREATE TRIGGER "\(name) update" AFTER UPDATE ON \(table) BEGIN \(deletion) \(insertion) END;
        INSERT INTO \(name) (\(name)) VALUES ('rebuild');
        """
}

@Suite("Full-text indexes", .limitedConcurrency)
struct FullTextIndexTests {
    @Test(
        "a REPLACE fires the delete triggers of the rows that it replaces",
        arguments: [
            "INSERT OR REPLACE INTO trips VALUES (1, 'mountains', 'x')",
            "REPLACE INTO trips (title, \"it's\") VALUES ('mountains', 'one')",
            "UPDATE OR REPLACE trips SET \"it's\" = 'one' WHERE id = 2",
            "INSERT INTO kept VALUES (9, 'mountains', 'one')",
        ])
    func replacing(sql: String) async throws {
        let schema = [
            Migration("trips", script: "CREATE TABLE trips (id INTEGER PRIMARY KEY, title TEXT, \"it's\" UNIQUE)"),
            Migration("texts", script: fullTextIndex("texts", on: "title", of: "trips")),
            Migration(
                "rows",
                script: """
                    INSERT INTO trips VALUES (1, 'a day at the sea', 'one'), (2, 'mountains', 'two');
                    CREATE TABLE kept (id INTEGER PRIMARY KEY, title, key);
                    CREATE TRIGGER keep AFTER INSERT ON kept BEGIN
                        INSERT OR REPLACE INTO trips VALUES (new.id, new.title, new.key);
                    END;
                    """),
        ]
        let database = try await Database.open(.inMemory, migrations: schema)
        let find: @Sendable (Connection) throws -> [Int] = { db in
            try db.fetchAll(Int.self, "SELECT rowid FROM texts WHERE texts MATCH 'sea'")
        }
        #expect(try await database.read(find) == [1])
        try await database.write { db in _ = try db.execute("\(raw: sql)") }
        #expect(try await database.read(find) == [])
        #expect(try await database.integrityCheck() == [])
    }
}
