/// One step of the evolution of a database schema; a store calls it `Migration`, with its type of connections.
///
/// ```swift
/// let migrations = [
///     Migration("trips", script: "CREATE TABLE trips (id TEXT PRIMARY KEY, title TEXT NOT NULL)"),
///     Migration("like counts", script: "ALTER TABLE trips ADD COLUMN likes INTEGER NOT NULL DEFAULT 0"),
///     Migration("normalised titles", revision: "1") { db in … },
/// ]
/// ```
///
/// Each migration runs once per file, or per schema of a server, in its own transaction, in the order of the list; of
/// several processes that open the database at the same time, one runs it and the others wait. A released migration must not
/// be edited; to change its result, add another migration. The table `schema_migrations` stores a digest of each applied
/// migration, and opening the database with an edited one throws.
///
/// `merging` names earlier migrations that a migration replaces, in order. It counts as applied where all of them are, so
/// that a long list can be replaced by a single script for new databases. Merge only what no database has applied in part.
///
/// ```swift
/// Migration("schema", merging: ["trips", "like counts", "normalised titles"], script: "CREATE TABLE trips …")
/// ```
public struct SchemaMigration<Connection>: Sendable {
    /// The name that the database stores; unique in the list.
    public let name: String
    @usableFromInline package let digest: String
    @usableFromInline let parts: [String]
    package let run: @Sendable (Connection) throws -> Void

    /// Creates a migration from code. Its digest is that of `revision`; change it whenever the code changes before
    /// release.
    ///
    /// `Database.open` throws the errors of `run`, and rolls the migration back.
    public init(
        _ name: String, merging parts: [String] = [], revision: String,
        _ run: @escaping @Sendable (Connection) throws -> Void
    ) {
        (self.name, self.parts, self.run) = (name, parts, run)
        digest = Digest.text(of: revision)
    }

    /// Compares the migrations that a database has applied, in order, with a list, and returns those of the list that
    /// are pending.
    ///
    /// The applied migrations must be the first of the list. A merged migration also counts as applied where all of its
    /// parts are. `error` returns the error for a message; `isNewer` says whether the database has only more migrations
    /// than the list. Inlined, because unspecialised code would copy each migration: every opening waits for it.
    @inlinable
    package static func pending(
        of list: [SchemaMigration], applied: [(name: String, digest: String)], in subject: String,
        error: (_ isNewer: Bool, _ message: String) -> any Error
    ) throws -> ArraySlice<SchemaMigration> {
        var rest = applied[...]
        for (index, migration) in list.enumerated() {
            guard let next = rest.first else { return list[index...] }
            if next.name == migration.name {
                guard next.digest == migration.digest else {
                    throw error(
                        false,
                        "the migration \"\(next.name)\" was edited after it was applied: undo the edit, and add another "
                            + "migration")
                }
                rest.removeFirst()
            } else if next.name == migration.parts.first {
                guard rest.prefix(migration.parts.count).map(\.name) == migration.parts else {
                    throw error(
                        false,
                        "\(subject) has applied only some of the migrations that \"\(migration.name)\" merges: open it "
                            + "with the list before the merge once")
                }
                rest = rest.dropFirst(migration.parts.count)
            } else {
                throw error(
                    false,
                    "\(subject) has applied the migration \"\(next.name)\" at the position of \"\(migration.name)\" in the "
                        + "list")
            }
        }
        if let next = rest.first {
            throw error(true, "\(subject) has applied the migration \"\(next.name)\", which is not in the list")
        }
        return []
    }
}

/// A digest of a text that is stable across platforms and versions.
package enum Digest {
    /// Returns the 64-bit FNV-1a hash of the text's UTF-8, as 16 hexadecimal digits.
    ///
    /// It detects edits of a migration, and gives no protection against forgery.
    package static func text(of text: String) -> String {
        fnv1a(text, 0xcbf2_9ce4_8422_2325 as UInt64, prime: 0x0000_0100_0000_01b3)
    }

    /// Returns a name for a text: the 128-bit FNV-1a hash of its UTF-8, as 32 hexadecimal digits.
    ///
    /// Among a billion different texts, two have the same name with a probability of 1 to 10²⁰.
    package static func name(of text: String) -> String {
        fnv1a(
            text, 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d as UInt128,
            prime: 0x0000_0000_0100_0000_0000_0000_0000_013b)
    }

    private static func fnv1a<Hash: FixedWidthInteger>(_ text: String, _ basis: Hash, prime: Hash) -> String {
        let hash = text.utf8.reduce(basis) { ($0 ^ Hash($1)) &* prime }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: Hash.bitWidth / 4 - digits.count) + digits
    }
}
