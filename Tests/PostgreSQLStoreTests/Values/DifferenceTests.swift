#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

/// PostgreSQL's side of the article "Differences of the stores".
@Suite("Differences of the stores", .needsServer, .limitedConcurrency)
struct DifferenceTests {
    private static let migrations = [
        Migration(
            "samples",
            script: """
                CREATE TABLE samples (
                    isDone boolean, "hasEnded" boolean, x double precision, text text UNIQUE, at timestamptz, amount numeric
                )
                """)
    ]

    @Test(
        "what SQL means is what the list of differences says",
        arguments: [
            ("'10'::numeric > '9'::numeric AND amount > 9", "decimals are numbers"),
            ("isDone", "a boolean is a condition"),
            ("(SELECT isdone FROM samples)", "names without quotes are in lower case"),
            ("(SELECT \"hasEnded\" FROM samples)", "names in quotes keep their case"),
            ("(SELECT n = 1 FROM (SELECT 1 AS n UNION ALL SELECT NULL) AS t ORDER BY n LIMIT 1)", "NULL is last"),
            (
                "(SELECT n IS NULL FROM (SELECT 1 AS n UNION ALL SELECT NULL) AS t ORDER BY n NULLS FIRST LIMIT 1)",
                "or first"
            ),
            ("'B' < 'a' COLLATE \"C\" AND 'z' < 'é' COLLATE \"C\"", "texts can be in the order of code points"),
            ("NOT 'SEA' LIKE 'sea' AND 'SEA' ILIKE 'sea'", "LIKE regards the case, ILIKE does not"),
            ("(SELECT json_agg(n) FROM (SELECT 1 AS n WHERE 1 = 2) AS t) IS NULL", "no children are NULL"),
            ("extract(month FROM at AT TIME ZONE 'UTC') = 5", "the month of a date"),
            ("at = '2024-05-01T00:00:00.500001Z'", "a date has microseconds"),
            ("x = 'NaN' AND x > 'Infinity'", "NaN is greater than all other numbers"),
        ])
    func meanings(condition: String, fact: String) async throws {
        try await withTemporaryDatabase(migrations: Self.migrations) { (database) async throws in
            let holds = try await database.write { db in
                let date = Date(timeIntervalSince1970: 1_714_521_600.500_001_2)
                try db.execute(
                    "INSERT INTO samples VALUES (\(true), \(true), \(Double.nan), 'a', \(date), \(Decimal(10)))")
                return try db.fetchOne(Bool.self, "SELECT \(raw: condition) FROM samples")
            }
            #expect(holds == true, "\(fact)")
        }
    }

    @Test("a NUL and a number for a boolean are errors, and a caught error has aborted the transaction")
    func errors() async throws {
        try await withTemporaryDatabase(migrations: Self.migrations) { (database) async throws in
            func code(_ statement: SQL) async throws -> PostgreSQLError.Code? {
                do {
                    try await database.write { db in _ = try db.execute(statement) }
                    return nil
                } catch let error as PostgreSQLError {
                    return error.code
                }
            }
            #expect(try await code("INSERT INTO samples (text) VALUES (\("a\u{0}b"))") == .mismatch)
            #expect(try await code("UPDATE samples SET x = 1 WHERE isDone = 1") == .undefinedFunction)
            #expect(try await code("INSERT INTO samples (text) VALUES ('a')") == nil)
            let error = await #expect(throws: PostgreSQLError.self) {
                try await database.write { db in
                    do { try db.execute("INSERT INTO samples (text) VALUES ('a')") } catch is PostgreSQLError {}
                }
            }
            #expect(error?.code == .transactionAborted)
        }
    }
}
#endif
