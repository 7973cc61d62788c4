import SQLiteStore
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting
import TravelSamples

@testable import TravelDataSQLite

@Suite("The sets of trips", .limitedConcurrency)
struct TripSetsTests {
    @Test(
        "every trip is in the sets of its traits and audience, no others, and in those of its title and entries, after changes",
        arguments: 0..<2 as Range<UInt64>)
    func setsAgreeWithTheTrips(seed: UInt64) async throws {
        let world = try await World(seed: seed)
        for _ in 0..<8 {
            try await world.change()
            try await world.database.database.read { db in
                let expected = try db.fetchAll("SELECT key, traits, title, author, audience FROM trip") { row in
                    let timeline = try db.fetchAll(EntryRecord.self, EntryRecord.select(of: try row[0])).map(\.entry)
                    let sets =
                        TripSets.of(traits: try row[1], title: try Title(row[2] as String)) + TripSets.of(timeline)
                    let audience = TripSets.of(try Audience(text: row[4] as String), by: try row[3])
                    return (
                        key: try row[0] as Int64, sets: Set(sets + [audience]),
                        traits: Set(TripSets.of(traits: try row[1])), audience: audience
                    )
                }
                let keys = try db.fetchAll(Int64.self, "SELECT key FROM row_set")
                var found: [Int64: Set<Int64>] = [:]
                for key in keys {
                    let (block, set) = (key >> 43, key & (1 << 43 - 1))
                    for row in try RowSets.rows(in: block, ofEach: [[set]], db).rows {
                        found[row, default: []].insert(set)
                    }
                }
                // Removed trips may still be in sets.
                for trip in expected {
                    let found = found[trip.key] ?? []
                    #expect(found.isSuperset(of: trip.sets))
                    #expect(found.filter { $0 < TripSets.long } == trip.traits)
                    #expect(found.filter { $0 == TripSets.everyone || $0 >> 40 == 1 } == [trip.audience])
                }
            }
        }
    }

    @Test(
        "searches are correct after every change, whether trips are walked or sorted",
        arguments: 0..<2 as Range<UInt64>,
        [SearchEffort(patience: 1, sorting: 0), SearchEffort(patience: 1, sorting: 1_000_000)])
    func searchesFollowChanges(seed: UInt64, effort: SearchEffort) async throws {
        let world = try await World(seed: seed, effort: effort)
        var samples = TripGenerator(seed: seed)
        for round in 0..<8 {
            try await world.change()
            let sort = TripSort.allCases[round % 3]
            let everything = try await all(TripCriteria(sort: sort), in: world.database.trips)
            for _ in 0..<5 {
                var criteria = samples.criteria()
                criteria.sort = sort
                var expected: [TripMatch.Rank: [Trip]] = [:]
                for trip in everything {
                    let timeline = try await world.database.trips.timeline(of: trip.id, viewer: nil)
                    guard let match = criteria.match(trip.content, timeline: timeline) else { continue }
                    expected[match.rank, default: []].append(trip)
                }
                let inOrder = TripMatch.Rank.allCases.flatMap { expected[$0] ?? [] }
                #expect(try await all(criteria, in: world.database.trips, limit: 7) == inOrder)
            }
        }
    }

    @Test(
        "a search reads public trips and those of the viewer, and passes over the others, when audiences change as well"
    )
    func othersAreNoMatches() async throws {
        let database = try await TravelDatabase.copied()
        let authors = try [User(seed: 91, nickname: "jun"), User(seed: 92, nickname: "mina")]
        let trips = try (UInt64(1)...40).map { seed in
            try TripBuilder(seed: seed, author: authors[Int(seed % 2)]).with {
                $0.title = "바다 \(seed)"
                $0.audience = seed % 10 == 0 ? .everyone : seed % 3 == 0 ? .byLink(LinkKey()) : .onlyMe
            }.build()
        }
        try await database.trips.add(trips)
        try await database.trips.update(trips[0].id, by: trips[0].author.id) { trip throws(TravelError) in
            try trip.with(.everyone)
        }
        try await database.trips.update(trips[9].id, by: trips[9].author.id) { trip throws(TravelError) in
            try trip.with(.onlyMe)
        }
        for viewer in [nil, authors[0].id, authors[1].id] {
            for criteria in [TripCriteria(), TripCriteria(keyword: Keyword("바다"))] {
                let found = try await database.database.read { db in
                    var matches = try Matches(criteria, by: .title, likedBy: nil, for: Viewer(viewer, db), db)
                    return try db.fetchAll("SELECT key, id FROM trip ORDER BY key") { row in
                        (key: try row[0] as Int64, id: try row[1] as Trip.ID)
                    }.filter { try matches.contains($0.key, db) }.map(\.id)
                }
                let expected = trips.enumerated().filter { index, trip in
                    [0, 19, 29, 39].contains(index) || trip.author.id == viewer
                }.map(\.element.id)
                #expect(found == expected)
            }
        }
        await database.close()
    }

