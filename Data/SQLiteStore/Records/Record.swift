public import DatabaseAccess

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A struct that is stored as a row of one table. Its columns are its coding keys, which are said once.
///
/// ```swift
/// struct City: Record, Codable, Equatable {
///     static let table = "cities"
///
///     var id: Int
///     var name: String
///     var population: Int?
///     var districts: [String]    // JSON
/// }
///
/// try db.insert(City(id: 1, name: "Seoul", population: nil, districts: ["Jongno"]))
/// var seoul = try db.fetchOne(City.self, key: 1)!
/// seoul.population = 9_300_000
/// try db.update(seoul)                                                     // true: there is a row with its key
/// let large = try db.fetchAll(decoding: City.self, "SELECT * FROM cities WHERE population > \(1_000_000)")
/// ```
///
/// A property of an ``SQLBindable`` type is stored as that type is bound, with the forms of dates, UUIDs and data that
/// `coding` states, a `ColumnCoding`; any other as what its single value is, or as JSON text with sorted keys. `nil` is
/// `NULL`: the default of a column is not used. A type that conforms to ``RowDecodable``, which is faster, is read by that.
///
/// A record states its `table`; its `key`, the columns of the primary key or of a `UNIQUE` constraint, where that is not
/// `["id"]`; and its `coding`, where dates, UUIDs or data are not stored as they are bound. The same conformance serves
/// `PostgreSQLStore`.
///
/// Queries are SQL. Text of SQL is made once for each type and connection.
public typealias Record = DatabaseRecord

// MARK: Reading by key

extension Connection {
    /// Returns the record with this key, whose values are in the order of the `key` of its type; nil if there is none.
    ///
    /// ```swift
    /// let seat = try db.fetchOne(Seat.self, key: "A", 12)    // SELECT * FROM "seats" WHERE "row" = ? AND "number" = ?
    /// ```
    @_disfavoredOverload
    public func fetchOne<Value: Record & Decodable, each Key: SQLBindable>(
        _ type: Value.Type, key: repeat each Key
    ) throws -> Value? {
        try fetchOne(decoding: type, selection(type, keyValues(of: type, repeat each key)))
    }

    /// Returns the record with this key, whose values are in the order of the `key` of its type; nil if there is none.
    public func fetchOne<Value: Record & RowDecodable, each Key: SQLBindable>(
        _ type: Value.Type, key: repeat each Key
    ) throws -> Value? {
        try fetchOne(type, selection(type, keyValues(of: type, repeat each key)))
    }

    /// Deletes the row with this key, and returns whether there was one.
    @discardableResult
    public func delete<Value: Record, each Key: SQLBindable>(_ type: Value.Type, key: repeat each Key) throws -> Bool {
        try delete(type, keyValues(of: type, repeat each key))
    }

    private func keyValues<Value: Record, each Key: SQLBindable>(
        of type: Value.Type, _ key: repeat each Key
    ) throws -> [SQLValue] {
        let coding = type.coding
        var values: [SQLValue] = []
        repeat values.append(try coding.sqlValue(ofKey: each key))
        return values
    }

    private func selection<Value: Record>(_ type: Value.Type, _ key: [SQLValue]) throws -> SQL {
        let statements = try statements(of: type)
        try statements.checkKey(count: key.count)
        return SQL(raw: statements.select, key)
    }

    private func delete<Value: Record>(_ type: Value.Type, _ key: [SQLValue]) throws -> Bool {
        let statements = try statements(of: type)
        try statements.checkKey(count: key.count)
        return try execute(SQL(raw: statements.delete, key)) > 0
    }
}

// MARK: Writing

extension Connection {
    /// Inserts a row.
    ///
    /// A nil in the column of an `INTEGER PRIMARY KEY` lets SQLite choose the key: see `insertAndFetch` and
    /// ``Connection/lastInsertedRowID``.
    ///
    /// - Throws: ``SQLiteError``, such as `.constraint`; the errors of the record's `encode(to:)`.
    public func insert<Value: Record & Encodable>(_ record: Value) throws {
        try execute(insertion(of: record))
    }

    /// Inserts a row, and returns the record that the row has become, with the key that SQLite has chosen, and, in columns
    /// that the record does not encode, the values of defaults and generated columns. What triggers change is not in it.
    ///
    /// ```swift
    /// let note = try db.insertAndFetch(Note(id: nil, text: "…"))    // INSERT … RETURNING *
    /// ```
    ///
    /// - Throws: As ``insert(_:)``; `.misuse` if no row was inserted, as after `RAISE(IGNORE)` of a trigger.
    @_disfavoredOverload
    public func insertAndFetch<Value: Record & Encodable & Decodable>(_ record: Value) throws -> Value {
        try inserted(fetchOne(decoding: Value.self, insertion(of: record) + " RETURNING *"))
    }

    /// Inserts a row, and returns the record as it is stored.
    public func insertAndFetch<Value: Record & Encodable & RowDecodable>(_ record: Value) throws -> Value {
        try inserted(fetchOne(Value.self, insertion(of: record) + " RETURNING *"))
    }

    private func inserted<Value: Record>(_ record: Value?) throws -> Value {
        guard let record else { throw SQLiteError(.misuse, "no row was inserted into \(Value.table)") }
        return record
    }

    private func insertion<Value: Record & Encodable>(of record: Value) throws -> SQL {
        let columns = try RecordColumns(record)
        return try SQL(raw: statements(of: Value.self, columns).insert, columns.values)
    }

