public import SQLiteStore

/// Proves that a database of every earlier version comes to the present one: for each version, from the empty file on,
/// migrates to it, lets `fill` put something in, migrates the rest of the way, and lets `check` look.
///
/// ```swift
/// try await withEveryEarlierVersion(of: TravelSchema.migrations) { version, db in
///     if version >= 1 { try db.execute("INSERT INTO travels …") }
/// } check: { version, db in
///     try #require(db.fetchOne(Int.self, "SELECT COUNT(*) FROM travels") == (version >= 1 ? 1 : 0))
/// }
/// ```
///
/// `version` is how many of the migrations the file had been through when it was filled.
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
