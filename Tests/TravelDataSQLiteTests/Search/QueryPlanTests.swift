import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Testing
import TestConcurrency
@testable import TravelDataSQLite
import TravelDomain
import TravelDomainTesting

@Suite("Query plans of searches", .limitedConcurrency)
struct QueryPlanTests {
    /// Every combination of filters, including a keyword.
    static let choices = Array(0..<512)

    static func criteria(_ choice: Int, _ sort: TripSort) -> TripCriteria {
        func chosen(_ filter: Int) -> Bool { choice & 1 << filter != 0 }
        return TripCriteria(
            keyword: chosen(0) ? Keyword("바다") : nil, regions: chosen(1) ? [.busan, .jeju] : [],
            themes: chosen(2) ? [.food] : [], companions: chosen(3) ? [.pets, .friends] : [],
            seasons: chosen(4) ? [.summer] : [], period: chosen(5) ? .oneNight : nil, headcount: chosen(6) ? .two : nil,
            budget: chosen(7) ? .over100 : nil, transportation: chosen(8) ? .ownCar : nil, sort: sort)
    }

    @Test(
        "every combination of filters scans trips in the order of a covering index, on every page",
        arguments: TripSort.allCases)
    func walksFollowAnIndex(sort: TripSort) async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                for choice in Self.choices {
                    for cursor in [nil, try Self.cursor(sort)] {
                        let query = try TripQuery(Self.criteria(choice, sort), viewer: nil, after: cursor)
                        let search = TripSearch(query: query, viewer: try Viewer(nil, db), effort: SearchEffort())
                        let plan = try db.queryPlan(search.walk())
                        let index = Self.index(sort)
                        try plan.require(.index(index), .noTemporaryBTree, .noAutomaticIndex)
                        #expect(plan.steps.count == 1)
                        #expect(plan.steps.first?.contains("COVERING INDEX") == true)
                        #expect(cursor == nil || plan.steps.first?.hasPrefix("SEARCH trip") == true)
                    }
                }
            }
        }
    }

    static func index(_ sort: TripSort) -> String {
        switch sort {
        case .newest: "trip_newest"
        case .mostLiked: "trip_most_liked"
        case .tripDate: "trip_by_date"
        }
    }

    @Test("the trips of a season in the order of dates are one range of a covering index, on every page")
    func seasonsAreRanges() async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                for cursor in [nil, try Self.cursor(.tripDate)] {
                    let query = try TripQuery(TripCriteria(sort: .tripDate), viewer: nil, after: cursor)
                    let search = TripSearch(query: query, viewer: try Viewer(nil, db), effort: SearchEffort())
                    let plan = try db.queryPlan(search.walk(on: 19_000...19_090))
                    try plan.require(.index("trip_by_date"), .noTemporaryBTree, .noAutomaticIndex, .noFullScan)
                    #expect(plan.steps.count == 1)
                    // The walk ends with the season.
                    #expect(plan.steps.first?.contains("first_day>?") == true, "\(plan.steps)")
                }
            }
        }
    }

    @Test("matches are read by key, without a full scan", arguments: TripSort.allCases)
    func matchesAreReadByKey(sort: TripSort) async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                for choice in Self.choices {
                    let query = try TripQuery(Self.criteria(choice, sort), viewer: nil, after: Self.cursor(sort))
                    let search = TripSearch(query: query, viewer: try Viewer(nil, db), effort: SearchEffort())
                    try db.queryPlan(search.select([1])).require(.noAutomaticIndex, .noFullScan)
                }
            }
        }
    }

    @Test("the trips of a page are read by key for every viewer")
    func pagesAreReadByKey() async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                for viewer in [nil, User.ID(seed: 1)] {
                    let isOnPage: SQL = "trip.key IN (SELECT value FROM json_each('[1]'))"
                    try db.queryPlan(TripRecord.select(seenBy: viewer, where: isOnPage)).require(
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

    @Test("what searches compare of a timeline is read from a covering index, in order")
    func textsOfEntries() async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                let plan = try db.queryPlan(EntryRecord.selectTexts(of: 1))
                #expect(plan.steps == ["SEARCH entry USING COVERING INDEX entry_texts (trip=?)"])
            }
        }
    }

    @Test("thumbnails are read from covering indexes, in order")
    func thumbnailsComeFromIndexes() async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                let select = TripRecord.select(
                    seenBy: User.ID(seed: 1), where: "trip.key IN (SELECT value FROM json_each('[1]'))")
                try db.queryPlan(select).require(
                    .index("entry_image"), .index("image_thumbnail"), .noTemporaryBTree, .noAutomaticIndex)
                try db.queryPlan(ImageRecord.select(TripImage.ID(seed: 1))).require(.noFullScan)
            }
            let (root, opened) = try await database.write { db in
                // A removal searches the timelines for references, which query plans do not show.
                let root = try db.fetchOne(Int.self, "SELECT rootpage FROM sqlite_schema WHERE name = 'entry_image'")
                let opened = try db.fetchAll("EXPLAIN DELETE FROM image WHERE trip = 1 AND id = x'00'") { row in
                    (try row[1] as String, try row[3] as Int)
                }
                return (root, opened.filter { $0.0 == "OpenRead" }.map(\.1))
            }
            #expect(root.map(opened.contains) == true)
        }
    }

    static func cursor(_ sort: TripSort) throws -> TripCursor {
        let recorded = try TripBuilder(seed: 1).build()
        let trip = try Trip(
            id: recorded.id, author: recorded.author, content: recorded.content, createdAt: recorded.createdAt,
            likeCount: 3, isLiked: false, isMine: false)
        return TripCursor(after: trip, in: sort)
    }
}

