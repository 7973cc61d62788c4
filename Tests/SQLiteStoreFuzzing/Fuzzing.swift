import SQLiteStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Properties of the library that hold for any bytes: every value survives a round trip through a SQL literal, however
/// the literal is built, and reading any column as any type gives a value or a typed error.
///
/// The fuzzer checks them, and the tests check them with a few bytes.
package struct Fuzzing: Sendable {
    private let database: Database

    /// A violation of a property.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Opens a database in memory.
    package init() async throws {
        let configuration = Database.Configuration().with {
            $0.execution = .inline
            // Small, so that statements are evicted and recompiled frequently.
            $0.statementCacheCapacity = 20
        }
        database = try await Database.open(.inMemory, configuration: configuration)
    }

    /// Checks the properties with the values that `bytes` describe, and throws a `Failure` for a violation.
    package func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        try database.blockingRead { db in
            while !input.isAtEnd {
                switch input.choice(of: 3) {
                case 0: try checkLiteral(&input, db)
                case 1: try checkRow(&input, db)
                default: try checkText(&input, db)
                }
            }
        }
    }

    /// Checks that values survive a round trip through a literal, in order.
    private func checkLiteral(_ input: inout FuzzInput, _ db: Connection) throws {
        let values = (0...input.choice(of: 12)).map { _ in input.value() }
        let name = input.text().filter { $0 != "\0" }
        let alias: SQL = name.isEmpty ? "" : " AS \(identifier: name)"
        let list: SQL
        switch input.choice(of: 5) {
        case 0: list = values.map { "\($0)" as SQL }.joined(separator: ", ")
        case 1: list = SQL(raw: values.map { _ in "?" }.joined(separator: ", "), values)
        case 2: list = values.dropFirst().reduce("\(values[0])") { list, value in list + ", \(value)" }
        case 3:
            // A literal in a literal, and a literal that is a single text.
            let half = values.count / 2
            let (first, second) = (values[..<half], values[half...])
            let head: SQL = first.isEmpty ? "" : "\(first.map { "\($0)" as SQL }.joined(separator: ",")),"
            list = "\(head) \(second.map { "\($0)" as SQL }.joined(separator: " , "))"
        default:
            try checkList(values, db)
            return
        }
        let read = try db.fetchOne("SELECT \(list)\(alias)") { row in
            try (0..<row.columnCount).map { try row[$0] as SQLValue }
        }
        guard read == values else {
            throw Failure(description: "in: \(values); out: \(String(describing: read)); \(list.text)")
        }
    }

    /// Checks that a list of any length contains its elements.
    private func checkList(_ values: [SQLValue], _ db: Connection) throws {
        let values = values.filter { $0 != .null }
        guard let first = values.first else { return }
        let list = values.count % 2 == 0 ? values : [[SQLValue]](repeating: values, count: 120).flatMap { $0 }
        guard try db.fetchOne(Bool.self, "SELECT \(first) IN \(list)") == true else {
            throw Failure(description: "\(first) is not in \(values)")
        }
    }

    /// Checks that reading a column as any type gives a value or a typed error.
    private func checkRow(_ input: inout FuzzInput, _ db: Connection) throws {
        let value = input.value()
        func read<Value: SQLDecodable>(_ type: Value.Type) throws {
            do {
                _ = try db.fetchOne(Value.self, "SELECT \(value)")
            } catch let error as SQLiteError where error.code == .mismatch {
                // A mismatch is expected.
            }
        }
        try read(Bool.self)
        try read(Int8.self)
        try read(UInt16.self)
        try read(UInt64.self)
        try read(Float.self)
        try read(Double?.self)
        try read(String.self)
        try read([UInt8].self)
        try read(Data.self)
        try read(Date.self)
        try read(UUID.self)
        try read(SQLJSON<[String: Int]>.self)
    }

    /// Checks that a date that was read from text survives a round trip.
    private func checkText(_ input: inout FuzzInput, _ db: Connection) throws {
        let text = input.text()
        do {
            guard let date = try db.fetchOne(Date.self, "SELECT \(text)") else { return }
            let again = try db.fetchOne(Date.self, "SELECT \(date)")
            guard let again, abs(again.timeIntervalSince(date)) < 1e-6 else {
                throw Failure(description: "\(text) is read as \(date), and that as \(String(describing: again))")
            }
        } catch let error as SQLiteError where error.code == .mismatch {
            // The text is not a date, or its year cannot be stored.
        }
    }
}
