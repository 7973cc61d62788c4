import SQLiteStore
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Bitmaps of travels", .takesTurns)
struct TravelBitmapsTests {
    @Test(
        "bitmaps are correct for every travel that is not recorded as unmapped, after any changes",
        arguments: 0..<2 as Range<UInt64>)
    func bitmapsAgreeWithTheTravels(seed: UInt64) async throws {
        let travels = try await World(seed: seed)
        for _ in 0..<8 {
            try await travels.change()
            try await travels.database.database.read { db in
                let rows = try db.fetchAll(
                    """
                    SELECT travel.key, traits, text, like_count, created_at
                    FROM travel JOIN title ON title.key = title ORDER BY travel.key
                    """
                ) { row in
                    MappedTravel(
                        key: try row[0], traits: try row[1],
                        signature: TitleGrams.Signature(of: try Title(row[2] as String)),
                        likes: try row[3], createdAt: try row[4])
                }
                let unmapped = Set(try db.fetchAll(Int64.self, "SELECT key FROM travel_unmapped"))
                let reliked = Set(try db.fetchAll(Int64.self, "SELECT key FROM travel_reliked"))
                let blocks = try TravelBitmaps.blocks(db)
                #expect(unmapped.union(reliked).isSubset(of: rows.map(\.key)))
                #expect(max(unmapped.count, reliked.count) <= 512)
                for travel in rows where !unmapped.contains(travel.key) {
                    let block = try #require(blocks.first { $0.number == travel.key / TravelBitmaps.travelsPerBlock })
                    #expect((block.oldest...block.newest).contains(travel.createdAt))
                }
                let mapped = rows.filter { !unmapped.contains($0.key) }
                let numbers = (blocks.map(\.number).min() ?? 0)...(blocks.map(\.number).max() ?? 0)
                var found = [Int64: Set<Int>]()
                for bitmap in 0..<TravelBitmaps.count {
                    let travels = try TravelBitmaps.travels(in: numbers, having: [[bitmap]], db)
                    for travel in numbers.flatMap(travels.keys) { found[travel, default: []].insert(bitmap) }
                }
                #expect(mapped.allSatisfy { found[$0.key] == Set($0.bitmaps) })
                var levels: [Int64: Int] = [:]
                try TravelBitmaps.forEachLevel(of: TravelSet(blocks: numbers), db) { levels[$0] = $1 }
                #expect(mapped.allSatisfy { reliked.contains($0.key) || levels[$0.key] == $0.level })
            }
        }
    }

    @Test(
        "searches by bitmaps are correct after every change", arguments: 0..<2 as Range<UInt64>,
        TravelSort.allCases)
    func searchesFollowChanges(seed: UInt64, sort: TravelSort) async throws {
        var costs = SearchCostModel()
        (costs.initialVisits, costs.sampleStride, costs.lookupCost, costs.candidateCost) = (1, 1, 0, 1)
        let world = try await World(seed: seed, costs: costs)
        var samples = TravelSamples(seed: seed)
        for _ in 0..<8 {
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

    /// A database in which travels are added, changed, liked and removed.
    private final class World {
        let database: TravelDatabase
        private var samples: TravelSamples
        private var random: SplitMix64
        private let people: [User]

        init(seed: UInt64, costs: SearchCostModel = SearchCostModel()) async throws {
            database = try await TravelDatabase.copied(costs: costs)
            samples = TravelSamples(seed: seed)
            random = SplitMix64(state: seed)
            people = [try samples.person(), try samples.person(), try samples.person()]
            try await database.travels.add(samples.travels(40, by: people))
        }

        /// Starts new travels in a later block, as if there were many more.
        private func leaveBlocksOut() async throws {
            var travel = try samples.travels(1, by: people)[0]
            travel = try RecordedTravel(
                id: travel.id, author: travel.author, createdAt: travel.createdAt, content: travel.content,
                timeline: [])
            try await database.travels.add([travel])
            let distance = TravelBitmaps.travelsPerBlock * Int64(1 + random.index(below: 3))
            try await database.database.writeTravels { db in
                let key = try db.fetchOne(Int64.self, "SELECT max(key) FROM travel") ?? 0
                try db.execute("UPDATE travel SET key = key + \(distance) WHERE key = \(key)")
                try db.execute("DELETE FROM travel_unmapped WHERE key = \(key)")
                try db.execute(
                    """
                    INSERT INTO travel_unmapped (key, traits, title_bits)
                    SELECT key, traits, title_bits FROM travel WHERE key = \(key + distance)
                    """)
            }
        }

        /// Applies a change; every other time, the bitmaps are updated, as after many changes.
        func change() async throws {
            try await changeSomething()
            guard random.index(below: 2) == 0 else { return }
            try await database.database.write { try TravelBitmaps.update($0, ifMoreThan: 0) }
        }

        private func changeSomething() async throws {
            let travels = database.travels
            let there = try await all(TravelCriteria(), in: travels)
            let travel = random.pick(there)
            switch random.index(below: 6) {
            case 5: try await leaveBlocksOut()
            case 0: try await travels.add(samples.travels(1 + random.index(below: 30), by: people))
            case 1:
                let content = try samples.content()
                try await travels.update(travel.id, by: travel.author.id, adding: []) { recorded throws(TravelError) in
                    try RecordedTravel(
                        id: recorded.id, author: recorded.author, createdAt: recorded.createdAt, content: content,
                        timeline: [])
                }
            case 2:
                // Also the newest one, whose key the next travel reuses.
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
