/// The part of a database that a commit changes or a fetch reads: columns of tables, or topics. A topic is stored as a
/// table with all columns.
package struct Region: Hashable, Sendable {
    /// Whether the region is the whole database, regardless of `tables`.
    package private(set) var isEverything = false
    /// The tables by name. They are kept even if the region is the whole database.
    private var tables: Tables = [:]
    /// What belongs to some partitions only; each of these occurs once.
    private var parts: [Part] = []

    /// Rows of any tables that belong together, such as a customer with all orders, by the keys of what they belong to.
    package struct Partition: Hashable, Sendable {
        let name: String
        let keys: Set<Int64>

        package init(name: String, keys: Set<Int64>) {
            (self.name, self.keys) = (name, keys)
        }

        /// Whether a row can belong to both: those of other names partition the rows in another way.
        func overlaps(_ other: Partition) -> Bool { name != other.name || !keys.isDisjoint(with: other.keys) }
    }

    private typealias Tables = [ExactText: Columns]

    private struct Part: Hashable {
        let partition: Partition
        var tables: Tables
    }

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

    package var isEmpty: Bool { !isEverything && tables.isEmpty && parts.isEmpty }

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

    package var tableNames: Set<ExactText> { parts.reduce(into: Set(tables.keys)) { $0.formUnion($1.tables.keys) } }

    package var partialTableNames: Set<ExactText> {
        Set(tables.lazy.filter { $0.value != .all }.map(\.key))
    }

    /// Extends the region to the whole database, and keeps the names.
    package mutating func insertEverything() {
        isEverything = true
    }

    /// Returns the region limited to the rows of a partition; the tables of SQLite itself belong to none.
    package func within(_ partition: Partition) -> Region {
        if isEverything || tables.isEmpty { return self }
        var region = self
        region.tables = tables.filter { $0.key.hasPrefix(ExactText("sqlite_")) }
        region.insert(Part(partition: partition, tables: tables.filter { region.tables[$0.key] == nil }))
        return region
    }

    package mutating func formUnion(_ other: Region) {
        if other.isEverything { isEverything = true }
        // Usually the changes of a single statement: shares its dictionary.
        if tables.isEmpty { tables = other.tables } else { Self.merge(other.tables, into: &tables) }
        for part in other.parts { insert(part) }
    }

    private mutating func insert(_ part: Part) {
        if let index = parts.firstIndex(where: { $0.partition == part.partition }) {
            return Self.merge(part.tables, into: &parts[index].tables)
        }
        parts.append(part)
        // To compare many parts would take longer than the fetches that it saves.
        guard parts.count > 16 else { return }
        for part in parts { Self.merge(part.tables, into: &tables) }
        parts = []
    }

    private static func merge(_ other: Tables, into tables: inout Tables) {
        tables.merge(other) { left, right in
            guard case .only(let leftColumns) = left, case .only(let rightColumns) = right else { return .all }
            return .only(leftColumns.union(rightColumns))
        }
    }

    /// Returns whether a change of this region can affect a read of `other`.
    package func overlaps(_ other: Region) -> Bool {
        if isEverything { return !other.isEmpty }
        if other.isEverything { return !isEmpty }
        return Self.overlap(tables, other.tables)
            || other.parts.contains { Self.overlap(tables, $0.tables) }
            || parts.contains { part in
                Self.overlap(part.tables, other.tables)
                    || other.parts.contains {
                        $0.partition.overlaps(part.partition) && Self.overlap(part.tables, $0.tables)
                    }
            }
    }

    private static func overlap(_ left: Tables, _ right: Tables) -> Bool {
        let (smaller, larger) = left.count < right.count ? (left, right) : (right, left)
        return smaller.contains { table, columns in
            switch (columns, larger[table]) {
            case (_, nil): false
            case (.all, _), (_, .all): true
            case (.only(let left), .only(let right)): !left.isDisjoint(with: right)
            }
        }
    }
}
