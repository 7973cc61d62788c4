#if PostgreSQL
import CPostgreSQL
import PostgreSQLStore

/// A row of the benchmark: numbers, texts and a NULL.
struct Place: RowDecodable, Decodable {
    let id: Int
    let name: String
    let region: String
    let population: Int?
    let latitude: Double
    let longitude: Double

    static let count = 100_000

    static let schema = """
        CREATE TABLE places (
            id integer PRIMARY KEY, name text NOT NULL, region text NOT NULL, population bigint,
            latitude double precision NOT NULL, longitude double precision NOT NULL
        );
        CREATE TABLE points (id integer, name text, latitude double precision)
        """

    static let insertAll: @Sendable (Connection) throws -> Void = { db in
        let columns = ["id", "name", "region", "population", "latitude", "longitude"]
        try db.copy(into: "places", columns: columns, 1...count) { id, values in
            try values.bind(id)
            try values.bind("A place with the number \(id)")
            try values.bind(id.isMultiple(of: 2) ? "north" : "a region in the south")
            try values.bind(id.isMultiple(of: 7) ? nil : id * 1000)
            try values.bind(Double(id) / 1000)
            try values.bind(Double(id) / -1000)
        }
        try db.execute("ANALYZE places")
    }

    init(row: borrowing Row) throws {
        id = try row[0]
        name = try row[1]
        region = try row[2]
        population = try row[3]
        latitude = try row[4]
        longitude = try row[5]
    }

    /// Reads a row of a result in binary.
    @inline(__always)
    init(result: OpaquePointer, row: Int32) {
        func text(_ column: Int32) -> String {
            let bytes = UnsafeRawBufferPointer(
                start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
            return String(decoding: bytes, as: UTF8.self)
        }
        func bits(_ column: Int32) -> UInt64 {
            UInt64(bigEndian: UnsafeRawPointer(PQgetvalue(result, row, column)).loadUnaligned(as: UInt64.self))
        }
        id = Int(Int32(bigEndian: UnsafeRawPointer(PQgetvalue(result, row, 0)).loadUnaligned(as: Int32.self)))
        name = text(1)
        region = text(2)
        population = PQgetisnull(result, row, 3) != 0 ? nil : Int(bitPattern: UInt(bits(3)))
        latitude = Double(bitPattern: bits(4))
        longitude = Double(bitPattern: bits(5))
    }

    /// Shows that all columns of the report read the same.
    @inline(__always)
    var checksum: Int { id + name.utf8.count + region.utf8.count + (population ?? 1) + Int(latitude - longitude) }

    /// Keys in an order without locality.
    @inline(__always)
    static func key(_ index: Int) -> Int { index &* 7919 % count + 1 }
}
#endif
