import CSQLite
import SQLiteStore

/// An order as a `Decodable` value: columns are found by their names.
private struct CodableOrder: Decodable {
    let id: Int
    let shipVia: Int?
    let shipName: String

    enum CodingKeys: String, CodingKey {
        case id
        case shipVia = "ship_via"
        case shipName = "ship_name"
    }
}

extension SQLiteBenchmarks {
    /// Three columns of the whole table into `Decodable` values.
    static func fetchCodable(_ report: inout Report, _ world: World) async throws {
        let sql = "SELECT id, ship_via, ship_name FROM orders"
        let statement = world.c.prepare(sql)
        defer { sqlite3_finalize(statement) }
        try await report.measure(
            "fetchCodable", element: "row", count: Order.count,
            .whole("SQLiteStore") {
                let orders = try await world.standard.read { db in
                    try db.fetchAll(decoding: CodableOrder.self, SQL(raw: sql))
                }
                return orders.reduce(0) { $0 + $1.id + $1.shipName.utf8.count + ($1.shipVia ?? 0) }
            },
            .whole("C") {
                var orders: [(id: Int, shipVia: Int?, shipName: String)] = []
                while sqlite3_step(statement) == SQLITE_ROW {
                    let shipVia =
                        sqlite3_column_type(statement, 1) == SQLITE_NULL ? nil : Int(sqlite3_column_int64(statement, 1))
                    orders.append((Int(sqlite3_column_int64(statement, 0)), shipVia, text(statement, 2)))
                }
                sqlite3_reset(statement)
                return orders.reduce(0) { $0 + $1.id + $1.shipName.utf8.count + ($1.shipVia ?? 0) }
            })
    }

    /// A postal code that one of 16,818 rows has, found by a full-text index, each in a read of its own.
    static func searchRare(_ report: inout Report, _ world: World) async throws {
        let index = FullTextIndex("order_texts", of: "orders", columns: ["ship_name", "ship_postal_code"])
        try await world.standard.write { db in try db.executeScript(index.creationScript) }
        let count = report.scaled(2000)
        func word(_ number: Int) -> String { "\"\(10_000 + key(number))\"" }
        let sql = "SELECT rowid FROM order_texts WHERE order_texts MATCH ?"
        let statement = world.c.prepare(sql)
        defer { sqlite3_finalize(statement) }
        func column(_ name: String, _ database: Database) -> Report.Column {
            .whole(name) {
                var sum = 0
                for number in 0..<count {
                    let word = word(number)
                    let found = try await database.read { db in
                        try db.fetchAll(Int.self, "SELECT rowid FROM order_texts WHERE order_texts MATCH \(word)")
                    }
                    sum += found.reduce(0, +)
                }
                return sum
            }
        }
        try await report.measure(
            "searchRare", element: "search", count: count,
            column("SQLiteStore", world.standard),
            column("SQLiteStore, inline", world.inline),
            .whole("C") {
                var sum = 0
                for number in 0..<count {
                    let word = word(number)
                    sqlite3_bind_text(statement, 1, word, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
                    while sqlite3_step(statement) == SQLITE_ROW { sum += Int(sqlite3_column_int64(statement, 0)) }
                    sqlite3_reset(statement)
                }
                return sum
            })
    }
}
