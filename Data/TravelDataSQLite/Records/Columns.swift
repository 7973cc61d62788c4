internal import SQLiteStore
import TravelDataShared
import TravelDomain

/// Reads the columns that it visits: one function is the witness of all columns of `ColumnVisitor`.
private struct ColumnReader: ColumnVisitor, ~Copyable {
    var columns: ColumnCursor

    mutating func column<Value, Stored: SQLDecodable>(
        _ name: StaticString, _ value: inout Value, _ stored: (Value) -> Stored,
        load: (inout Value, Stored) throws -> Void
    ) throws {
        try load(&value, columns.next())
    }

    consuming func end() -> ColumnCursor { columns }
}

extension ColumnCursor {
    /// The content of a trip in the next columns, those of `TripContent.columnNames`.
    mutating func next() throws -> TripContent {
        var reader = ColumnReader(columns: self)
        do {
            let content = try TripContent(reading: &reader)
            self = reader.end()
            return content
        } catch {
            self = reader.end()
            throw error
        }
    }
}

/// Binds the columns that it visits.
private struct ColumnBinder: ColumnVisitor, ~Copyable {
    var values: ParameterBinder

    mutating func column<Value, Stored: SQLBindable>(
        _ name: StaticString, _ value: inout Value, _ stored: (Value) -> Stored,
        load: (inout Value, Stored) throws -> Void
    ) throws {
        try values.bind(stored(value))
    }

    consuming func end() -> ParameterBinder { values }
}

extension ParameterBinder {
    /// Binds the columns of `TripContent.columnNames`, in their order.
    mutating func bind(_ content: TripContent) throws {
        var binder = ColumnBinder(values: self)
        do {
            try content.bindColumns(&binder)
            self = binder.end()
        } catch {
            self = binder.end()
            throw error
        }
    }
}

/// The names of columns that a statement writes or selects.
struct Columns: Sendable {
    private let names: [StaticString]

    init(_ names: [StaticString]) { self.names = names }

    static func + (left: Columns, right: Columns) -> Columns { Columns(left.names + right.names) }

    /// `a, b, c`
    var list: SQL { names.map { SQL(stringLiteral: $0) }.joined(separator: ", ") }

    /// `?, ?, ?`
    var parameters: SQL { names.map { _ in "?" }.joined(separator: ", ") }
}

/// An ID is stored as a `BLOB` of the 16 bytes of its UUID; SQLite orders it as `Identifier` does.
extension Identifier {
    var bytes: [UInt8] { withBytes { Array($0) } }

    fileprivate init(_ column: borrowing Column) throws {
        guard column.kind == .blob else { throw column.mismatch(Self.self) }
        self = try column.withBlobBytes { bytes in
            guard bytes.count == 16 else { throw column.mismatch(Self.self, "is not 16 bytes long") }
            return Self(bytes: UnsafeRawBufferPointer(bytes))
        }
    }
}

// Not by a conformance to `SQLCodable`, which would be public, as both types are.

extension SQL.StringInterpolation {
    mutating func appendInterpolation<Entity>(_ id: Identifier<Entity>?) {
        appendInterpolation(id?.bytes)
    }
}

extension ColumnCursor {
    mutating func next<Entity>() throws -> Identifier<Entity> {
        try withNext { try Identifier($0) }
    }

    mutating func next<Entity>() throws -> Identifier<Entity>? {
        try withNext { $0.isNull ? nil : try Identifier($0) }
    }
}

extension Row {
    subscript<Entity>(_ index: Int) -> Identifier<Entity> {
        get throws { try withColumn(index) { try Identifier($0) } }
    }

    subscript<Entity>(_ index: Int) -> Identifier<Entity>? {
        get throws { try withColumn(index) { $0.isNull ? nil : try Identifier($0) } }
    }
}
