/// The part of a database that a commit changes or a fetch reads: columns of tables, or topics. A topic is stored as a
/// table with all columns.
package struct Region: Hashable, Sendable {
    /// Whether the region is the whole database, regardless of `tables`.
    package private(set) var isEverything = false
    /// The tables by name. They are kept even if the region is the whole database.
    private var tables: [ExactText: Columns] = [:]

    private enum Columns: Hashable, Sendable {
        case all
        case only(Set<ExactText>)
    }

    package init() {}

    /// Creates a region of topics, whose case matters.
    package init(topics: Set<String>) {
        for topic in topics { tables[ExactText(topic)] = .all }
    }

    /// The whole database, including tables that do not exist yet.
    package static let everything: Region = {
        var region = Region()
        region.isEverything = true
        return region
    }()

    package var isEmpty: Bool { !isEverything && tables.isEmpty }

    /// Adds a table with all columns, which an insertion or deletion of rows changes.
    package mutating func insert(table: String) {
        insert(table: ExactText(name: table))
    }

    package mutating func insert(table: ExactText) {
        tables[table] = .all
    }

    /// Adds one column of a table. The empty name stands for the existence of rows, which `COUNT(*)` reads.
    package mutating func insert(table: String, column: String) {
        let (table, column) = (ExactText(name: table), ExactText(name: column))
        switch tables[table] {
        case .all: return
        case .only(var columns):
            columns.insert(column)
            tables[table] = .only(columns)
        case nil:
            tables[table] = .only([column])
        }
    }

    package var tableNames: Set<ExactText> { Set(tables.keys) }

    package var partialTableNames: Set<ExactText> {
        Set(tables.lazy.filter { $0.value != .all }.map(\.key))
    }

    /// Extends the region to the whole database, and keeps the names.
    package mutating func insertEverything() {
        isEverything = true
    }

    package mutating func formUnion(_ other: Region) {
        if other.isEverything { isEverything = true }
        // Usually the changes of a single statement: shares its dictionary.
        if tables.isEmpty { return tables = other.tables }
        tables.merge(other.tables) { left, right in
            guard case .only(let leftColumns) = left, case .only(let rightColumns) = right else { return .all }
            return .only(leftColumns.union(rightColumns))
        }
    }

    /// Returns whether a change of this region can affect a read of `other`.
    package func overlaps(_ other: Region) -> Bool {
        if isEverything { return !other.isEmpty }
        if other.isEverything { return !isEmpty }
        let (smaller, larger) = tables.count < other.tables.count ? (tables, other.tables) : (other.tables, tables)
        return smaller.contains { table, columns in
            switch (columns, larger[table]) {
            case (_, nil): false
            case (.all, _), (_, .all): true
            case (.only(let left), .only(let right)): !left.isDisjoint(with: right)
            }
        }
    }
}
