/// One step in the history of a database's schema.
///
/// ```swift
/// let migrations = [
///     Migration("travels", script: "CREATE TABLE travels (id TEXT PRIMARY KEY, title TEXT NOT NULL)"),
///     Migration("like counts", script: "ALTER TABLE travels ADD COLUMN likes INTEGER NOT NULL DEFAULT 0"),
///     Migration("normalised titles", revision: "1") { db in … },
/// ]
/// ```
///
/// Each runs once in the life of a file, in its own transaction, in the order of the list. A released migration is
/// history: to change what it did, add another. The file remembers a digest of each, and one that was edited since is
/// refused.
public struct Migration: Sendable {
    /// What the file remembers it by; unique in the list.
    public let name: String
    /// What tells one version of the migration from another.
    let digest: String
    let run: @Sendable (Connection) throws -> Void

    /// A migration in SQL alone. Any edit of the script, white space included, makes it another.
    public init(_ name: String, script: String) {
        self.name = name
        digest = Digest.text(of: script)
        run = { connection in try connection.runScript(script) }
    }

    /// A migration in code, which has no text to make a digest of: `revision` stands for it.
    public init(_ name: String, revision: String, _ run: @escaping @Sendable (Connection) throws -> Void) {
        self.name = name
        digest = Digest.text(of: revision)
        self.run = run
    }
}