    @Test("a row ID is not used again, so that removed trips cannot come back")
    func rowsAreNotReused() async throws {
        let database = try await TravelDatabase.copied()
        for seed in [1, 2] as [UInt64] {
            let trip = try TripBuilder(seed: seed).with { $0.title = seed == 1 ? "바다" : "산" }.build()
            try await database.trips.add([trip])
            let found = try await all(TripCriteria(keyword: Keyword("바다")), in: database.trips)
            #expect(found.map(\.id) == (seed == 1 ? [trip.id] : []))
            try await database.trips.update(trip.id, by: trip.author.id) { _ in nil }
        }
        await database.close()
    }

    /// A database in which trips are added, changed, liked and removed.
    private final class World {
        let database: TravelDatabase
        private var samples: TripGenerator
        private var random: SplitMix64
        private let users: [User]

        init(seed: UInt64, effort: SearchEffort = SearchEffort()) async throws {
            database = try await TravelDatabase.copied(effort: effort)
            samples = TripGenerator(seed: seed)
            random = SplitMix64(state: seed)
            users = [try samples.user(), try samples.user(), try samples.user()]
            try await database.trips.add(samples.trips(40, by: users))
        }

        /// Starts new trips in a later block, as if there were many more.
        private func leaveBlocksOut() async throws {
            let distance = RowBlock.size * (1 + random.index(below: 3))
            try await database.database.write { db in
                try db.execute("UPDATE sqlite_sequence SET seq = seq + \(distance) WHERE name = 'trip'")
            }
            try await database.trips.add(samples.trips(1, by: users))
        }

        /// Applies a change.
        func change() async throws {
            let trips = database.trips
            let there = try await all(TripCriteria(), in: trips)
            let trip = random.pick(there)
            switch random.index(below: 6) {
            case 5: try await leaveBlocksOut()
            case 0: try await trips.add(samples.trips(1 + random.index(below: 30), by: users))
            case 1:
                var content = try samples.content()
                content.audience = samples.audience()
                var timeline: [TimelineEntry] = []
                for _ in 0..<random.index(below: 3) { timeline.append(try samples.entry()) }
                let entries = timeline
                let changed = content
                try await trips.update(trip.id, by: trip.author.id, adding: []) { recorded throws(TravelError) in
                    try RecordedTrip(
                        id: recorded.id, author: recorded.author, createdAt: recorded.createdAt, content: changed,
                        timeline: entries)
                }
            case 2:
                // Also the newest one.
                try await trips.update(there[0].id, by: there[0].author.id, adding: []) { _ in nil }
                try await trips.add(samples.trips(1, by: users))
            default:
                for trip in there.prefix(20) {
                    try await trips.setLiked(
                        random.index(below: 2) == 0, trip: trip.id, by: random.pick(users).id)
                }
            }
        }
    }
}

private func all(_ criteria: TripCriteria, in trips: some TripRepository, limit: Int = 100) async throws
    -> [Trip]
{
    var all: [Trip] = []
    var cursor: TripCursor?
    repeat {
        let page = try await trips.search(TripQuery(criteria, viewer: nil, after: cursor, limit: limit))
        all += page.trips
        cursor = page.next
    } while cursor != nil
    return all
}
