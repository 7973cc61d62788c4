import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Query plans of searches", .takesTurns)
struct QueryPlanTests {
    /// Every combination of filters, including a keyword.
    static let choices = Array(0..<512)

    static func criteria(_ choice: Int, _ sort: TravelSort) -> TravelCriteria {
        func chosen(_ filter: Int) -> Bool { choice & 1 << filter != 0 }
        return TravelCriteria(
            keyword: chosen(0) ? Keyword("바다") : nil, regions: chosen(1) ? [.busan, .jeju] : [],
            themes: chosen(2) ? [.food] : [], companions: chosen(3) ? [.pets, .friends] : [],
            seasons: chosen(4) ? [.summer] : [], period: chosen(5) ? .oneNight : nil, headcount: chosen(6) ? .two : nil,
            budget: chosen(7) ? .over100 : nil, transportation: chosen(8) ? .ownCar : nil, sort: sort)
    }

    @Test(
        "every combination of filters scans travels in the order of a covering index, on every page",
        arguments: TravelSort.allCases)
    func walksFollowAnIndex(sort: TravelSort) async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                for choice in Self.choices {
                    for cursor in [nil, try Self.cursor(sort)] {
                        let query = try TravelQuery(Self.criteria(choice, sort), viewer: nil, after: cursor)
                        let search = TravelSearch(query: query, viewer: try Viewer(nil, db), effort: SearchEffort())
                        let plan = try db.queryPlan(search.walk())
                        let index = Self.index(sort)
                        try plan.require(.index(index), .noTemporaryBTree, .noAutomaticIndex)
                        #expect(plan.steps.count == 1)
                        #expect(plan.steps.first?.contains("COVERING INDEX") == true)
                        #expect(cursor == nil || plan.steps.first?.hasPrefix("SEARCH travel") == true)
                    }
                }
            }
        }
    }

    static func index(_ sort: TravelSort) -> String {
        switch sort {
        case .newest: "travel_newest"
        case .mostLiked: "travel_most_liked"
        case .tripDate: "travel_by_date"
        }
    }

    @Test("the travels of a season in the order of dates are one range of a covering index, on every page")
    func seasonsAreRanges() async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                for cursor in [nil, try Self.cursor(.tripDate)] {
                    let query = try TravelQuery(TravelCriteria(sort: .tripDate), viewer: nil, after: cursor)
                    let search = TravelSearch(query: query, viewer: try Viewer(nil, db), effort: SearchEffort())
                    let plan = try db.queryPlan(search.walk(on: 19_000...19_090))
                    try plan.require(.index("travel_by_date"), .noTemporaryBTree, .noAutomaticIndex, .noFullScan)
                    #expect(plan.steps.count == 1)
                    // The walk ends with the season.
                    #expect(plan.steps.first?.contains("first_day>?") == true, "\(plan.steps)")
                }
            }
        }
    }

    @Test("matches are read by key, without a full scan", arguments: TravelSort.allCases)
    func matchesAreReadByKey(sort: TravelSort) async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                for choice in Self.choices {
                    let query = try TravelQuery(Self.criteria(choice, sort), viewer: nil, after: Self.cursor(sort))
                    let search = TravelSearch(query: query, viewer: try Viewer(nil, db), effort: SearchEffort())
                    try db.queryPlan(search.select([1])).require(.noAutomaticIndex, .noFullScan)
                }
            }
        }
    }

    @Test("the travels of a page are read by key for every viewer")
    func pagesAreReadByKey() async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                for viewer in [nil, User.ID(seed: 1)] {
                    let isOnPage: SQL = "travel.key IN (SELECT value FROM json_each('[1]'))"
                    try db.queryPlan(TravelRecord.select(seenBy: viewer, where: isOnPage)).require(
                        .noFullScan, .noAutomaticIndex)
                }
            }
        }
    }

    @Test("a timeline is read in primary key order")
    func timelinesAreReadInOrder() async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                try db.queryPlan(EntryRecord.select(of: 1)).require(.noFullScan, .noTemporaryBTree)
                try db.queryPlan(EntryRecord.select(of: 1, day: 2)).require(.noFullScan, .noTemporaryBTree)
            }
        }
    }

    @Test("thumbnails are read from covering indexes, in order")
    func thumbnailsComeFromIndexes() async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                let select = TravelRecord.select(
                    seenBy: User.ID(seed: 1), where: "travel.key IN (SELECT value FROM json_each('[1]'))")
                try db.queryPlan(select).require(
                    .index("entry_image"), .index("image_thumbnail"), .noTemporaryBTree, .noAutomaticIndex)
                try db.queryPlan(ImageRecord.select(TravelImage.ID(seed: 1))).require(.noFullScan)
            }
            let (root, opened) = try await database.write { db in
                // A removal searches the timelines for references, which query plans do not show.
                let root = try db.fetchOne(Int.self, "SELECT rootpage FROM sqlite_schema WHERE name = 'entry_image'")
                let opened = try db.fetchAll("EXPLAIN DELETE FROM image WHERE travel = 1 AND id = x'00'") { row in
                    (try row[1] as String, try row[3] as Int)
                }
                return (root, opened.filter { $0.0 == "OpenRead" }.map(\.1))
            }
            #expect(root.map(opened.contains) == true)
        }
    }

    static func cursor(_ sort: TravelSort) throws -> TravelCursor {
        let recorded = try TravelBuilder(seed: 1).build()
        let travel = try Travel(
            id: recorded.id, author: recorded.author, content: recorded.content, createdAt: recorded.createdAt,
            likeCount: 3, isLiked: false, isMine: false)
        return TravelCursor(after: travel, in: sort)
    }
}
