internal import SQLiteStore
import TravelDataShared
import TravelDomain
internal import TravelSamples

extension TravelDatabase {
    /// Fills the database with `count` generated trips, their timelines and likes: those of `GeneratedTrips` in
    /// `TravelSamples`. The result depends only on `seed` and `count`.
    ///
    /// Everything is one transaction: when it throws, its task is cancelled, or the process ends, nothing is stored.
    ///
    /// A generated user whose nickname is taken gets a different one, so that nicknames stay unique.
    ///
    /// - Parameters:
    ///   - count: The number of trips.
    ///   - seed: The seed of the generator.
    ///   - entriesPerTrip: The number of entries of each trip; by default, none to two.
    ///   - progress: Called on the writer's thread: with ``SeedProgress/writing(trips:)`` after every 1,000 trips
    ///     and after the last, with ``SeedProgress/indexing(_:of:)`` before each index, and with
    ///     ``SeedProgress/committing`` at the end.
    /// - Throws: `TravelError.conflict` when the trips of that seed already exist; `TravelError.unavailable` when the
    ///   database cannot answer; `CancellationError`.
    public func seed(
        count: Int, seed: UInt64, entriesPerTrip: Int? = nil,
        progress: @escaping @Sendable (SeedProgress) -> Void = { _ in }
    ) async throws {
        try await database.writeMappingErrors { db in
            // In KiB, and reset afterwards: with a small cache, pages are written and read again all the time.
            let cacheSize = try db.fetchOne(Int.self, "PRAGMA cache_size") ?? -2_000
            try db.execute("PRAGMA cache_size = -65536")
            // A larger cache that remains is harmless.
            defer { _ = try? db.execute("PRAGMA cache_size = \(raw: String(cacheSize))") }
            var trips = try GeneratedTrips(seed: seed, forCount: count, entriesPerTrip: entriesPerTrip)
            var writer = try SeedWriter(trips, db)
            try db.without(.trigger, SeedWriter.replacedTriggers) {
                // Creating an index at the end, by sorting, costs less than inserting rows in a different order,
                // unless most rows existed before.
                let existing = try db.fetchOne(Int.self, "SELECT count(*) FROM trip") ?? 0
                let later = existing < count ? SeedWriter.indexesMadeLater : []
                try db.without(.index, later, restoring: { progress(.indexing($0, of: later.count)) }) {
                    for first in stride(from: 0, to: count, by: 1_000) {
                        let end = min(first + 1_000, count)
                        try writer.write(try trips.next(end - first), db)
                        progress(.writing(trips: end))
                    }
                }
                try writer.finish(db)
            }
            progress(.committing)
        }
    }
}

/// How far `TravelDatabase.seed` has got.
///
/// ```swift
/// try await database.seed(count: 100_000, seed: 7) { progress in
///     if case .writing(let trips) = progress { print("\(trips) trips") }
/// }
/// ```
public enum SeedProgress: Hashable, Sendable {
    /// That number of trips has been written.
    case writing(trips: Int)
    /// All trips are written, and index `index` of `count` is being created; both count from 1.
    ///
    /// Skipped when the database already had at least as many trips, because then the indexes are updated during
    /// writing.
    case indexing(_ index: Int, of: Int)
    /// All data is written and about to be committed; cancellation may no longer have an effect.
    case committing
}

/// Writes generated trips in batches, and each table in the order of its keys, which is fastest in SQLite.
///
/// The triggers that count individual likes must be disabled in the meantime: this type writes the same counts, and the
/// sets of searches for many rows at once, the remainder in ``finish(_:)``.
struct SeedWriter {
    /// The triggers whose work this type does or makes unnecessary.
    static let replacedTriggers = [
        "like_is_counted", "like_has_time_of_trip", "entry_is_within_trip",
    ]
    /// The indexes that this type does not read, and whose order differs from that of the rows.
    static let indexesMadeLater = [
        "trip_most_liked", "trip_by_date", "trip_author_newest", "trip_author_most_liked",
        "trip_author_by_date", "trip_title", "liked_newest",
    ]

