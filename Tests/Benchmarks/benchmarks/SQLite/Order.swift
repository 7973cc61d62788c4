import CSQLite
import SQLiteStore

/// A row of the reading benchmarks, with the 14 columns of an order.
struct Order: RowDecodable, Decodable, Sendable {
    let id: Int
    let customer: String
    let employee: Int
    let orderDate: String
    let requiredDate: String
    let shippedDate: String?
    let shipVia: Int?
    let freight: Double
    let shipName: String
    let shipAddress: String
    let shipCity: String
    let shipRegion: String?
    let shipPostalCode: String?
    let shipCountry: String

    enum CodingKeys: String, CodingKey {
        case id, customer, employee, freight
        case orderDate = "order_date"
        case requiredDate = "required_date"
        case shippedDate = "shipped_date"
        case shipVia = "ship_via"
        case shipName = "ship_name"
        case shipAddress = "ship_address"
        case shipCity = "ship_city"
        case shipRegion = "ship_region"
        case shipPostalCode = "ship_postal_code"
        case shipCountry = "ship_country"
    }

    init(row: borrowing Row) throws {
        id = try row[0]
        customer = try row[1]
        employee = try row[2]
        orderDate = try row[3]
        requiredDate = try row[4]
        shippedDate = try row[5]
        shipVia = try row[6]
        freight = try row[7]
        shipName = try row[8]
        shipAddress = try row[9]
        shipCity = try row[10]
        shipRegion = try row[11]
        shipPostalCode = try row[12]
        shipCountry = try row[13]
    }

    /// Reads the order through the C API, which converts values of other types and cannot fail.
    @inline(__always)
    init(statement: OpaquePointer) {
        id = Int(sqlite3_column_int64(statement, 0))
        customer = text(statement, 1)
        employee = Int(sqlite3_column_int64(statement, 2))
        orderDate = text(statement, 3)
        requiredDate = text(statement, 4)
        shippedDate = optionalText(statement, 5)
        shipVia =
            sqlite3_column_type(statement, 6) == SQLITE_NULL ? nil : Int(sqlite3_column_int64(statement, 6))
        freight = sqlite3_column_double(statement, 7)
        shipName = text(statement, 8)
        shipAddress = text(statement, 9)
        shipCity = text(statement, 10)
        shipRegion = optionalText(statement, 11)
        shipPostalCode = optionalText(statement, 12)
        shipCountry = text(statement, 13)
    }

    static let count = 16_818

    static let schema = """
        CREATE TABLE orders (
            id INTEGER PRIMARY KEY, customer TEXT NOT NULL, employee INTEGER NOT NULL, order_date TEXT NOT NULL,
            required_date TEXT NOT NULL, shipped_date TEXT, ship_via INTEGER, freight REAL NOT NULL,
            ship_name TEXT NOT NULL, ship_address TEXT NOT NULL, ship_city TEXT NOT NULL, ship_region TEXT,
            ship_postal_code TEXT, ship_country TEXT NOT NULL
        )
        """

    /// Fills the table with the same rows each time.
    static func insertAll(_ db: Connection) throws {
        let names = [
            "Vins et alcools Chevalier", "Toms Spezialit\u{e4}ten", "Hanari Carnes", "Rattlesnake Canyon Grocery",
        ]
        let cities = ["Reims", "M\u{fc}nster", "Rio de Janeiro", "Albuquerque"]
        for id in 1...count {
            let month = 10 + id % 3
            try db.execute(
                """
                INSERT INTO orders VALUES (
                    \(id), \("CUST\(id % 93)"), \(id % 9), \("2016-\(month)-\(10 + id % 18)"),
                    \("2017-\(month)-\(10 + id % 18)"), \(id % 7 == 0 ? nil : "2016-12-\(10 + id % 18)"),
                    \(id % 5 == 0 ? nil : id % 3), \(Double(id % 1000) / 4 + 0.1), \(names[id % 4]),
                    \("\(id % 200) Rue de l'Abbaye"), \(cities[id % 4]), \(id % 2 == 0 ? nil : "Western Europe"),
                    \(id % 11 == 0 ? nil : "\(10_000 + id % 80_000)"), \(["France", "Germany", "Brazil", "USA"][id % 4])
                )
                """)
        }
    }
}

@inline(__always)
func text(_ statement: OpaquePointer, _ index: Int32) -> String {
    String(
        decoding: UnsafeBufferPointer(
            start: sqlite3_column_text(statement, index), count: Int(sqlite3_column_bytes(statement, index))),
        as: UTF8.self)
}

@inline(__always)
private func optionalText(_ statement: OpaquePointer, _ index: Int32) -> String? {
    guard let bytes = sqlite3_column_text(statement, index) else { return nil }
    return String(
        decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))), as: UTF8.self)
}
