#if PostgreSQL
import Foundation
import PostgreSQLStoreTesting
import TestConcurrency
import Testing
import TravelDataShared
import TravelDomain
import TravelDomainTesting

@testable import TravelDataPostgreSQL

@Suite(
    "Searches on PostgreSQL",
    .enabled(
        if: PostgreSQLServer.isAvailable,
        "no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL"), .limitedConcurrency
)
struct PostgreSQLSearchTests {
    /// Efforts with which few trips need every way of searching.
    private static let efforts: [(name: String, effort: SearchEffort)] = [
        ("the terms of the keyword", SearchEffort(recentCount: 2, recentEntryCount: 2)),
        (
            "the cells of the filters",
            SearchEffort(
                recentCount: 2, recentEntryCount: 2, sortedCount: 0, filteredCount: 0, entryCount: 0, cellCount: .max,
                cellSize: .max, cellEffort: .max)
        ),
        (
            "the order",
            SearchEffort(
                recentCount: 2, recentEntryCount: 2, sortedCount: 0, filteredCount: 0, entryCount: 0, cellCount: 0)
        ),
        ("the next trips of the order", SearchEffort()),
    ]

    @Test("pages are the same whichever way a search goes", arguments: 0..<2 as Range<UInt64>)
    func everyWayIsCorrect(seed: UInt64) async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location)
            var samples = TripGenerator(seed: seed)
            let users = [try samples.user(), try samples.user(), try samples.user()]
            let recorded = try samples.trips(120, by: users)
            try await database.trips.add(recorded)
            for (number, trip) in recorded.enumerated() where number % 3 == 0 {
                for user in users.prefix(1 + number % 2) {
                    try await database.trips.setLiked(true, trip: trip.id, by: user.id)
                }
            }
            try await database.trips.block(users[0].id, by: users[1].id)
            for round in 0..<24 {
                // From then on, the server knows which terms are common.
                if round == 12 { try await database.trips.database.write { try $0.execute("ANALYZE trip, entry") } }
                var criteria = samples.criteria()
                criteria.sort = TripSort.allCases[round % 3]
                if round % 3 == 0 {
                    criteria.keyword = Keyword(String(recorded[round].content.title.text.prefix(2)))
                }
                if round % 8 == 7 { criteria.likedBy = users[0].id }
                if round % 8 == 5 { criteria.author = users[1].id }
                let viewer = round % 4 == 3 ? users[1].id : nil
                let everything = try await all(
                    TripCriteria(author: criteria.author, likedBy: criteria.likedBy, sort: criteria.sort), viewer,
                    in: database.trips)
                var ranks: [TripMatch.Rank: [Trip]] = [:]
                for trip in everything {
                    let timeline = recorded.first { $0.id == trip.id }?.timeline ?? []
                    guard let match = criteria.match(trip.content, timeline: timeline) else { continue }
                    ranks[match.rank, default: []].append(trip)
                }
                let expected = TripMatch.Rank.allCases.flatMap { ranks[$0] ?? [] }
                for (name, effort) in Self.efforts {
                    let trips = PostgreSQLTripRepository(database.trips.database, effort: effort)
                    let found = try await all(criteria, viewer, in: trips)
                    #expect(found == expected, "in \(name): \(criteria)")
                }
            }
            await database.close()
        }
    }

    private func all(
        _ criteria: TripCriteria, _ viewer: User.ID?, in trips: PostgreSQLTripRepository
    ) async throws -> [Trip] {
        var all: [Trip] = []
        var cursor: TripCursor?
        repeat {
            let query = try TripQuery(criteria, viewer: viewer, after: cursor, limit: 7)
            let page = try await trips.search(query)
            all += page.trips
            cursor = page.next
        } while cursor != nil
        return all
    }

    @Test(
        "a title has the terms and the signature of every keyword that it contains, and the term of what opens it")
    func termsOfKeywords() throws {
        var samples = TripGenerator(seed: 3)
        for _ in 0..<200 {
            let title = try samples.title()
            let text = Array(title.text)
            let terms = Set(TripTerms.of(title))
            for (start, length) in [(0, 1), (0, 2), (text.count / 2, 2), (text.count / 3, 4), (0, text.count)] {
                guard let keyword = Keyword(String(text[start..<min(start + length, text.count)])) else { continue }
                if keyword.matches(title) {
                    #expect(
                        terms.isSuperset(of: TripTerms.grams(of: keyword)), "\(keyword.text) in \(title.text)")
                    let signature = TripTerms.signature(of: keyword)
                    #expect(TripTerms.signature(of: title) & signature == signature)
                }
                if keyword.opens(title) { #expect(terms.isSuperset(of: TripTerms.opening(by: keyword))) }
            }
        }
    }

    @Test("a search knows which terms are common from the server's statistics, and asks for missing ones again")
    func commonTerms() async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location)
            try await database.trips.add(
                (UInt64(1)...100).map { seed in try TripBuilder(seed: seed).with { $0.title = "바다" }.build() })
            let (sea, walk) = (try #require(Keyword("바다")), try #require(Keyword("산책")))
            let terms = TripTerms.grams(of: sea) + TripTerms.grams(of: walk)
            let known = CommonTerms.ofTitles()
            let first = try await database.trips.database.read { (db) throws in try known.rare(among: terms, db) }
            #expect(first == terms)
            try await database.trips.database.write { try $0.execute("ANALYZE trip") }
            let later = try await database.trips.database.read { (db) throws in
                try (0...50).map { _ in try known.rare(among: terms, db) }
            }
            #expect(later.dropLast().allSatisfy { $0 == terms })
            #expect(later.last == TripTerms.grams(of: walk))
            for keyword in [sea, walk] {
                let found = try await all(TripCriteria(keyword: keyword), nil, in: database.trips)
                #expect(found.count == (keyword == sea ? 100 : 0))
            }
            await database.close()
        }
    }

    @Test("the common terms of entries are those that one of 250 entries has, and searches by any of them are complete")
    func commonTermsOfEntries() async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location)
            try await database.trips.add(
                (UInt64(0)..<300).map { seed in
                    try TripBuilder(seed: seed + 1).with {
                        let title = seed == 7 ? "오징어" : seed % 2 == 0 ? "식당" : "점심"
                        $0.timeline =
                            [try TimelineEntry(seed: seed * 2, title: title)]
                            + (seed % 3 > 0 ? [] : [try TimelineEntry(seed: seed * 2 + 1, title: "산책")])
                    }.build()
                })
            try await database.trips.database.write { try $0.execute("ANALYZE entry") }
            let (lunch, squid) = (try #require(Keyword("점심")), try #require(Keyword("오징어")))
            let terms = TripTerms.grams(ofEntriesBy: lunch)
            let (common, rare) = try await database.trips.database.read { (db) throws in
                let known = CommonTerms.ofEntries()
                return (
                    try known.rare(among: terms, db),
                    try known.rare(among: TripTerms.grams(ofEntriesBy: squid), db)
                )
            }
            #expect(common == [] && rare == TripTerms.grams(ofEntriesBy: squid))
            for (word, count) in [("식당", 150), ("점심", 149), ("오징어", 1), ("산책", 100), ("당식", 0)] {
                let found = try await all(TripCriteria(keyword: Keyword(word)), nil, in: database.trips)
                #expect(found.count == count, "\(word)")
            }
            await database.close()
        }
    }

    @Test("a page of a rare keyword is full, even if the viewer does not see most of the newest trips with it")
    func hiddenTrips() async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location)
            let (viewer, jun, mina) = (
                try User(seed: 91, nickname: "viewer"), try User(seed: 92, nickname: "jun"),
                try User(seed: 93, nickname: "mina")
            )
            try await database.trips.add(viewer)
            try await database.trips.add(
                (UInt64(1)...60).map { number in
                    try TripBuilder(seed: number, author: number > 40 ? mina : jun).with {
                        $0.title = "바다"
                        $0.createdAt = Date(timeIntervalSinceReferenceDate: -Double(number))
                    }.build()
                })
            _ = try await database.trips.block(jun.id, by: viewer.id)
            for sort in TripSort.allCases {
                let criteria = TripCriteria(keyword: Keyword("바다"), sort: sort)
                let found = try await all(criteria, viewer.id, in: database.trips)
                #expect(found.map(\.id) == (UInt64(41)...60).map { Trip.ID(seed: $0) })
            }
            await database.close()
        }
    }

    @Test("the cells of a filter are those of the trips that meet its filters of one value")
    func cellsOfFilters() throws {
        var samples = TripGenerator(seed: 5)
        let contents = try (0..<100).map { _ in try samples.content() }
        for _ in 0..<50 {
            let all = samples.criteria()
            let criteria = TripCriteria(
                regions: all.regions, seasons: all.seasons, period: all.period, headcount: all.headcount,
                budget: all.budget, transportation: all.transportation)
            let ranges = try #require(TraitCell.ranges(meeting: TraitFilter(criteria), atMost: .max))
            let cells = Set(ranges.joined())
            #expect(Array(ranges.joined()) == cells.sorted())
            for content in contents {
                let cell = TraitCell.number(of: TraitLayout.traits(of: content))
                #expect(cells.contains(cell) == criteria.matches(content))
            }
        }
        #expect(TraitCell.ranges(meeting: TraitFilter(TripCriteria()), atMost: 0) == [0...38_879])
        let car = TripCriteria(transportation: .ownCar)
        #expect(TraitCell.ranges(meeting: TraitFilter(car), atMost: 12_959) == nil)
        #expect(TraitCell.ranges(meeting: TraitFilter(car), atMost: 12_960)?.count == 12_960)
    }

    @Test("loaded trips are those that were added one by one")
    func loading() async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location)
            var samples = TripGenerator(seed: 11)
            let users = [try samples.user(), try samples.user()]
            for user in users { try await database.trips.add(user) }
            let trips = try (0..<30).map { _ in
                let trip = try samples.trip(by: users)
                return try RecordedTrip(
                    author: trip.author, createdAt: trip.createdAt, content: trip.content,
                    timeline: trip.timeline.map { entry in
                        try TimelineEntry(
                            day: entry.day, time: entry.time, title: entry.title, text: entry.text,
                            place: entry.place)
                    })
            }
            try await database.trips.database.writeTrips { db in
                try TripRecord.load(trips, likedBy: trips.map { _ in [users[0].id] }, db)
            }
            for trip in trips {
                let found = try await database.trips.trip(trip.id, viewer: users[0].id)
                #expect(found.content == trip.content)
                #expect(found.likeCount == 1)
                #expect(found.isLiked)
                #expect(
                    try await Set(database.trips.timeline(of: trip.id, viewer: nil)) == Set(trip.timeline))
                let criteria = TripCriteria(keyword: Keyword(trip.content.title.text), likedBy: users[0].id)
                let page = try await database.trips.search(TripQuery(criteria, viewer: nil))
                #expect(page.trips.contains { $0.id == trip.id })
            }
            await #expect(throws: TravelError.conflict(.trip(trips[0].id))) {
                try await database.trips.database.writeTrips { db in
                    try TripRecord.load(trips, likedBy: trips.map { _ in [] }, db)
                }
            }
            await database.close()
        }
    }

    @Test("a seeded database has the generated trips, searches find them, and it is seeded once")
    func seeding() async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location)
            try await database.seed(count: 60, seed: 7)
            let indexes = try await database.trips.database.read { (db) throws in
                try db.fetchAll(
                    String.self,
                    "SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1")
            }
            #expect(indexes.contains("trip_terms"))
            #expect(indexes.contains("rank_cell"))
            let trips = try await all(TripCriteria(), nil, in: database.trips)
            #expect(trips.count == 60)
            let liked = try await all(TripCriteria(likedBy: trips[0].author.id), nil, in: database.trips)
            #expect(Set(liked.map(\.id)).isSubset(of: trips.map(\.id)))
            let word = try #require(Keyword(String(trips[0].title.text.suffix(2))))
            let found = try await all(TripCriteria(keyword: word), nil, in: database.trips)
            #expect(found == trips.filter { word.matches($0.title) })
            await #expect(throws: TravelError.self) { try await database.seed(count: 60, seed: 7) }
            #expect(try await all(TripCriteria(), nil, in: database.trips).count == 60)
            await database.close()
        }
    }
}
#endif
