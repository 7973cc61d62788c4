/// A part of a database: some columns of some tables.
struct Region: Hashable, Sendable {
    /// Whether it is all there is, whatever `tables` says.
    private(set) var isEverything = false
    /// Names in lower case, because SQLite makes no difference. Also of all there is, some are named.
    private var tables: [String: Columns] = [:]

    private enum Columns: Hashable, Sendable {
        case all
        case only(Set<String>)
    }

    /// All there is, and all there will be.
    static let everything: Region = {
        var region = Region()
        region.isEverything = true
        return region
    }()

    var isEmpty: Bool { !isEverything && tables.isEmpty }

    /// Adds a table with all of its columns: its rows come and go.
    mutating func insert(table: String) {
        tables[table.lowercased()] = .all
    }

    /// Adds one column of a table. Without a name it is the table's rows alone that count, as in `COUNT(*)`.
    mutating func insert(table: String, column: String) {
        let table = table.lowercased()
        switch tables[table] {
        case .all: return
        case .only(var columns):
            columns.insert(column.lowercased())
            tables[table] = .only(columns)
        case nil:
            tables[table] = .only([column.lowercased()])
        }
    }

    /// The tables that are named in it.
    var tableNames: Set<String> { Set(tables.keys) }

    /// Makes it all there is, and keeps the names.
    mutating func insertEverything() {
        isEverything = true
    }

    mutating func formUnion(_ other: Region) {
        if other.isEverything { isEverything = true }
        tables.merge(other.tables) { left, right in
            guard case .only(let leftColumns) = left, case .only(let rightColumns) = right else { return .all }
            return .only(leftColumns.union(rightColumns))
        }
    }

    /// Whether a change of this region can change what is read from the other.
    func overlaps(_ other: Region) -> Bool {
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
