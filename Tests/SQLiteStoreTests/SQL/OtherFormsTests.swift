import Foundation
import SQLiteStore
import TestReporting
import TestTurns
import Testing

/// Dates and decimal numbers in the formats of other libraries.
@Suite("Other formats of values", .takesTurns)
struct OtherFormsTests {
    private func value<Value: SQLDecodable & Sendable>(_ type: Value.Type, _ sql: SQL) async throws -> Value? {
        let database = try await Database.open(.inMemory)
        return try await database.read { db in try db.fetchOne(type, "SELECT \(sql)") }
    }

    @Test("UnixTime is stored as seconds since 1970")
    func unixTime() async throws {
        let date = Date(timeIntervalSince1970: 1_714_566_896)
        #expect(try await value(UnixTime.self, "unixepoch('2024-05-01 12:34:56')")?.date == date)
        #expect(try await value(UnixTime.self, "1714566896.25")?.date == date + 0.25)
        #expect(try UnixTime(date).sqlValue == .integer(1_714_566_896))
        #expect(try UnixTime(date + 0.25).sqlValue == .real(1_714_566_896.25))
        #expect(try UnixTime(Date(timeIntervalSince1970: -1)).sqlValue == .integer(-1))
        #expect(throws: SQLiteError.self) { try UnixTime(Date(timeIntervalSince1970: .nan)).sqlValue }
        await #expect(throws: SQLiteError.self) { try await value(UnixTime.self, "'2024-05-01'") }
    }

    @Test("UnixTime is exact to a quarter of a microsecond, and what was read is written back unchanged")
    func precisionOfUnixTime() async throws {
        var random = SeededGenerator(seed: 1)
        let database = try await Database.open(.inMemory)
        // From 2004-01-10 to 2038-01-19.
        let dates = (0..<1000).map { _ in
            Date(timeIntervalSince1970: .random(in: 0x4000_0000..<0x7FFF_FFFF, using: &random)) + 1e-7
        }
        try await database.read { db in
            for date in dates {
                let read = try #require(try db.fetchOne(UnixTime.self, "SELECT \(UnixTime(date))"))
                #expect(abs(read.date.timeIntervalSince(date)) <= 0x1p-23)
                let again = try db.fetchOne(UnixTime.self, "SELECT \(read)")
                #expect(again == read)
            }
        }
    }

    @Test("UnixTime and Decimal can be properties of Decodable rows")
    func decodable() async throws {
        struct Visit: Decodable {
            let from: UnixTime
            let price: Decimal
        }
        let database = try await Database.open(.inMemory)
        let visit = try await database.read { db in
            let visit = try db.fetchOne(
                decoding: Visit.self, "SELECT 86400 AS \"from\", '12.30' AS price")
            return visit.map { "\($0.from.date.timeIntervalSince1970) \($0.price)" }
        }
        #expect(visit == "86400.0 12.3")
    }

    @Test(
        "a Decimal is read exactly from text, integers and the shortest form of reals",
        arguments: [
            ("'12.30'", "12.3"), ("'-0.1'", "-0.1"), ("'+5'", "5"), ("'1e3'", "1000"), ("42", "42"),
            ("9223372036854775807", "9223372036854775807"), ("0.1", "0.1"), ("1e-7", "0.0000001"),
            ("'12345678901234567890123456789012345678'", "12345678901234567890123456789012345678"),
        ])
    func decimal(expression: String, description: String) async throws {
        #expect(try await value(Decimal.self, "\(raw: expression)") == Decimal(string: description))
    }

    @Test(
        "text that is not a decimal number, or does not fit one, is a mismatch",
        arguments: [
            "''", "'.'", "'12abc'", "'1,5'", "'1.2.3'", "'--1'", "'1e'", "'nan'", "x'31'", "NULL", "9e999",
            "'123456789012345678901234567890123456789'", "'1e200'",
        ])
    func noDecimal(expression: String) async throws {
        let error = await #expect(throws: SQLiteError.self) {
            try await value(Decimal.self, "\(raw: expression)")
        }
        #expect(error?.code == .mismatch)
    }

    @Test("a Decimal survives a round trip")
    func decimals() async throws {
        for text in ["0", "-12.345", "99999999999999999999.999999", "0.00000000000000000001"] {
            let decimal = try #require(Decimal(string: text))
            #expect(try await value(Decimal.self, "\(decimal)") == decimal)
        }
        #expect(throws: SQLiteError.self) { try Decimal.nan.sqlValue }
    }
}
