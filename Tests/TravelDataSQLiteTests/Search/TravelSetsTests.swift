import SQLiteStore
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting
import TravelSamples

@testable import TravelDataSQLite

@Suite("The sets of travels", .takesTurns)
struct TravelSetsTests {
    @Test(
        "every travel is in the sets of its traits, no others, and in those of its title, after any changes",
        arguments: 0..<2 as Range<UInt64>)
    func setsAgreeWithTheTravels(seed: UInt64) async throws {
        let world = try await World(seed: seed)
        for _ in 0..<8 {
            try await world.change()
            try await world.database.database.read { db in
                let expected = try db.fetchAll("SELECT key, traits, title FROM travel") { row in
                    let sets = TravelSets.of(traits: try row[1], title: try Title(row[2] as String))
                    return (key: try row[0] as Int64, sets: Set(sets), traits: Set(TravelSets.of(traits: try row[1])))
                }
                let keys = try db.fetchAll(Int64.self, "SELECT key FROM row_set")
                var found: [Int64: Set<Int64>] = [:]
                for key in keys {
                    let (block, set) = (key >> 43, key & (1 << 43 - 1))
                    for row in try RowSets.rows(in: block, ofEach: [[set]], db).rows {
                        found[row, default: []].insert(set)
                    }
                }
                // Removed travels may still be in sets.
                for travel in expected {
                    let found = found[travel.key] ?? []
                    #expect(found.isSuperset(of: travel.sets))
                    #expect(found.filter { $0 < TravelSets.long } == travel.traits)
                }
            }
        }
    }

    @Test(
        "searches are correct after every change, whether travels are walked or sorted",
        arguments: 0..<2 as Range<UInt64>,
        [SearchEffort(patience: 1, sorting: 0), SearchEffort(patience: 1, sorting: 1_000_000)])
    func searchesFollowChanges(seed: UInt64, effort: SearchEffort) async throws {
        let world = try await World(seed: seed, effort: effort)
        var samples = TravelGenerator(seed: seed)
        for round in 0..<8 {
            try await world.change()
            let sort = TravelSort.allCases[round % 3]
            let everything = try await all(TravelCriteria(sort: sort), in: world.database.travels)
            for _ in 0..<5 {
                var criteria = samples.criteria()
                criteria.sort = sort
                let expected = everything.filter { criteria.matches($0.content) }
                #expect(try await all(criteria, in: world.database.travels, limit: 7) == expected)
            }
        }
    }

    @Test("a row ID is not used again, so that removed travels cannot come back")
    func rowsAreNotReused() async throws {
        let database = try await TravelDatabase.copied()
        for seed in [1, 2] as [UInt64] {
            let travel = try TravelBuilder(seed: seed).with { $0.title = seed == 1 ? "바다" : "산" }.build()
            try await database.travels.add([travel])
            let found = try await all(TravelCriteria(keyword: Keyword("바다")), in: database.travels)
            #expect(found.map(\.id) == (seed == 1 ? [travel.id] : []))
            try await database.travels.update(travel.id, by: travel.author.id) { _ in nil }
        }
        await database.close()
    }

    /// A database in which travels are added, changed, liked and removed.
    private final class World {
        let database: TravelDatabase
        private var samples: TravelGenerator
        private var random: SplitMix64
        private let people: [User]

        init(seed: UInt64, effort: SearchEffort = SearchEffort()) async throws {
            database = try await TravelDatabase.copied(effort: effort)
            samples = TravelGenerator(seed: seed)
            random = SplitMix64(state: seed)
            people = [try samples.person(), try samples.person(), try samples.person()]
            try await database.travels.add(samples.travels(40, by: people))
        }

        /// Starts new travels in a later block, as if there were many more.
        private func leaveBlocksOut() async throws {
            let distance = RowBlock.size * (1 + random.index(below: 3))
            try await database.database.write { db in
                try db.execute("UPDATE sqlite_sequence SET seq = seq + \(distance) WHERE name = 'travel'")
            }
            try await database.travels.add(samples.travels(1, by: people))
        }

        /// Applies a change.
        func change() async throws {
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
                // Also the newest one.
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
