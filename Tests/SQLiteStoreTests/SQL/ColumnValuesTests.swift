import SQLiteStore
import TestTurns
import Testing

@Suite("Values by column name", .takesTurns)
struct ColumnValuesTests {
    private static let city: ColumnValues = ["name": "Seoul", "population": 9_400_000, "odd \" name": nil]

    @Test("column values are bound and their names quoted")
    func texts() throws {
        let insert: SQL = "INSERT INTO cities \(inserting: Self.city)"
        #expect(
            insert.text == #"INSERT INTO cities ("name", "population", "odd "" name") VALUES (?, ?, NULL)"#)
        #expect(try insert.values == [.text("Seoul"), .integer(9_400_000)])
        let update: SQL = "UPDATE cities SET \(setting: Self.city) WHERE id = \(1)"
        #expect(
            update.text == #"UPDATE cities SET "name" = ?, "population" = ?, "odd "" name" = NULL WHERE id = ?"#)
        #expect(try update.values == [.text("Seoul"), .integer(9_400_000), .integer(1)])
    }

    @Test("column values insert, update and upsert rows")
    func rows() async throws {
        let database = try await Database.open(
            .inMemory,
            migrations: [Migration("cities", script: "CREATE TABLE cities (name TEXT PRIMARY KEY, population INTEGER)")]
        )
        let found = try await database.write { db in
            var city: ColumnValues = ["name": "Seoul", "population": 1]
            try db.execute("INSERT INTO cities \(inserting: city)")
            city.set("population", to: 9_400_000)
            #expect(try db.execute("INSERT INTO cities \(upserting: city, on: "name")") == 1)
            #expect(try db.execute("INSERT INTO cities \(upserting: ["name": "Seoul"], on: "name")") == 0)
            try db.execute("INSERT INTO cities \(inserting: [:])")
            try db.execute("UPDATE cities SET \(setting: ["name": "Busan"]) WHERE name IS NULL")
            return try db.fetchAll("SELECT name, population FROM cities ORDER BY name") { row in
                "\(try row[0] as String) \(try row[1] as Int? ?? 0)"
            }
        }
        #expect(found == ["Busan 0", "Seoul 9400000"])
        await database.close()
    }

    @Test("the error of converting a column value is thrown when the statement is run")
    func failure() async throws {
        let database = try await Database.open(.inMemory)
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write { db in
                _ = try db.execute("INSERT INTO cities \(inserting: ["population": Double.nan])")
            }
        }
        // The text is compiled first.
        #expect(error?.message == "no such table: cities")
        #expect(throws: SQLiteError.self) { try ("\(inserting: ["x": Double.nan])" as SQL).values }
    }
}
