public import SQLiteStore

/// Tests the migrations from every earlier version. For each version, from the empty file on, migrates to it, calls
/// `fill` to insert data, applies the remaining migrations, and calls `check`.
///
/// ```swift
/// try await withEveryEarlierVersion(of: TravelSchema.migrations) { version, db in
///     if version >= 1 { try db.execute("INSERT INTO travels …") }
/// } check: { version, db in
///     try #require(db.fetchOne(Int.self, "SELECT COUNT(*) FROM travels") == (version >= 1 ? 1 : 0))
/// }
/// ```
///
/// `version` is the number of migrations that were applied when `fill` was called.
///
/// - Throws: The errors of opening and migrating the database, and of `fill` and `check`.
public func withEveryEarlierVersion(
    of migrations: [Migration],
    fill: @escaping @Sendable (_ version: Int, _ db: Connection) throws -> Void,
    check: @escaping @Sendable (_ version: Int, _ db: Connection) throws -> Void
) async throws {
    for version in 0...migrations.count {
        try await withTemporaryFolder { folder in
            let location = Database.Location.file(folder + "/database")
            let earlier = try await Database.open(location, migrations: Array(migrations.prefix(version)))
            try await earlier.write { db in try fill(version, db) }
            await earlier.close()
            let present = try await Database.open(location, migrations: migrations)
            try await present.read { db in try check(version, db) }
            await present.close()
        }
    }
}
