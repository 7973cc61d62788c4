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
        /// Some of the travels, from all over the time in which they were recorded. The second of the people likes none
        /// of them.
        let travels: [Travel.ID]

        /// Seeds one store and copies it into the other: with as many likes, of other people.
        init(path: String, count: Int) async throws {
            sqlite = try await TravelDatabase.open(path: path)
            try await sqlite.seed(count: count, seed: 7)
            let store = sqlite.travels
            var recorded: [RecordedTravel] = []
            var likes: [(travel: Travel.ID, count: Int)] = []
            var people: [User] = []
            var known: Set<User.ID> = []
            var cursor: TravelCursor?
            repeat {
                let query = try TravelQuery(TravelCriteria(sort: .newest), viewer: nil, after: cursor, limit: 100)
                let page = try await store.search(query)
                for author in page.travels.map(\.author) where known.insert(author.id).inserted {
                    people.append(author)
                }
                for var travel in page.travels {
                    if recorded.count.isMultiple(of: 97) {
                        try await store.setLiked(false, travel: travel.id, by: people[1].id)
                        travel = try await store.travel(travel.id, viewer: nil)
                    }
                    recorded.append(
                        try RecordedTravel(
                            id: travel.id, author: travel.author, createdAt: travel.createdAt, content: travel.content,
                            timeline: try await store.timeline(of: travel.id, viewer: nil)))
                    if travel.likeCount > 0 { likes.append((travel.id, travel.likeCount)) }
                }
                cursor = page.next
            } while cursor != nil
            travels = recorded.enumerated().filter { $0.offset.isMultiple(of: 97) }.map(\.element.id)
            let inOrder = Array(recorded.reversed())
            for first in stride(from: 0, to: inOrder.count, by: 10_000) {
                try await inMemory.add(Array(inOrder[first..<min(first + 10_000, inOrder.count)]))
            }
            var likers = people
            likers.remove(at: 1)
            for number in likers.count..<max(likers.count, likes.map(\.count).max() ?? 0) {
                let liker = User(nickname: try Nickname("liker\(number)"))
                try await inMemory.add(liker)
                likers.append(liker)
            }
            for (travel, count) in likes {
                for liker in likers.prefix(count) { try await inMemory.setLiked(true, travel: travel, by: liker.id) }
            }
            self.people = people
        }
    }

    /// What was found, in its order.
    static func checksum(_ page: TravelPage) -> Int {
        page.travels.reduce(0) { ($0 &* 31) &+ $1.title.text.utf8.count &+ $1.likeCount }
    }

    /// Measures the same work in both stores; `run` does it `count` times and returns a checksum of what it was given.
    static func compare(
        _ report: inout Report, _ shape: String, element: String, count: Int, _ world: World,
        _ run: @escaping @Sendable (any Store) async throws -> Int
    ) async throws {
        try await report.measure(
            shape, element: element, count: count,
            .whole("SQLite") { try await run(world.sqlite.travels) },
            .whole("InMemory") { try await run(world.inMemory) })
    }
}
