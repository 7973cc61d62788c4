#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestReporting
import TestConcurrency
import Testing

@Suite("PostgreSQL values", .needsServer, .limitedConcurrency)
struct ValueTests {
    enum Season: String, SQLCodable, CaseIterable { case spring, autumn }

    struct Place: Codable, Equatable {
        var name: String
        var tags: [String]
    }

    /// A `point`: two numbers in network byte order.
    struct Point: SQLDecodable, Equatable {
        var x, y: Double

        init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

        init(column: borrowing Column) throws {
            // As in pg_type, where its OID is fixed.
            guard column.typeOID == 600 else { throw column.mismatch(Point.self) }
            self = try column.withBytes { bytes in
                let numbers = [0, 8].map { offset in
                    Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                }
                return Point(x: numbers[0], y: numbers[1])
            }
        }
    }

    /// Binds each value to a parameter of the type, compares the server's text, and reads the value from that text.
    private func roundTrip<Value: SQLCodable & Equatable & Sendable>(
        _ pairs: [(Value, String)], as type: String, in database: Database
    ) async throws {
        try await database.read { (db) throws in
            for (value, text) in pairs {
                let sent = try db.fetchOne(String.self, "SELECT (\(value)::\(raw: type))::text")
                #expect(sent == text, "\(value) as \(type)")
                let read = try db.fetchOne(Value.self, "SELECT \(text)::text::\(raw: type)")
                #expect(read == value, "\(text) as \(type)")
            }
        }
    }