    /// Inserts a row for each record, by one statement that is compiled once.
    ///
    /// - Throws: As ``insert(_:)``; in a transaction, the rows before stay until that is rolled back.
    public func insert<Records: Sequence>(contentsOf records: Records) throws
    where Records.Element: Record & Encodable {
        var rest = records.makeIterator()
        guard let first = rest.next() else { return }
        let columns = try RecordColumns(first)
        let statements = try statements(of: Records.Element.self, columns)
        let records = RecordSequence(first: columns, rest: rest)
        try execute(SQL(raw: statements.insert), forEach: records) { record, values in
            let columns = try record.get()
            try statements.check(names: columns.names)
            for value in columns.values { try values.bind(value) }
        }
    }

    /// Updates the row with the key of the record, and returns whether there is one.
    @discardableResult
    public func update<Value: Record & Encodable>(_ record: Value) throws -> Bool {
        let columns = try RecordColumns(record)
        let statements = try statements(of: Value.self, columns)
        let values = statements.others.map { columns.values[$0] } + statements.keys.map { columns.values[$0] }
        return try execute(SQL(raw: statements.update, values)) > 0
    }

    /// Updates the columns in which the record differs from an earlier form of it, so that other columns keep what
    /// another write has stored meanwhile. Returns whether the row has been updated: nothing is done if nothing differs.
    ///
    /// ```swift
    /// var renamed = city
    /// renamed.name = "Hanyang"
    /// try db.update(renamed, from: city)    // UPDATE "cities" SET "name" = ? WHERE "id" = ?
    /// ```
    ///
    /// - Throws: As ``update(_:)``; ``SQLiteError`` with `.misuse` if the keys differ.
    @discardableResult
    public func update<Value: Record & Encodable>(_ record: Value, from earlier: Value) throws -> Bool {
        let (new, old) = (try RecordColumns(record), try RecordColumns(earlier))
        let statements = try statements(of: Value.self, new)
        try statements.check(names: old.names)
        let changed = try statements.changes(from: old.values, to: new.values)
        if changed.isEmpty { return false }
        let text = statements.updateText(of: changed)
        return try execute(SQL(raw: text, (changed + statements.keys).map { new.values[$0] })) > 0
    }

    /// Inserts a row, or updates the one with the same key: `ON CONFLICT … DO UPDATE`, after which triggers and foreign keys
    /// see an update, unlike with `REPLACE`. A conflict with another unique column is an error.
    public func upsert<Value: Record & Encodable>(_ record: Value) throws {
        let columns = try RecordColumns(record)
        try execute(SQL(raw: statements(of: Value.self, columns).upsert, columns.values))
    }

    /// Deletes the row with the key of the record, and returns whether there was one.
    @discardableResult
    public func delete<Value: Record & Encodable>(_ record: Value) throws -> Bool {
        let columns = try RecordColumns(record)
        let statements = try statements(of: Value.self, columns)
        return try execute(SQL(raw: statements.delete, statements.keys.map { columns.values[$0] })) > 0
    }
}

/// The columns of the first record of a sequence, and those of the others.
private struct RecordSequence<Rest: IteratorProtocol>: Sequence, IteratorProtocol
where Rest.Element: Record & Encodable {
    var first: RecordColumns?
    var rest: Rest

    init(first: RecordColumns, rest: Rest) {
        (self.first, self.rest) = (first, rest)
    }

    mutating func next() -> Result<RecordColumns, any Error>? {
        if let columns = first.take() { return .success(columns) }
        return rest.next().map { record in Result { try RecordColumns(record) } }
    }
}

// MARK: The statements

extension Connection {
    /// The statements of a type, with the names of its columns if these are known.
    private func statements<Value: Record>(
        of type: Value.Type, _ columns: RecordColumns? = nil
    ) throws -> RecordStatements {
        let known = recordStatements[ObjectIdentifier(type)]
        if let known, columns.map({ $0.names == known.names }) ?? true { return known }
        let statements = try RecordStatements(
            of: type, names: columns?.names ?? [], parameter: { _ in "?" }, misuse: { SQLiteError(.misuse, $0) })
        recordStatements[ObjectIdentifier(type)] = statements
        return statements
    }
}

/// The columns of a record with their values.
private struct RecordColumns {
    let names: [String]
    let values: [SQLValue]

    init<Value: Record & Encodable>(_ record: Value) throws {
        let writer = RecordWriter(coding: Value.coding)
        names = try RecordEncoder.encode(record, into: writer) { SQLiteError(.misuse, $0) }
        values = writer.values
    }
}

private final class RecordWriter: ColumnWriter {
    private let coding: ColumnCoding
    // Each value is converted before it is appended.
    @exclusivity(unchecked)
    private(set) var values: [SQLValue] = []

    init(coding: ColumnCoding) {
        self.coding = coding
        values.reserveCapacity(16)
    }

    var count: Int { values.count }
    func removeLast(_ count: Int) { values.removeLast(count) }

    func appendNull() { values.append(.null) }
    func append(boolean: Bool) { values.append(boolean.sqlValue) }
    func append(integer: Int64) { values.append(.integer(integer)) }
    func append(real: Double) throws { values.append(try real.sqlValue) }
    func append(text: String) { values.append(.text(text)) }

    func append<Value: Encodable>(_ value: Value) throws -> Bool {
        switch value {
        case let date as Date: values.append(try coding.sqlValue(of: date))
        case let uuid as UUID: values.append(coding.sqlValue(of: uuid))
        case let data as Data: values.append(coding.sqlValue(of: data))
        case let value as any SQLBindable: values.append(try value.sqlValue)
        default: return false
        }
        return true
    }
}
