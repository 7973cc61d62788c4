import ContractTesting
package import Foundation
package import RecordContract
package import SQLiteStore
import TestConcurrency
import Testing

@Suite("The contract of records", .limitedConcurrency)
struct RecordContractTests {
    private static let script = RecordContract.script(
        .init(
            identity: "INTEGER PRIMARY KEY", integer: "INTEGER", real: "REAL", boolean: "INTEGER", text: "TEXT",
            list: "TEXT", json: "TEXT", date: "TEXT", uuid: "TEXT", data: "BLOB"
        )
    ).replacing("\n);", with: "\n) STRICT;")

    private static let children = """
        SELECT "row", json_group_array(json_object('number', number, 'row', "row", 'guest', guest)) AS seats
        FROM "the ""seats"" " GROUP BY "row"
        """

    @Test("records keep the contract", arguments: RecordContract.checks)
    func keepsTheContract(check: ContractCheck<RecordStore>) async throws {
        let database = try await Database.open(.inMemory, migrations: [Migration("tables", script: Self.script)])
        try await check.run {
            RecordStore(children: Self.children, holdsNUL: true) { body in
                try await database.write { db in try body(db) }
            }
        }
        await database.close()
    }
}

extension Connection: RecordConnection {
    package func record<Value: Record & Decodable>(_ type: Value.Type, id: Int) throws -> Value? {
        try fetchOne(type, key: id)
    }

    package func record<Value: Record & Decodable>(_ type: Value.Type, row: String, number: Int) throws -> Value? {
        try fetchOne(type, key: row, number)
    }

    package func record<Value: Record & Decodable>(_ type: Value.Type, text: String) throws -> Value? {
        try fetchOne(type, key: text)
    }

    package func record<Value: Record & Decodable>(_ type: Value.Type, id: UUID) throws -> Value? {
        try fetchOne(type, key: id)
    }

    package func remove<Value: Record>(_ type: Value.Type, id: Int) throws -> Bool { try delete(type, key: id) }

    package func remove<Value: Record>(_ type: Value.Type, id: UUID) throws -> Bool { try delete(type, key: id) }

    package func remove<Value: Record>(_ type: Value.Type, row: String, number: Int) throws -> Bool {
        try delete(type, key: row, number)
    }

    package func records<Value: Decodable>(_ type: Value.Type, _ query: String) throws -> [Value] {
        try fetchAll(decoding: type, SQL(raw: query))
    }

    package func run(_ statement: String) throws { try execute(SQL(raw: statement)) }

    package func failure(_ error: any Error) -> RecordFailure? {
        switch (error as? SQLiteError)?.code {
        case .misuse: .misuse
        case .mismatch: .mismatch
        case .range: .range
        case .constraint: .notUnique
        default: nil
        }
    }
}
