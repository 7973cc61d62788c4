internal import DatabaseAccess

/// One step of the evolution of a database schema.
///
/// ```swift
/// let migrations = [
///     Migration("travels", script: "CREATE TABLE travels (id TEXT PRIMARY KEY, title TEXT NOT NULL)"),
///     Migration("like counts", script: "ALTER TABLE travels ADD COLUMN likes INTEGER NOT NULL DEFAULT 0"),
///     Migration("normalised titles", revision: "1") { db in … },
/// ]
/// ```
///
/// Each migration runs once per file, in its own transaction, in the order of the list. A released migration must not
/// be edited; to change its result, add another migration. The file stores a digest of each applied migration, and
/// opening the file with an edited one throws.
public struct Migration: Sendable {
    /// The name that the file stores; unique in the list.
    public let name: String
    /// The digest of the script or the revision.
    let digest: String
    let run: @Sendable (Connection) throws -> Void

    /// Creates a migration from SQL. Any edit of the script, including white space, changes its digest.
    public init(_ name: String, script: String) {
        self.name = name
        digest = Digest.text(of: script)
        run = { connection in try connection.runScript(script) }
    }

    /// Creates a migration from code. Its digest is that of `revision`; change it whenever the code changes before
    /// release.
    ///
    /// `Database.open` throws the errors of `run`, and rolls the migration back.
    public init(_ name: String, revision: String, _ run: @escaping @Sendable (Connection) throws -> Void) {
        self.name = name
        digest = Digest.text(of: revision)
        self.run = run
    }
}
