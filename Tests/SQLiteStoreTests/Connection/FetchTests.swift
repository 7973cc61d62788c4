import CSQLite
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Testing
import TestConcurrency

@Suite("Fetching", .limitedConcurrency)
struct FetchTests {
    private func withNumbers(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        let database = try await Database.open(
            .inMemory,
            migrations: [
                Migration(
                    "numbers",
                    script: """
                        CREATE TABLE numbers (x INTEGER, name TEXT); CREATE INDEX numbers_by_x ON numbers (x);
                        INSERT INTO numbers VALUES (1, 'one'), (2, 'two'), (3, 'three')
                        """)
            ])
        try await database.write(body)
        await database.close()
    }

    @Test("a single optional value is nil for NULL and for no row, and another type is an error")
    func optionalValue() async throws {
        try await withNumbers { db in
            let largest: Int? = try db.fetchOne(Int?.self, "SELECT MAX(x) FROM numbers WHERE x > 9")
            #expect(largest == nil)
            #expect(try db.fetchOne(Int?.self, "SELECT x FROM numbers WHERE x > 9") == nil)
            #expect(try db.fetchOne(Int?.self, "SELECT MAX(x) FROM numbers") == 3)
            let error = #expect(throws: SQLiteError.self) {
                try db.fetchOne(Int.self, "SELECT MAX(x) FROM numbers WHERE x > 9")
            }
            #expect(error?.code == .mismatch)
            #expect(try db.fetchAll(Int?.self, "SELECT NULL UNION ALL SELECT 1") == [nil, 1])
        }
    }

    @Test("iteration ends when the closure sets stop, and the statement can be run again")
    func stopping() async throws {
        try await withNumbers { db in
            for last in [1, 2, 3, 4] {
                var seen: [Int] = []
                try db.forEach("SELECT x FROM numbers ORDER BY x") { row, stop in
                    seen.append(try row[0])
                    stop = seen.last == last
                }
                #expect(seen == Array(1...min(last, 3)))
            }
        }
    }

    @Test("a statement that writes runs to its end although the closure sets stop")
    func stoppingWrites() async throws {
        try await withNumbers { db in
            var seen: [Int] = []
            try db.forEach("UPDATE numbers SET x = x + 10 RETURNING x") { row, stop in
                seen.append(try row[0])
                stop = true
            }
            #expect(seen == [11])
            #expect(try db.fetchAll(Int.self, "SELECT x FROM numbers ORDER BY x") == [11, 12, 13])
        }
    }

    @Test("a query plan has one step per line, with nested steps indented")
    func plan() async throws {
        try await withNumbers { db in
            #expect(
                try db.explain("SELECT name FROM numbers WHERE x = \(1)")
                    == "SEARCH numbers USING INDEX numbers_by_x (x=?)")
            let nested = try db.explain(
                "SELECT name FROM numbers WHERE x = (SELECT MIN(x) FROM numbers) ORDER BY name")
            #expect(
                nested == """
                    SEARCH numbers USING INDEX numbers_by_x (x=?)
                    SCALAR SUBQUERY 1
                      SEARCH numbers USING COVERING INDEX numbers_by_x
                    USE TEMP B-TREE FOR ORDER BY
                    """)
        }
    }

    @Test("a read can explain a statement that writes without running it")
    func planOfWrite() async throws {
        try await withTemporaryDatabase(migrations: [Migration("t", script: "CREATE TABLE t (x)")]) {
            (database) async throws in
            let plan = try await database.read { db in try db.explain("DELETE FROM t WHERE x = \(1)") }
            #expect(plan == "SCAN t")
        }
    }
}

@Suite("Functions", .limitedConcurrency)
struct FunctionTests {
    private func open() async throws -> Database {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in
                try db.addFunction("reversed") { (text: String) in String(text.reversed()) }
                try db.addFunction("plus") { (left: Int, right: Int?) -> Int? in right.map { left + $0 } }
                try db.addFunction("answer") { 42 }
                try db.addFunction("refuse") { (_: Int) -> Int in throw FunctionError("refused by Swift") }
            }
        }
        return try await Database.open(.inMemory, configuration: configuration)
    }

    @Test("functions take and return values")
    func values() async throws {
        let database = try await open()
        let row = try await database.read { db in
            try db.fetchOne("SELECT reversed('여행'), plus(1, 2), plus(1, NULL), answer()") {
                row in
                [
                    try row[0] as String, "\(try row[1] as Int)", "\((try row[2] as Int?) == nil)",
                    "\(try row[3] as Int)",
                ]
            }
        }
        #expect(row == ["행여", "3", "true", "42"])
    }

    @Test(
        "errors of a function and arguments of another type fail the statement",
        arguments: [
            ("refuse(1)", "refused by Swift"), ("plus('a', 1)", "column 0 \"argument\": expected Int, found TEXT"),
        ])
    func errors(expression: String, message: String) async throws {
        let database = try await open()
        let error = await #expect(throws: SQLiteError.self) {
            try await database.read { db in try db.fetchOne(Int?.self, "SELECT \(raw: expression)") }
        }
        #expect(error?.message == message)
    }
}

@Suite("Prepared statements", .limitedConcurrency)
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

    @Test("a collation orders and compares texts as its function does, whatever they are")
    func collations() async throws {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in
                try db.addCollation("by_length") { left, right in
                    let (left, right) = (left.unicodeScalars.count, right.unicodeScalars.count)
                    return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
                }
            }
        }
        let script = "CREATE TABLE words (text TEXT COLLATE by_length UNIQUE)"
        try await withTemporaryFolder { folder in
            let migrations = [Migration("words", script: script)]
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration, migrations: migrations)
            try await database.write { db in
                for text in ["ccc", "", "e\u{301}", "a", String(repeating: "x", count: 10_000)] {
                    try db.execute("INSERT INTO words VALUES (\(text))")
                }
                let error = #expect(throws: SQLiteError.self) { try db.execute("INSERT INTO words VALUES ('b')") }
                #expect(error?.code == .constraint)
            }
            let lengths = try await database.read { db in
                try db.fetchAll(Int.self, "SELECT length(text) FROM words ORDER BY text")
            }
            #expect(lengths == [0, 1, 2, 3, 10_000])
            #expect(try await database.integrityCheck() == [])
            await database.close()
            let other = try await Database.open(.file(folder + "/db"), migrations: migrations)
            let error = await #expect(throws: SQLiteError.self) {
                try await other.read { db in try db.fetchOne(String.self, "SELECT text FROM words ORDER BY text") }
            }
            #expect(error.map { "\($0)".contains("by_length") } == true)
            await other.close()
        }
    }
}
