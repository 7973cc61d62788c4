import Foundation
import SQLiteStore
import SQLiteStoreFuzzing
import TestReporting
import TestConcurrency
import Testing

/// Round trips of random values through literals and rows.
@Suite("Random literals and rows", .limitedConcurrency)
struct RandomTests {
    /// The number of rounds, from `SQLITE_ROUNDS`.
    private static let rounds = ProcessInfo.processInfo.environment["SQLITE_ROUNDS"].flatMap(Int.init) ?? 100

    /// The seed of the values, from `SQLITE_SEED`.
    private static let seed = ProcessInfo.processInfo.environment["SQLITE_SEED"].flatMap(UInt64.init) ?? 1

    private struct Generator: RandomNumberGenerator {
        var random: SeededGenerator

        mutating func next() -> UInt64 { random.next() }

        mutating func value() -> SQLValue {
            switch Int.random(in: 0..<6, using: &self) {
            case 0: return .null
            case 1: return .integer(Int64(truncatingIfNeeded: next() >> UInt64.random(in: 0..<64, using: &self)))
            case 2: return .real(Double(bitPattern: next()).isNaN ? 0.5 : Double.random(in: -1e9...1e9, using: &self))
            case 3, 4: return .text(text())
            default: return .blob((0..<length()).map { _ in UInt8.random(in: 0...255, using: &self) })
            }
        }

        mutating func length() -> Int {
            Bool.random(using: &self) ? Int.random(in: 0..<20, using: &self) : Int.random(in: 0..<6000, using: &self)
        }

        mutating func text() -> String {
            let alphabet: [Character] = [
                "a", "'", "\"", "?", ":", "\\", "\0", "\n", "한", "\u{E9}", "e\u{301}", "🏔️", ";", "-", "%", "]",
            ]
            return String((0..<length() / 4).map { _ in alphabet.randomElement(using: &self)! })
        }
    }

    @Test("random values survive a round trip through any literal, in order")
    func literals() async throws {
        var generator = Generator(random: SeededGenerator(seed: Self.seed))
        let database = try await Database.open(.inMemory)
        for _ in 0..<Self.rounds {
            let values = (0..<Int.random(in: 1...12, using: &generator)).map { _ in generator.value() }
            let style = Int.random(in: 0..<3, using: &generator)
            let read = try await database.read { db in
                let list: SQL =
                    switch style {
                    case 0: values.map { "\($0)" as SQL }.joined(separator: ", ")
                    case 1: SQL(raw: values.map { _ in "?" }.joined(separator: ", "), values)
                    default: values.reduce(into: "" as SQL) { $0 += $0.text.isEmpty ? "\($1)" : ", \($1)" }
                    }
                return try db.fetchOne("SELECT \(list)") { row in
                    try (0..<row.columnCount).map { try row[$0] as SQLValue }
                }
            }
            #expect(read == values, "seed \(Self.seed)")
        }
    }

    @Test("reading any column as any type gives a value or a typed error")
    func rows() async throws {
        var generator = Generator(random: SeededGenerator(seed: Self.seed))
        let database = try await Database.open(.inMemory)
        func read<Value: SQLDecodable & Sendable>(_ type: Value.Type, _ value: SQLValue) async {
            do {
                _ = try await database.read { db in try db.fetchOne(Value.self, "SELECT \(value)") }
            } catch {
                #expect((error as? SQLiteError)?.code == .mismatch, "seed \(Self.seed)")
            }
        }
        for _ in 0..<Self.rounds {
            let value = generator.value()
            await read(Bool.self, value)
            await read(Int8.self, value)
            await read(UInt64.self, value)
            await read(Double?.self, value)
            await read(String.self, value)
            await read([UInt8].self, value)
            await read(Date.self, value)
            await read(UUID.self, value)
            await read(SQLJSON<[String: Int]>.self, value)
        }
    }

    /// Inputs that the fuzzer kept, because each reached new code.
    private static let kept = [
        "IQ==",
        "Pdf7",
        "CwsLCwsL",
        "fTIyfTIyMg==",
        "AAAG////ZBIiAQ==",
        "AAAAAIAAAAAAKwAr",
        "AAHi4uLi+wAADvsgPlA=",
        "JPGOAA6Ojo6Ozo7Qjo7x",
        "oyQCIEE/IFMgIhIiIgciABQ=",
        "SW5gYGBgYGBgYGBgYGBgYGBgYGA=",
        "ANLSAKSkpKSkpKQA1wDS0qSkpAAs",
        "zMzMzMx6zMwkAI7xjo6Ozo7Qjo5b",
        "/AAKvUBAQEBAwl3CwsIyCAEAwgAq+w==",
        "ANLSwDAKpKQDYaQA1wAC7/LSpKSkACw=",
        "NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0Kw==",
        "x25JdP/HbgEAAP///////////wAAAAABSXRVkg==",
        "U0W7uryr38AAAAINviJTft8SIiIHIgAAAAAA+AA=",
        "M7IiAXwkIiIiByKysrKysrKysgAAAAAAAAAJsrJz/A==",
        "ABWyAXGysgKyAgAjAXGyAgAAAACyAXGyAgAAAAAxACs=",
        "AgBJAP////////8E7W3t7e3t7e3t7e3t7e3t/wsAvAIA",
        "//8q//////////8pAxIAACL4//8q/wMSAAAi+AEDAAEBAwAB",
        "KN598Tg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODjyKN4D",
    ]

    @Test("the inputs that the fuzzer kept hold the checked properties", arguments: kept)
    func corpus(input: String) async throws {
        try await Fuzzing().check([UInt8](try #require(Data(base64Encoded: input))))
    }

    @Test("random bytes hold the checked properties")
    func bytes() async throws {
        var generator = Generator(random: SeededGenerator(seed: Self.seed))
        let fuzzing = try await Fuzzing()
        for _ in 0..<Self.rounds {
            let bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            do { try fuzzing.check(bytes) } catch { Issue.record("\(error), seed \(Self.seed)") }
        }
    }
}
