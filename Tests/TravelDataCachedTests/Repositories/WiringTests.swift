import Foundation
import TestTurns
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDataSQLite
import TravelDomainTesting

/// The example of the landing page.
private func withTravels(
    in folder: String, server: any TravelStore, _ app: (CachedTravelRepository) async throws -> Void
) async throws {
    let cache = try await TravelDatabase.open(path: folder + "/cache.db")
    let travels = try await CachedTravelRepository.open(
        local: cache.travels, remote: server, outbox: FileOutbox(folder: folder + "/outbox"), now: { Date() })
    try await withThrowingTaskGroup { group in
        group.addTask { await travels.run() }
        try await app(travels)
        group.cancelAll()
    }
}

@Suite("An app with a cache before a server", .takesTurns)
struct WiringTests {
    @Test("use cases write through the cache to the server, and read from the cache in the next run")
    func wiring() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cache-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (server, session) = (InMemoryTravelRepository(), InMemorySession(signedIn: User.ID(seed: 1)))
        try await server.add(User(seed: 1))
        let content = try TravelBuilder(seed: 1).build().content
        try await withTravels(in: folder, server: server) { travels in
            let record = RecordTravel(travels: travels, users: travels, session: session, now: { Date() })
            let travel = try await record(content)
            for await status in await travels.observeStatus() where status.pendingWrites == 0 { break }
            #expect(try await server.travel(travel.id, viewer: nil).content == content)
        }
        try await withTravels(in: folder, server: server) { travels in
            let page = try await SearchTravels(travels: travels, session: session)(TravelCriteria())
            #expect(page.travels.map(\.content) == [content])
            #expect(await travels.status().pendingWrites == 0)
        }
    }
}
