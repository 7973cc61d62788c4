import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Testing
import TestConcurrency

/// Changes of the schema by another connection between two runs of one compiled statement.
@Suite("Rows after a schema change", .limitedConcurrency)
struct SchemaChangeTests {
    private struct City: RowDecodable, Equatable {
        let name: String
        let country: String

        init(name: String, country: String) {
            (self.name, self.country) = (name, country)
        }

        init(row: borrowing Row) throws {
            (name, country) = (try row["name"], try row["country"])
        }
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
                let before = try await reader.read { db in try db.fetchAll(City.self, "SELECT * FROM cities") }
                #expect(before == [City(name: "Seoul", country: "Korea")])
                try await other.write { db in
                    try db.executeScript(
                        """
                        CREATE TABLE rebuilt AS SELECT \(columns) FROM (SELECT name, country, 'Oh' AS mayor FROM cities);
                        DROP TABLE cities;
                        ALTER TABLE rebuilt RENAME TO cities;
                        """)
                }
                let (all, one) = try await reader.read { db in
                    (
                        try db.fetchAll(City.self, "SELECT * FROM cities"),
                        try db.fetchOne(City.self, "SELECT * FROM cities")
                    )
                }
                #expect(all == [City(name: "Seoul", country: "Korea")], "round \(round)")
                #expect(one == all.first, "round \(round)")
            }
        }
    }

    @Test("an added column is read, and a removed column is an error that names the existing ones")
    func columns() async throws {
        try await withTwoDatabases { (reader, other) async throws in
            let read = { @Sendable (db: Connection) in try db.fetchAll(City.self, "SELECT * FROM cities") }
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

@Suite("Rows", .limitedConcurrency)
struct RowTests {
    private func failure<Value: SQLDecodable & Sendable>(
        reading type: Value.Type, from expression: SQL
    ) async throws -> SQLiteError {
        let database = try await Database.open(.inMemory)
        return try await #require(throws: SQLiteError.self) {
            try await database.read { db in try db.fetchOne(type, "SELECT \(expression) AS budget") }
        }
    }

    @Test("a mismatch names column, expected and found type, and not the value")
    func mismatches() async throws {
        func check<Value: SQLDecodable & Sendable>(
            _ type: Value.Type, _ expression: SQL, _ message: String, line: Int = #line
        ) async throws {
            let error = try await failure(reading: type, from: expression)
            #expect(error.code == .mismatch)
            #expect(error.message == "column 0 \"budget\": " + message)
            #expect(error.sql?.hasPrefix("SELECT ") == true)
        }
        try await check(Int.self, "NULL", "expected Int, found NULL")
        try await check(Int.self, "'12'", "expected Int, found TEXT")
        try await check(Int.self, "1.5", "expected Int, found REAL")
        try await check(Int8.self, "300", "expected Int8, found INTEGER, which is out of range")
        try await check(UInt.self, "-1", "expected UInt, found INTEGER, which is out of range")
        try await check(Bool.self, "2", "expected Bool, found INTEGER, which is neither 0 nor 1")
        try await check(Double.self, "'x'", "expected Double, found TEXT")
        try await check(Float.self, "x'00'", "expected Float, found BLOB")
        try await check(Float.self, "-1e39", "expected Float, found REAL, which is out of range")
        try await check(String.self, "12", "expected String, found INTEGER")
        try await check(String.self, "NULL", "expected String, found NULL")
        try await check([UInt8].self, "'x'", "expected Array<UInt8>, found TEXT")
        try await check(Data.self, "1", "expected Data, found INTEGER")
        try await check(UUID.self, "'x'", "expected UUID, found TEXT, which is not a UUID of 36 characters")
        try await check(UUID.self, "x'0102'", "expected UUID, found BLOB, which does not have 16 bytes")
        try await check(Date.self, "0", "expected Date, found INTEGER")
        try await check(Grade.self, "3", "expected Grade, found INTEGER, which is not one of its raw values")
        try await check(Int?.self, "'x'", "expected Int, found TEXT")
        try await check(
            SQLJSON<[Int]>.self, "'[1, \"secret\"]'",
            "expected SQLJSON<Array<Int>>, found TEXT, which is not valid JSON for it, at 1")
    }

    @Test("columns are read by position and by name")
    func columns() async throws {
        let database = try await Database.open(.inMemory)
        let city = try await database.read { (db) throws in
            try db.fetchOne("SELECT 'Seoul' AS name, 9_400_000 AS population".withoutUnderscores) { row in
                #expect(row.columnNames == ["name", "population"])
                return City(name: try row["name"], population: try row[1])
            }
        }
        #expect(city == City(name: "Seoul", population: 9_400_000))
    }

    @Test("a missing column is an error, also for an optional")
    func noColumn() async throws {
        let database = try await Database.open(.inMemory)
        for read: @Sendable (borrowing Row) throws -> Int? in [
            { try $0[1] }, { try $0[-1] }, { try $0["missing"] },
        ] {
            let error = try await #require(throws: SQLiteError.self) {
                try await database.read { db in try db.fetchOne("SELECT 1", read) }
            }
            #expect(error.code == .range)
        }
    }

    @Test("a cursor reads the columns of each row in order, from the first")
    func cursor() async throws {
        let database = try await Database.open(.inMemory)
        @Sendable func name(_ columns: inout ColumnCursor) throws -> String { try columns.next() }
        let rows = try await database.read { (db) throws in
            try db.fetchAll("VALUES ('Busan', 3, 'sea'), ('Jeju', NULL, 'wind')") { row in
                let all = try row.read { columns in
                    let (name, population) = (try name(&columns), try columns.next(Int?.self))
                    return "\(name) \(population ?? 0) \(try columns.withNext { "\($0.name) \($0.index)" })"
                }
                return try row.read { "\(all) \(try $0.next() as String)" }
            }
        }
        #expect(rows == ["Busan 3 column3 2 Busan", "Jeju 0 column3 2 Jeju"])
    }

    @Test("a cursor has no column after the last, and goes on after a value of another type")
    func endOfCursor() async throws {
        let database = try await Database.open(.inMemory)
        for read: @Sendable (inout ColumnCursor) throws -> Int? in [
            { try $0.next() }, { try $0.withNext { _ in 1 } },
        ] {
            let error = try await #require(throws: SQLiteError.self) {
                try await database.read { db in
                    try db.fetchOne("SELECT 1") { row in try row.read { (try $0.next() as Int, try read(&$0)) } }
                }
            }
            #expect(error.code == .range && error.message == "no column 1: the row has 1")
        }
        try await database.read { db in
            try db.forEach("SELECT 'x', 2") { row in
                try row.read { columns in
                    #expect(throws: SQLiteError.self) { try columns.next(Int.self) }
                    let second: Int = try columns.next()
                    #expect(second == 2)
                }
            }
        }
    }

    @Test("rows are decoded into structs")
    func structs() async throws {
        let database = try await Database.open(.inMemory)
        let cities = try await database.read { (db) throws in
            try db.fetchAll(City.self, "VALUES ('Busan', 3), ('Jeju', NULL)")
        }
        #expect(cities == [City(name: "Busan", population: 3), City(name: "Jeju", population: nil)])
    }

    private struct City: RowDecodable, Equatable, Sendable {
        let name: String
        let population: Int?

        init(name: String, population: Int?) {
            self.name = name
            self.population = population
        }

        init(row: borrowing Row) throws {
            name = try row[0]
            population = try row[1]
        }
    }
}

private enum Grade: Int, SQLCodable {
    case first = 1
    case second = 2
}

extension String {
    fileprivate var withoutUnderscores: SQL { SQL(raw: replacing("_", with: "")) }
}
