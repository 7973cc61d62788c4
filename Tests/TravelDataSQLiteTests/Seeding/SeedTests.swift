import Dispatch
import SQLiteStore
import Synchronization
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting
import TravelSamples

@testable import TravelDataSQLite

@Suite("Seeded databases", .limitedConcurrency)
struct SeedTests {
    @Test("the same seed gives the same rows in every table, and another seed different ones")
    func seedsAreDeterministic() async throws {
        func content(seed: UInt64) async throws -> [String] {
            let database = try await TravelDatabase.copied()
            try await database.seed(count: 100, seed: seed)
            return try await database.database.read { db in
                try Self.tables(db).flatMap { table in
                    try db.fetchAll("SELECT * FROM \(identifier: table)") { row in
                        try (0..<row.columnCount).map { "\(try row[$0] as SQLValue)" }.joined(separator: ",")
                    }.sorted()
                }
            }
        }
        let first = try await content(seed: 7)
        #expect(first.count > 100 * 3)
        #expect(try await content(seed: 7) == first)
        #expect(try await content(seed: 8) != first)
    }

    @Test("a seeded database has the trips of the generator in all their parts, with their likes")
    func trips() async throws {
        let database = try await TravelDatabase.copied()
        try await database.seed(count: 60, seed: 7)
        var source = try GeneratedTrips(seed: 7, forCount: 60)
        for generated in try source.next(60) {
            let found = try await database.trips.details(of: generated.trip.id, viewer: nil)
            #expect(try found.recorded == generated.trip)
            #expect(found.trip.likeCount == generated.likedBy.count)
        }
    }

    /// All tables except the migration history and the shadow tables of virtual tables.
    private static func tables(_ db: Connection) throws -> [String] {
        try db.fetchAll(
            String.self,
            """
            SELECT name FROM sqlite_schema
            WHERE type = 'table' AND name <> 'schema_migrations' AND sql NOT LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name
            """)
    }

    @Test(
        "progress reports every 1,000 trips, each index, and the commit",
        arguments: [(0, []), (30, [30]), (1_100, [1_000, 1_100])])
    func progress(count: Int, steps: [Int]) async throws {
        let database = try await TravelDatabase.copied()
        let seen = try await Self.progress(of: count, seed: 7, in: database)
        let number = SeedWriter.indexesMadeLater.count
        let indexes = count == 0 ? [] : (1...number).map { SeedProgress.indexing($0, of: number) }
        #expect(seen == steps.map { .writing(trips: $0) } + indexes + [.committing])
    }

    @Test("if most trips existed before, indexes are updated during writing, and progress does not report them")
    func progressWithoutIndexes() async throws {
        let database = try await TravelDatabase.copied()
        try await database.seed(count: 30, seed: 1)
        let seen = try await Self.progress(of: 30, seed: 2, in: database)
        #expect(seen == [.writing(trips: 30), .committing])
    }

    private static func progress(
        of count: Int, seed: UInt64, in database: TravelDatabase
    ) async throws -> [SeedProgress] {
        let seen = Mutex<[SeedProgress]>([])
        try await database.seed(count: count, seed: seed) { step in seen.withLock { $0.append(step) } }
        return seen.withLock { $0 }
    }

