import CSQLite
import SQLiteStore

extension SQLiteBenchmarks {
    static func indexTexts(_ world: World) async throws {
        try await world.standard.write { db in
            try db.executeScript(
                """
                CREATE VIRTUAL TABLE order_texts USING fts5(ship_name, ship_postal_code, content = 'orders');
                INSERT INTO order_texts (order_texts) VALUES ('rebuild');
                """)
        }
    }

    /// Searches a full-text index for postal codes that are in one of 16,818 rows, each in its own read.
    static func searchRare(_ report: inout Report, _ world: World) async throws {
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

    /// Fetches pages of 20 rows that contain a word of every fourth row, each in its own read.
    static func fullTextPages(_ report: inout Report, _ world: World) async throws {
        let count = report.scaled(2000)
        let statement = world.c.prepare(
            """
            SELECT orders.* FROM order_texts JOIN orders ON orders.id = order_texts.rowid
            WHERE order_texts MATCH ? AND order_texts.rowid >= ? ORDER BY order_texts.rowid LIMIT 20
            """)
        defer { sqlite3_finalize(statement) }
        let word = "rattlesnake"
        try await report.measure(
            "fullTextPages", element: "page", count: count, goal: 1.15,
            .whole("SQLiteStore") {
                var sum = 0
                for number in 0..<count {
                    let first = key(number)
                    let page = try await world.standard.read { db in
                        try db.fetchAll(
                            Order.self,
                            """
                            SELECT orders.* FROM order_texts JOIN orders ON orders.id = order_texts.rowid
                            WHERE order_texts MATCH \(word) AND order_texts.rowid >= \(first)
                            ORDER BY order_texts.rowid LIMIT 20
                            """)
                    }
                    for order in page { sum += checksum(order) }
                }
                return sum
            },
            .whole("C") {
                var sum = 0
                for number in 0..<count {
                    sqlite3_bind_text(statement, 1, word, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
                    sqlite3_bind_int64(statement, 2, Int64(key(number)))
                    var page: [Order] = []
                    while sqlite3_step(statement) == SQLITE_ROW { page.append(Order(statement: statement)) }
                    sqlite3_reset(statement)
                    for order in page { sum += checksum(order) }
                }
                return sum
            })
    }
}
