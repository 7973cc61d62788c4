#if Server
import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@testable import TravelServer

@Suite("Answers from memory", .limitedConcurrency)
struct AnswerCacheTests {
    /// A server over a store in memory, which counts how often it is asked.
    private final class World: Sendable {
        let store = InMemoryTripRepository()
        let changes = Mutex<UInt64?>(1)
        private let searches = Mutex(0)

        var searchCount: Int { searches.withLock { $0 } }

        func server(memory: Int) throws -> TravelHTTPServer {
            let counting = InterceptedStore(store) { [self] call in
                if call == .search { searches.withLock { $0 += 1 } }
            }
            var configuration = ServerConfiguration(port: 0)
            configuration.keptAnswers = memory
            let stores = ServerStores(trips: counting, accounts: store) { [self] in changes.withLock { $0 } }
            return try TravelHTTPServer(
                configuration, stores: stores, pages: PlainPages(), review: .everyImage, log: { _ in },
                now: { Date() }, hashing: PlainHashing(), tokens: Sodium())
        }
    }

    private func withServer(
        memory: Int = 1 << 20, _ body: (World, _ port: Int) async throws -> Void
    ) async throws {
        let world = World()
        try await world.store.add([TripBuilder(seed: 1).build()])
        let server = try world.server(memory: memory)
        let port = try server.start().port
        do {
            try await body(world, port)
        } catch {
            await server.drain()
            throw error
        }
        await server.drain()
    }

    @Test("are those of the store until it changes, and differ only in the identity of the request")
    func untilAChange() async throws {
        try await withServer { world, port in
            let first = try #require(await ask(port, "GET", "/v1/trips"))
            let second = try #require(await ask(port, "GET", "/v1/trips"))
            #expect(world.searchCount == 1)
            #expect(second.status == 200)
            #expect(second.body == first.body)
            #expect(second.headers["etag"] == first.headers["etag"])
            #expect(second.headers["request-id"] != first.headers["request-id"])

            try await world.store.add([TripBuilder(seed: 2).build()])
            world.changes.withLock { $0 = 2 }
            let third = try #require(await ask(port, "GET", "/v1/trips"))
            #expect(world.searchCount == 2)
            #expect(third.body != first.body)
        }
    }

    @Test("are for the same question only")
    func questions() async throws {
        try await withServer { world, port in
            for target in ["/v1/trips", "/v1/trips?limit=1", "/v1/trips?sort=mostLiked"] {
                #expect(await ask(port, "GET", target)?.status == 200)
            }
            #expect(world.searchCount == 3)
            #expect(await ask(port, "GET", "/v1/trips?limit=0")?.status == 422)
            #expect(await ask(port, "GET", "/v1/trips?limit=0")?.status == 422)
        }
    }

    @Test("are kept in each form in which clients accept them")
    func forms() async throws {
        try await withServer { world, port in
            try await world.store.add((2...20).map { try TripBuilder(seed: $0).build() })
            let plain = try #require(await ask(port, "GET", "/v1/trips"))
            let compressed = try #require(await ask(port, "GET", "/v1/trips", headers: ["Accept-Encoding: gzip"]))
            #expect(world.searchCount == 2)
            #expect(compressed.headers["content-encoding"] == "gzip")
            #expect(compressed.headers["vary"] == "Authorization, Accept, Accept-Encoding")
            #expect(compressed.body.count < plain.body.count)
            let again = try #require(await ask(port, "GET", "/v1/trips", headers: ["Accept-Encoding: br, gzip;q=0.5"]))
            #expect(again.body == compressed.body)
            #expect(again.headers["etag"] == compressed.headers["etag"])
            #expect(await ask(port, "GET", "/v1/trips", headers: ["Accept-Encoding: gzip;q=0"])?.body == plain.body)
            #expect(world.searchCount == 2)
        }
    }

    @Test("are in the language of each reader")
    func languages() async throws {
        try await withServer { world, port in
            for language in ["ko", "en", "ko"] {
                let page = await ask(port, "GET", "/", headers: ["Accept-Language: \(language)"])
                #expect(page?.headers["content-language"] == language)
            }
            #expect(world.searchCount == 2)
        }
    }

