internal import SQLiteStore

extension Connection {
    /// A kind of schema object that belongs to a table and can be dropped temporarily.
    enum Attachment: String {
        case trigger, index
    }

    /// Drops these triggers or indexes, calls `body`, and creates them again. If it throws, the enclosing transaction
    /// must be rolled back.
    ///
    /// - Parameter restoring: Called with the 1-based number of each object before it is created again.
    func without(
        _ kind: Attachment, _ names: [String], restoring: (Int) -> Void = { _ in }, _ body: () throws -> Void
    ) throws {
        let definitions = try fetchAll(
            String.self, "SELECT sql FROM sqlite_schema WHERE type = \(kind.rawValue) AND name IN \(names)")
        for name in names { try execute("DROP \(raw: kind.rawValue) \(identifier: name)") }
        try body()
        for (number, definition) in zip(1..., definitions) {
            restoring(number)
            try executeScript(definition)
        }
    }
}