    @Test("a cursor reads the columns of each row in order, from the first, and none after the last")
    func cursor() async throws {
        try await withTemporaryDatabase { (database) async throws in
            @Sendable func name(_ columns: inout ColumnCursor) throws -> String { try columns.next() }
            try await database.read { (db) throws in
                let rows = try db.fetchAll("VALUES ('Busan', 3, 'sea'), ('Jeju', NULL, 'wind')") { row in
                    let all = try row.read { columns in
                        let (name, population) = (try name(&columns), try columns.next(Int?.self))
                        return "\(name) \(population ?? 0) \(try columns.withNext { "\($0.name) \($0.index)" })"
                    }
                    return try row.read { "\(all) \(try $0.next() as String)" }
                }
                #expect(rows == ["Busan 3 column3 2 Busan", "Jeju 0 column3 2 Jeju"])
            }
            let error = await #expect(throws: PostgreSQLError.self) {
                try await database.read { db in
                    try db.fetchOne("SELECT 1") { row in
                        try row.read { (try $0.next() as Int, try $0.next() as Int?) }
                    }
                }
            }
            #expect(error?.code == .range && error?.message == "no column 1: the row has 1")
        }
    }

    @Test("numbers round trip against the server's text")
    func numbers() async throws {
        try await withTemporaryDatabase { (database) async throws in
            try await roundTrip(
                [(0, "0"), (-1, "-1"), (Int.min, "\(Int.min)"), (.max, "\(Int.max)")], as: "bigint", in: database)
            try await roundTrip([(Int32.min, "\(Int32.min)"), (.max, "\(Int32.max)")], as: "integer", in: database)
            try await roundTrip([(Int16.min, "-32768"), (.max, "32767")], as: "smallint", in: database)
            try await roundTrip([(UInt32.max, "4294967295")], as: "oid", in: database)
            try await roundTrip(
                [(Int.max, "9223372036854775807"), (-10_000, "-10000")], as: "numeric", in: database)
            try await roundTrip(
                [
                    (0.1, "0.1"), (-1e300, "-1e+300"), (.infinity, "Infinity"), (.leastNonzeroMagnitude, "5e-324"),
                    (-0.0, "-0"),
                ],
                as: "double precision", in: database)
            try await roundTrip([(Float(0.1), "0.1"), (-.infinity, "-Infinity")], as: "real", in: database)
            try await roundTrip([(true, "true"), (false, "false")], as: "boolean", in: database)
            let isNaN = try await database.read { (db) throws in
                try db.fetchOne(Double.self, "SELECT \(Double.nan)::float8")?.isNaN
            }
            #expect(isNaN == true)
        }
    }

    @Test("decimal numbers round trip against the server's text")
    func decimals() async throws {
        let texts = [
            "0", "1", "-1", "0.1", "12.3", "-0.0001", "10000", "9999", "100000000",
            "12345678901234567890.123456789",
            "0.00000000000000000001", "99999999999999999999999999999999999999", "-5000.5", "1000000.0001",
            "-1" + String(repeating: "0", count: 120), "0." + String(repeating: "0", count: 119) + "1",
        ]
        try await withTemporaryDatabase { (database) async throws in
            try await roundTrip(texts.map { (Decimal(string: $0)!, $0) }, as: "numeric", in: database)
            var random = SeededGenerator(seed: 7)
            let some = (0..<200).map { _ in
                var digits = String(Int64.random(in: .min ... .max, using: &random))
                let places = Int.random(in: 0...12, using: &random)
                let last = digits.index(digits.endIndex, offsetBy: -min(places, digits.count - 2))
                if last < digits.endIndex, digits.last != "0" { digits.insert(".", at: last) }
                return digits
            }
            try await roundTrip(
                some.map { (Decimal(string: $0)!, Decimal(string: $0)!.description) }, as: "numeric", in: database)
            let shown = try await database.read { db in try db.fetchOne(Decimal.self, "SELECT 1.50::numeric(10, 4)")
            }
            #expect(shown == Decimal(string: "1.5"))
            let zero = try await database.read { db in try db.fetchOne(Decimal.self, "SELECT 0::numeric(400, 300)") }
            #expect(zero == 0)
        }
    }

    @Test("texts round trip against the server's text")
    func texts() async throws {
        let texts = [
            "", "a", "'; DROP TABLE x; --", "$1", "서울 🌊", "\u{1}\t\n\r\\", "\u{10FFFF}", "e\u{301}", #"{"a": 1}"#,
        ]
        try await withTemporaryDatabase { (database) async throws in
            try await roundTrip(texts.map { ($0, $0) }, as: "text", in: database)
            try await roundTrip(texts.map { ($0, $0) }, as: "varchar", in: database)
            try await roundTrip([("name", "name")], as: "name", in: database)
            try await roundTrip([(#"{"a": 1}"#, #"{"a": 1}"#)], as: "json", in: database)
            try await roundTrip([(#"{"a": 1}"#, #"{"a": 1}"#)], as: "jsonb", in: database)
            let long = String(repeating: "바다", count: 200_000)
            try await roundTrip([(long, long)], as: "text", in: database)
        }
    }

    @Test("bytes, identifiers and times round trip against the server's text")
    func others() async throws {
        let date = { (text: String) in try! Date(text, strategy: .iso8601) }
        try await withTemporaryDatabase(
            configuration: .init().with { $0.prepare = { db in try db.execute("SET TimeZone = 'UTC'") } }
        ) { (database) async throws in
            try await roundTrip(
                [([UInt8](0...255), "\\x" + hexadecimal(0...255)), ([], "\\x")], as: "bytea", in: database)
            try await roundTrip([(Data([0, 255]), "\\x00ff")], as: "bytea", in: database)
            let id = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
            try await roundTrip([(UUID(uuidString: id)!, id)], as: "uuid", in: database)
            let times = [
                (date("2024-05-01T12:34:56Z"), "2024-05-01 12:34:56+00"),
                (date("2024-05-01T12:34:56Z").addingTimeInterval(0.000001), "2024-05-01 12:34:56.000001+00"),
                (date("1969-12-31T23:59:59Z").addingTimeInterval(0.5), "1969-12-31 23:59:59.5+00"),
                (date("1700-01-01T00:00:00Z"), "1700-01-01 00:00:00+00"),
                (date("9999-12-31T23:59:59Z"), "9999-12-31 23:59:59+00"),
            ]
            for (value, text) in times {
                let sent = try await database.read { (db) throws in
                    try db.fetchOne(String.self, "SELECT (\(value)::timestamptz)::text")
                }
                #expect(sent == text)
                let read = try await database.read { (db) throws in
                    try db.fetchOne(Date.self, "SELECT \(text)::text::timestamptz")
                }
                #expect(abs(try #require(read).timeIntervalSince(value)) < 0.000_000_5)
            }
            let local = try await database.read { (db) throws in
                try db.fetchOne(String.self, "SELECT (\(times[0].0)::timestamp)::text")
            }
            #expect(local == "2024-05-01 12:34:56")
        }
    }

    private func hexadecimal(_ bytes: ClosedRange<Int>) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    @Test("lists round trip as arrays, also empty and with NULL")
    func arrays() async throws {
        try await withTemporaryDatabase { (database) async throws in
            try await roundTrip([([1, -2], "{1,-2}"), ([], "{}")], as: "bigint[]", in: database)
            try await roundTrip([([1, 2], "{1,2}")], as: "smallint[]", in: database)
            try await roundTrip(
                [(["a", "", "NULL", "\"\\,{}"], #"{a,"","NULL","\"\\,{}"}"#)], as: "text[]", in: database)
            try await roundTrip([([1, nil] as [Int?], "{1,NULL}")], as: "integer[]", in: database)
            try await roundTrip([([true], "{t}")], as: "boolean[]", in: database)
            try await roundTrip([([0.5], "{0.5}")], as: "float8[]", in: database)
            let id = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
            try await roundTrip([([UUID(uuidString: id)!], "{\(id)}")], as: "uuid[]", in: database)
            let matching = try await database.read { (db) throws in
                try [[1, 3], []].map { (list: [Int]) in
                    try db.fetchAll(Int.self, "SELECT x FROM generate_series(1, 3) AS x WHERE x = ANY(\(list))")
                }
            }
            #expect(matching == [[1, 3], []])
        }
    }

    @Test("enumerations, domains and their arrays are bound and read as texts")
    func ownTypes() async throws {
        let schema = [
            Migration(
                "types",
                script: """
                    CREATE TYPE season AS ENUM ('spring', 'autumn');
                    CREATE DOMAIN short AS text CHECK (length(value) < 5);
                    CREATE TABLE t (season season, seasons season[], short short)
                    """)
        ]
        try await withTemporaryDatabase(migrations: schema) { (database) async throws in
            try await database.write { (db) throws in
                try db.execute(
                    "INSERT INTO t VALUES (\(Season.autumn), \(Season.allCases), \("abc")), (\(nil as Season?), NULL, NULL)"
                )
                let row = try db.fetchOne("SELECT season, seasons, short FROM t WHERE season = \(Season.autumn)") {
                    row in
                    (try row[0] as Season, try row[1] as [Season], try row[2] as String)
                }
                #expect(row?.0 == .autumn && row?.1 == Season.allCases && row?.2 == "abc")
            }
        }
    }

    @Test("a binary form that is no text is not read as one")
    func binaryForms() async throws {
        let schema = [Migration("types", script: "CREATE TYPE span AS RANGE (subtype = float8)")]
        try await withTemporaryDatabase(migrations: schema) { (database) async throws in
            try await database.read { (db) throws in
                let error = #expect(throws: PostgreSQLError.self) {
                    try db.fetchOne(String.self, "SELECT 'empty'::span")
                }
                #expect(error?.code == .mismatch)
            }
        }
    }

    @Test("a type of one's own reads the binary form of a type that has no other reading")
    func pointsInBinaryForm() async throws {
        try await withTemporaryDatabase { (database) async throws in
            try await database.read { (db) throws in
                #expect(try db.fetchOne(Point.self, "SELECT point(1.5, -2)") == Point(x: 1.5, y: -2))
                for other: SQL in ["SELECT NULL::point", "SELECT lseg(point(1, 2), point(3, 4))"] {
                    let error = #expect(throws: PostgreSQLError.self) { try db.fetchOne(Point.self, other) }
                    #expect(error?.code == .mismatch, "\(other)")
                }
            }
        }
    }

    @Test("a \"char\" without a character is an empty text")
    func noCharacter() async throws {
        try await withTemporaryDatabase { (database) async throws in
            let texts = try await database.read { (db) throws in
                try ["", "x"].map { try db.fetchOne(String.self, "SELECT \($0)::\"char\"") }
            }
            #expect(texts == ["", "x"])
            let names = try await database.read { (db) throws in
                try db.fetchAll([String].self, "SELECT ARRAY[''::\"char\", 'y'::\"char\"]")
            }
            #expect(names == [["", "y"]])
        }
    }

    @Test("a parameter of a domain takes the values of the type that the domain is based on")
    func domains() async throws {
        let schema = [
            Migration(
                "types",
                script: """
                    CREATE DOMAIN d1 AS integer CHECK (value > 0);
                    CREATE DOMAIN d2 AS double precision;
                    CREATE DOMAIN d3 AS numeric(6, 2);
                    CREATE DOMAIN d4 AS boolean;
                    CREATE DOMAIN d5 AS bytea;
                    CREATE DOMAIN d6 AS uuid;
                    CREATE DOMAIN d7 AS timestamptz;
                    CREATE TABLE t (a d1, b d2, c d3, d d4, e d5, f d6, g d7, h d1[], i d5[])
                    """)
        ]
        try await withTemporaryDatabase(migrations: schema) { (database) async throws in
            let (price, bytes, id) = (Decimal(12345) / 1_000, Data([0, 15, 255]), UUID())
            for (real, time) in [(1e-300, 0.25), (-.infinity, -1.000001), (.nan, 5e11)] as [(Double, TimeInterval)] {
                let date = Date(timeIntervalSinceReferenceDate: time)
                try await database.write { (db) throws in
                    try db.execute(
                        """
                        INSERT INTO t VALUES (\(5), \(real), \(price), \(true), \(bytes), \(id), \(date), \([1, 2]), \([bytes]))
                        """)
                    let row = try db.fetchOne("DELETE FROM t RETURNING a, b, c, d, e, f, g, h::text, i::text") { row in
                        #expect(try (row[0] as Int, row[3] as Bool, row[5] as UUID) == (5, true, id))
                        #expect(try (row[1] as Double).isNaN || row[1] == real)
                        #expect(try (row[2] as Decimal, row[4] as Data) == (Decimal(1235) / 100, bytes))
                        #expect(try abs((row[6] as Date).timeIntervalSince(date)) < 1e-6 + abs(time) * 1e-15)
                        return try (row[7] as String, row[8] as String)
                    }
                    #expect(row?.0 == "{1,2}" && row?.1 == #"{"\\x000fff"}"#)
                }
            }
            await #expect(throws: PostgreSQLError.self) {
                try await database.write { db in try db.execute("INSERT INTO t (a) VALUES (\(-1))") }
            }
        }
    }

    @Test("the elements of an array of a domain are read as the type that the domain is based on")
    func arraysOfDomains() async throws {
        let schema = [
            Migration(
                "types",
                script: """
                    CREATE DOMAIN counter AS integer;
                    CREATE DOMAIN score AS counter CHECK (value > 0);
                    CREATE DOMAIN scores AS score[];
                    CREATE TYPE season AS ENUM ('spring', 'autumn');
                    CREATE DOMAIN mild AS season;
                    CREATE TABLE t (a counter[], b score[], c scores, d bytea[], e mild[])
                    """)
        ]
        try await withTemporaryDatabase(migrations: schema) { (database) async throws in
            try await database.write { (db) throws in
                let (some, seasons): ([Int?], [Season]) = ([3, nil], Season.allCases)
                try db.execute("INSERT INTO t VALUES (\([1, -2]), \(some), \([4]), NULL, \(seasons))")
                for plan in [SQL.Plan.automatic, .custom] {
                    try db.forEach(("SELECT a, b, c, d, e FROM t" as SQL).planned(plan)) { (row) throws in
                        #expect(try row[0] == [1, -2])
                        #expect(try row[1] == some)
                        #expect(try row[2] == [4])
                        #expect(try row[3] == nil as [Data]?)
                        #expect(try row[4] == seasons)
                    }
                }
                let error = #expect(throws: PostgreSQLError.self) { try db.fetchOne([String].self, "SELECT a FROM t") }
                #expect(error?.code == .mismatch)
            }
            // On a connection that has not prepared the statement before.
            #expect(try await database.read { db in try db.fetchAll([Int].self, "SELECT a FROM t") } == [[1, -2]])
        }
    }

    @Test(
        "a row in a column is no array, even if its bytes begin like one",
        arguments: ["ROW(0)::counted", #"ROW('\x0000000100000014ffffffff7fffffff00000000')::packed"#])
    func rowInColumn(_ row: String) async throws {
        let schema = [
            Migration(
                "types", script: "CREATE TYPE counted AS (number bigint); CREATE TYPE packed AS (bytes bytea)")
        ]
        try await withTemporaryDatabase(migrations: schema) { (database) async throws in
            let error = await #expect(throws: PostgreSQLError.self) {
                _ = try await database.read { db in
                    try db.fetchOne("SELECT \(raw: row)") { row in try row[0] as [Int] }
                }
            }
            #expect(error?.code == .mismatch)
        }
    }

    @Test("a Codable value is stored as JSON")
    func json() async throws {
        let place = Place(name: "제주", tags: ["바다", "\"x\""])
        try await withTemporaryDatabase { (database) async throws in
            try await database.read { (db) throws in
                for type in ["json", "jsonb", "text"] {
                    let read = try db.fetchOne(
                        SQLJSON<Place>.self, "SELECT \(SQLJSON(place))::\(raw: type)")?.value
                    #expect(read == place)
                }
                #expect(try db.fetchOne(String.self, "SELECT \(SQLJSON(place))::jsonb ->> 'name'") == "제주")
            }
        }
    }

    @Test("a value that its type does not hold is an error without the value")
    func mismatches() async throws {
        try await withTemporaryDatabase { (database) async throws in
            try await database.read { (db) throws in
                let failing: [SQL] = [
                    "SELECT \(70_000)::smallint", "SELECT \(Int.max)::integer", "SELECT \("5")::integer",
                    "SELECT \(5)::text", "SELECT \(0.5)::integer", "SELECT \(Date.now)::date",
                    "SELECT \(UInt.max)::bigint",
                    "SELECT \("a\0b")::text", "SELECT \(Decimal.nan)::numeric", "SELECT \(["a"])::integer[]",
                    "SELECT \((1 << 60) + 1)::float8",
                ]
                let times = [-2.2e11, 9.223_34e12, 9.5e12, -9.5e12, 1e15, .infinity, -.infinity, .nan]
                let dates = times.map { time in
                    "SELECT \(Date(timeIntervalSinceReferenceDate: time))::timestamptz" as SQL
                }
                for sql in failing + dates {
                    let error = #expect(throws: PostgreSQLError.self) { try db.execute(sql) }
                    #expect(error?.code == .mismatch)
                }
                let date = #expect(throws: PostgreSQLError.self) { try db.execute("SELECT \(Date.now)::date") }
                #expect(date?.message.contains("as in $1::timestamptz") == true)
                // Nothing has reached the server.
                #expect(try db.fetchOne(Int.self, "SELECT 1") == 1)
                let unreadable: [(SQL, (SQL) throws -> Void)] = [
                    ("SELECT 'a'::text", { _ = try db.fetchOne(Int.self, $0) }),
                    ("SELECT 70000", { _ = try db.fetchOne(Int16.self, $0) }),
                    ("SELECT NULL::int", { _ = try db.fetchOne(Int.self, $0) }),
                    ("SELECT 1.5::numeric", { _ = try db.fetchOne(Int.self, $0) }),
                    ("SELECT 'NaN'::numeric", { _ = try db.fetchOne(Decimal.self, $0) }),
                    ("SELECT 1e200::numeric", { _ = try db.fetchOne(Decimal.self, $0) }),
                    ("SELECT 1e-200::numeric", { _ = try db.fetchOne(Decimal.self, $0) }),
                    ("SELECT 2::numeric ^ 128", { _ = try db.fetchOne(Decimal.self, $0) }),
                    ("SELECT 'NaN'::numeric", { _ = try db.fetchOne(Double.self, $0) }),
                    ("SELECT 1e5000::numeric", { _ = try db.fetchOne(Double.self, $0) }),
                    ("SELECT -1e309::numeric", { _ = try db.fetchOne(Double.self, $0) }),
                    ("SELECT 1e5000::numeric", { _ = try db.fetchOne(Float.self, $0) }),
                    ("SELECT 1e39::numeric", { _ = try db.fetchOne(Float.self, $0) }),
                    ("SELECT 1e300::float8", { _ = try db.fetchOne(Float.self, $0) }),
                    ("SELECT 'infinity'::timestamptz", { _ = try db.fetchOne(Date.self, $0) }),
                    ("SELECT '127.0.0.1'::inet", { _ = try db.fetchOne(String.self, $0) }),
                    ("SELECT '{{1},{2}}'::int[]", { _ = try db.fetchOne([Int].self, $0) }),
                ]
                for (sql, read) in unreadable {
                    let error = #expect(throws: PostgreSQLError.self) { try read(sql) }
                    #expect(error?.code == .mismatch, "\(sql)")
                    #expect(error?.sql == sql.text)
                }
            }
        }
    }

    @Test("dates are stored to the nearest microsecond, and those of whole microseconds come back to the last bit")
    func dates() async throws {
        var random = SeededGenerator(seed: 1)
        let sizes = (0..<2_000).map { _ in pow(2, Double.random(in: -30...43, using: &random)) }
        // From 4714 BC to 294276; more of this century than chance would choose.
        let times =
            sizes.enumerated().map { $0 % 2 == 0 && $1 < 2.1e11 ? -$1 : $1 }
            + (0..<2_000).map { _ in .random(in: 7e8...9e8, using: &random) } + [0, -0.3, -1e-6, 9.223_339_7e12]
        // As the documentation of `Date` rounds.
        let rounded = times.map { abs($0) < 0x1p33 ? ($0 * 1e6).rounded() / 1e6 : $0 }
        #expect(rounded == rounded.map { abs($0) < 0x1p33 ? ($0 * 1e6).rounded() / 1e6 : $0 })
        #expect(zip(times, rounded).count { $0 == $1 } < 1_000)
        let domain = [Migration("moment", script: "CREATE DOMAIN moment AS timestamptz")]
        try await withTemporaryDatabase(migrations: domain) { (database) async throws in
            func stored(_ times: [Double], _ type: String) async throws -> [Double] {
                let dates = times.map(Date.init(timeIntervalSinceReferenceDate:))
                return try await database.read { (db) throws in
                    try db.fetchAll(Date.self, "SELECT unnest(\(dates)::\(raw: type))")
                }.map(\.timeIntervalSinceReferenceDate)
            }
            // The elements of a domain are sent as text.
            for type in ["timestamptz[]", "timestamp[]", "moment[]"] {
                let read = try await stored(times, type)
                for (time, read) in zip(times, read) { #expect(abs(read - time) <= 0.500_000_1e-6 + time.ulp) }
                #expect(try await stored(read, type) == read)
                #expect(try await stored(rounded, type) == rounded)
            }
        }
    }

    @Test("a date keeps its last bit as its seconds in double precision")
    func exactDates() async throws {
        var random = SeededGenerator(seed: 1)
        let dates =
            (0..<2_000).map { _ in Date(timeIntervalSinceReferenceDate: Double(bitPattern: random.next())) }
            .filter { !$0.timeIntervalSinceReferenceDate.isNaN } + [.distantPast, .distantFuture]
        try await withTemporaryDatabase { (database) async throws in
            let read = try await database.read { (db) throws in
                try db.fetchAll(
                    Double.self, "SELECT unnest(\(dates.map(\.timeIntervalSinceReferenceDate))::double precision[])")
            }
            #expect(read.map(Date.init(timeIntervalSinceReferenceDate:)) == dates)
        }
    }

    @Test("sums and counts are read as integers, whatever number the server returns")
    func aggregates() async throws {
        try await withTemporaryDatabase { (database) async throws in
            try await database.read { (db) throws in
                let sum: SQL = "SELECT SUM(x), SUM(x::bigint), AVG(x), COUNT(*) FROM generate_series(1, 3) AS x"
                let row = try db.fetchOne(sum) { row in
                    (try row[0] as Int, try row[1] as Int, try row[2] as Double, try row[3] as Int)
                }
                #expect(row?.0 == 6 && row?.1 == 6 && row?.2 == 2 && row?.3 == 3)
            }
        }
    }
}
#endif
