import SQLiteStore
import Synchronization
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Seeded databases", .timeLimit(.minutes(5)))
struct SeedTests {
    @Test("the same seed gives the same database, another seed another")
    func seedsAreDeterministic() async throws {
        func content(seed: UInt64) async throws -> [Travel] {
            let database = try await TravelDatabase.temporary()
            try await database.seed(count: 300, seed: seed)
            return try await all(TravelCriteria(), in: database.travels)
        }
        let first = try await content(seed: 7)
        #expect(first.count == 300)
        #expect(try await content(seed: 7) == first)
        #expect(try await content(seed: 8) != first)
    }

    @Test(
        "progress goes up to the number asked for", arguments: [(0, []), (999, [999]), (2_500, [1_000, 2_000, 2_500])])
    func progress(count: Int, steps: [Int]) async throws {
        let seen = Mutex<[Int]>([])
        let database = try await TravelDatabase.temporary()
        try await database.seed(count: count, seed: 7) { step in seen.withLock { $0.append(step) } }
        #expect(seen.withLock { $0 } == steps)
    }

    @Test("cancelled on its way, it leaves nothing behind")
    func cancellationLeavesNothing() async throws {
        let database = try await TravelDatabase.temporary()
        let task = Task {
            try await database.seed(count: 100_000, seed: 7) { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let rows = try await database.database.read { db in
            try db.fetchOne(
                Int.self,
                """
                SELECT (SELECT count(*) FROM travel) + (SELECT count(*) FROM person) + (SELECT count(*) FROM liked)
                    + (SELECT count(*) FROM entry) + (SELECT count(*) FROM travel_bitmap) + (SELECT count(*) FROM title)
                """)
        }
        #expect(rows == 0)
    }

    @Test("the same seed twice is a conflict and changes nothing")
    func sameSeedTwice() async throws {
        let database = try await TravelDatabase.temporary()
        try await database.seed(count: 100, seed: 7)
        await #expect {
            try await database.seed(count: 100, seed: 7)
        } throws: { error in
            if case TravelError.conflict? = error as? TravelError { true } else { false }
        }
        #expect(try await all(TravelCriteria(), in: database.travels).count == 100)
    }

    @Test("stored counts are those of the rows they count")
    func countsAgree() async throws {
        let database = try await TravelDatabase.temporary()
        try await database.seed(count: 2_000, seed: 7)
        let wrong = try await database.database.read { db in
            try db.fetchAll(
                Int.self,
                """
                SELECT count(*) FROM travel WHERE like_count <> (SELECT count(*) FROM liked WHERE travel = travel.key)
                UNION ALL
                SELECT count(*) FROM title
                WHERE travels <> (SELECT count(*) FROM travel WHERE travel.title = title.key)
                UNION ALL
                SELECT count(*) FROM pragma_foreign_key_check
                """)
        }
        #expect(wrong == [0, 0, 0])
    }

    @Test(
        "in a large database every search, by whichever way, finds what the domain's rule finds",
        arguments: [
            TravelCriteria(keyword: Keyword("바다")), TravelCriteria(keyword: Keyword("오징어")),
            TravelCriteria(keyword: Keyword("%")), TravelCriteria(keyword: Keyword("새벽 캠핑")),
            TravelCriteria(keyword: Keyword("없는말")), TravelCriteria(keyword: Keyword("tOUR"), regions: [.jeju]),
            TravelCriteria(regions: [.busan], themes: [.food], companions: [.pets], transportation: .ownCar),
            TravelCriteria(
                regions: [.busan, .jeju, .seoul], seasons: [.summer], period: .oneNight, headcount: .two,
                budget: .over100),
            TravelCriteria(keyword: Keyword("산책"), themes: [.camping], seasons: [.winter, .spring], headcount: .one),
        ], TravelSort.allCases)
    func searchesAgreeWithTheDomain(criteria: TravelCriteria, sort: TravelSort) async throws {
        var criteria = criteria
        criteria.sort = sort
        let database = try await Self.large.value
        let everything = try await Self.everything.value
        let expected = everything.filter { criteria.matches($0.content) }.sorted(by: sort.precedes)
        let found = try await all(criteria, in: database.travels)
        #expect(found.map(\.id) == expected.map(\.id))
    }

    private static let large = Task {
        let database = try await TravelDatabase.temporary()
        try await database.seed(count: 12_000, seed: 42)
        return database
    }

    private static let everything = Task { try await all(TravelCriteria(), in: large.value.travels) }
}

private func all(_ criteria: TravelCriteria, in travels: some TravelRepository) async throws -> [Travel] {
    var all: [Travel] = []
    var cursor: TravelCursor?
    repeat {
        let page = try await travels.search(TravelQuery(criteria, viewer: nil, after: cursor, limit: 100))
        all += page.travels
        cursor = page.next
    } while cursor != nil
    return all
}
