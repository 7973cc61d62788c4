#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

@Suite("PostgreSQL errors", .needsServer, .limitedConcurrency)
struct ErrorTests {
    private static let secret = "s3cr3t-Värde"
    private static let schema = [
        Migration(
            "t",
            script: """
                CREATE TYPE mood AS ENUM ('good');
                CREATE TABLE parents (id text PRIMARY KEY);
                CREATE TABLE t (
                    id text PRIMARY KEY CHECK (id <> 's3cr3t-Värde!'), parent text REFERENCES parents,
                    short varchar(3), number integer NOT NULL DEFAULT 1, mood mood, only_one int4range,
                    EXCLUDE USING gist (only_one WITH &&)
                );
                CREATE FUNCTION shout(text) RETURNS text LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'no %', $1; END $$;
                CREATE FUNCTION shout_as_server(text) RETURNS text LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'no %', $1 USING ERRCODE = '22012'; END $$
                """)
    ]

    /// Statements that fail at run time, because of the value.
    private static let failing: [SQL] = {
        let secret = ErrorTests.secret
        return [
            "INSERT INTO t (id) SELECT \(secret)::text FROM generate_series(1, 2)",
            "INSERT INTO t (id) VALUES (\(secret + "!"))",
            "INSERT INTO t (id, parent) VALUES ('a', \(secret))",
            "INSERT INTO t (id, short) VALUES ('a', \(secret))",
            "INSERT INTO t (id, number) VALUES ('a', NULLIF(\(secret)::text, \(secret))::int)",
            "SELECT (\(secret)::text)::integer",
            "SELECT (\(secret)::text)::uuid", "SELECT (\(secret)::text)::timestamptz",
            "SELECT (\(secret)::text)::json",
            "SELECT (\(secret)::text)::regclass", "SELECT (\(secret)::text)::inet", "SELECT \(secret)::mood",
            "INSERT INTO t (id, mood) VALUES ('a', \(secret))", "SELECT to_tsquery(\(secret + " &"))",
            "SELECT 'a' ~ \("(" + secret)", "SELECT nextval(\(secret)::text)", "SELECT shout(\(secret))",
            "SELECT shout_as_server(\(secret))", "SELECT shout_as_server(\("passphrase"))",
            "SELECT set_config(\(secret), 'x', true)",
            "SELECT set_config('work_mem', \(secret), true)", "SELECT to_date(\(secret), 'YYYY')",
            "SELECT jsonb_path_query('{}', (\("$." + secret)::text)::jsonpath)", "SELECT pg_read_file(\(secret))",
            "SELECT convert_to(\(secret), \(secret))", "SELECT lpad('a', \(987_654_321))",
            "SELECT generate_series(1, 2, \(0))", "SELECT 1 / (\(987_654_321)::int - 987654321)",
            "SELECT \(987_654_321)::int * \(987_654_321)::int", "SELECT \([secret])::mood[]",
        ]
    }()

    @Test("no error contains a bound value or a part of it", arguments: failing.indices)
    func withoutValues(index: Int) async throws {
        let sql = Self.failing[index]
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            for prepares in [true, false] {
                let error = await #expect(throws: PostgreSQLError.self, "\(sql)") {
                    try await database.write { db in try db.execute(prepares ? sql : sql.planned(.custom)) }
                }
                let text = "\(error as Any) \(error?.message ?? "") \(String(reflecting: error))"
                for part in ["s3cr3t", "Värde", "987654321", "passphrase"] {
                    let shown = text.replacingOccurrences(of: sql.text, with: "")
                    #expect(!shown.contains(part), "\(text)")
                }
                #expect(error?.sql == sql.text)
            }
        }
    }

    @Test("an error names the constraint, and the codes are those of the server")
    func codes() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let cases: [(SQL, PostgreSQLError.Code, String?)] = [
                ("INSERT INTO t (id) VALUES ('b'), ('b')", .uniqueViolation, "t_pkey"),
                ("INSERT INTO t (id, parent) VALUES ('a', \("x"))", .foreignKeyViolation, "t_parent_fkey"),
                ("INSERT INTO t (id, number) VALUES ('a', NULL)", .notNullViolation, nil),
                ("INSERT INTO t (id, short) VALUES ('a', \("long"))", .textTooLong, nil),
                (
                    "INSERT INTO t (id, only_one) VALUES ('c', '[1,3)'), ('d', '[2,4)')", .exclusionViolation,
                    "t_only_one_excl"
                ),
                ("SELECT * FROM nowhere", .undefinedTable, nil), ("SELECT nothing FROM t", .undefinedColumn, nil),
                ("SELEKT 1", .syntaxError, nil), ("SELECT f(1)", .undefinedFunction, nil),
                ("SELECT \("x")::text::int", .invalidText, nil),
            ]
            for (sql, code, constraint) in cases {
                let error = await #expect(throws: PostgreSQLError.self) {
                    try await database.write { db in try db.execute(sql) }
                }
                #expect(error?.code == code)
                #expect(error?.constraint == constraint)
            }
        }
    }

    @Test("the message of a wrong statement is the server's, in full")
    func wrongStatement() async throws {
        try await withTemporaryDatabase { (database) async throws in
            let error = await #expect(throws: PostgreSQLError.self) {
                try await database.read { db in try db.execute("SELECT \(1) FROM nowhere") }
            }
            #expect(
                error?.description
                    == "PostgreSQL error 42P01: relation \"nowhere\" does not exist, in SELECT $1 FROM nowhere")
        }
    }
}
#endif
