internal import DatabaseAccess

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
/// ``coding`` states; any other as what its single value is, or as JSON text with sorted keys. `nil` is `NULL`: the default
/// of a column is not used. A type that conforms to ``RowDecodable``, which is faster, is read by that.
///
/// Queries are SQL. Text of SQL is made once for each type and connection.
public protocol Record: SendableMetatype {
    /// The name of the table.
    static var table: String { get }
    /// The columns of the primary key, or of a `UNIQUE` constraint; `["id"]` by default.
    static var key: [String] { get }
    /// How dates, UUIDs and data are stored; by default as they are bound in SQL.
    static var coding: ColumnCoding { get }
}

extension Record {
    public static var key: [String] { ["id"] }
    public static var coding: ColumnCoding { ColumnCoding() }
}

// MARK: Reading by key

extension Connection {
    /// Returns the record with this key, whose values are in the order of ``Record/key``; nil if there is none.
    ///
    /// ```swift
    /// let seat = try db.fetchOne(Seat.self, key: "A", 12)    // SELECT * FROM "seats" WHERE "row" = ? AND "number" = ?
    /// ```
    @_disfavoredOverload
    public func fetchOne<Value: Record & Decodable, each Key: SQLBindable>(
        _ type: Value.Type, key: repeat each Key
    ) throws -> Value? {
        try fetchOne(decoding: type, selection(type, keyValues(repeat each key)))
    }

    /// Returns the record with this key, whose values are in the order of ``Record/key``; nil if there is none.
    public func fetchOne<Value: Record & RowDecodable, each Key: SQLBindable>(
        _ type: Value.Type, key: repeat each Key
    ) throws -> Value? {
        try fetchOne(type, selection(type, keyValues(repeat each key)))
    }

    /// Deletes the row with this key, and returns whether there was one.
    @discardableResult
    public func delete<Value: Record, each Key: SQLBindable>(_ type: Value.Type, key: repeat each Key) throws -> Bool {
        try delete(type, keyValues(repeat each key))
    }

    private func keyValues<each Key: SQLBindable>(_ key: repeat each Key) throws -> [SQLValue] {
        var values: [SQLValue] = []
        repeat values.append(try (each key).sqlValue)
        return values
    }

    private func selection<Value: Record>(_ type: Value.Type, _ key: [SQLValue]) throws -> SQL {
        let texts = try recordTexts(of: type)
        try texts.checkKey(key)
        return SQL(raw: texts.select, key)
    }

    private func delete<Value: Record>(_ type: Value.Type, _ key: [SQLValue]) throws -> Bool {
        let texts = try recordTexts(of: type)
        try texts.checkKey(key)
        return try execute(SQL(raw: texts.delete, key)) > 0
    }
}

// MARK: Writing

extension Connection {
    /// Inserts a row.
    ///
    /// A nil in the column of an `INTEGER PRIMARY KEY` lets SQLite choose the key, ``lastInsertedRowID``.
    ///
    /// - Throws: ``SQLiteError``, such as `.constraint`; the errors of the record's `encode(to:)`.
    public func insert<Value: Record & Encodable>(_ record: Value) throws {
        let columns = try RecordColumns(record)
        try execute(SQL(raw: recordTexts(of: Value.self, columns).insert, columns.values))
    }

    /// Inserts a row for each record, by one statement that is compiled once.
    ///
    /// - Throws: As ``insert(_:)``; in a transaction, the rows before stay until that is rolled back.
    public func insert<Records: Sequence>(contentsOf records: Records) throws
    where Records.Element: Record & Encodable {
        var rest = records.makeIterator()
        guard let first = rest.next() else { return }
        let columns = try RecordColumns(first)
        let texts = try recordTexts(of: Records.Element.self, columns)
        try execute(SQL(raw: texts.insert), forEach: RecordSequence(first: columns, rest: rest)) { record, values in
            let columns = try record.get()
            try columns.check(names: texts.names)
            for value in columns.values { try values.bind(value) }
        }
    }

    /// Updates the row with the key of the record, and returns whether there is one.
    @discardableResult
    public func update<Value: Record & Encodable>(_ record: Value) throws -> Bool {
        let columns = try RecordColumns(record)
        let texts = try recordTexts(of: Value.self, columns)
        let values = texts.others.map { columns.values[$0] } + texts.keys.map { columns.values[$0] }
        return try execute(SQL(raw: texts.update, values)) > 0
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
        let texts = try recordTexts(of: Value.self, new)
        try old.check(names: texts.names)
        guard texts.keys.allSatisfy({ new.values[$0] == old.values[$0] }) else {
            throw SQLiteError(.misuse, "the two forms of a record of \(Value.table) have different keys")
        }
        let changed = texts.others.filter { new.values[$0] != old.values[$0] }
        if changed.isEmpty { return false }
        let text = texts.updateText(of: changed)
        return try execute(SQL(raw: text, (changed + texts.keys).map { new.values[$0] })) > 0
    }

