import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Testing
import TestTurns

@Suite("Decodable rows", .takesTurns)
struct RowDecodingTests {
    private enum Climate: String, Codable {
        case mild, harsh
    }

    private struct Mayor: Codable, Equatable {
        let name: String
        let since: Int
    }

    private struct City: Decodable, Equatable {
        let name: String
        let population: Int?
        let area: Double
        let isCapital: Bool
        let founded: Date
        let id: UUID
        let climate: Climate
        let districts: [String]
        let mayor: Mayor?
        let motto: String?

        enum CodingKeys: String, CodingKey {
            case name, population, area, founded, id, climate, districts, mayor, motto
            case isCapital = "is_capital"
        }
    }

    private static let id = UUID()
    private static let seoul: SQL = """
        SELECT 'Seoul' AS name, 9400000 AS population, 605.2 AS area, 1 AS is_capital,
            '1394-10-28' AS founded, \(id) AS id, 'mild' AS climate, '["Mapo", "Jung"]' AS districts,
            '{"name": "Oh", "since": 2021}' AS mayor
        """

    private func decode<Value: Decodable & Sendable>(_ type: Value.Type, _ sql: SQL) async throws -> [Value] {
        let database = try await Database.open(.inMemory)
        return try await database.read { db in try db.fetchAll(decoding: type, sql) }
    }

    @Test("Decodable rows are read by column name, nested values from JSON, missing values as nil")
    func columns() async throws {
        let cities = try await decode(City.self, Self.seoul)
        let city = try #require(cities.first)
        #expect(city.name == "Seoul")
        #expect(city.population == 9_400_000)
        #expect(city.isCapital)
        #expect(city.founded == Date(timeIntervalSince1970: -18_150_825_600))
        #expect(city.id == Self.id)
        #expect(city.climate == .mild)
        #expect(city.districts == ["Mapo", "Jung"])
        #expect(city.mayor == Mayor(name: "Oh", since: 2021))
        #expect(city.motto == nil)
    }

    private func check<Value: Decodable & Sendable>(
        _ type: Value.Type, _ sql: SQL, _ code: SQLiteError.Code, _ message: String
    ) async throws {
        let error = await #expect(throws: SQLiteError.self) { try await self.decode(type, sql) }
        #expect(error?.code == code)
        #expect(error?.message == message)
        #expect(error?.sql == sql.text)
    }

    @Test("every fetch method decodes one value for each row")
    func rows() async throws {
        struct Pair: Decodable, Equatable { let a: Int, b: String? }
        let sql: SQL = "SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, NULL"
        let pairs = [Pair(a: 1, b: "x"), Pair(a: 2, b: nil)]
        #expect(try await decode(Pair.self, sql) == pairs)
        let database = try await Database.open(.inMemory)
        try await database.read { (db) throws in
            #expect(try db.fetchAll(sql) { row in try row.decode(Pair.self) } == pairs)
            #expect(try db.fetchOne(decoding: Pair.self, sql) == pairs[0])
            #expect(try db.fetchOne(decoding: Pair.self, "SELECT 1 AS a WHERE 0") == nil)
        }
    }

    @Test("Decodable types without keys are read from the first column")
    func single() async throws {
        #expect(try await decode(Int.self, "VALUES (1), (2)") == [1, 2])
        #expect(try await decode(Climate.self, "VALUES ('harsh')") == [.harsh])
        #expect(try await decode(String?.self, "VALUES ('a'), (NULL)") == ["a", nil])
    }

    @Test("decoding errors name column, expected and found type, and not the value")
    func mismatches() async throws {
        struct Small: Decodable { let count: Int }
        struct Listed: Decodable { let items: [Int] }
        struct Wet: Decodable { let climate: Climate }
        try await check(
            Small.self, "SELECT 'secret' AS count", .mismatch, "column 0 \"count\": expected Int, found TEXT")
        try await check(Small.self, "SELECT NULL AS count", .mismatch, "column 0 \"count\": expected Int, found NULL")
        try await check(Small.self, "SELECT 1 AS other", .range, "no column \"count\" among [\"other\"]")
        try await check(
            Listed.self, "SELECT '[1, \"secret\"]' AS items", .mismatch,
            "column 0 \"items\": expected Array<Int>, found TEXT, which is not valid JSON for it, at 1")
        try await check(
            Listed.self, "SELECT 7 AS items", .mismatch, "column 0 \"items\": expected Array<Int>, found INTEGER")
        try await check(
            Wet.self, "SELECT 'secret' AS climate", .mismatch,
            "column 0 \"climate\": expected Climate, found TEXT, which is not a valid value")
        try await check(
            [Int].self, "SELECT 1", .misuse, "a row is decoded by the names of its columns and has no unkeyed container"
        )
    }

    @Test("a decoder that outlives its row throws")
    func kept() async throws {
        struct Thief: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) { self.decoder = decoder }
        }
        let database = try await Database.open(.inMemory)
        try await database.read { (db) throws in
            let thief = try #require(try db.fetchOne(decoding: Thief.self, "SELECT 1 AS a"))
            let error = #expect(throws: SQLiteError.self) { try thief.decoder.singleValueContainer().decode(Int.self) }
            #expect(error?.code == .misuse)
        }
    }
}

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

@Suite("Rows", .takesTurns)
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
