import Foundation
import SQLiteStore
import Testing

@Suite("Values and SQL", .timeLimit(.minutes(5)))
struct ValueTests {
    /// A list, which SQLite stores as JSON.
    nonisolated struct Tags: Codable, Equatable, Sendable { var tags: [String] }

    @Test("each type has a value of SQLite, and is read from a column")
    func types() async throws {
        let (id, day, price) = (UUID(), Date(timeIntervalSince1970: 60), Decimal(string: "12.50")!)
        #expect(true.sqlValue == .integer(1) && "a".sqlValue == .text("a") && [UInt8(1)].sqlValue == .blob([1]))
        #expect(try 7.sqlValue == .integer(7) && 1.5.sqlValue == .real(1.5) && Float(1.5).sqlValue == .real(1.5))
        #expect(try Int?.none.sqlValue == .null && SQLValue.null.sqlValue == .null)
        let home = URL(filePath: "/home")
        #expect(Data([1]).sqlValue == .blob([1]) && id.sqlValue == .text(id.uuidString))
        #expect(home.sqlValue == .text("file:///home"))
        let values = try (day.sqlValue, price.sqlValue, SQLJSON(Tags(tags: ["a"])).sqlValue)
        #expect(values.0 != .null && values.1 != .null && values.2 == .text(#"{"tags":["a"]}"#))

        let database = try await Database.open(.inMemory)
        try await database.read { (db) throws in
            typealias MaybeNumber = Int?
            /// Reads the only column of a statement by itself.
            func column<Value>(_ sql: SQL, _ decode: (borrowing Column) throws -> Value) throws -> Value? {
                try db.fetchOne(sql) { row in try row.withColumn(0, decode) }
            }
            #expect(try column("SELECT \(true)") { try Bool(column: $0) } == true)
            #expect(try column("SELECT \("a")") { try String(column: $0) } == "a")
            #expect(try column("SELECT \([UInt8(1)])") { try [UInt8](column: $0) } == [1])
            #expect(try column("SELECT \(Data([1]))") { try Data(column: $0) } == Data([1]))
            #expect(try column("SELECT \(7)") { try Int(column: $0) } == 7)
            #expect(try column("SELECT \(1.5)") { try Double(column: $0) } == 1.5)
            #expect(try column("SELECT \(Float(1.5))") { try Float(column: $0) } == 1.5)
            #expect(try column("SELECT NULL") { try MaybeNumber(column: $0) } == .some(nil))
            #expect(try column("SELECT \(id)") { try UUID(column: $0) } == id)
            #expect(try column("SELECT \(day)") { try Date(column: $0) } == day)
            #expect(try column("SELECT \(price)") { try Decimal(column: $0) } == price)
            #expect(try column("SELECT \(home)") { try URL(column: $0) } == home)
            #expect(
                try column("SELECT \(SQLJSON(Tags(tags: ["a"])))") { try SQLJSON<Tags>(column: $0).value }
                    == Tags(tags: ["a"]))
            #expect(try column("SELECT 7") { try SQLValue(column: $0) } == .integer(7))
        }
        await database.close()
    }

    @Test("a column is inspected before it is decoded")
    func columns() async throws {
        let database = try await Database.open(.inMemory)
        try await database.read { db in
            try db.forEach("SELECT 7 AS number, 'a' AS text, 1.5, x'01', NULL") { row in
                try row.withColumn(0) { column in
                    #expect(column.index == 0 && column.name == "number" && column.kind == .integer)
                    #expect(column.rawInteger == 7 && !column.isNull)
                    #expect(column.mismatch(String.self, "a number is no name").code == .mismatch)
                }
                try row.withColumn(1) { (column) throws in
                    #expect(column.kind == .text)
                    #expect(try column.withTextBytes { $0.count } == 1)
                }
                try row.withColumn(2) { #expect($0.kind == .real && $0.rawReal == 1.5) }
                try row.withColumn(3) { (column) throws in
                    #expect(column.kind == .blob)
                    #expect(try column.withBlobBytes { $0.count } == 1)
                }
                try row.withColumn(4) { #expect($0.kind == .null && $0.isNull) }
                #expect(Column.Kind(rawValue: Column.Kind.integer.rawValue) == .integer)
            }
        }
        await database.close()
    }

    @Test("SQL is put together from parts, and values never become a part of its text")
    func composing() throws {
        var sql: SQL = "SELECT name FROM \(identifier: "cities") WHERE "
        sql += [SQL("population > \(5)"), SQL("region IN \([Region.north])")].joined(separator: " AND ")
        let whole = sql + " ORDER BY \(raw: "name")" + SQL(raw: " LIMIT ?", [2])
        #expect(
            whole.text == #"SELECT name FROM "cities" WHERE population > ? AND region IN (?) ORDER BY name LIMIT ?"#)
        #expect(try whole.values == [.integer(5), .text("north"), .integer(2)])
        #expect(try SQL("SELECT \(json: [1, 2])").values.count == 1)

        // What the compiler makes of an interpolation.
        var parts = SQL.StringInterpolation(literalCapacity: 8, interpolationCount: 1)
        parts.appendLiteral("SELECT ")
        parts.appendInterpolation(7)
        #expect(try SQL(stringInterpolation: parts).values == [.integer(7)])
        #expect(SQL(stringLiteral: "SELECT 1").text == "SELECT 1")
    }

    @Test("dates, identifiers and data of a record have the form that its coding says")
    func coding() async throws {
        var coding = ColumnCoding()
        #expect(coding.dates == .standard && coding.uuids == .standard && coding.lists == .standard)
        (coding.dates, coding.uuids, coding.data, coding.lists) = (.secondsSince1970, .bytes, .base64, .json)
        let (dates, uuids): (ColumnCoding.Dates, ColumnCoding.UUIDs) = (coding.dates, coding.uuids)
        let (data, lists): (ColumnCoding.DataForm, ColumnCoding.Lists) = (coding.data, coding.lists)
        #expect(dates != .millisecondsSince1970 && uuids != .text && data != .bytes && lists == .json)
        let database = try await Database.open(.inMemory)
        try await database.read { [coding] db in
            let dates = try db.fetchOne("SELECT 60 AS date") { row in
                try row.decode([String: Date].self, coding: coding)
            }
            #expect(dates == ["date": Date(timeIntervalSince1970: 60)])
            let (date, id, data) = (Date(timeIntervalSince1970: 60), UUID(), Data([1]))
            let bound: SQL = "SELECT \(date, coding: coding), \(id, coding: coding), \(data, coding: coding)"
            let kinds = try db.fetchOne(bound) { row in
                try (0..<3).map { index in try row.withColumn(index) { $0.kind } }
            }
            #expect(kinds == [.real, .blob, .text])
        }
        await database.close()
    }

    @Test("errors are compared by their code")
    func errors() {
        let error = SQLiteError(.constraintUnique, "the name is taken", sql: "INSERT …")
        #expect(error.code == .constraint && error.extendedCode == .constraintUnique)
        #expect(
            error.extendedCode.primary == .constraint && error.message == "the name is taken" && error.sql == "INSERT …"
        )
        let codes: [SQLiteError.Code] = [
            .busy, .cannotOpen, .closed, .constraintCheck, .constraintForeignKey, .constraintNotNull,
            .constraintPrimaryKey,
            .constraintTrigger, .corrupt, .databaseIsNewer, .error, .full, .interrupt, .io, .ioSharedMemorySize,
            .locked,
            .migrationChanged, .mismatch, .misuse, .noMemory, .notADatabase, .permission, .range, .readOnly,
            .reentrantAccess, .replaced, .suspended, .tooBig,
        ]
        #expect(Set(codes).count == codes.count)
        #expect(SQLiteError.Code(rawValue: codes[0].rawValue) == .busy)
    }
}
