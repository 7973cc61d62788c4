import Foundation
import SQLiteStore
import Testing
import TestConcurrency
import TestReporting

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

private struct Seat: Record, Codable, Equatable {
    static let table = #"the "seats" "#
    static let key = ["row", "number"]

    var number: Int
    var row: String
    var guest: String?
}

private struct Label: Record, Codable, Equatable {
    static let table = "labels"
    static let key = ["text"]

    var text: String
}

private struct SeatRow: Decodable, Equatable {
    var row: String
    var seats: [Seat]
}

private struct Part: Decodable, Equatable {
    var b: Int?
    var a: String
    var c: [Int]?
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
        let script =
            City.schema
                + #"""
                CREATE TABLE "the ""seats"" " ("row" TEXT, "number" INTEGER, guest TEXT, PRIMARY KEY ("row", "number"));
                CREATE TABLE labels (text TEXT PRIMARY KEY);
                CREATE TABLE points (id INTEGER PRIMARY KEY, x REAL NOT NULL)
                """#
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

    @Test("an update writes the row of the key, and says whether there is one")
    func updates() async throws {
        try await write { db in
            var city = City.seoul
            #expect(try !db.update(city))
            try db.insert(city)
            (city.name, city.population, city.districts) = ("Hanyang", nil, [])
            #expect(try db.update(city))
            #expect(try db.fetchOne(City.self, key: 1) == city)
            try db.insert(Label(text: "a"))
            #expect(try db.update(Label(text: "a")))
            #expect(try !db.update(Label(text: "b")))
        }
    }

    @Test("an update from an earlier form leaves the columns alone that are equal in both")
    func changedColumns() async throws {
        try await write { db in
            try db.insert(City.seoul)
            try db.execute("UPDATE cities SET population = 1")
            var renamed = City.seoul
            renamed.name = "Hanyang"
            #expect(try db.update(renamed, from: .seoul))
            #expect(try !db.update(renamed, from: renamed))
            renamed.population = 1
            #expect(try db.fetchOne(City.self, key: 1) == renamed)
            var other = City.seoul
            other.id = 2
            #expect(throws: SQLiteError.self) { try db.update(other, from: .seoul) }
        }
    }

    @Test("an upsert inserts a row, or updates the one with its key; another unique column is an error")
    func upserts() async throws {
        try await write { db in
            try db.upsert(City.seoul)
            var city = City.seoul
            city.area = 1
            try db.upsert(city)
            #expect(try db.fetchAll(decoding: City.self, "SELECT * FROM cities") == [city])
            city.id = 2
            let duplicate = city
            let error = #expect(throws: SQLiteError.self) { try db.upsert(duplicate) }
            #expect(error?.code == .constraint)
            for _ in 0..<2 { try db.upsert(Label(text: "a")) }
            #expect(try db.fetchAll(String.self, "SELECT text FROM labels") == ["a"])
        }
    }

    @Test("a key of several columns has its own order, and names are quoted")
    func compositeKeys() async throws {
        try await write { db in
            let seats = (1...3).map { Seat(number: $0, row: "A", guest: nil) }
            try db.insert(contentsOf: seats)
            #expect(try db.fetchOne(Seat.self, key: "A", 2) == seats[1])
            #expect(try db.update(Seat(number: 2, row: "A", guest: "Mina")))
            #expect(try db.delete(seats[0]))
            #expect(try !db.delete(seats[0]))
            #expect(try db.delete(Seat.self, key: "A", 3))
            #expect(
                try db.fetchAll(decoding: Seat.self, "SELECT * FROM \(identifier: Seat.table)")
                    == [Seat(number: 2, row: "A", guest: "Mina")])
            let error = #expect(throws: SQLiteError.self) { try db.fetchOne(Seat.self, key: "A") }
            #expect(error?.code == .misuse)
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

    @Test("columns are found by name in any order, and a missing one is nil or an error")
    func names() async throws {
        try await write { db in
            let parts = try db.fetchAll(
                decoding: Part.self, "SELECT 'x' AS a, 1 AS b, '[1]' AS c UNION ALL SELECT 'y', NULL, NULL")
            #expect(parts == [Part(b: 1, a: "x", c: [1]), Part(b: nil, a: "y", c: nil)])
            let part = try db.fetchOne(decoding: Part.self, "SELECT 'x' AS a")
            #expect(part == Part(b: nil, a: "x", c: nil))
            let error = #expect(throws: SQLiteError.self) { try db.fetchOne(decoding: Part.self, "SELECT 1 AS b") }
            #expect(error?.code == .range)
            #expect(try db.fetchAll(decoding: Int.self, "SELECT 1 UNION SELECT 2") == [1, 2])
        }
    }

    @Test("parents have their children by one query, as JSON")
    func children() async throws {
        try await write { db in
            let seats = [("A", 1), ("A", 2), ("B", 1)].map { Seat(number: $1, row: $0, guest: nil) }
            try db.insert(contentsOf: seats)
            let rows = try db.fetchAll(
                decoding: SeatRow.self,
                """
                SELECT "row", json_group_array(json_object('number', number, 'row', "row", 'guest', guest)) AS seats
                FROM \(identifier: Seat.table) GROUP BY "row"
                """)
            #expect(
                rows == [SeatRow(row: "A", seats: Array(seats[..<2])), SeatRow(row: "B", seats: Array(seats[2...]))])
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

    @Test("a record without a column of its key, without columns, or with other columns than before is a misuse")
    func misuses() async throws {
        struct Keyless: Record, Encodable { static let table = "labels"; var text = "a" }
        struct Columnless: Record, Encodable { static let table = "labels" }
        struct Nested: Record, Encodable {
            enum Key: CodingKey { case text }
            static let table = "labels"
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var list = container.nestedUnkeyedContainer(forKey: .text)
                try list.encode(1)
            }
        }
        struct Listed: Record, Encodable {
            static let table = "labels"
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode("a")
            }
        }
        struct Single: Record, Encodable {
            static let table = "labels"
            func encode(to encoder: any Encoder) throws {
                var value = encoder.singleValueContainer()
                try value.encode("a")
            }
        }
        struct Inner: Record, Encodable {
            enum Key: CodingKey { case text }
            static let table = "labels"
            static let key = ["text"]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try "a".encode(to: container.superEncoder(forKey: .text))
            }
        }
        struct Varying: Record, Encodable {
            enum Key: CodingKey { case text, other }
            static let table = "labels"
            static let key = ["text"]
            var hasOther: Bool
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode("a", forKey: .text)
                if hasOther { try container.encode("b", forKey: .other) }
            }
        }
        try await write { db in
            for insert in [
                { try db.insert(Keyless()) }, { try db.insert(Columnless()) }, { try db.insert(Nested()) },
                { try db.insert(Listed()) }, { try db.insert(Single()) }, { try db.insert(Inner()) },
                { try db.insert(contentsOf: [Varying(hasOther: false), Varying(hasOther: true)]) },
            ] as [() throws -> Void] {
                let error = #expect(throws: SQLiteError.self) { try insert() }
                #expect(error?.code == .misuse)
            }
        }
    }

    @Test("generated records are read as they were written", arguments: 0..<20 as Range<UInt64>)
    func generated(seed: UInt64) async throws {
        try await write { db in
            var random = SeededGenerator(seed: seed)
            var model: [Int: City] = [:]
            for step in 0..<60 {
                let id = Int.random(in: 0..<8, using: &random)
                var city = City.seoul
                (city.id, city.name) = (id, "\(step)\u{0301}'\"\u{0}x")
                city.population = Bool.random(using: &random) ? UInt32.random(in: .min ... .max, using: &random) : nil
                city.area = Double(Int.random(in: -9...9, using: &random)) / 7
                city.districts = (0..<Int.random(in: 0..<3, using: &random)).map { "\($0)\"é" }
                city.mayor = Bool.random(using: &random) ? Mayor(name: "", since: nil) : nil
                city.flag = Data((0..<Int.random(in: 0..<4, using: &random)).map { UInt8($0) })
                switch Int.random(in: 0..<5, using: &random) {
                case 0 where model[id] == nil: try db.insert(city)
                case 1:
                    let exists = model[id] != nil
                    #expect(try db.update(city) == exists)
                    if !exists { continue }
                case 2:
                    guard let old = model[id] else { continue }
                    #expect(try db.update(city, from: old))
                case 3:
                    #expect(try db.delete(City.self, key: id) == (model[id] != nil))
                    model[id] = nil
                    continue
                default: try db.upsert(city)
                }
                model[id] = city
            }
            let stored = try db.fetchAll(decoding: City.self, "SELECT * FROM cities ORDER BY id")
            #expect(stored == model.sorted { $0.key < $1.key }.map(\.value))
        }
    }
}