    /// Inserts a row, or updates the one with the same key: `ON CONFLICT … DO UPDATE`, after which triggers and foreign keys
    /// see an update, unlike with `REPLACE`. A conflict with another unique column is an error.
    public func upsert<Value: Record & Encodable>(_ record: Value) throws {
        let columns = try RecordColumns(record)
        try execute(SQL(raw: recordTexts(of: Value.self, columns).upsert, columns.values))
    }

    /// Deletes the row with the key of the record, and returns whether there was one.
    @discardableResult
    public func delete<Value: Record & Encodable>(_ record: Value) throws -> Bool {
        let columns = try RecordColumns(record)
        let texts = try recordTexts(of: Value.self, columns)
        return try execute(SQL(raw: texts.delete, texts.keys.map { columns.values[$0] })) > 0
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

// MARK: The text of statements

/// The statements of one type of records.
struct RecordTexts {
    /// The columns, in the order of the coding keys; empty until a record is written.
    let names: [String]
    /// The positions of the columns of the key, in its order, and of the other columns.
    let (keys, others): ([Int], [Int])
    let (select, delete, insert, update, upsert): (String, String, String, String, String)
    private let (table, key, condition): (String, [String], String)

    init(table: String, key: [String], names: [String]) throws {
        guard !key.isEmpty else { throw SQLiteError(.misuse, "the record of \(table) has no columns of a key") }
        keys =
            try names.isEmpty
            ? []
            : key.map { column in
                guard let index = names.firstIndex(of: column) else {
                    throw SQLiteError(
                        .misuse, "the key \"\(column)\" of a record of \(table) is not among its columns \(names)")
                }
                return index
            }
        others = names.indices.filter { [keys] in !keys.contains($0) }
        (self.table, self.key, self.names) = (table, key, names)
        let quoted = names.map(\.quotedIdentifier)
        condition = key.map { "\($0.quotedIdentifier) = ?" }.joined(separator: " AND ")
        select = "SELECT * FROM \(table.quotedIdentifier) WHERE \(condition)"
        delete = "DELETE FROM \(table.quotedIdentifier) WHERE \(condition)"
        insert = """
            INSERT INTO \(table.quotedIdentifier) (\(quoted.joined(separator: ", "))) \
            VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            """
        let changes = others.map { [quoted] in "\(quoted[$0]) = excluded.\(quoted[$0])" }.joined(separator: ", ")
        upsert = """
            \(insert) ON CONFLICT (\(key.map(\.quotedIdentifier).joined(separator: ", "))) \
            DO \(changes.isEmpty ? "NOTHING" : "UPDATE SET \(changes)")
            """
        // A row without other columns is found by setting its key to itself.
        let assigned =
            others.isEmpty
            ? ["\(key[0].quotedIdentifier) = \(key[0].quotedIdentifier)"] : others.map { "\(quoted[$0]) = ?" }
        update = "UPDATE \(table.quotedIdentifier) SET \(assigned.joined(separator: ", ")) WHERE \(condition)"
    }

    /// The statement that updates some columns.
    func updateText(of columns: [Int]) -> String {
        let assigned = columns.map { "\(names[$0].quotedIdentifier) = ?" }.joined(separator: ", ")
        return "UPDATE \(table.quotedIdentifier) SET \(assigned) WHERE \(condition)"
    }

    func checkKey(_ values: [SQLValue]) throws {
        guard values.count == key.count else {
            throw SQLiteError(.misuse, "the key of \(table) has the columns \(key), not \(values.count) values")
        }
    }
}

extension Connection {
    /// The statements of a type without those that need the names of its columns, unless it has been written.
    private func recordTexts<Value: Record>(of type: Value.Type) throws -> RecordTexts {
        if let texts = recordTexts[ObjectIdentifier(type)] { return texts }
        let texts = try RecordTexts(table: type.table, key: type.key, names: [])
        recordTexts[ObjectIdentifier(type)] = texts
        return texts
    }

    private func recordTexts<Value: Record>(of type: Value.Type, _ columns: RecordColumns) throws -> RecordTexts {
        if let texts = recordTexts[ObjectIdentifier(type)], texts.names == columns.names { return texts }
        let texts = try RecordTexts(table: type.table, key: type.key, names: columns.names)
        recordTexts[ObjectIdentifier(type)] = texts
        return texts
    }
}

// MARK: Encoding

/// The columns of a record with their values.
struct RecordColumns {
    private(set) var names: [String] = []
    private(set) var values: [SQLValue] = []

    init<Value: Record & Encodable>(_ record: Value) throws {
        let encoder = RecordEncoder(coding: Value.coding)
        do { try record.encode(to: encoder) } catch is NeedsJSON {}  // has a reason below
        if let misuse = encoder.misuse { throw SQLiteError(.misuse, "\(Value.self) cannot be a record: \(misuse)") }
        (names, values) = (encoder.names, encoder.values)
        guard !names.isEmpty else {
            throw SQLiteError(.misuse, "\(Value.self) encodes no values with keys, which are its columns")
        }
    }

    func check(names expected: [String]) throws {
        guard names == expected else {
            throw SQLiteError(.misuse, "a record has the columns \(names) where an earlier one has \(expected)")
        }
    }
}

private final class RecordEncoder: Encoder {
    let coding: ColumnCoding
    var names: [String] = []
    var values: [SQLValue] = []
    /// What the record has requested that has no columns.
    var misuse: String?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(coding: ColumnCoding) {
        self.coding = coding
        names.reserveCapacity(16)
        values.reserveCapacity(16)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RecordContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        misuse = "it is encoded as a list, without keys, which are the columns"
        return JSONContainer<NoKey>()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        misuse = "it is encoded as a single value, without keys, which are the columns"
        return ValueEncoder(coding: coding)
    }
}

private struct RecordContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RecordEncoder
    var codingPath: [any CodingKey] { [] }

    private func add(_ value: SQLValue, _ key: Key) {
        encoder.names.append(key.stringValue)
        encoder.values.append(value)
    }

    func encodeNil(forKey key: Key) { add(.null, key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        add(try encoder.coding.sqlValue(encoding: value), key)
    }

    // Without these, the column of nil would be missing.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { add(.null, key) }
    }

    func encode(_ value: Bool, forKey key: Key) throws { add(value.sqlValue, key) }
    func encode(_ value: String, forKey key: Key) throws { add(value.sqlValue, key) }
    func encode(_ value: Double, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encode(_ value: Float, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encode(_ value: Int, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encode(_ value: Int8, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encode(_ value: Int16, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encode(_ value: Int32, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encode(_ value: Int64, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encode(_ value: UInt, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { add(try value.sqlValue, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { add(try value.sqlValue, key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        refuse(key)
        return KeyedEncodingContainer(JSONContainer<NestedKey>())
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        refuse(key)
        return JSONContainer<NoKey>()
    }

    /// The columns of a superclass are columns of the record.
    func superEncoder() -> any Encoder { encoder }

    func superEncoder(forKey key: Key) -> any Encoder {
        refuse(key)
        return ValueEncoder(coding: encoder.coding)
    }

    private func refuse(_ key: Key) {
        encoder.misuse = "\(key.stringValue) is a nested container: declare an Encodable type for its JSON"
    }
}

extension ColumnCoding {
    /// The value that a property is stored as.
    fileprivate func sqlValue<Value: Encodable>(encoding value: Value) throws -> SQLValue {
        switch value {
        case let date as Date: return try sqlValue(of: date)
        case let uuid as UUID: return sqlValue(of: uuid)
        case let data as Data: return sqlValue(of: data)
        case let value as any SQLBindable: return try value.sqlValue
        default: break
        }
        let encoder = ValueEncoder(coding: self)
        do {
            try value.encode(to: encoder)
            if !encoder.needsJSON, let value = encoder.value { return value }
        } catch is NeedsJSON {}
        return .text(try JSONText.text(of: value))
    }
}

/// Thrown when a value is not a single one.
private struct NeedsJSON: Error {}

/// Takes the single value that a property is encoded as.
private final class ValueEncoder: Encoder, SingleValueEncodingContainer {
    let coding: ColumnCoding
    var value: SQLValue?
    var needsJSON = false
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(coding: ColumnCoding) {
        self.coding = coding
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        needsJSON = true
        return KeyedEncodingContainer(JSONContainer<Key>())
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        needsJSON = true
        return JSONContainer<NoKey>()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { value = .null }

    func encode<Value: Encodable>(_ value: Value) throws { self.value = try coding.sqlValue(encoding: value) }
}

private struct NoKey: CodingKey {
    var stringValue: String { "" }
    var intValue: Int? { nil }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}

/// Refuses each value: what requests several of one column is encoded as JSON, or is a misuse, which is known by then.
private struct JSONContainer<Key: CodingKey>: KeyedEncodingContainerProtocol, UnkeyedEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    func encodeNil() throws { throw NeedsJSON() }
    func encodeNil(forKey key: Key) throws { throw NeedsJSON() }
    func encode<Value: Encodable>(_ value: Value) throws { throw NeedsJSON() }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { throw NeedsJSON() }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(JSONContainer<NestedKey>())
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(JSONContainer<NestedKey>())
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { JSONContainer<NoKey>() }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { JSONContainer<NoKey>() }
    func superEncoder() -> any Encoder { ValueEncoder(coding: ColumnCoding()) }
    func superEncoder(forKey key: Key) -> any Encoder { ValueEncoder(coding: ColumnCoding()) }
}
