import Foundation
import SQLiteStore
import TestConcurrency
import Testing

/// SQLite's side of the article "Differences of the stores".
@Suite("Differences of the stores", .limitedConcurrency)
struct DifferenceTests {
    private static let script = "CREATE TABLE samples (isDone INTEGER, x REAL, text TEXT UNIQUE, at TEXT) STRICT"

    @Test(
        "what SQL means is what the list of differences says",
        arguments: [
            ("'10' < '9'", "decimals are texts"), ("isDone = 1 AND isDone", "a Bool is 0 or 1"),
            ("(SELECT ISDONE FROM samples)", "the case of names does not matter"),
            ("(SELECT n IS NULL FROM (SELECT 1 AS n UNION ALL SELECT NULL) ORDER BY n LIMIT 1)", "NULL is first"),
            ("(SELECT n = 1 FROM (SELECT 1 AS n UNION ALL SELECT NULL) ORDER BY n NULLS LAST)", "or last"),
            ("'B' < 'a' AND 'z' < 'é'", "texts are in the order of code points"),
            ("'SEA' LIKE 'sea'", "no case in LIKE"),
            ("(SELECT json_group_array(n) FROM (SELECT 1 AS n WHERE 1 = 2)) = '[]'", "no children are an empty list"),
            ("strftime('%m', at) = '05'", "the month of a date"),
            ("at = '2024-05-01T00:00:00.500000000Z'", "a date has nanoseconds"),
            ("typeof(x) = 'real'", "the type is that of the value"),
        ])
    func meanings(condition: String, fact: String) async throws {
        let database = try await Database.open(.inMemory, migrations: [Migration("samples", script: Self.script)])
        let holds = try await database.write { db in
            let date = Date(timeIntervalSince1970: 1_714_521_600.5)
            try db.execute("INSERT INTO samples VALUES (\(true), 1.5, \("a\u{0}b"), \(date))")
            #expect(try db.fetchOne(String.self, "SELECT text FROM samples") == "a\u{0}b")
            return try db.fetchOne(Bool.self, "SELECT \(raw: condition) FROM samples")
        }
        #expect(holds == true, "\(fact)")
        await database.close()
    }

    @Test("NaN is an error, and a transaction goes on after an error that it has caught")
    func errors() async throws {
        let database = try await Database.open(.inMemory, migrations: [Migration("samples", script: Self.script)])
        let (nan, duplicate) = try await database.write { db in
            try db.execute("INSERT INTO samples (text) VALUES ('a')")
            return (
                errorCode { try db.execute("INSERT INTO samples (x) VALUES (\(Double.nan))") },
                errorCode { try db.execute("INSERT INTO samples (text) VALUES ('a')") }
            )
        }
        #expect(nan == .mismatch && duplicate == .constraint)
        let count = try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM samples") }
        #expect(count == 1)
        await database.close()
    }
}
