internal import SQLiteStore

extension Connection {
    /// What a table has besides its rows, and can do without for a while.
    enum Attachment: String {
        case trigger, index
    }

    /// Runs `body` without these triggers or indexes, which are as they were afterwards; when it throws, the transaction
    /// around it has to be undone.
    ///
    /// - Parameter restoring: Called with the number of each, from 1, when its turn comes.
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
