import Foundation
import SQLiteStore
import TestTurns
import Testing

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
