import Foundation
import SQLiteStore
import TestReporting
import TestConcurrency
import Testing

@Suite("Values", .limitedConcurrency)
struct ValueTests {
    private func roundTrip<Value: SQLCodable & Sendable>(_ value: Value) async throws -> Value? {
        let database = try await Database.open(.inMemory)
        return try await database.read { db in try db.fetchOne(Value.self, "SELECT \(value)") }
    }

    @Test("the minimum and maximum of every integer type survive a round trip")
    func integers() async throws {
        func check<Integer: FixedWidthInteger & SQLCodable & Sendable>(_: Integer.Type) async throws {
            for value in [Integer.min, 0, 1, Integer.max] where Int64(exactly: value) != nil {
                #expect(try await roundTrip(value) == value)
            }
        }
        try await check(Int.self)
        try await check(Int8.self)
        try await check(Int16.self)
        try await check(Int32.self)
        try await check(Int64.self)
        try await check(UInt.self)
        try await check(UInt8.self)
        try await check(UInt16.self)
        try await check(UInt32.self)
        try await check(UInt64.self)
    }

    @Test("an unsigned integer beyond Int64.max is an error")
    func tooLargeUnsigned() async throws {
        await #expect(throws: SQLiteError.self) { try await roundTrip(UInt64.max) }
    }

    @Test(
        "texts survive a round trip byte for byte",
        arguments: ["", "a", "서울 여행", "zero\0inside", String(repeating: "x", count: 10_000)])
    func texts(text: String) async throws {
        #expect(try await roundTrip(text) == text)
    }

    @Test(
        "blobs survive a round trip byte for byte",
        arguments: [[], [0], Array(0...255), [UInt8](repeating: 7, count: 10_000)])
    func bytes(bytes: [UInt8]) async throws {
        #expect(try await roundTrip(bytes) == bytes)
        #expect(try await roundTrip(Data(bytes)) == Data(bytes))
    }

    @Test(
        "floating-point numbers survive a round trip exactly",
        arguments: [0, -0.1, 1e300, .pi, .infinity, .leastNonzeroMagnitude])
    func doubles(number: Double) async throws {
        #expect(try await roundTrip(number) == number)
        #expect(try await roundTrip(Float(number)) == Float(number))
    }

    @Test("Bool, UUID, optional, raw and JSON values survive a round trip")
    func others() async throws {
        #expect(try await roundTrip(true) == true)
        #expect(try await roundTrip(false) == false)
        let uuid = UUID()
        #expect(try await roundTrip(uuid) == uuid)
        #expect(try await roundTrip(Suit.hearts) == .hearts)
        #expect(try await roundTrip(Int?.none) == .some(.none))
        #expect(try await roundTrip(Int?.some(3)) == 3)
        #expect(try await roundTrip(SQLJSON(["a": [1, 2]])) == SQLJSON(["a": [1, 2]]))
    }

    @Test(
        "dates are stored as ISO 8601 in UTC with nine decimals",
        arguments: [
            (0, "2001-01-01T00:00:00.000000000Z"), (-0.5, "2000-12-31T23:59:59.500000000Z"),
            (736_254_385.25, "2024-05-01T11:06:25.250000000Z"), (-978_307_200, "1970-01-01T00:00:00.000000000Z"),
            (-63_113_904_000, "0001-01-01T00:00:00.000000000Z"),
            (252_423_993_599, "9999-12-31T23:59:59.000000000Z"),
        ])
    func dateForm(interval: Double, text: String) async throws {
        let date = Date(timeIntervalSinceReferenceDate: interval)
        #expect(try date.sqlValue == .text(text))
        #expect(try await roundTrip(date) == date)
    }

    @Test("dates of this century survive a round trip exactly")
    func datesExactly() async throws {
        var generator = SeededGenerator(seed: 1)
        let database = try await Database.open(.inMemory)
        let dates = (0..<200).map { _ in
            Date(timeIntervalSinceReferenceDate: .random(in: 1e8...3e9, using: &generator))
        }
        let read = try await database.read { (db) throws in
            try dates.map { date in try db.fetchOne(Date.self, "SELECT \(date)") }
        }
        #expect(read == dates)
    }

    @Test("dates come back equal, except close to 2001, where those of whole nanoseconds and microseconds do")
    func dates() async throws {
        var random = SeededGenerator(seed: 1)
        let database = try await Database.open(.inMemory)
        func stored(_ times: [Double]) async throws -> [Double] {
            try await database.read { (db) throws in
                try times.map { time in
                    let date = Date(timeIntervalSinceReferenceDate: time)
                    return try #require(try db.fetchOne(Date.self, "SELECT \(date)")).timeIntervalSinceReferenceDate
                }
            }
        }
        // From 1 to 9999, and within 97 days of 2001.
        let far = (0..<2_000).map { index in
            let size = pow(2, Double.random(in: 23...35.8, using: &random))
            return index % 2 == 0 ? size : -size
        }
        let close = (0..<2_000).map { index in
            let size = pow(2, Double.random(in: -40...23, using: &random))
            return index % 2 == 0 ? size : -size
        }
        #expect(try await stored(far) == far)
        let read = try await stored(close)
        #expect(zip(close, read).allSatisfy { abs($0 - $1) <= 0.500_000_1e-9 + $0.ulp })
        #expect(try await stored(read) == read)
        for unit in [1e6, 1e9] {
            let rounded = close.map { ($0 * unit).rounded() / unit } + [0, -0.3, -1e-6, -0.1, 0.1 + 1e-6]
            #expect(try await stored(rounded) == rounded)
        }
    }

    @Test("a date keeps its last bit as its seconds in a REAL")
    func exactDates() async throws {
        var random = SeededGenerator(seed: 1)
        let dates =
            (0..<2_000).map { _ in Date(timeIntervalSinceReferenceDate: Double(bitPattern: random.next())) }
            .filter { !$0.timeIntervalSinceReferenceDate.isNaN } + [.distantPast, .distantFuture]
        let database = try await Database.open(.inMemory)
        let read = try await database.read { (db) throws in
            try dates.map { date in try db.fetchOne(Double.self, "SELECT \(date.timeIntervalSinceReferenceDate)") }
        }
        #expect(read == dates.map(\.timeIntervalSinceReferenceDate))
    }

    @Test(
        "dates are read from every format of SQLite's date functions",
        arguments: [
            ("2024-05-01", 736_214_400), ("2024-05-01 11:06", 736_254_360), ("2024-05-01 11:06:25", 736_254_385),
            ("2024-05-01T11:06:25.5Z", 736_254_385.5), ("2024-05-01T20:06:25+09:00", 736_254_385),
            ("2024-05-01T05:36:25-0530", 736_254_385),
        ])
    func dateForms(text: String, interval: Double) async throws {
        let database = try await Database.open(.inMemory)
        let date = try await database.read { db in try db.fetchOne(Date.self, "SELECT \(text)") }
        #expect(date == Date(timeIntervalSinceReferenceDate: interval))
    }

    @Test(
        "text that is not a date is an error",
        arguments: ["", "now", "2024-13-01", "2024-02-30", "2024-05-01T25:00", "2024-05-01T10:00:00.", "2024-05-01x"])
    func noDates(text: String) async throws {
        let database = try await Database.open(.inMemory)
        await #expect(throws: SQLiteError.self) {
            try await database.read { db in try db.fetchOne(Date.self, "SELECT \(text)") }
        }
    }
}

private enum Suit: String, SQLCodable {
    case hearts, spades
}
