#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

@Suite("PostgreSQL literals", .needsServer, .limitedConcurrency)
struct SQLTests {
    @Test("values become numbered parameters, also across fragments")
    func numbering() throws {
        let condition: SQL = "a = \(1) AND b = ANY(\([2, 3]))"
        let sql: SQL = "SELECT \("x") WHERE \(condition) AND \(identifier: "we\"ird") = \(nil as Int?)"
        #expect(sql.text == "SELECT $1 WHERE a = $2 AND b = ANY($3) AND \"we\"\"ird\" = $4")
        #expect(try sql.values == [.text("x"), .integer(1), .array([.integer(2), .integer(3)]), .null])
        #expect("\(sql)" == sql.text)
        let joined = ["a = \(1)", "b = \(2)"].map { (piece: SQL) in piece }.joined(separator: " OR ")
        #expect(joined.text == "a = $1 OR b = $2")
    }

    @Test("dumping a literal, an error or a location reveals no value and no password")
    func dumps() {
        var text = ""
        let sql: SQL = "SELECT \("secret")"
        dump(sql, to: &text)
        dump(Database.Location.url("postgresql://user:secret@host/db"), to: &text)
        dump(Database.Location.parameters(["password": "secret"]), to: &text)
        print(
            Database.Location.url("user=a password=secret"), Database.Location.parameters(["password": "secret"]),
            to: &text)
        #expect(!text.contains("secret"))
    }

    @Test(
        "a hostile text is stored as it is, wherever it is bound",
        arguments: [
            "'; DROP TABLE t; --", "\\'; DROP TABLE t; --", "$1", "$$", "\"; DROP TABLE t; --", "' OR '1'='1", "%_",
            "\u{200B}'",
            "COPY t TO PROGRAM 'true'", "{\"a\"}", "NULL", "a,b", "{", "\\x41",
        ])
    func injection(text: String) async throws {
        let schema = [Migration("t", script: "CREATE TABLE t (x text, y text[], z jsonb)")]
        try await withTemporaryDatabase(migrations: schema) { (database) async throws in
            try await database.write { (db) throws in
                try db.execute("INSERT INTO t VALUES (\(text), \([text, text]), \(SQLJSON([text])))")
                try db.execute("INSERT INTO t (x) VALUES ($1)", forEach: [text]) { text, values in
                    try values.bind(text)
                }
                try db.copy(into: "t", columns: ["x", "y"], [text]) { text, values in
                    try values.bind(text)
                    try values.bind([text])
                }
                #expect(try db.fetchAll(String.self, "SELECT x FROM t WHERE x = \(text)") == [text, text, text])
                #expect(
                    try db.fetchAll([String].self, "SELECT y FROM t WHERE y IS NOT NULL") == [
                        [text, text], [text],
                    ])
                #expect(try db.fetchOne(String.self, "SELECT z ->> 0 FROM t WHERE z IS NOT NULL") == text)
                try db.execute("CREATE TABLE \(identifier: text) (\(identifier: text) int)")
                try db.execute("INSERT INTO \(identifier: text) (\(identifier: text)) VALUES (\(1))")
                #expect(try db.copy(into: text, columns: [text], [3]) { x, values in try values.bind(x) } == 1)
                #expect(try db.fetchOne(Int.self, "SELECT COUNT(*) FROM \(identifier: text)") == 2)
            }
        }
    }

    @Test("too few, too many or quoted values are an error before anything is run")
    func counts() async throws {
        try await withTemporaryDatabase { (database) async throws in
            try await database.read { (db) throws in
                let failing: [SQL] = [
                    "SELECT '\(1)'", SQL(raw: "SELECT $1::int, $2::int", [1]), SQL(raw: "SELECT $1::int", [1, 2]),
                ]
                for sql in failing {
                    let error = #expect(throws: PostgreSQLError.self) { try db.execute(sql) }
                    #expect(error?.code == .range)
                }
                #expect(try db.fetchOne(Int.self, SQL(raw: "SELECT $2::int - $1::int", [1, 2])) == 1)
            }
        }
    }

    @Test("a statement of no text, of comments or of several statements is an error")
    func noStatement() async throws {
        try await withTemporaryDatabase { (database) async throws in
            for text in ["", "  ", "-- x", "/* x */ ;", "SELECT 1; SELECT 2", "SELECT 1\0"] {
                await #expect(throws: PostgreSQLError.self) {
                    try await database.writeWithoutTransaction { db in try db.execute(SQL(raw: text)) }
                }
            }
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
        }
    }
}
#endif