    @Test(
        "a cancelled seed changes nothing, and the database stays usable",
        arguments: [
            SeedProgress.writing(trips: 1_000), .indexing(1, of: SeedWriter.indexesMadeLater.count),
            .indexing(SeedWriter.indexesMadeLater.count, of: SeedWriter.indexesMadeLater.count), .committing,
        ])
    func cancellationLeavesNothing(last: SeedProgress) async throws {
        let database = try await TravelDatabase.copied()
        try await database.seed(count: 20, seed: 1)
        let before = try await Self.rows(in: database)
        // Waits until the task has been cancelled, so that it cannot proceed first.
        let (reached, reach) = AsyncStream.makeStream(of: Void.self)
        let isCancelled = DispatchSemaphore(value: 0)
        let task = Task {
            let count = if case .writing(let written) = last { written + 100 } else { 100 }
            try await database.seed(count: count, seed: 7) { step in
                guard step == last else { return }
                reach.yield()
                isCancelled.wait()
            }
        }
        for await _ in reached { break }
        task.cancel()
        isCancelled.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await Self.rows(in: database) == before)
        // Disabled triggers and indexes work again.
        try await database.trips.add([try TripBuilder(seed: 3).build()])
        #expect(try await Self.wrongCounts(in: database) == [0, 0, 0])
    }

    /// The number of rows in every table, and the names of triggers and indexes.
    private static func rows(in database: TravelDatabase) async throws -> [String] {
        try await database.database.read { db in
            let counts = try tables(db).map { table in
                "\(table): \(try db.fetchOne(Int.self, "SELECT count(*) FROM \(identifier: table)") ?? 0)"
            }
            return try counts
                + db.fetchAll(
                    String.self,
                    "SELECT ifnull(sql, name) FROM sqlite_schema WHERE type IN ('trigger', 'index') ORDER BY name")
        }
    }

    @Test("the nicknames of a seed's people differ from existing and later ones")
    func nicknamesAreUnique() async throws {
        let database = try await TravelDatabase.copied()
        let first = try GeneratedTrips(seed: 7, forCount: 50).users
        // One existing user has the nickname of a user who is still to be generated, in capitals if possible.
        let registered = try first.prefix(6).map { user in
            User(id: User.ID(), nickname: try Nickname(user.nickname.text.uppercased()))
        }
        for user in registered { try await database.trips.add(user) }
        // More seeds than names: some people get other numbers.
        for seed in UInt64(7)..<27 { try await database.seed(count: 50, seed: seed) }
        let users = try await database.database.read { db in
            try db.fetchAll("SELECT id, nickname FROM app_user") { row in (try row[0] as User.ID, try row[1] as String)
            }
        }
        // The existing ones, and 11 for each of 20 seeds.
        #expect(users.count == 226)
        let nicknames = Set(users.map { _, nickname in nickname.lowercased() })
        #expect(nicknames.count == users.count)
        for user in registered { #expect(try await database.trips.user(user.id) == user) }
        // From now on, these nicknames are taken.
        let taken = try #require(users.last)
        await #expect(throws: TravelError.conflict(.user(taken.0))) {
            try await database.trips.add(User(id: User.ID(), nickname: Nickname(taken.1)))
        }
    }

    @Test("using the same seed twice throws a conflict and changes nothing")
    func sameSeedTwice() async throws {
        let database = try await TravelDatabase.copied()
        try await database.seed(count: 100, seed: 7)
        await #expect {
            try await database.seed(count: 100, seed: 7)
        } throws: { error in
            if case TravelError.conflict? = error as? TravelError { true } else { false }
        }
        #expect(try await all(TripCriteria(), in: database.trips).count == 100)
    }

    @Test("stored counts match the rows, also if trips existed before")
    func countsAgree() async throws {
        let database = try await TravelDatabase.copied()
        try await database.trips.add([try TripBuilder(seed: 3).with { $0.title = "바다" }.build()])
        try await database.seed(count: 150, seed: 7)
        try await database.seed(count: 40, seed: 8)
        #expect(try await Self.wrongCounts(in: database) == [0, 0, 0])
        #expect(try await all(TripCriteria(), in: database.trips).count == 191)
    }

    /// The number of rows with a wrong count of likes, with a dangling reference, or with damage.
    private static func wrongCounts(in database: TravelDatabase) async throws -> [Int] {
        try await database.database.read { db in
            try db.fetchAll(
                Int.self,
                """
                SELECT count(*) FROM trip WHERE like_count <> (SELECT count(*) FROM liked WHERE trip = trip.key)
                UNION ALL
                SELECT count(*) FROM pragma_foreign_key_check
                UNION ALL
                SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'
                """)
        }
    }

    @Test(
        "every search strategy finds what the rules of the domain define, in a large database",
        arguments: [
            TripCriteria(keyword: Keyword("바다")), TripCriteria(keyword: Keyword("오징어")),
            TripCriteria(keyword: Keyword("%")), TripCriteria(keyword: Keyword("새벽 캠핑")),
            TripCriteria(keyword: Keyword("없는말")), TripCriteria(keyword: Keyword("tOUR"), regions: [.jeju]),
            TripCriteria(regions: [.busan], themes: [.food], companions: [.pets], transportation: .ownCar),
            TripCriteria(
                regions: [.busan, .jeju, .seoul], seasons: [.summer], period: .oneNight, headcount: .two,
                budget: .over100),
            TripCriteria(keyword: Keyword("산책"), themes: [.camping], seasons: [.winter, .spring], headcount: .one),
        ], TripSort.allCases)
    func searchesAgreeWithTheDomain(criteria: TripCriteria, sort: TripSort) async throws {
        var criteria = criteria
        criteria.sort = sort
        let database = try await Self.large.value
        let everything = try await Self.everything.value
        var expected: [TripMatch.Rank: [Trip]] = [:]
        for details in everything {
            guard let match = criteria.match(details.trip.content, timeline: details.timeline) else { continue }
            expected[match.rank, default: []].append(details.trip)
        }
        let found = try await all(criteria, in: database.trips)
        let sorted = TripMatch.Rank.allCases.flatMap { (expected[$0] ?? []).sorted(by: sort.precedes) }
        #expect(found.map(\.id) == sorted.map(\.id))
    }

    private static let large = Task {
        let database = try await TravelDatabase.copied()
        try await database.seed(count: 3_000, seed: 42)
        return database
    }

    private static let everything = Task {
        let trips = try await large.value.trips
        var everything: [TripDetails] = []
        for trip in try await all(TripCriteria(), in: trips) {
            everything.append(try await trips.details(of: trip.id, viewer: nil))
        }
        return everything
    }
}

private func all(_ criteria: TripCriteria, in trips: some TripRepository) async throws -> [Trip] {
    var all: [Trip] = []
    var cursor: TripCursor?
    repeat {
        let page = try await trips.search(TripQuery(criteria, viewer: nil, after: cursor, limit: 100))
        all += page.trips
        cursor = page.next
    } while cursor != nil
    return all
}
