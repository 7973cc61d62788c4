internal import SQLiteStore
import TravelDomain
internal import TravelSamples

extension TravelDatabase {
    /// Fills the database with `count` generated travels, their timelines and likes: those of `GeneratedTravels` in
    /// `TravelSamples`. The result depends only on `seed` and `count`.
    ///
    /// Everything is one transaction: when it throws, its task is cancelled, or the process ends, nothing is stored.
    ///
    /// A generated person whose nickname is taken gets a different one, so that nicknames stay unique.
    ///
    /// - Parameters:
    ///   - count: The number of travels.
    ///   - seed: The seed of the generator.
    ///   - progress: Called on the writer's thread: with ``SeedProgress/writing(travels:)`` after every 1,000 travels
    ///     and after the last, with ``SeedProgress/indexing(_:of:)`` before each index, and with
    ///     ``SeedProgress/committing`` at the end.
    /// - Throws: `TravelError.conflict` when the travels of that seed already exist; `TravelError.unavailable` when the
    ///   database cannot answer; `CancellationError`.
    public func seed(
        count: Int, seed: UInt64, progress: @escaping @Sendable (SeedProgress) -> Void = { _ in }
    ) async throws {
        try await database.writeMappingErrors { db in
            // In KiB, and reset afterwards: with a small cache, pages are written and read again all the time.
            let cacheSize = try db.fetchOne(Int.self, "PRAGMA cache_size") ?? -2_000
            try db.execute("PRAGMA cache_size = -65536")
            // A larger cache that remains is harmless.
            defer { _ = try? db.execute("PRAGMA cache_size = \(raw: String(cacheSize))") }
            var travels = try GeneratedTravels(seed: seed, forCount: count)
            var writer = try SeedWriter(travels, db)
            try db.without(.trigger, SeedWriter.replacedTriggers) {
                // Creating an index at the end, by sorting, costs less than inserting rows in a different order,
                // unless most rows existed before.
                let existing = try db.fetchOne(Int.self, "SELECT count(*) FROM travel") ?? 0
                let later = existing < count ? SeedWriter.indexesMadeLater : []
                try db.without(.index, later, restoring: { progress(.indexing($0, of: later.count)) }) {
                    for first in stride(from: 0, to: count, by: 1_000) {
                        let end = min(first + 1_000, count)
                        try writer.write(try travels.next(end - first), db)
                        progress(.writing(travels: end))
                    }
                }
                try writer.finish(db)
            }
            progress(.committing)
        }
    }
}
