import CSQLite
import SQLiteStore

extension SQLiteBenchmarks {
    /// Fetches the whole table into structs, by position and by coding keys.
    static func fetchOrders(_ report: inout Report, _ world: World) async throws {
        let statement = world.c.prepare("SELECT * FROM orders")
        defer { sqlite3_finalize(statement) }
        let c = Report.Column.whole("C") {
            var orders: [Order] = []
            while sqlite3_step(statement) == SQLITE_ROW { orders.append(Order(statement: statement)) }
            sqlite3_reset(statement)
            return checksum(orders)
        }
        try await report.measure(
            "fetchOrders", element: "row", count: Order.count,
            .whole("SQLiteStore") {
                let orders = try await world.standard.read { db in try db.fetchAll(Order.self, "SELECT * FROM orders") }
                return checksum(orders)
            }, c)
        try await report.measure(
            "fetchDecodable", element: "row", count: Order.count, goal: 3,
            .whole("SQLiteStore") {
                let orders = try await world.standard.read { db in
                    try db.fetchAll(decoding: Order.self, "SELECT * FROM orders")
                }
                return checksum(orders)
            }, c)
    }

    /// Fetches 100,000 rows by key in one read.
    static func fetchByKey(_ report: inout Report, _ world: World) async throws {
        let statement = world.c.prepare("SELECT * FROM orders WHERE id = ?")
        defer { sqlite3_finalize(statement) }
        let count = report.scaled(100_000)
        try await report.measure(
            "fetchByKey", element: "fetch", count: count,
            .whole("SQLiteStore") {
                try await world.standard.read { db in
                    var sum = 0
                    for index in 0..<count {
                        let order = try db.fetchOne(Order.self, "SELECT * FROM orders WHERE id = \(key(index))")
                        sum += checksum(order)
                    }
                    return sum
                }
            },
            .whole("C") {
                world.c.execute("BEGIN")
                var sum = 0
                for index in 0..<count { sum += checksum(order(key(index), statement)) }
                world.c.execute("COMMIT")
                return sum
            })
    }

    /// Fetches rows by key, each in its own read.
    static func ownReads(_ report: inout Report, _ world: World) async throws {
        let statement = world.c.prepare("SELECT * FROM orders WHERE id = ?")
        defer { sqlite3_finalize(statement) }
        let count = report.scaled(20_000)
        func column(_ name: String, _ database: Database) -> Report.Column {
            .whole(name) {
                var sum = 0
                for index in 0..<count {
                    let key = key(index)
                    let order = try await database.read { db in
                        try db.fetchOne(Order.self, "SELECT * FROM orders WHERE id = \(key)")
                    }
                    sum += checksum(order)
                }
                return sum
            }
        }
        let c = Report.Column.whole("C") {
            var sum = 0
            for index in 0..<count { sum += checksum(order(key(index), statement)) }
            return sum
        }
        try await report.measure(
            "ownReadAsync", element: "fetch", count: count, goal: 1.5,
            column("SQLiteStore", world.standard), column("SQLiteStore, inline", world.inline), c)
        try await report.measure(
            "ownReadBlocking", element: "fetch", count: count, goal: 1.25,
            .whole("SQLiteStore") { try blockingOwnReads(world.standard, count) }, c)
    }

    private static func blockingOwnReads(_ database: Database, _ count: Int) throws -> Int {
        var sum = 0
        for index in 0..<count {
            let order = try database.blockingRead { db in
                try db.fetchOne(Order.self, "SELECT * FROM orders WHERE id = \(key(index))")
            }
            sum += checksum(order)
        }
        return sum
    }

    /// A checksum that shows that all columns of the report read the same; a missing order changes it.
    @inline(__always)
    static func checksum(_ order: Order?) -> Int {
        order.map { $0.id + $0.shipName.utf8.count + ($0.shipVia ?? 0) } ?? 0
    }

    private static func checksum(_ orders: [Order]) -> Int {
        orders.reduce(0) { $0 + checksum($1) }
    }

    /// Keys in an order without locality.
    @inline(__always)
    static func key(_ index: Int) -> Int {
        index &* 7919 % Order.count + 1
    }

    @inline(__always)
    static func order(_ key: Int, _ statement: OpaquePointer) -> Order? {
        sqlite3_bind_int64(statement, 1, Int64(key))
        let order = sqlite3_step(statement) == SQLITE_ROW ? Order(statement: statement) : nil
        sqlite3_reset(statement)
        return order
    }
}
