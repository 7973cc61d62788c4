import SQLiteStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What may be found out about the library by feeding it bytes: SQL literals bring every value through as it is, however
/// they are made, and any column can be read as any type without anything worse than a typed error.
///
/// It is what the fuzzer runs, and, with a few bytes at a time, the tests.
package struct Fuzzing: Sendable {
    private let database: Database

    /// What should not be.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Opens a database in memory.
    package init() async throws {
        let configuration = Database.Configuration().with {
            $0.execution = .inline
            // Small, so that statements are dropped and made again all the time.
            $0.statementCacheCapacity = 20
        }
        database = try await Database.open(.inMemory, configuration: configuration)
    }

    /// Throws a `Failure` if what `bytes` describe does not hold.
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

    /// Values come out of a literal as they went in, in their order.
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
            // Two literals in one, and one of one piece of text alone.
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

    /// A list finds what is in it, at any length.
    private func checkList(_ values: [SQLValue], _ db: Connection) throws {
        let values = values.filter { $0 != .null }
        guard let first = values.first else { return }
        let list = values.count % 2 == 0 ? values : [[SQLValue]](repeating: values, count: 120).flatMap { $0 }
        guard try db.fetchOne(Bool.self, "SELECT \(first) IN \(list)") == true else {
            throw Failure(description: "\(first) is not in \(values)")
        }
    }

    private struct Pair: Decodable {
        let a: Int
        let b: [String]?
    }

    /// A column read as any type is a value or a typed error.
    private func checkRow(_ input: inout FuzzInput, _ db: Connection) throws {
        let value = input.value()
        func read<Value: SQLDecodable>(_ type: Value.Type) throws {
            do {
                _ = try db.fetchOne(Value.self, "SELECT \(value)")
            } catch let error as SQLiteError where error.code == .mismatch {
                // As it should be.
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
        do {
            _ = try db.fetchOne(decoding: Pair.self, "SELECT \(value) AS a, \(input.value()) AS b")
        } catch let error as SQLiteError where error.code == .mismatch {
            // As it should be.
        }
    }

    /// A date that can be read from a text is written so that it reads as the same date.
    private func checkText(_ input: inout FuzzInput, _ db: Connection) throws {
        let text = input.text()
        do {
            guard let date = try db.fetchOne(Date.self, "SELECT \(text)") else { return }
            let again = try db.fetchOne(Date.self, "SELECT \(date)")
            guard let again, abs(again.timeIntervalSince(date)) < 1e-6 else {
                throw Failure(description: "\(text) is read as \(date), and that as \(String(describing: again))")
            }
        } catch let error as SQLiteError where error.code == .mismatch {
            // No date, or one beyond the years that can be stored.
        }
        guard let match = FullTextIndex.match(allWordsOf: text, lastIsPrefix: text.utf8.count % 2 == 0) else { return }
        _ = try db.fetchOne(Int.self, "SELECT \(match) IS NOT NULL")
    }
}
