import Foundation
import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDataSQLite
import TravelDomainTesting
import TravelHistories

@Suite("A cached repository that is opened again", .limitedConcurrency)
struct ReopeningTests {
    enum Flaw: CaseIterable {
        case outboxIsForgotten, cacheIsForgotten
    }

    @Test(
        "a cache and its outbox in files fulfil the contract of reopened stores", arguments: ReopeningContract.checks)
    func fulfilsReopeningContract(check: ContractCheck<ReopenableStore>) async throws {
        try await run(check, .perfect)
    }

    // Without a network, a cache cannot say that what it does not know was removed.
    @Test(
        "a cache and its outbox in files fulfil the contract of reopened stores offline, except about removals",
        arguments: ReopeningContract.checks.filter { !$0.id.contains("removed") && !$0.id.contains("operations") })
    func fulfilsReopeningContractOffline(check: ContractCheck<ReopenableStore>) async throws {
        try await run(check, .offline)
    }

    private func run(_ check: ContractCheck<ReopenableStore>, _ quality: Network.Quality) async throws {
        try await withFolder { folder in
            try await check.run {
                let storage = try Storage(in: folder + "/\(UUID())")
                storage.network.quality = quality
                return ReopenableStore {
                    try await storage.open()
                } close: {
                    await $0.close()
                } store: {
                    $0.trips
                }
            }
        }
    }

    @Test("everything that was written or answered before is there when the stores are opened again, and is sent once")
    func keepsEverything() async throws {
        #expect(try await violations(nil) == [])
    }

    @Test(
        "a cache that forgets what it had when it is opened again is found",
        arguments: [(Flaw.outboxIsForgotten, "writes wait"), (.cacheIsForgotten, "the answer is known")])
    func flawIsFound(flaw: Flaw, promise: String) async throws {
        #expect(try await violations(flaw).contains(promise))
    }

    /// The promises that a cache breaks which is closed with writes in its outbox, once while they are being sent.
    private func violations(_ flaw: Flaw?) async throws -> [String] {
        var broken: [String] = []
        func expect(_ promise: String, _ isKept: () async throws -> Bool) async {
            // A question without an answer breaks the promise, too.
            if (try? await isKept()) != true { broken.append(promise) }
        }
        try await withFolder { folder in
            let storage = try Storage(in: folder)
            let (mina, jun) = (try User(seed: 1, nickname: "mina"), try User(seed: 2, nickname: "jun"))
            try await storage.remote.add(jun)
            try await storage.remote.add([TripBuilder(seed: 9, author: jun).build()])
            let query = try TripQuery(TripCriteria(), viewer: jun.id)
            let image = try TripImage(seed: 1)

            let page = try await storage.withCache { first in
                let page = try await first.search(query)
                storage.network.quality = .offline
                try await first.add(
                    [
                        TripBuilder(seed: 1, author: mina).with {
                            $0.title = "a"
                            $0.thumbnail = image.id
                        }.build()
                    ], images: [image])
                for title in ["b", "c", "d", "e"] { try await setTitle(title, in: first) }
                try await first.setLiked(true, trip: Trip.ID(seed: 1), by: jun.id)
                return page
            }

            switch flaw {
            case .outboxIsForgotten: try FileManager.default.removeItem(atPath: folder + "/outbox")
            case .cacheIsForgotten:
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("db") {
                    try FileManager.default.removeItem(atPath: folder + "/" + name)
                }
            case nil: break
            }

            try await storage.withCache { second in
                await expect("writes wait") { await second.status().pendingWrites == 6 }
                await expect("the answer is known") {
                    let time = try await second.lastAnswer(to: .search(query))
                    let found = try await second.search(query).trips.map(\.id)
                    return time != nil && Set(found).isSuperset(of: page.trips.map(\.id))
                }
                await expect("what was written is shown") {
                    let trip = try await second.trip(Trip.ID(seed: 1), viewer: jun.id)
                    let shown = try await second.image(image.id, viewer: nil)
                    return trip.title.text == "e" && trip.isLiked && shown == image
                }
                storage.network.quality = .perfect
                await second.reconnect()
                for await status in await second.observeStatus() where status.pendingWrites < 5 { break }
            }

            try await storage.withCache { third in
                for await status in await third.observeStatus() where status.pendingWrites == 0 { break }
                await expect("everything is sent once, in order") {
                    storage.log.versions.map(\.content.title.text) == ["a", "b", "c", "d", "e"]
                }
                await expect("the remote store has everything") {
                    let trip = try await storage.remote.trip(Trip.ID(seed: 1), viewer: jun.id)
                    let sent = try await storage.remote.image(image.id, viewer: nil)
                    return trip.isLiked && trip.likeCount == 1 && sent == image
                }
                await expect("no write is in conflict") { await third.conflicts() == [] }
            }
        }
        return broken
    }

    private func setTitle(_ text: String, in store: CachedTripRepository) async throws {
        let title = try Title(text)
        try await store.update(Trip.ID(seed: 1), by: User.ID(seed: 1)) { trip throws(TravelError) in
            var content = trip.content
            content.title = title
            return try trip.with(content)
        }
    }

    /// The files of a cache, and the remote store behind it.
    private struct Storage {
        let folder: String
        let remote = InMemoryTripRepository()
        let network = Network(seed: 1, clock: ContinuousClock())
        let log = RemoteLog()

        init(in folder: String) throws {
            self.folder = folder
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        func open() async throws -> OpenCache {
            let database = try await TravelDatabase.open(path: folder + "/db")
            let trips = try await CachedTripRepository.open(
                local: database.trips, remote: RemoteStore(base: LoggedStore(remote, in: log), network: network),
                outbox: FileOutbox(folder: folder + "/outbox"), now: { Date() })
            return OpenCache(trips: trips, database: database, running: Task { await trips.run() })
        }

        /// Opens the stores for `body`. Afterwards, the outbox is released, so that another one can be opened.
        func withCache<Value>(_ body: (CachedTripRepository) async throws -> Value) async throws -> Value {
            let cache = try await open()
            do {
                let value = try await body(cache.trips)
                await cache.close()
                return value
            } catch {
                await cache.close()
                throw error
            }
        }
    }

    private struct OpenCache: Sendable {
        let trips: CachedTripRepository
        let database: TravelDatabase
        let running: Task<Void, Never>

        /// Stops sending, wherever it is, and closes the file.
        func close() async {
            running.cancel()
            await running.value
            await database.close()
        }
    }
}
