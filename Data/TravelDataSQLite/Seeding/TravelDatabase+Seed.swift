internal import SQLiteStore
import TravelDomain

extension TravelDatabase {
    /// Fills the database with `count` made-up travels, their timelines and likes: the same for the same `seed` and
    /// `count`, to try a database of that size.
    ///
    /// All of it is one transaction: when it throws, its task is cancelled, or the process ends, nothing is left behind.
    ///
    /// A made-up person whose nickname someone has already gets another: nobody shares theirs with one of a seed.
    ///
    /// - Parameter progress: Called on the thread that writes: with ``SeedProgress/writing(travels:)`` after every 1,000
    ///   travels and after the last, with ``SeedProgress/indexing(_:of:)`` before each index, and with
    ///   ``SeedProgress/committing`` at the end.
    /// - Throws: ``TravelError/conflict(_:)`` when the travels of that seed are there already,
    ///   ``TravelError/unavailable(_:)``, or `CancellationError`.
    public func seed(
        count: Int, seed: UInt64, progress: @escaping @Sendable (SeedProgress) -> Void = { _ in }
    ) async throws {
        try await database.writeTravels { db in
            // In KiB, and given back afterwards: with the standard 2 MiB, pages go to the disk and back all the time.
            try db.execute("PRAGMA cache_size = -65536")
            defer { _ = try? db.execute("PRAGMA cache_size = -2000") }  // A large cache does no harm.
            var travels = try SeededTravels(seed: seed, forCount: count)
            var writer = try SeedWriter(travels.people, db)
            try db.without(.trigger, SeedWriter.replacedTriggers) {
                // Made at the end, by sorting, an index costs less than what is added to it in the order of another; unless
                // most of its rows were there before.
                let there = try db.fetchOne(Int.self, "SELECT count(*) FROM travel") ?? 0
                let later = there < count ? SeedWriter.indexesMadeLater : []
                try db.without(.index, later, restoring: { progress(.indexing($0, of: later.count)) }) {
                    for first in stride(from: 0, to: count, by: 1_000) {
                        let end = min(first + 1_000, count)
                        try writer.write(try (first..<end).map { _ in try travels.next() }, db)
                        progress(.writing(travels: end))
                    }
                }
                try writer.finish(db)
            }
            progress(.committing)
        }
    }
}
