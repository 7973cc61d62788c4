import Foundation
import SQLiteStore
import Testing
import TestConcurrency

private enum Climate: String, Codable { case mild, cold }
private struct Meters: Codable, Equatable {
    var value: Double
    init(_ value: Double) { self.value = value }
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Double.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
private struct Mayor: Codable, Equatable { var name: String; var since: Int? }

private struct City: Record, Codable, Equatable {
    static let table = "cities"

    var id: Int?
    var name: String
    var population: UInt32?
    var area: Double
    var height: Meters
    var climate: Climate
    var isCapital: Bool
    var districts: [String]
    var mayor: Mayor?
    var founded: Date?
    var code: UUID
    var flag: Data

    static let schema = """
        CREATE TABLE cities (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, population INTEGER DEFAULT 7, area REAL NOT NULL,
            height REAL NOT NULL, climate TEXT NOT NULL, isCapital INTEGER NOT NULL, districts TEXT NOT NULL, mayor ANY,
            founded ANY, code ANY NOT NULL, flag ANY NOT NULL
        ) STRICT;
        """

    static let seoul = City(
        id: 1, name: "Seoul", population: 9_300_000, area: 605.2, height: Meters(38), climate: .cold, isCapital: true,
        districts: ["Jongno", "Mapo"], mayor: Mayor(name: "Oh", since: 2021), founded: Date(timeIntervalSince1970: 0),
        code: UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")!, flag: Data([0, 255]))
}

/// Written by its coding keys, and read by position.
private struct Point: Record, Encodable, RowDecodable, Equatable {
    static let table = "points"

    var id: Int
    var x: Double

    init(id: Int, x: Double) { (self.id, self.x) = (id, x) }
    init(row: borrowing Row) throws { (id, x) = (try row[0], try row[1]) }
}

@Suite("Records", .limitedConcurrency)
struct RecordTests {
    private func write(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        let script = City.schema + "CREATE TABLE points (id INTEGER PRIMARY KEY, x REAL NOT NULL)"
        let database = try await Database.open(.inMemory, migrations: [Migration("cities", script: script)])
        try await database.write(body)
        await database.close()
    }

    @Test("a record is read as it was written, whatever its properties are")
    func roundTrip() async throws {
        try await write { db in
            try db.insert(City.seoul)
            #expect(try db.fetchOne(City.self, key: 1) == .seoul)
            #expect(try db.fetchAll(decoding: City.self, "SELECT * FROM cities") == [.seoul])
            #expect(
                try db.fetchOne(String.self, "SELECT mayor || districts || climate || height FROM cities")
                    == #"{"name":"Oh","since":2021}["Jongno","Mapo"]cold38.0"#)
        }
    }

    @Test("nil is NULL, instead of the default of its column, and the key of a row that SQLite chooses")
    func nulls() async throws {
        try await write { db in
            var city = City.seoul
            (city.id, city.population, city.mayor, city.founded) = (nil, nil, nil, nil)
            try db.insert(city)
            city.id = Int(db.lastInsertedRowID)
            #expect(try db.fetchOne(decoding: City.self, "SELECT * FROM cities") == city)
        }
    }

    @Test("many records are inserted by one statement")
    func batches() async throws {
        try await write { db in
            let points = (0..<1_000).map { Point(id: $0, x: Double($0) / 3) }
            try db.insert(contentsOf: points)
            try db.insert(contentsOf: [] as [Point])
            #expect(try db.fetchAll(Point.self, "SELECT * FROM points ORDER BY id") == points)
            #expect(try db.fetchOne(Point.self, key: 999) == points[999])
            #expect(throws: SQLiteError.self) { try db.insert(contentsOf: [points[0]]) }
        }
    }

    @Test(
        "dates, UUIDs and data have the form that the type states",
        arguments: [
            ColumnCoding(), ColumnCoding(dates: .secondsSince1970, uuids: .bytes, data: .base64),
            ColumnCoding(dates: .millisecondsSince1970, uuids: .text, data: .bytes),
        ])
    func codings(coding: ColumnCoding) async throws {
        struct Visit: Record, Codable, Equatable {
            static let table = "visits"
            @TaskLocal static var coding = ColumnCoding()
            var id: UUID
            var at: Date?
            var photo: Data
        }
        let visit = Visit(id: UUID(), at: Date(timeIntervalSince1970: 1_700_000_000.25), photo: Data([1, 2, 3]))
        let database = try await Database.open(
            .inMemory,
            migrations: [Migration("visits", script: "CREATE TABLE visits (id PRIMARY KEY, at, photo)")])
        try await database.write { db in
            try Visit.$coding.withValue(coding) {
                try db.insert(visit)
                #expect(try db.fetchOne(decoding: Visit.self, "SELECT * FROM visits") == visit)
                let found = try db.fetchOne(
                    Int.self,
                    """
                    SELECT 1 FROM visits WHERE id = \(visit.id, coding: coding) AND at = \(visit.at, coding: coding)
                        AND photo = \(visit.photo, coding: coding) AND \(nil as Date?, coding: coding) IS NULL
                    """)
                #expect(found == 1)
                let kinds = try db.fetchOne(String.self, "SELECT typeof(id) || typeof(at) || typeof(photo) FROM visits")
                let expected = [
                    coding.uuids == .bytes ? "blob" : "text",
                    [.iso8601: "text", .secondsSince1970: "real", .millisecondsSince1970: "integer"][coding.dates],
                    coding.data == .bytes ? "blob" : "text",
                ]
                #expect(kinds == expected.compactMap { $0 }.joined())
            }
        }
        await database.close()
    }

    @Test("a date with more milliseconds than an INTEGER holds fails the statement that binds it")
    func dateOutOfRange() async throws {
        let coding = ColumnCoding(dates: .millisecondsSince1970)
        try await write { db in
            let error = #expect(throws: SQLiteError.self) {
                try db.fetchOne(Int.self, "SELECT \(Date(timeIntervalSince1970: 1e300), coding: coding)")
            }
            #expect(error?.code == .mismatch)
        }
    }

    @Test("a value that cannot be read is named by its column, and not quoted")
    func mismatches() async throws {
        try await write { db in
            try db.insert(City.seoul)
            for (change, column) in [
                ("climate = 'secret'", "climate"), ("districts = '{secret'", "districts"), ("mayor = 1", "mayor"),
                ("mayor = '{\"name\": 1, \"secret\": 2}'", "mayor"), ("founded = 'secret'", "founded"),
                ("code = 'secret'", "code"),
            ] {
                try db.execute("UPDATE cities SET \(raw: change)")
                let error = #expect(throws: SQLiteError.self) { try db.fetchOne(City.self, key: 1) }
                #expect(error?.code == .mismatch)
                #expect("\(error!)".contains(column) && !"\(error!)".contains("secret"))
                try db.update(City.seoul)
            }
        }
    }

}
