#if PostgreSQL
internal import PostgreSQLStore
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
    let names: [String]

    init(_ names: [String]) { self.names = names }

    static func + (left: Columns, right: Columns) -> Columns { Columns(left.names + right.names) }

    /// `a, b, c`
    var list: SQL { SQL(raw: names.joined(separator: ", ")) }

    /// `table.a, table.b, table.c`
    func list(of table: String) -> SQL { SQL(raw: names.map { "\(table).\($0)" }.joined(separator: ", ")) }

    /// `$1, $2, $3`
    var parameters: SQL { SQL(raw: names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")) }
}
#endif
