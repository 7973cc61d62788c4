internal import SQLiteStore

extension Connection {
    /// Runs `body` without these triggers, which are as they were afterwards; when it throws, the transaction around it has
    /// to be undone.
    func withoutTriggers(_ names: [String], _ body: () throws -> Void) throws {
        let definitions = try fetchAll(
            String.self, "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name IN \(names)")
        for name in names { try execute("DROP TRIGGER \(identifier: name)") }
        try body()
        for definition in definitions { try executeScript(definition) }
    }
}
