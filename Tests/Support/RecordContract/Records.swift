import DatabaseAccess
import Foundation

enum Climate: String, Codable { case mild, cold }

struct Meters: Codable, Equatable {
    var value: Double

    init(_ value: Double) { self.value = value }

    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Double.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

struct Mayor: Codable, Equatable { var name: String; var since: Int? }

/// Tries one type, and then the other.
enum MayorOrClimate: Codable, Equatable {
    case mayor(Mayor), climate(Climate)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let mayor = try? container.decode(Mayor.self) {
            self = .mayor(mayor)
        } else {
            self = .climate(try container.decode(Climate.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .mayor(let mayor): try mayor.encode(to: encoder)
        case .climate(let climate): try climate.encode(to: encoder)
        }
    }
}

/// A column whose type a parameter names: an optional one is decoded as such.
struct Cell<Value: Codable & Equatable>: Codable, Equatable { var value: Value }

struct City: DatabaseRecord, Codable, Equatable {
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

    static let seoul = City(
        id: 1, name: "Seoul", population: 9_300_000, area: 605.2, height: Meters(38), climate: .cold, isCapital: true,
        districts: ["Jongno", "Mapo"], mayor: Mayor(name: "Oh", since: 2021), founded: Date(timeIntervalSince1970: 0),
        code: UUID(uuid: (107, 41, 252, 64, 202, 71, 16, 103, 179, 29, 0, 221, 1, 6, 98, 218)), flag: Data([0, 255]))
}

struct Seat: DatabaseRecord, Codable, Equatable {
    static let table = #"the "seats" "#
    static let key = ["row", "number"]

    var number: Int
    var row: String
    var guest: String?
}

struct SeatRow: Decodable, Equatable {
    var row: String
    var seats: [Seat]
}

struct Label: DatabaseRecord, Codable, Equatable {
    static let table = "labels"
    static let key = ["text"]

    var text: String
}

struct Note: DatabaseRecord, Codable, Equatable {
    static let table = "notes"

    var id: Int?
    var body: String?
}

/// A note with a column that the server fills in.
struct RatedNote: DatabaseRecord, Codable, Equatable {
    static let table = "notes"

    var id: Int?
    var body: String?
    var stars: Int?

    func encode(to encoder: any Encoder) throws { try Note(id: id, body: body).encode(to: encoder) }
}

struct Part: Decodable, Equatable {
    var b: Int?
    var a: String
    var c: [Int]?
}

struct Wide: DatabaseRecord, Codable, Equatable {
    static let table = "notes"

    var id: Int?
    var stars: UInt64
}

struct Narrow: Decodable, Equatable {
    var small: Int8?
    var area: Float?
    var isCapital: Bool?
}

/// Two classes, the first of which encodes into the columns of the second.
class Titled: Codable {
    var body: String

    init(body: String) { self.body = body }
}

final class Starred: Titled, DatabaseRecord {
    static let table = "notes"
    private enum Key: CodingKey { case id, stars }
    let id: Int
    let stars: Int

    init(id: Int, body: String, stars: Int) {
        (self.id, self.stars) = (id, stars)
        super.init(body: body)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        (id, stars) = (try container.decode(Int.self, forKey: .id), try container.decode(Int.self, forKey: .stars))
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(stars, forKey: .stars)
        try super.encode(to: container.superEncoder())
    }
}

/// Keeps its decoder for longer than its row.
struct Late: Decodable {
    enum Key: CodingKey { case a, b }
    let container: KeyedDecodingContainer<Key>
    let decoder: any Decoder

    init(from decoder: any Decoder) throws {
        self.decoder = decoder
        container = try decoder.container(keyedBy: Key.self)
    }
}

protocol VisitForm: SendableMetatype {
    static var table: String { get }
    static var coding: ColumnCoding { get }
}

struct Visit<Form: VisitForm>: DatabaseRecord, Codable, Equatable {
    static var table: String { Form.table }
    static var coding: ColumnCoding { Form.coding }

    var id: UUID
    var at: Date?
    var photo: Data
    var tags: [String]
}

enum Standard: VisitForm {
    static let table = "visits"
    static let coding = ColumnCoding()
}

enum Seconds: VisitForm {
    static let table = "second_visits"
    static let coding = ColumnCoding(dates: .secondsSince1970, uuids: .bytes, data: .base64, lists: .json)
}

enum Milliseconds: VisitForm {
    static let table = "millisecond_visits"
    static let coding = ColumnCoding(dates: .millisecondsSince1970, uuids: .text, lists: .json)
}

// MARK: Types that are no records

/// The same row, of types that parameters name.
struct LooseVisit<Form: VisitForm, ID: Codable & Equatable, At: Codable & Equatable, Photo: Codable & Equatable>:
    DatabaseRecord, Codable, Equatable
{
    static var table: String { Form.table }
    static var coding: ColumnCoding { Form.coding }

    var id: ID
    var at: At
    var photo: Photo
    var tags: [String]
}

struct Bookmark: DatabaseRecord, Codable, Equatable {
    static let table = "labels"
    static let key = ["text"]
    var text: URL
}

struct Keyless: DatabaseRecord, Encodable { static let table = "labels"; var text = "a" }
struct Columnless: DatabaseRecord, Encodable { static let table = "labels" }
struct NoKey: DatabaseRecord, Encodable { static let table = "labels"; static let key: [String] = []; var text = "a" }

struct Nested: DatabaseRecord, Encodable {
    enum Key: CodingKey { case text }
    static let table = "labels"

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var list = container.nestedUnkeyedContainer(forKey: .text)
        try list.encode(1)
    }
}

struct Listed: DatabaseRecord, Encodable {
    static let table = "labels"

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode("a")
    }
}

struct Single: DatabaseRecord, Encodable {
    static let table = "labels"

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode("a")
    }
}

struct Inner: DatabaseRecord, Encodable {
    enum Key: CodingKey { case text }
    static let table = "labels"
    static let key = ["text"]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try "a".encode(to: container.superEncoder(forKey: .text))
    }
}

struct Lenient: DatabaseRecord, Encodable {
    enum Key: CodingKey { case text, number, pair }
    static let table = "labels"
    static let key = ["text"]

    /// Refused after its first part.
    private struct Pair: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(1)
            try container.encode(UInt64.max)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try? container.encode(UInt64.max, forKey: .number)
        try? container.encode(Pair(), forKey: .pair)
        try container.encode("a", forKey: .text)
    }
}

struct Varying: DatabaseRecord, Encodable {
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