@Suite("Query plans of searches by person", .limitedConcurrency)
struct PeoplePlanTests {
    /// Calls `body` with a search for each combination of filters, for a first and for a next page.
    private func withSearches(
        _ sort: TripSort, _ body: @escaping @Sendable (TripSearch, Connection) throws -> Void
    ) async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                for choice in stride(from: 0, to: QueryPlanTests.choices.count, by: 7) {
                    for cursor in [nil, try QueryPlanTests.cursor(sort)] {
                        let criteria = QueryPlanTests.criteria(choice, sort)
                        let query = try TripQuery(criteria, viewer: nil, after: cursor)
                        try body(
                            TripSearch(query: query, viewer: Viewer(nil, db), effort: SearchEffort()), db)
                    }
                }
            }
        }
    }

    @Test(
        "the trips of an author are one range of a covering index, in order, on every page",
        arguments: TripSort.allCases)
    func authors(sort: TripSort) async throws {
        let (index, rest) =
            switch sort {
            case .newest: ("trip_author_newest", "(created_at,id)<(?,?)")
            case .mostLiked: ("trip_author_most_liked", "(like_count,created_at,id)<(?,?,?)")
            case .tripDate: ("trip_author_by_date", "(first_day,created_at,id)<(?,?,?)")
            }
        try await withSearches(sort) { search, db in
            let plan = try db.queryPlan(search.walk(by: 1))
            try plan.require(.index(index), .noTemporaryBTree, .noAutomaticIndex, .noFullScan)
            let range = search.query.cursor == nil ? "(author=?)" : "(author=? AND \(rest))"
            #expect(plan.steps == ["SEARCH trip USING COVERING INDEX \(index) \(range)"])
        }
    }

    @Test("the newest trips that a person likes are one range of a covering index, on every page")
    func newestLikes() async throws {
        try await withSearches(.newest) { search, db in
            let plan = try db.queryPlan(search.likes(of: 1, from: 700_000_000))
            #expect(plan.steps == ["SEARCH liked USING COVERING INDEX liked_newest (app_user=? AND created_at<?)"])
        }
    }

    @Test("the newest likes of a person, some recorded at the same time, are in order on pages of every size")
    func newestLikesInOrder() async throws {
        let database = try await TravelDatabase.copied()
        let author = try User(seed: 99, nickname: "author")
        var trips = try (UInt64(1)...40).map { try TripBuilder(seed: $0, author: author).build() }
        for number in trips.indices where number % 4 > 0 {
            let trip = trips[number]
            trips[number] = try RecordedTrip(
                id: trip.id, author: author, createdAt: trips[number / 8 * 8].createdAt, content: trip.content,
                timeline: [])
        }
        try await database.trips.add(trips)
        for (number, trip) in trips.enumerated() where number % 7 > 0 {
            try await database.trips.setLiked(true, trip: trip.id, by: author.id)
        }
        let everything = try TripQuery(TripCriteria(), viewer: author.id, limit: 100)
        let liked = try await database.trips.search(everything).trips.filter(\.isLiked)
        let region = trips[1].content.region
        for regions in [[], [region], [region, .allCases[0], .allCases[5], .allCases[9]]] as [Set<Region>] {
            for limit in 1...9 {
                var (found, cursor): ([Trip], TripCursor?) = ([], nil)
                repeat {
                    let criteria = TripCriteria(regions: regions, likedBy: author.id)
                    let page = try await database.trips.search(
                        TripQuery(criteria, viewer: author.id, after: cursor, limit: limit))
                    #expect(page.trips.count == limit || page.next == nil)
                    found += page.trips
                    cursor = page.next
                } while cursor != nil
                #expect(found == liked.filter { regions.isEmpty || regions.contains($0.content.region) })
            }
        }
        await database.close()
    }

    @Test("pages are full, even if the viewer does not see most of the trips that come first", arguments: [1, 5, 40])
    func blockedAuthors(limit: Int) async throws {
        let database = try await TravelDatabase.copied(effort: SearchEffort(patience: 1, sorting: 0))
        let (viewer, jun, mina) = (
            try User(seed: 91, nickname: "viewer"), try User(seed: 92, nickname: "jun"),
            try User(seed: 93, nickname: "mina")
        )
        try await database.trips.add(viewer)
        try await database.trips.add(
            (UInt64(1)...230).map { number in
                try TripBuilder(seed: number, author: number > 200 ? mina : jun).with {
                    $0.region = .jeju
                    $0.createdAt = Date(timeIntervalSinceReferenceDate: -Double(number))
                }.build()
            })
        _ = try await database.trips.block(jun.id, by: viewer.id)
        for sort in TripSort.allCases {
            var (found, cursor): ([Trip], TripCursor?) = ([], nil)
            repeat {
                let page = try await database.trips.search(
                    TripQuery(
                        TripCriteria(regions: [.jeju], sort: sort), viewer: viewer.id, after: cursor, limit: limit))
                #expect(page.trips.count == limit || page.next == nil)
                found += page.trips
                cursor = page.next
            } while cursor != nil
            #expect(found.map(\.id) == (UInt64(201)...230).map { Trip.ID(seed: $0) })
        }
        await database.close()
    }

    @Test("both ways to sort the likes of a person have the same result", arguments: [0, 1, 1_000])
    func equalResults(sorting: Int) async throws {
        let database = try await TravelDatabase.copied(effort: SearchEffort(patience: 1, sorting: sorting))
        try await database.trips.add((UInt64(1)...30).map { try TripBuilder(seed: $0).build() })
        for seed in UInt64(1)...30 {
            for user in UInt64(1)...(seed % 7 + 1) where seed % 3 > 0 || user > 1 {
                try await database.trips.setLiked(true, trip: Trip.ID(seed: seed), by: User.ID(seed: user))
            }
        }
        let all = try await database.trips.search(
            TripQuery(TripCriteria(sort: .mostLiked), viewer: User.ID(seed: 1), limit: 100))
        var (found, cursor): ([Trip], TripCursor?) = ([], nil)
        repeat {
            let criteria = TripCriteria(likedBy: User.ID(seed: 1), sort: .mostLiked)
            let page = try await database.trips.search(
                TripQuery(criteria, viewer: User.ID(seed: 1), after: cursor, limit: 7))
            found += page.trips
            cursor = page.next
        } while cursor != nil
        #expect(found == all.trips.filter(\.isLiked))
        #expect(found.count == 20)
        await database.close()
    }
}
