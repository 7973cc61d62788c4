internal import SQLiteStore
import TravelDomain

extension TravelDatabase {
    /// Fills the database with `count` made-up travels, their timelines and likes: the same for the same `seed` and
    /// `count`, to try a database of that size.
    ///
    /// All of it is one transaction: when it throws, or its task is cancelled, nothing is left behind.
    ///
    /// - Parameter progress: Called with the number of travels added so far, after every 1,000 and at the end.
    /// - Throws: ``TravelError/conflict(_:)`` when the travels of that seed are there already,
    ///   ``TravelError/unavailable(_:)``, or `CancellationError`.
    public func seed(count: Int, seed: UInt64, progress: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
        try await database.writeTravels { db in
            // In KiB, and given back afterwards: with the standard 2 MiB, pages go to the disk and back all the time.
            try db.execute("PRAGMA cache_size = -65536")
            defer { _ = try? db.execute("PRAGMA cache_size = -2000") }  // A large cache does no harm.
            // Likes come before their travels, which then begin with their count instead of being changed by each.
            try db.execute("PRAGMA defer_foreign_keys = ON")
            var travels = try SeededTravels(seed: seed, people: count / 50 + 10)
            let people = try travels.people.map { try PersonRecord.save($0, db) }
            var nextKey = try db.fetchOne(Int64.self, "SELECT ifnull(max(key), 0) + 1 FROM travel") ?? 1
            for first in stride(from: 0, to: count, by: 1_000) {
                let end = min(first + 1_000, count)
                var newTitles: [NewTitle] = []
                for _ in first..<end {
                    let next = try travels.next()
                    for liker in next.likers {
                        try db.execute("INSERT INTO liked (travel, person) VALUES (\(nextKey), \(people[liker]))")
                    }
                    nextKey += 1
                    try TravelRecord.add(
                        next.travel, author: people[next.author], likeCount: next.likers.count, &newTitles, db)
                }
                try TitleRecord.index(newTitles, db)
                if end.isMultiple(of: 32_000) { try TravelBitmaps.update(db) }
                progress(end)
            }
        }
    }
}
