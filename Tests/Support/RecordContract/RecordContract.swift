package import ContractTesting
package import DatabaseAccess
package import Foundation
import TestReporting

/// The contract of records, as checks for each store: the same types, the same calls, the same results.
///
/// ```swift
/// @Test(arguments: RecordContract.checks)
/// func keepsTheContract(check: ContractCheck<RecordStore>) async throws {
///     try await withTemporaryDatabase(migrations: migrations) { database in
///         try await check.run { RecordStore(children: "…") { body in try await database.write { db in try body(db) } } }
///     }
/// }
/// ```
package enum RecordContract {
    package static let checks: [ContractCheck<RecordStore>] = writing + reading + misuses + generated

    static func check(
        _ area: String, _ promise: String, _ body: @escaping @Sendable (any RecordConnection) throws -> Void
    ) -> ContractCheck<RecordStore> {
        ContractCheck(area, promise) { store in try await store.write(body) }
    }
}

/// A new database with the tables of ``RecordContract/script(_:)``.
package struct RecordStore: Sendable {
    /// The text of a query: the seats of each row, as JSON.
    let children: String
    /// Whether a text can contain a NUL.
    let holdsNUL: Bool
    let write: @Sendable (@escaping @Sendable (any RecordConnection) throws -> Void) async throws -> Void

    package init(
        children: String, holdsNUL: Bool,
        write: @escaping @Sendable (@escaping @Sendable (any RecordConnection) throws -> Void) async throws -> Void
    ) {
        (self.children, self.holdsNUL, self.write) = (children, holdsNUL, write)
    }
}

package enum RecordFailure: Hashable, Sendable {
    case misuse, mismatch, range, notUnique
}

/// A connection of any store, with the functions of records as each has them.
package protocol RecordConnection {
    func insert<Value: DatabaseRecord & Encodable>(_ record: Value) throws
    func insertAndFetch<Value: DatabaseRecord & Encodable & Decodable>(_ record: Value) throws -> Value
    func insert<Records: Sequence>(contentsOf records: Records) throws
    where Records.Element: DatabaseRecord & Encodable
    @discardableResult
    func update<Value: DatabaseRecord & Encodable>(_ record: Value) throws -> Bool
    @discardableResult
    func update<Value: DatabaseRecord & Encodable>(_ record: Value, from earlier: Value) throws -> Bool
    func upsert<Value: DatabaseRecord & Encodable>(_ record: Value) throws
    @discardableResult
    func delete<Value: DatabaseRecord & Encodable>(_ record: Value) throws -> Bool
    func transaction<Result>(_ body: () throws -> Result) throws -> Result

    // The functions that take SQL, or values of the store.
    func record<Value: DatabaseRecord & Decodable>(_ type: Value.Type, id: Int) throws -> Value?
    func record<Value: DatabaseRecord & Decodable>(_ type: Value.Type, row: String, number: Int) throws -> Value?
    func record<Value: DatabaseRecord & Decodable>(_ type: Value.Type, text: String) throws -> Value?
    func record<Value: DatabaseRecord & Decodable>(_ type: Value.Type, id: UUID) throws -> Value?
    func remove<Value: DatabaseRecord>(_ type: Value.Type, id: Int) throws -> Bool
    func remove<Value: DatabaseRecord>(_ type: Value.Type, id: UUID) throws -> Bool
    func remove<Value: DatabaseRecord>(_ type: Value.Type, row: String, number: Int) throws -> Bool
    func records<Value: Decodable>(_ type: Value.Type, _ query: String) throws -> [Value]
    func run(_ statement: String) throws
    /// What the store's error is an error of.
    func failure(_ error: any Error) -> RecordFailure?
}

extension RecordConnection {
    /// Expects an error, and returns its text. A transaction contains it, so that the access goes on.
    @discardableResult
    func expect(_ failure: RecordFailure, from what: String, _ body: () throws -> Void) throws -> String {
        do {
            try transaction(body)
        } catch let error where self.failure(error) == failure {
            return "\(error)"
        }
        throw UnmetExpectation("\(what) should have thrown \(failure)")
    }
}

// MARK: Tables

extension RecordContract {
    /// The types of the columns of a store.
    package struct Types: Sendable {
        let identity, integer, real, boolean, text, list, json, date, uuid, data: String

        package init(
            identity: String, integer: String, real: String, boolean: String, text: String, list: String, json: String,
            date: String, uuid: String, data: String
        ) {
            (self.identity, self.integer, self.real, self.boolean) = (identity, integer, real, boolean)
            (self.text, self.list, self.json) = (text, list, json)
            (self.date, self.uuid, self.data) = (date, uuid, data)
        }
    }

    /// The tables of the contract.
    package static func script(_ types: Types) -> String {
        """
        CREATE TABLE cities (
            id \(types.identity), name \(types.text) NOT NULL UNIQUE, population \(types.integer) DEFAULT 7,
            area \(types.real) NOT NULL, height \(types.real) NOT NULL, climate \(types.text) NOT NULL,
            "isCapital" \(types.boolean) NOT NULL, districts \(types.list) NOT NULL, mayor \(types.json),
            founded \(types.date), code \(types.uuid) NOT NULL, flag \(types.data) NOT NULL
        );
        CREATE TABLE "the ""seats"" " (
            "row" \(types.text), "number" \(types.integer), guest \(types.text), PRIMARY KEY ("row", "number")
        );
        CREATE TABLE labels (text \(types.text) PRIMARY KEY);
        CREATE TABLE notes (id \(types.identity), body \(types.text), stars \(types.integer) NOT NULL DEFAULT 3);
        CREATE TABLE visits (
            id \(types.uuid) PRIMARY KEY, at \(types.date), photo \(types.data) NOT NULL, tags \(types.list) NOT NULL
        );
        CREATE TABLE second_visits (
            id \(types.data) PRIMARY KEY, at \(types.real), photo \(types.text) NOT NULL, tags \(types.json) NOT NULL
        );
        CREATE TABLE millisecond_visits (
            id \(types.text) PRIMARY KEY, at \(types.integer), photo \(types.data) NOT NULL, tags \(types.text) NOT NULL
        );
        """
    }
}
