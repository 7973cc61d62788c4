/// Visits the columns of a record in their order, and reads them from a row, binds them, or notes their names.
///
/// A record says each of its columns once, in a function that a store calls with one visitor for each of these purposes. All
/// of it is public for the reason that ``TraitLayout`` gives.
public protocol ColumnVisitor: ~Copyable {
    /// Visits the next column: a visitor that writes calls `stored`, one that reads calls `load`.
    mutating func column<Value>(
        _ name: StaticString, _ value: inout Value, _ stored: (Value) -> String,
        load: (inout Value, String) throws -> Void) throws

    mutating func column<Value>(
        _ name: StaticString, _ value: inout Value, _ stored: (Value) -> Int64,
        load: (inout Value, Int64) throws -> Void) throws

    mutating func column<Value>(
        _ name: StaticString, _ value: inout Value, _ stored: (Value) -> Int64?,
        load: (inout Value, Int64?) throws -> Void) throws
}

extension ColumnVisitor where Self: ~Copyable {
    /// Visits a column with the position of a value in `list`.
    @inlinable
    public mutating func one<Value: Equatable>(_ name: StaticString, _ value: inout Value, of list: [Value]) throws {
        try column(name, &value, { Int64(TraitLayout.position(of: $0, in: list)) }) {
            $0 = try TraitLayout.requiredValue(at: $1, in: list)
        }
    }

    /// Visits a column with the position of a value in `list`, or `NULL`.
    @inlinable
    public mutating func one<Value: Equatable>(_ name: StaticString, _ value: inout Value?, of list: [Value]) throws {
        try column(name, &value, { $0.map { Int64(TraitLayout.position(of: $0, in: list)) } }) {
            $0 = try $1.map { try TraitLayout.requiredValue(at: $0, in: list) }
        }
    }

    /// Visits a column with a bit for the position of each of the values in `list`.
    @inlinable
    public mutating func several<Value: Hashable>(
        _ name: StaticString, _ values: inout Set<Value>, of list: [Value]
    ) throws {
        try column(name, &values, { TraitLayout.bits($0, in: list) }) { $0 = TraitLayout.values($1, in: list) }
    }
}

/// Notes the names of the columns that it visits.
package struct ColumnNames: ColumnVisitor {
    package private(set) var names: [StaticString] = []

    package init() {}

    public mutating func column<Value>(
        _ name: StaticString, _ value: inout Value, _ stored: (Value) -> String,
        load: (inout Value, String) throws -> Void
    ) {
        names.append(name)
    }

    public mutating func column<Value>(
        _ name: StaticString, _ value: inout Value, _ stored: (Value) -> Int64,
        load: (inout Value, Int64) throws -> Void
    ) {
        names.append(name)
    }

    public mutating func column<Value>(
        _ name: StaticString, _ value: inout Value, _ stored: (Value) -> Int64?,
        load: (inout Value, Int64?) throws -> Void
    ) {
        names.append(name)
    }
}