    @Test("tell a client that has one of their forms that it is the present one", arguments: [false, true])
    func revalidation(isFirst: Bool) async throws {
        try await withServer { world, port in
            try await world.store.add((2...20).map { try TripBuilder(seed: $0).build() })
            let gzip = "Accept-Encoding: gzip"
            let plain = try #require(await ask(port, "GET", "/v1/trips")?.headers["etag"])
            let compressed = try #require(await ask(port, "GET", "/v1/trips", headers: [gzip])?.headers["etag"])
            // The first answer after a change is not from memory.
            if isFirst { world.changes.withLock { $0 = 2 } }
            func status(_ tags: String, _ headers: [String] = []) async throws -> Int {
                let reply = try #require(
                    await ask(port, "GET", "/v1/trips", headers: ["If-None-Match: \(tags)"] + headers))
                #expect(reply.headers["content-encoding"] == nil || reply.status == 200)
                #expect(reply.status == 200 || reply.body.isEmpty && tags.contains(reply.headers["etag"] ?? "none"))
                return reply.status
            }
            #expect(try await status("\"x\", \(plain)") == 304)
            #expect(try await status("W/\(compressed)", [gzip]) == 304)
            #expect(try await status(plain, [gzip]) == 304)
            #expect(try await status(compressed) == 200)
            #expect(try await status("\"x\"") == 200)
            #expect(world.searchCount == (isFirst ? 4 : 2))
            #expect(await ask(port, "HEAD", "/v1/trips", headers: ["If-None-Match: *"])?.status == 304)
        }
    }

    @Test("are for each user, while their device is signed in")
    func users() async throws {
        try await withServer { world, port in
            func signUp(_ nickname: String) async throws -> ServerWorld.Account {
                let body = Array(#"{"nickname":"\#(nickname)","password":"open sesame"}"#.utf8)
                let reply = await ask(
                    port, "POST", "/v1/accounts", headers: ["Content-Type: application/json"], body: body)
                return try ServerWorld.Account(#require(reply))
            }
            func trips(_ user: ServerWorld.Account) async throws -> Reply {
                try #require(
                    await ask(port, "GET", "/v1/trips", headers: ["Authorization: Bearer \(user.access)"]))
            }
            let (mina, jun) = (try await signUp("Mina"), try await signUp("Jun"))
            try await world.store.add([TripBuilder(seed: 2).with { $0.author = mina.user }.build()])
            world.changes.withLock { $0 = 2 }
            for _ in 1...2 {
                #expect(try await trips(mina).text.contains(#""isMine":true"#))
                #expect(try await !trips(jun).text.contains(#""isMine":true"#))
                #expect(await ask(port, "GET", "/v1/trips")?.text.contains(#""isMine":true"#) == false)
            }
            #expect(world.searchCount == 3)
            #expect(await ask(port, "GET", "/v1/trips", headers: ["Authorization: Bearer nonsense"])?.status == 401)

            // The store is asked for the device, and for the trips, only after a change.
            let digest = try Sodium(hashesAtOnce: 1).digest(of: #require(Token(mina.access)))
            let device = try #require(await world.store.device(withAccess: digest))
            try await world.store.removeDevice(device.id)
            #expect(try await trips(mina).status == 200)
            world.changes.withLock { $0 = 3 }
            #expect(try await trips(mina).status == 401)
            #expect(try await trips(jun).status == 200)
            #expect(world.searchCount == 4)
        }
    }

    @Test("take the memory that there is for them, with the addresses to which they are the answers")
    func memory() async throws {
        try await withServer(memory: 40_000) { world, port in
            func search(_ keyword: Int) async throws {
                let target = "/v1/trips?keyword=\(keyword)" + String(repeating: "x", count: 4_000)
                #expect(await ask(port, "GET", target)?.status == 200)
            }
            for keyword in [1, 2, 3, 1, 2, 3] { try await search(keyword) }
            #expect(world.searchCount == 3)
            for keyword in 4...40 { try await search(keyword) }
            #expect(world.searchCount == 40)
            try await search(1)
            #expect(world.searchCount == 41)
        }
    }

    @Test("do not push others out when they are too long to keep")
    func tooLong() {
        let kept = KeptReads<String, String>(limit: 10)
        kept.keep("a", for: "short", size: 4, at: 1)
        kept.keep("b", for: "long", size: 11, at: 1)
        #expect(kept.value(for: "short", at: 1) == "a")
        #expect(kept.value(for: "long", at: 1) == nil)
        kept.keep("c", for: "another", size: 7, at: 1)
        #expect(kept.value(for: "short", at: 1) == nil)
        #expect(kept.value(for: "another", at: 1) == "c")
    }

    @Test("are not without a count of changes")
    func withoutMemory() async throws {
        try await withServer { world, port in
            world.changes.withLock { $0 = nil }
            _ = await ask(port, "GET", "/v1/trips")
            _ = await ask(port, "GET", "/v1/trips")
            #expect(world.searchCount == 2)
        }
    }
}
#endif