    private let users: [Int64]
    private var lastKey: Int64
    private var changes: [RowSets.Change] = []
    private var numberOfJoins = 0
    /// How many memberships of sets are held in memory, some 100 MB.
    private static let mostJoins = 4_000_000

    /// Inserts the people of `source` and creates a writer.
    init(_ source: GeneratedTrips, _ db: Connection) throws {
        users = try Self.save(source, db)
        lastKey = try db.fetchOne(Int64.self, "SELECT seq FROM sqlite_sequence WHERE name = 'trip'") ?? 0
    }

    /// Inserts the people of `source` who do not exist yet, and returns the keys of all.
    ///
    /// A user whose nickname is taken gets a free one of the same pattern, so that nicknames stay unique.
    ///
    /// - Throws: `TravelError.conflict` when every nickname of that pattern is taken.
    private static func save(_ source: GeneratedTrips, _ db: Connection) throws -> [Int64] {
        try source.users.enumerated().map { index, user in
            if let key = try UserRecord.key(of: user.id, db) { return key }
            func isFree(_ nickname: Nickname) throws -> Bool {
                try UserRecord.holder(of: nickname, except: user.id, db) == nil
            }
            if try isFree(user.nickname) { return try UserRecord.save(user, db) }
            for nickname in source.nicknames(forUserAt: index) where try isFree(nickname) {
                return try UserRecord.save(User(id: user.id, nickname: nickname), db)
            }
            throw TravelError.conflict(.user(user.id))
        }
    }

    mutating func write(_ trips: [GeneratedTrip], _ db: Connection) throws {
        let firstKey = lastKey + 1
        lastKey += Int64(trips.count)
        let rows = zip(firstKey..., trips).map { key, trip in SeedRow(key: key, trip: trip) }
        try writeTrips(rows, db)
        try writeEntries(rows, db)
        try writeLikes(rows, db)
        changes += rows.map { row in
            let trip = row.trip.trip
            return RowSets.Change(
                row: row.key,
                joins: TripSets.of(traits: row.traits, title: trip.content.title) + TripSets.of(trip.timeline)
                    + [TripSets.of(trip.content.audience, by: users[row.trip.author])])
        }
        numberOfJoins += changes.suffix(rows.count).reduce(0) { $0 + $1.joins.count }
        if numberOfJoins >= Self.mostJoins { try finish(db) }
    }

    mutating func finish(_ db: Connection) throws {
        try RowSets.apply(changes, db)
        (changes, numberOfJoins) = ([], 0)
    }

    private struct SeedRow {
        let key: Int64
        let trip: GeneratedTrip
        let traits: Int64

        init(key: Int64, trip: GeneratedTrip) {
            (self.key, self.trip) = (key, trip)
            traits = TraitLayout.traits(of: trip.trip.content)
        }
    }

    private func writeTrips(_ rows: [SeedRow], _ db: Connection) throws {
        guard let first = rows.first else { return }
        // A seed always yields the same trips: if any of them exists already, the first one does.
        try TripRecord.unique(.trip(first.trip.trip.id)) {
            let new = rows.lazy.map { row in
                TripRecord.NewRow(
                    key: row.key, trip: row.trip.trip, author: users[row.trip.author],
                    likeCount: row.trip.likedBy.count, traits: row.traits)
            }
            try TripRecord.insert(new, db)
        }
    }

    private func writeEntries(_ rows: [SeedRow], _ db: Connection) throws {
        let entries = rows.lazy.flatMap { row in
            row.trip.trip.timeline.positioned.lazy.map { (entry: $0, trip: row.key) }
        }
        try EntryRecord.insert(entries, db)
    }

    private func writeLikes(_ rows: [SeedRow], _ db: Connection) throws {
        try db.execute(
            "INSERT INTO liked (trip, app_user, created_at) VALUES (?, ?, ?)",
            forEach: rows.lazy.flatMap { row in
                row.trip.likedBy.lazy.map { (row.key, users[$0], row.trip.trip.createdAt) }
            }
        ) { like, values in
            try values.bind(like.0)
            try values.bind(like.1)
            try values.bind(like.2.timeIntervalSinceReferenceDate)
        }
    }
}
