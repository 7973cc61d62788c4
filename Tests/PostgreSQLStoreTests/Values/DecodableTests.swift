#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestTurns
import Testing

@Suite("PostgreSQL rows as Codable values", .needsServer, .takesTurns)
struct DecodableTests {
    private struct City: Decodable, Equatable {
        enum Climate: String, Decodable { case mild, hot }
        struct Mayor: Decodable, Equatable { let name: String; let since: Int }

        let name: String
        let population: Int?
        let founded: Date
        let climate: Climate
        let districts: [String]
        let scores: [Int]
        let mayor: Mayor
        let deputy: Mayor?
        let nickname: String?
    }

    private static let row: SQL = """
        SELECT 'Seoul'::text AS name, NULL::integer AS population,
            \(Date(timeIntervalSince1970: 0))::timestamptz AS founded,
            'mild'::text AS climate, ARRAY['Jung', 'Mapo'] AS districts, '[1, 2]'::jsonb AS scores,
            '{"name": "Oh", "since": 2021}'::json AS mayor, '{"name": "Kim", "since": 2022}'::text AS deputy
        """

    @Test("each property is read from the column of its name, nested values from JSON, and a missing column is nil")
    func properties() async throws {
        try await withTemporaryDatabase { (database) async throws in
            let city = City(
                name: "Seoul", population: nil, founded: Date(timeIntervalSince1970: 0), climate: .mild,
                districts: ["Jung", "Mapo"], scores: [1, 2], mayor: .init(name: "Oh", since: 2021),
                deputy: .init(name: "Kim", since: 2022), nickname: nil)
            try await database.read { (db) throws in
                #expect(try db.fetchOne(decoding: City.self, Self.row) == city)
                #expect(try db.fetchAll(decoding: City.self, "\(Self.row) UNION ALL \(Self.row)" as SQL).count == 2)
            }
        }
    }

    private func expectFailure<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, _ sql: SQL, _ code: PostgreSQLError.Code, in database: Database
    ) async {
        let error = await #expect(throws: PostgreSQLError.self) {
            try await database.read { db in _ = try db.fetchOne(decoding: type, sql) }
        }
        #expect(error?.code == code)
        #expect(error.map { "\($0)".contains("secret") } == false)
    }

    @Test("a column of another type, a missing one and unknown raw values are errors without the value")
    func errors() async throws {
        struct Number: Decodable { let value: Int }
        struct Kind: Decodable { let value: City.Climate }
        struct Nested: Decodable { let value: City.Mayor }
        try await withTemporaryDatabase { (database) async throws in
            await expectFailure(Number.self, "SELECT \("secret")::text AS value", .mismatch, in: database)
            await expectFailure(Number.self, "SELECT 1 AS other", .range, in: database)
            await expectFailure(Kind.self, "SELECT \("secret")::text AS value", .mismatch, in: database)
            await expectFailure(
                Nested.self, "SELECT \("{\"name\": \"secret\"}")::jsonb AS value", .mismatch, in: database)
            await expectFailure(Nested.self, "SELECT \("secret")::text AS value", .mismatch, in: database)
        }
    }

    @Test("rows of one column are decoded as single values")
    func single() async throws {
        try await withTemporaryDatabase { (database) async throws in
            try await database.read { (db) throws in
                let rows: SQL = "SELECT x FROM generate_series(1, 3) AS x"
                #expect(try db.fetchAll(decoding: Int.self, rows) == [1, 2, 3])
            }
        }
    }
}
#endif
