import CSQLite
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing

@Suite("Prepared statements", .takesTurns)
struct PreparedStatementTests {
    private struct City: RowDecodable, Equatable {
        let name: String
        let population: Int?

        init(row: borrowing Row) throws {
            name = try row[0]
            population = try row[1]
        }
    }

    private static let schema = [
        Migration("cities", script: "CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT, population INTEGER)")
    ]

    private func withCities(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        let database = try await Database.open(.inMemory, migrations: Self.schema)
        try await database.write { db in
            let inserted = try db.withStatement("INSERT INTO cities VALUES (?, ?, ?)") { insert in
                try insert.execute(1, "Seoul", 9_400_000) + insert.execute(2, "Busan", nil as Int?)
            }
            #expect(inserted == 2)
            try body(db)
        }
        await database.close()
    }

    @Test("a prepared statement runs with new values each time")
    func runs() async throws {
        try await withCities { db in
            let names = try db.withStatement("SELECT name FROM cities WHERE id = ?") { city in
                try [2, 3, 1].map { id in try city.fetchOne(String.self, id) }
            }
            #expect(names == ["Busan", nil, "Seoul"])
            try db.withStatement("SELECT name, population FROM cities WHERE id >= ? ORDER BY id") { (cities) throws in
                #expect(try cities.fetchAll(City.self, 1).map(\.name) == ["Seoul", "Busan"])
                #expect(try cities.fetchAll(String.self, 2) == ["Busan"])
                #expect(try cities.fetchOne(City.self, 1)?.population == 9_400_000)
                var count = 0
                try cities.forEach(1) { row in count += row.columnCount }
                #expect(count == 4)
            }
        }
    }

    @Test("a prepared statement counts changed rows and notifies observers")
    func changes() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            var seen: [[String]] = []
            for try await names in database.observe(String.self, "SELECT name FROM cities") {
                seen.append(names)
                if names.count == 2 { break }
                try await database.write { db in
                    try db.withStatement("INSERT INTO cities (name) VALUES (?)") { (insert) throws in
                        for name in ["Seoul", "Busan"] { #expect(try insert.execute(name) == 1) }
                    }
                }
            }
            #expect(seen == [[], ["Seoul", "Busan"]])
        }
    }

    @Test(
        "a wrong number of values is an error, after which a prepared statement can be run again", arguments: [0, 1, 3])
    func wrongCount(count: Int) async throws {
        try await withCities { db in
            try db.withStatement("SELECT name FROM cities WHERE id IN (?, ?)") { (cities) throws in
                let error = #expect(throws: SQLiteError.self) {
                    switch count {
                    case 0: try cities.fetchAll(String.self)
                    case 1: try cities.fetchAll(String.self, 1)
                    default: try cities.fetchAll(String.self, 1, 2, 3)
                    }
                }
                #expect(error?.code == .range)
                #expect(try cities.fetchAll(String.self, 1, 2) == ["Seoul", "Busan"])
            }
        }
    }

    @Test("a prepared statement survives an error, and the same SQL can be used beside it")
    func errors() async throws {
        try await withCities { db in
            try db.withStatement("INSERT INTO cities VALUES (?, ?, ?)") { (insert) throws in
                let error = #expect(throws: SQLiteError.self) { try insert.execute(1, "Jeju", 1) }
                #expect(error?.extendedCode == .constraintPrimaryKey)
                try db.withStatement("INSERT INTO cities VALUES (?, ?, ?)") { other in
                    try other.execute(3, "Jeju", Data([1]))
                }
                try insert.execute(4, "Daegu", 1)
            }
            #expect(try db.fetchAll(Int.self, "SELECT id FROM cities ORDER BY id") == [1, 2, 3, 4])
        }
    }

    @Test("a prepared statement cannot write in a read, or after a rollback")
    func refusals() async throws {
        let database = try await Database.open(.temporary, migrations: Self.schema)
        let error = await #expect(throws: SQLiteError.self) {
            try await database.read { db in
                try db.withStatement("INSERT INTO cities (id) VALUES (?)") { insert in _ = try insert.execute(1) }
            }
        }
        #expect(error?.code == .readOnly)
        await #expect(throws: SQLiteError.self) {
            try await database.write { db in
                try db.withStatement("INSERT OR ROLLBACK INTO cities (id) VALUES (?)") { (insert) throws in
                    try insert.execute(1)
                    #expect(throws: SQLiteError.self) { try insert.execute(1) }
                    _ = try insert.execute(2)
                }
            }
        }
        #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") } == 0)
        await database.close()
    }

    @Test("cached statements release long values after each run")
    func longValues() async throws {
        let database = try await Database.open(.temporary, migrations: Self.schema)
        let data = Data(repeating: 7, count: 1_000_000)
        try await database.write { db in
            try db.execute("INSERT INTO cities (name) VALUES (\(data))")
            try db.execute("INSERT INTO cities (name) VALUES (\(String(repeating: "a", count: 1_000_000)))")
            try db.execute("INSERT INTO cities (name) VALUES (?)", forEach: [data]) { try $1.bind($0) }
            try db.withStatement("INSERT INTO cities (name) VALUES (? || '')") { insert in try insert.execute(data) }
            var memory: Int32 = 0
            var statement = sqlite3_next_stmt(db.handle, nil)
            while let next = statement {
                memory = max(memory, sqlite3_stmt_status(next, SQLITE_STMTSTATUS_MEMUSED, 0))
                statement = sqlite3_next_stmt(db.handle, next)
            }
            #expect(memory < 500_000)
            #expect(
                try db.fetchAll(Int.self, "SELECT length(name) FROM cities") == [
                    1_000_000, 1_000_000, 1_000_000, 1_000_000,
                ])
            #expect(try db.fetchOne(Data.self, "SELECT name FROM cities") == data)
            #expect(try db.fetchOne(Data?.self, "SELECT \(nil as Data?)") == nil)
            #expect(try ("\(data), \(data[3...5])" as SQL).values == [.blob([UInt8](data)), .blob([7, 7, 7])])
            #expect(try db.fetchOne(Data.self, "SELECT \(Data())") == Data())
        }
        await database.close()
    }
}
