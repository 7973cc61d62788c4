#if PostgreSQL
    internal import DatabaseAccess

    /// One step of the evolution of a database schema.
    ///
    /// ```swift
    /// let migrations = [
    ///     Migration("travels", script: "CREATE TABLE travels (id uuid PRIMARY KEY, title text NOT NULL)"),
    ///     Migration("like counts", script: "ALTER TABLE travels ADD COLUMN likes integer NOT NULL DEFAULT 0"),
    ///     Migration("normalised titles", revision: "1") { db in … },
    /// ]
    /// ```
    ///
    /// Each migration runs once per schema, in its own transaction, in the order of the list; of several processes that
    /// open the database at the same time, one runs it and the others wait. A released migration must not be edited; to
    /// change its result, add another migration. The table `schema_migrations` stores a digest of each applied
    /// migration, and opening the database with an edited one throws.
    public struct Migration: Sendable {
        /// The name that the database stores; unique in the list.
        public let name: String
        /// The digest of the script or the revision.
        let digest: String
        let run: @Sendable (Connection) throws -> Void

        /// Creates a migration from SQL. Any edit of the script, including white space, changes its digest.
        public init(_ name: String, script: String) {
            self.name = name
            digest = Digest.text(of: script)
            run = { connection in try connection.executeScript(script) }
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
#endif
