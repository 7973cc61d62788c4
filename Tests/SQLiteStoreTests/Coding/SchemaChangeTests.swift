import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

/// Changes of the schema by another connection between two runs of one compiled statement.
@Suite("Rows after a schema change", .takesTurns)
struct SchemaChangeTests {
    private struct City: Decodable, Equatable {
        let name: String
        let country: String
    }

    /// Opens two databases on one file: one reads, the other changes the schema as another process would.
    private func withTwoDatabases(_ body: (_ reader: Database, _ other: Database) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let reader = try await Database.open(
                .file(folder + "/database"),
                migrations: [Migration("cities", script: "CREATE TABLE cities (name TEXT, country TEXT)")])
            let other = try await Database.open(.file(folder + "/database"))
            try await other.write { db in _ = try db.execute("INSERT INTO cities VALUES ('Seoul', 'Korea')") }
            try await body(reader, other)
            await reader.close()
            await other.close()
        }
    }

    private static let rebuilds = ["country, name", "mayor, name, country", "name, mayor, country", "name, country"]

    @Test("columns are found by their current names after another process has reordered them")
    func order() async throws {
        try await withTwoDatabases { (reader, other) async throws in
            for round in 0..<12 {
                let columns = Self.rebuilds[round % Self.rebuilds.count]
                let before = try await reader.read { db in try db.fetchAll(decoding: City.self, "SELECT * FROM cities")
                }
                #expect(before == [City(name: "Seoul", country: "Korea")])
                try await other.write { db in
                    try db.executeScript(
                        """
                        CREATE TABLE rebuilt AS SELECT \(columns) FROM (SELECT name, country, 'Oh' AS mayor FROM cities);
                        DROP TABLE cities;
                        ALTER TABLE rebuilt RENAME TO cities;
                        """)
                }
                let (all, one, each) = try await reader.read { db in
                    (
                        try db.fetchAll(decoding: City.self, "SELECT * FROM cities"),
                        try db.fetchOne(decoding: City.self, "SELECT * FROM cities"),
                        try db.fetchAll("SELECT * FROM cities") { row in
                            City(name: try row["name"], country: try row["country"])
                        }
                    )
                }
                #expect(all == [City(name: "Seoul", country: "Korea")], "round \(round)")
                #expect(one == all.first && each == all, "round \(round)")
            }
        }
    }

    @Test("an added column is read, and a removed column is an error that names the existing ones")
    func columns() async throws {
        try await withTwoDatabases { (reader, other) async throws in
            let read = { @Sendable (db: Connection) in try db.fetchAll(decoding: City.self, "SELECT * FROM cities") }
            #expect(try await reader.read(read).count == 1)
            try await other.write { db in _ = try db.execute("ALTER TABLE cities RENAME COLUMN country TO land") }
            let error = await #expect(throws: SQLiteError.self) { try await reader.read(read) }
            #expect(error?.message == #"no column "country" among ["name", "land"]"#)
            try await other.write { db in _ = try db.execute("ALTER TABLE cities ADD COLUMN country TEXT DEFAULT 'ROK'")
            }
            #expect(try await reader.read(read) == [City(name: "Seoul", country: "ROK")])
        }
    }
}
