import CSQLite
import SQLiteStore

/// Three columns of an order as a `Decodable` value, found by name.
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
    /// Fetches three columns of the whole table into `Decodable` values.
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
}
