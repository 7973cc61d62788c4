import CSQLite
import Dispatch
import SQLiteStore
import Synchronization

extension SQLiteBenchmarks {
    /// Four concurrent readers fetch pages of 20 rows, every page in its own read.
    static func readers(_ report: inout Report, _ world: World) async throws {
        let pages = report.scaled(5000)
        func column(_ name: String, _ database: Database) -> Report.Column {
            .whole(name) {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for reader in 0..<4 {
                        group.addTask {
                            var sum = 0
                            for index in 0..<pages {
                                let first = key(index + reader * 1000)
                                let page = try await database.read { db in
                                    try db.fetchAll(
                                        Order.self, "SELECT * FROM orders WHERE id >= \(first) ORDER BY id LIMIT 20")
                                }
                                for order in page { sum += checksum(order) }
                            }
                            return sum
                        }
                    }
                    return try await group.reduce(0, +)
                }
            }
        }
        let connections = (0..<4).map { _ in CConnection(path: world.path, readOnly: true) }
        try await report.measure(
            "readers4", element: "read", count: pages * 4,
            column("SQLiteStore", world.standard),
            column("SQLiteStore, inline", world.inline),
            .whole("C") {
                let total = Mutex(0)
                DispatchQueue.concurrentPerform(iterations: 4) { reader in
                    let statement = connections[reader].prepare(
                        "SELECT * FROM orders WHERE id >= ? ORDER BY id LIMIT 20")
                    var sum = 0
                    for index in 0..<pages {
                        sqlite3_bind_int64(statement, 1, Int64(key(index + reader * 1000)))
                        var page: [Order] = []
                        while sqlite3_step(statement) == SQLITE_ROW { page.append(Order(statement: statement)) }
                        sqlite3_reset(statement)
                        for order in page { sum += checksum(order) }
                    }
                    sqlite3_finalize(statement)
                    total.withLock { $0 += sum }
                }
                return total.withLock { $0 }
            })
    }
}
