/// The text of the statements of one type of records.
package struct RecordStatements {
    /// The columns, in the order of the coding keys; empty until a record is written.
    package let names: [String]
    /// The positions of the columns of the key, in its order, and of the other columns.
    package let (keys, others): ([Int], [Int])
    package let (select, delete, insert, update, upsert): (String, String, String, String, String)
    private let (table, key): (String, [String])
    private let parameter: (Int) -> String
    private let misuse: (String) -> any Error

    /// Creates the statements of a type.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - names: The names of its columns.
    ///   - parameter: Returns the text of the parameter with this number, from 1.
    ///   - misuse: Returns the error with this message.
    package init(
        of type: any DatabaseRecord.Type, names: [String], parameter: @escaping (Int) -> String,
        misuse: @escaping (String) -> any Error
    ) throws {
        let (table, key) = (type.table, type.key)
        guard !key.isEmpty else { throw misuse("the record of \(table) has no columns of a key") }
        keys =
            try names.isEmpty
            ? []
            : key.map { column in
                guard let index = names.firstIndex(of: column) else {
                    throw misuse("the key \"\(column)\" of a record of \(table) is not among its columns \(names)")
                }
                return index
            }
        others = names.indices.filter { [keys] in !keys.contains($0) }
        (self.table, self.key, self.names, self.parameter, self.misuse) = (table, key, names, parameter, misuse)
        let text = Texts(table: table, key: key, names: names, parameter: parameter)
        select = "SELECT * FROM \(table.quotedIdentifier) WHERE \(text.condition(after: 0))"
        delete = "DELETE FROM \(table.quotedIdentifier) WHERE \(text.condition(after: 0))"
        insert = text.insert(defaults: [])
        upsert = insert + text.conflict(updating: others)
        update = text.update(others)
    }

    private var text: Texts { Texts(table: table, key: key, names: names, parameter: parameter) }

    /// The statement that updates some columns. Its values are theirs and those of the key.
    package func updateText(of columns: [Int]) -> String { text.update(columns) }

    /// The statement that inserts a row in which some columns have their defaults, or updates the one with its key. Its
    /// values are those of the other columns.
    package func insertText(defaults: [Int], updates: Bool) -> String {
        text.insert(defaults: defaults) + (updates ? text.conflict(updating: others) : "")
    }

    package func checkKey(count: Int) throws {
        guard count == key.count else {
            throw misuse("the key of \(table) has the columns \(key), not \(count) values")
        }
    }

    package func check(names found: [String]) throws {
        guard names == found else {
            throw misuse("a record has the columns \(found) where an earlier one has \(names)")
        }
    }

    /// Returns the positions of the values that differ in two forms of a record.
    package func changes<Value: Equatable>(from earlier: [Value], to values: [Value]) throws -> [Int] {
        guard keys.allSatisfy({ earlier[$0] == values[$0] }) else {
            throw misuse("the two forms of a record of \(table) have different keys")
        }
        return others.filter { earlier[$0] != values[$0] }
    }
}

private struct Texts {
    let table: String
    let key, names: [String]
    let parameter: (Int) -> String

    func condition(after count: Int) -> String {
        key.enumerated().map { "\($1.quotedIdentifier) = \(parameter(count + $0 + 1))" }.joined(separator: " AND ")
    }

    func insert(defaults: [Int]) -> String {
        var count = 0
        let values = names.indices.map { index in
            if defaults.contains(index) { return "DEFAULT" }
            count += 1
            return parameter(count)
        }
        return """
            INSERT INTO \(table.quotedIdentifier) (\(names.map(\.quotedIdentifier).joined(separator: ", "))) \
            VALUES (\(values.joined(separator: ", ")))
            """
    }

    func conflict(updating columns: [Int]) -> String {
        let changes = columns.map { names[$0].quotedIdentifier }.map { "\($0) = excluded.\($0)" }
        return " ON CONFLICT (\(key.map(\.quotedIdentifier).joined(separator: ", "))) DO "
            + (changes.isEmpty ? "NOTHING" : "UPDATE SET \(changes.joined(separator: ", "))")
    }

    func update(_ columns: [Int]) -> String {
        let changes = columns.enumerated().map { "\(names[$1].quotedIdentifier) = \(parameter($0 + 1))" }
        // A row without other columns is found by setting its key to itself.
        let assigned = changes.isEmpty ? ["\(key[0].quotedIdentifier) = \(key[0].quotedIdentifier)"] : changes
        return """
            UPDATE \(table.quotedIdentifier) SET \(assigned.joined(separator: ", ")) \
            WHERE \(condition(after: columns.count))
            """
    }
}
