import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import Testing
import TestConcurrency

@Suite("Errors", .limitedConcurrency)
struct ErrorTests {
    private static let schema = [
        Migration(
            "t", script: "CREATE VIRTUAL TABLE words USING fts5 (word); CREATE TABLE names (name TEXT UNIQUE)")
    ]

    /// An error whose description quotes a value.
    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private enum Reason: Error {
        case tooShort
    }

    /// Returns the error of the access, on a database with functions that reject their argument.
    private func error(_ access: @escaping @Sendable (Connection) throws -> Void) async throws -> SQLiteError? {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in
                try db.addFunction("refuse") { (text: String) throws -> Int in
                    throw SQLiteError(.error, "no \(text)!")
                }
                try db.addFunction("quote_refusal") { (text: String) throws -> Int in
                    throw Refusal(description: "no \(text)!")
                }
                try db.addFunction("name_reason") { (_: String) throws -> Int in throw Reason.tooShort }
                try db.addFunction("explain") { (_: String) throws -> Int in throw FunctionError("too short") }
            }
        }
        return try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) { database in
            await #expect(throws: SQLiteError.self) { try await database.writeWithoutTransaction(access) }
        }
    }

    static let quoting: [(sql: SQL, message: String)] = [
        ("SELECT * FROM words WHERE words MATCH \("kim:busan")", "no such column: …"),
        ("SELECT * FROM words WHERE words MATCH lower(\("KIM:busan"))", "no such column: …"),
        ("SELECT * FROM words WHERE words MATCH \("(a) ) kim busan")", "fts5: syntax error near …"),
        ("SELECT * FROM words WHERE words MATCH \("서울 + + kim")", "fts5: syntax error near …"),
        ("SELECT * FROM words WHERE words MATCH \(#"- "kim's 서울""#)", "no such column: …"),
        ("SELECT * FROM words WHERE words MATCH \(Array("kim:busan".utf8))", "no such column: …"),
        // A word of the SQL text, with which the value could be confused.
        ("SELECT word FROM words WHERE words MATCH \("SELECT:busan")", "no such column: …"),
        ("INSERT INTO words (words) VALUES (\("kim"))", "SQL logic error"),
        ("SELECT json_extract('{}', \("kim busan"))", "JSON path error near …"),
        ("SELECT json_extract('{}', upper(\("kim busan")))", "JSON path error near …"),
        ("SELECT json_extract(name, 'kim') FROM (SELECT \("{}") AS name)", "JSON path error near …"),
        ("SELECT json_extract(\("{kim"), '$.a')", "malformed JSON"),
        ("SELECT 'a' LIKE 'b' ESCAPE \("kim")", "ESCAPE expression must be a single character"),
        ("SELECT abs(\(Int64.min))", "integer overflow"),
        ("VACUUM INTO \("/nowhere/kim")", "unable to open database file"),
        ("ATTACH \("/nowhere/kim") AS kim", "unable to open database file"),
        ("CREATE TABLE u AS SELECT json_extract('{}', \("kim busan"))", "JSON path error near …"),
        ("SELECT refuse(lower(\("Kim, busan")))", "the function \"refuse\" threw error 1"),
        ("SELECT quote_refusal(\("kim"))", "the function \"quote_refusal\" threw Refusal"),
        ("SELECT name_reason(\("kim"))", "the function \"name_reason\" threw Reason.tooShort"),
        ("SELECT explain(\("kim"))", "too short"),
        ("SELECT refuse(\(1))", "column 0 \"argument\": expected String, found INTEGER"),
    ]

    @Test("errors quote no value, although SQLite's messages do", arguments: quoting.indices)
    func values(index: Int) async throws {
        let (sql, message) = Self.quoting[index]
        let error = try await error { db in _ = try db.execute(sql) }
        #expect(error?.message == message)
        #expect(error?.sql == sql.text)
    }

    static let compiling: [(sql: String, message: String)] = [
        ("SELECT 1 AS 'kim' 'busan'", #"near "…": syntax error"#), ("SELECT 'kim", "unrecognized token: …"),
        ("SELECT 1 WHERE AND", #"near "AND": syntax error"#), ("SELECT 1 2", #"near "…": syntax error"#),
        ("SELECT x'6b' x'696d'", #"near "…": syntax error"#), ("SELECT x.y z", "no such column: x.y"),
        ("SELECT 1 AS 'kim' '\u{301}busan'", #"near "…": syntax error"#),
        ("SELECT 1 AS kim .5", #"near "…": syntax error"#), ("SELECT 1 AS kim .busan", #"near ".": syntax error"#),
        ("SELECT X'6b' X'696d'", #"near "…": syntax error"#), ("SELECT 1 AS kim x", #"near "x": syntax error"#),
    ]

    @Test("compilation errors quote names of the SQL text and no literals", arguments: compiling)
    func compilation(sql: String, message: String) async throws {
        let error = try await error { db in _ = try db.execute("\(raw: sql)") }
        #expect(error?.message == message)
        let ofScript = try await self.error { db in try db.executeScript("SELECT 1; \(sql)") }
        #expect(ofScript?.message == message)
    }

    @Test("an error names a table that was dropped after the statement was compiled")
    func compiledAgain() async throws {
        let error = try await error { db in
            try db.execute("CREATE TABLE gone (x)")
            try db.execute("INSERT INTO gone VALUES (\("kim"))")
            try db.execute("DROP TABLE gone")
            try db.execute("INSERT INTO gone VALUES (\("kim"))")
        }
        #expect(error?.message == "no such table: gone")
    }

    @Test("errors about unnamed columns quote no literals of the SQL text")
    func columnNames() async throws {
        let error = try await error { db in
            _ = try db.fetchOne(
                Int.self, "SELECT lower('Kim') || '\u{301}Kim' || 17 || .5 || a.word9 FROM (SELECT 'a' AS word9) AS a")
        }
        #expect(error?.message == "column 0 \"lower(…) || … || … || … || a.word9\": expected Int, found TEXT")
    }

    @Test("errors of statements with long values do not quote them")
    func longValues() async throws {
        let long = String(repeating: "kim busan ", count: 100_000)
        let error = try await error { db in
            for _ in 0..<5 {
                #expect(throws: SQLiteError.self) {
                    try db.execute("INSERT INTO names SELECT json_extract('{}', 'busan') WHERE \(long) > ''")
                }
            }
            try db.execute("INSERT INTO names SELECT json_extract('{}', 'busan') WHERE \(long) > ''")
        }
        #expect(error?.message == "JSON path error near …")
    }

    @Test("constraint errors name the constraint, whatever the values are")
    func constraint() async throws {
        let error = try await error { db in
            for _ in 0..<2 { try db.execute("INSERT INTO names VALUES (\("UNIQUE"))") }
        }
        #expect(error?.message == "UNIQUE constraint failed: names.name")
        #expect(error?.extendedCode == .constraintUnique)
    }

    @Test("errors in JSON give the path with keys of the source code and without keys of the data")
    func path() async throws {
        struct Trip: Decodable {
            let days: [String: [Int]]
        }
        let error = try await error { db in
            _ = try db.fetchOne(SQLJSON<Trip>.self, "SELECT \(#"{"days":{"kim":[1,"busan"]}}"#)")
        }
        #expect(error?.message.hasSuffix("found TEXT, which is not valid JSON for it, at days.*.1") == true)
    }

    @Test("reading the bytes of a NULL text is a mismatch")
    func missingText() async throws {
        let error = try await error { db in
            try db.forEach("SELECT NULL AS name") { row in
                try row.withColumn(0) { column in try column.withTextBytes { _ in } }
            }
        }
        #expect(error?.message == "column 0 \"name\": expected String, found NULL")
    }
}

@Suite("Tracing", .limitedConcurrency)
struct TracingTests {
    @Test(
        "statements that take longer than the threshold are reported without their values",
        arguments: [(Duration.nanoseconds(-1), ["SELECT ?"]), (.seconds(1000), [])])
    func slowStatements(threshold: Duration, expected: [String]) async throws {
        let slow = Mutex<[SlowStatement]>([])
        let configuration = Database.Configuration().with {
            $0.slowStatements = .init(longerThan: threshold) { statement in
                slow.withLock { $0.append(statement) }
            }
        }
        try await withTemporaryDatabase(configuration: configuration) { (database) async throws in
            let value = try await database.read { db in try db.fetchOne(Int.self, "SELECT \(2)") }
            #expect(value == 2)
        }
        #expect(slow.withLock { $0.map(\.sql).filter { $0.hasPrefix("SELECT ?") } } == expected)
        #expect(slow.withLock { $0.allSatisfy { $0.duration > threshold } })
    }
}
