import CSQLite
import SQLiteStore

extension SQLiteBenchmarks {
    /// Opens a database with 50 applied migrations, reads its schema, and closes it.
    static func openMigrated(_ report: inout Report, _ path: String) async throws {
        let count = report.scaled(200)
        let migrations = (0..<50).map { number in
            Migration(
                "table \(number)", script: "CREATE TABLE table\(number) (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        }
        let tables = "SELECT COUNT(*) FROM sqlite_schema WHERE name LIKE 'table%'"
        try await report.measure(
            "openMigrated", element: "opening", count: count, goal: 1.2,
            .whole("SQLiteStore") {
                var sum = 0
                for _ in 0..<count {
                    let database = try await Database.open(.file(path), migrations: migrations)
                    sum += try await database.read { db in try db.fetchOne(Int.self, SQL(raw: tables)) ?? 0 }
                    await database.close()
                }
                return sum
            },
            .whole("C") {
                var sum = 0
                for _ in 0..<count {
                    let connection = CConnection(path: path)
                    connection.execute("PRAGMA journal_mode = WAL")
                    sum += connection.integer(tables)
                }
                return sum
            })
    }
}
