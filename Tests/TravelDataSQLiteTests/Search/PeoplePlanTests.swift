import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Query plans of searches by person", .takesTurns)
struct PeoplePlanTests {
    /// Calls `body` with a search for each combination of filters, for a first and for a next page.
    private func withSearches(
        _ sort: TravelSort, _ body: @escaping @Sendable (TravelSearch, Connection) throws -> Void
    ) async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                for choice in stride(from: 0, to: QueryPlanTests.choices.count, by: 7) {
                    for cursor in [nil, try QueryPlanTests.cursor(sort)] {
                        let criteria = QueryPlanTests.criteria(choice, sort)
                        let query = try TravelQuery(criteria, viewer: nil, after: cursor)
                        try body(
                            TravelSearch(query, seenBy: Viewer(nil, db), effort: SearchEffort()), db)
                    }
                }
            }
        }
    }

    @Test(
        "the travels of an author are one range of a covering index, in order, on every page",
        arguments: TravelSort.allCases)
    func authors(sort: TravelSort) async throws {
        let index = sort == .newest ? "travel_author_newest" : "travel_author_most_liked"
        let rest = sort == .newest ? "(created_at,id)<(?,?)" : "(like_count,created_at,id)<(?,?,?)"
        try await withSearches(sort) { search, db in
            let plan = try db.queryPlan(search.walk(.author(1)))
            try plan.require(.index(index), .noTemporaryBTree, .noAutomaticIndex, .noFullScan)
            let range = search.query.cursor == nil ? "(author=?)" : "(author=? AND \(rest))"
            #expect(plan.steps == ["SEARCH travel USING COVERING INDEX \(index) \(range)"])
        }
    }

    @Test("the newest travels that a person likes are one range of a covering index, on every page")
    func newestLikes() async throws {
        try await withSearches(.newest) { search, db in
            let plan = try db.queryPlan(search.walk(.likes(1)))
            try plan.require(.noAutomaticIndex, .noFullScan)
            let range = search.query.cursor == nil ? "(person=?)" : "(person=? AND created_at<?)"
            #expect(
                plan.steps.prefix(2) == [
                    "SEARCH liked USING COVERING INDEX liked_newest \(range)",
                    "SEARCH travel USING INTEGER PRIMARY KEY (rowid=?)",
                ])
            // Only travels that were recorded at the same time are sorted.
            let sorts = plan.steps.dropFirst(2)
            #expect(sorts.allSatisfy { $0.contains("RIGHT PART OF ORDER BY") || $0.contains("LAST TERM OF ORDER BY") })
            #expect(sorts.count == 1)
        }
    }

    @Test("both ways to sort the likes of a person have the same result", arguments: [0, 1, 1_000])
    func equalResults(sorting: Int) async throws {
        let database = try await TravelDatabase.copied(effort: SearchEffort(patience: 1, sorting: sorting))
        try await database.travels.add((UInt64(1)...30).map { try TravelBuilder(seed: $0).build() })
        for seed in UInt64(1)...30 {
            for person in UInt64(1)...(seed % 7 + 1) where seed % 3 > 0 || person > 1 {
                try await database.travels.setLiked(true, travel: Travel.ID(seed: seed), by: User.ID(seed: person))
            }
        }
        let all = try await database.travels.search(
            TravelQuery(TravelCriteria(sort: .mostLiked), viewer: User.ID(seed: 1), limit: 100))
        var (found, cursor): ([Travel], TravelCursor?) = ([], nil)
        repeat {
            let criteria = TravelCriteria(likedBy: User.ID(seed: 1), sort: .mostLiked)
            let page = try await database.travels.search(
                TravelQuery(criteria, viewer: User.ID(seed: 1), after: cursor, limit: 7))
            found += page.travels
            cursor = page.next
        } while cursor != nil
        #expect(found == all.travels.filter(\.isLiked))
        #expect(found.count == 20)
        await database.close()
    }
}
