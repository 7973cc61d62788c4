#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TravelDataInMemory
import TravelDataSQLite
import TravelDomain

/// The group `travel`: what people do in the travel log, on seeded travels, in both stores.
enum TravelBenchmarks {
    static func run(_ report: inout Report) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // What is left is the system's to remove.
        let world = try await World(path: folder.appending(path: "database").path(), count: report.count ?? 100_000)
        try await pages(&report, world)
        try await keywords(&report, world)
        try await suggestions(&report, world)
        try await likes(&report, world)
        try await timelines(&report, world)
        try await anySearch(&report, world)
        await world.sqlite.close()
    }

    /// What both stores can do.
    typealias Store = TravelRepository & TitleRepository

    /// The same seeded travels in both stores.
    struct World {
        let sqlite: TravelDatabase
        let inMemory = InMemoryTravelRepository()
        let people: [User]
        /// Some of the travels, from all over the time in which they were recorded.
        let travels: [Travel.ID]

        init(path: String, count: Int) async throws {
            sqlite = try await TravelDatabase.open(path: path)
            try await sqlite.seed(count: count, seed: 7)
            var seeded = try SeededTravels(seed: 7, forCount: count)
            people = seeded.people
            var some: [Travel.ID] = []
            var authors: Set<Int> = []
            var likers: [(travel: Travel.ID, people: [Int])] = []
            for first in stride(from: 0, to: count, by: 10_000) {
                let batch = try (first..<min(first + 10_000, count)).map { _ in try seeded.next() }
                try await inMemory.add(batch.map(\.travel))
                authors.formUnion(batch.map(\.author))
                likers += batch.filter { !$0.likers.isEmpty }.map { ($0.travel.id, $0.likers) }
                some += batch.enumerated().filter { $0.offset.isMultiple(of: 97) }.map(\.element.travel.id)
            }
            travels = some
            // Most people came with their travels, and one who came already cannot be added.
            for (number, person) in people.enumerated() where !authors.contains(number) {
                try await inMemory.add(person)
            }
            for (travel, people) in likers {
                for liker in people { try await inMemory.setLiked(true, travel: travel, by: self.people[liker].id) }
            }
        }
    }

    /// Measures the same work in both stores; `run` does it `count` times.
    static func compare(
        _ report: inout Report, _ shape: String, element: String, count: Int, _ world: World,
        _ run: @escaping @Sendable (any Store) async throws -> Void
    ) async throws {
        try await report.measure(
            shape, element: element, count: count,
            .whole("SQLite") { try await run(world.sqlite.travels) },
            .whole("InMemory") { try await run(world.inMemory) })
    }
}
