import CSQLite
import SQLiteStore

extension SQLiteBenchmarks {
    /// The whole table into structs.
    static func fetchOrders(_ report: inout Report, _ world: World) async throws {
        let statement = world.c.prepare("SELECT * FROM orders")
        defer { sqlite3_finalize(statement) }
        try await report.measure(
            "fetchOrders", element: "row", count: Order.count,
            .whole("SQLiteStore") {
                let orders = try await world.inline.read { db in try db.fetchAll(Order.self, "SELECT * FROM orders") }
                precondition(orders.count == Order.count)
            },
            .whole("C") {
                var orders: [Order] = []
                while sqlite3_step(statement) == SQLITE_ROW { orders.append(Order(statement: statement)) }
                sqlite3_reset(statement)
                precondition(orders.count == Order.count)
            })
    }

    /// 100,000 rows by key, all in one read.
    static func fetchByKey(_ report: inout Report, _ world: World) async throws {
        let statement = world.c.prepare("SELECT * FROM orders WHERE id = ?")
        defer { sqlite3_finalize(statement) }
        try await report.measure(
            "fetchByKey", element: "fetch", count: 100_000,
            .whole("SQLiteStore") {
                let found = try await world.inline.read { db in
                    var found = 0
                    for index in 0..<100_000 {
                        let order = try db.fetchOne(Order.self, "SELECT * FROM orders WHERE id = \(key(index))")
                        if order != nil { found += 1 }
                    }
                    return found
                }
                precondition(found == 100_000)
            },
            .whole("C") {
                world.c.execute("BEGIN")
                var found = 0
                for index in 0..<100_000 where order(key(index), statement) != nil { found += 1 }
                world.c.execute("COMMIT")
                precondition(found == 100_000)
            })
    }

    /// The same, each in a read of its own.
    static func fetchByKeyOwnRead(_ report: inout Report, _ world: World) async throws {
        let statement = world.c.prepare("SELECT * FROM orders WHERE id = ?")
        defer { sqlite3_finalize(statement) }
        func column(_ name: String, _ database: Database) -> Report.Column {
            .whole(name) {
                for index in 0..<20_000 {
                    let key = key(index)
                    let order = try await database.read { db in
                        try db.fetchOne(Order.self, "SELECT * FROM orders WHERE id = \(key)")
                    }
                    precondition(order != nil)
                }
            }
        }
        try await report.measure(
            "fetchByKeyOwnRead", element: "fetch", count: 20_000,
            column("SQLiteStore", world.inline),
            column("SQLiteStore, threads", world.threads),
            .whole("C") {
                for index in 0..<20_000 { precondition(order(key(index), statement) != nil) }
            })
    }

    /// Keys in an order that no cache of pages could foresee.
    @inline(__always)
    static func key(_ index: Int) -> Int {
        index &* 7919 % Order.count + 1
    }

    @inline(__always)
    private static func order(_ key: Int, _ statement: OpaquePointer) -> Order? {
        sqlite3_bind_int64(statement, 1, Int64(key))
        let order = sqlite3_step(statement) == SQLITE_ROW ? Order(statement: statement) : nil
        sqlite3_reset(statement)
        return order
    }
}
