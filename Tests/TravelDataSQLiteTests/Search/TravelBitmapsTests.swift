import SQLiteStore
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Bitmaps of travels", .timeLimit(.minutes(5)))
struct TravelBitmapsTests {
    @Test(
        "whatever happens, they say of every travel what is so, unless it is noted that they may not",
        arguments: 0..<4 as Range<UInt64>)
    func bitmapsAgreeWithTheTravels(seed: UInt64) async throws {
        let travels = try await World(seed: seed)
        for _ in 0..<12 {
            try await travels.change()
            try await travels.database.database.read { db in
                let rows = try db.fetchAll(
                    "SELECT key, traits, title_bits, like_count, created_at FROM travel ORDER BY key"
                ) { row in
                    TravelBitmaps.MappedTravel(
                        key: try row[0], traits: try row[1], titleBits: try row[2], likes: try row[3],
                        createdAt: try row[4])
                }
                let unmapped = Set(try db.fetchAll(Int64.self, "SELECT key FROM travel_unmapped"))
                let blocks = try TravelBitmaps.blocks(db)
                #expect(unmapped.isSubset(of: rows.map(\.key)))
                #expect(unmapped.count <= 512)
                for travel in rows where !unmapped.contains(travel.key) {
                    let block = try #require(blocks.first { $0.number == travel.key / TravelBitmaps.travelsPerBlock })
                    #expect((block.oldest...block.newest).contains(travel.createdAt))
                }
                let mapped = rows.filter { !unmapped.contains($0.key) }
                for bitmap in 0..<TravelBitmaps.count {
                    var found: Set<Int64> = []
                    try TravelBitmaps.forEach(blocks, having: [[bitmap]], db) { _, parts in
                        found.formUnion(parts.joined())
                        return false
                    }
                    #expect(mapped.allSatisfy { $0.isIn(bitmap) == found.contains($0.key) })
                }
            }
        }
    }

    @Test(
        "searches by bitmaps find what is so after every change", arguments: 0..<4 as Range<UInt64>,
        TravelSort.allCases)
    func searchesFollowChanges(seed: UInt64, sort: TravelSort) async throws {
        var effort = SearchEffort()
        (effort.patience, effort.stride, effort.costOfCandidate) = (1, 1, 1)
        let world = try await World(seed: seed, effort: effort)
        var samples = TravelSamples(seed: seed)
        for _ in 0..<12 {
            try await world.change()
            let everything = try await all(TravelCriteria(sort: sort), in: world.database.travels)
            for _ in 0..<5 {
                var criteria = samples.criteria()
                criteria.sort = sort
                let expected = everything.filter { criteria.matches($0.content) }
                #expect(try await all(criteria, in: world.database.travels, limit: 7) == expected)
            }
        }
    }

    @Test("the levels of likes in the file are those of the search", arguments: [0, 1, 3, 4, 15, 16, 63, 64, 255, 256])
    func levelsAgree(likes: Int) async throws {
        let world = try await World(seed: 1)
        let wrong = try await world.database.database.write { db in
            var wrong = 0
            for other in [likes - 1, likes + 1] where other >= 0 {
                try db.execute("UPDATE travel SET like_count = \(likes)")
                try db.execute("DELETE FROM travel_unmapped")
                try db.execute("UPDATE travel SET like_count = \(other)")
                let isNoted = try db.fetchOne(Int.self, "SELECT count(*) FROM travel_unmapped") ?? 0 > 0
                if isNoted != (LikeLevel.levels(of: likes) != LikeLevel.levels(of: other)) { wrong += 1 }
            }
            return wrong
        }
        #expect(wrong == 0)
    }

    /// A database in which travels come, change, are liked, and go.
    private final class World {
        let database: TravelDatabase
        private var samples: TravelSamples
        private var random: SplitMix64
        private let people: [User]

        init(seed: UInt64, effort: SearchEffort = SearchEffort()) async throws {
            database = try await TravelDatabase.temporary(effort: effort)
            samples = TravelSamples(seed: seed)
            random = SplitMix64(state: seed)
            people = [try samples.person(), try samples.person(), try samples.person()]
            try await database.travels.add(samples.travels(40, by: people))
        }

        func change() async throws {
            let travels = database.travels
            let there = try await all(TravelCriteria(), in: travels)
            let travel = random.pick(there)
            switch random.index(below: 5) {
            case 0: try await travels.add(samples.travels(1 + random.index(below: 30), by: people))
            case 1:
                let content = try samples.content()
                try await travels.update(travel.id, by: travel.author.id, adding: []) { recorded throws(TravelError) in
                    try RecordedTravel(
                        id: recorded.id, author: recorded.author, createdAt: recorded.createdAt, content: content,
                        timeline: [])
                }
            case 2:
                // The newest too, whose key the next one takes over.
                try await travels.update(there[0].id, by: there[0].author.id, adding: []) { _ in nil }
                try await travels.add(samples.travels(1, by: people))
            default:
                for travel in there.prefix(20) {
                    try await travels.setLiked(
                        random.index(below: 2) == 0, travel: travel.id, by: random.pick(people).id)
                }
            }
        }
    }
}

private func all(_ criteria: TravelCriteria, in travels: some TravelRepository, limit: Int = 100) async throws
    -> [Travel]
{
    var all: [Travel] = []
    var cursor: TravelCursor?
    repeat {
        let page = try await travels.search(TravelQuery(criteria, viewer: nil, after: cursor, limit: limit))
        all += page.travels
        cursor = page.next
    } while cursor != nil
    return all
}
