#if Server
import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelJSON

@testable import TravelServer

@Suite("The statuses of the description", .limitedConcurrency)
struct StatusTests {
    /// The statuses that every route has, which the suite of every route checks.
    private static let everywhere: Set = ["400", "414", "431", "503"]

    @Test("are those that the server answers, for each route")
    func statuses() async throws {
        var answered: Set<String> = []
        try await withWorld(pages: PlainPages()) {
            $0.attempts.perAccountAndAddress = 3
            $0.attempts.accountsPerAddress = 4
            $0.isBehindProxy = true
            $0.quota.bytes = 1 << 20
        } _: { world in
            try await accounts(world)
            try await users(world)
            try await trips(world)
            try await pictures(world)
            try await health(world)
            answered.formUnion(world.answered.withLock { $0 })
        }
        try await withWorld { world in
            for target in [
                "/", "/trips/\(Trip.ID())", "/trips/\(Trip.ID())/map.png", "/images/\(TripImage.ID())", "/style.css",
                "/icon.svg", "/favicon.ico",
            ] {
                let status = try await world.ask("GET", target).status
                #expect(status == 404)
            }
            answered.formUnion(world.answered.withLock { $0 })
        }
        let described = Description.shared.operations.flatMap { path, method, operation in
            (operation["responses"] as? [String: Any] ?? [:]).keys
                .filter { !Self.everywhere.contains($0) }.map { "\(method) \(path) \($0)" }
        }
        let special = answered.filter { answer in !Self.everywhere.contains { answer.hasSuffix(" \($0)") } }
        #expect(special.subtracting(described).sorted() == [], "answered, but not described")
        #expect(Set(described).subtracting(special).sorted() == [], "described, but not answered")
    }

    private static let json = ["Content-Type: application/json"]

    /// Asks a route with a JSON body in all the ways that are refused before it is read as a value, and with an invalid one.
    private func refuseBodies(
        _ world: ServerWorld, _ method: String, _ target: String, token: String? = nil, headers: [String] = [],
        invalid: Any?
    ) async throws {
        func status(_ type: [String], _ body: [UInt8]) async throws -> Int {
            try await world.ask(method, target, token: token, headers: headers + type, body: body).status
        }
        #expect(try await status([], Array("{}".utf8)) == 415)
        #expect(try await status(Self.json + ["Content-Encoding: gzip"], Array("{}".utf8)) == 415)
        #expect(try await status(Self.json, Array("[]".utf8)) == 400)
        if target.hasPrefix("/v1/trips") {
            // So long a body is refused when it is announced.
            let announced = headers + Self.json + ["Content-Length: \(17 << 20)"]
            #expect(try await world.ask(method, target, token: token, headers: announced).status == 413)
        } else {
            #expect(try await status(Self.json, [UInt8](repeating: 0x20, count: 70_000)) == 413)
        }
        if let invalid {
            let reply = try await world.ask(method, target, token: token, headers: headers, json: invalid)
            #expect(reply.status == 422, "\(reply.text)")
        }
    }

    private func accounts(_ world: ServerWorld) async throws {
        func ask(_ method: String, _ target: String, token: String? = nil, _ json: [String: String]) async throws -> Int
        {
            try await world.ask(method, target, token: token, json: json).status
        }
        let mina = try await world.signUp("Mina")
        try await refuseBodies(
            world, "POST", "/v1/accounts", invalid: ["nickname": "Ara", "password": "short"] as [String: String])
        #expect(try await ask("POST", "/v1/accounts", ["nickname": "mina", "password": "open sesame"]) == 409)
        let credentials = ["nickname": "Mina", "password": "open sesame"]
        #expect(try await ask("POST", "/v1/sessions", credentials) == 200)
        try await refuseBodies(
            world, "POST", "/v1/sessions", invalid: ["nickname": "M", "password": "open sesame"] as [String: String])
        for status in [401, 401, 401, 429] {
            #expect(try await ask("POST", "/v1/sessions", ["nickname": "Ara", "password": "wrong password"]) == status)
        }
        let token = ["refreshToken": mina.refresh]
        #expect(try await ask("POST", "/v1/sessions/refresh", token) == 200)
        #expect(try await ask("POST", "/v1/sessions/refresh", token) == 401)
        try await refuseBodies(world, "POST", "/v1/sessions/refresh", invalid: nil)
        #expect(try await ask("DELETE", "/v1/session", token: mina.access, [:]) == 401)

        let blocked = User(id: User.ID(), nickname: try Nickname("Bora"))
        try await world.store.addAccount(blocked, password: PlainHashing().hash(Password("open sesame")))
        try await world.store.setBlocked(true, account: blocked.id, at: world.clock.now)
        #expect(
            try await ask("POST", "/v1/sessions", ["nickname": "Bora", "password": "open sesame"]) == 403)

        let jun = try await world.signUp("Jun")
        let change = ["old": "open sesame", "new": "close sesame"]
        #expect(try await ask("PUT", "/v1/me/password", change) == 401)
        let changed = try ServerWorld.Account(
            await world.ask("PUT", "/v1/me/password", token: jun.access, json: change))
        try await refuseBodies(
            world, "PUT", "/v1/me/password", token: changed.access,
            invalid: ["old": "close sesame", "new": "short"] as [String: String])
        for status in [401, 401, 401, 429] {
            #expect(try await ask("PUT", "/v1/me/password", token: changed.access, change) == status)
        }
        #expect(try await ask("DELETE", "/v1/session", token: changed.access, [:]) == 204)

        let ara = try await world.signUp("Ara")
        #expect(try await ask("POST", "/v1/accounts", ["nickname": "Ida", "password": "open sesame"]) == 429)
        let right = ["password": "open sesame"]
        try await refuseBodies(
            world, "DELETE", "/v1/me", token: ara.access, invalid: ["password": "short"] as [String: String])
        try await world.failing(.removeUser, with: .notFound(.user(ara.user.id))) {
            let status = try await ask("DELETE", "/v1/me", token: ara.access, right)
            #expect(status == 404)
        }
        for status in [401, 401, 401, 429] {
            #expect(
                try await ask("DELETE", "/v1/me", token: ara.access, ["password": "wrong password"]) == status)
        }
        world.clock.advance(by: 16 * 60)
        let back = try ServerWorld.Account(
            await world.ask("POST", "/v1/sessions", json: ["nickname": "Ara", "password": "open sesame"]))
        #expect(try await ask("DELETE", "/v1/me", token: back.access, right) == 204)
    }

    private func users(_ world: ServerWorld) async throws {
        let (sora, tae) = (try await world.signUp("Sora"), try await world.signUp("Tae"))
        func ask(_ method: String, _ target: String, headers: [String] = [], body: [UInt8]? = nil) async throws -> Int {
            // Nobody, or someone without a valid token, gets no further.
            let isOpen = target.hasPrefix("/v1/users") || target.hasPrefix("/v1/nicknames")
            let refused = try await world.ask(
                method, target, token: isOpen ? "none" : nil, headers: headers, body: body)
            #expect(refused.status == 401)
            return try await world.ask(method, target, token: sora.access, headers: headers, body: body).status
        }
        let gone = TravelError.notFound(.user(sora.user.id))
        #expect(try await ask("GET", "/v1/me") == 200)
        try await world.failing(.user, with: gone) {
            let status = try await ask("GET", "/v1/me")
            #expect(status == 404)
        }
        let name = Array(#"{"nickname":"Seo"}"#.utf8)
        #expect(try await ask("PATCH", "/v1/me", headers: Self.json, body: name) == 200)
        #expect(try await ask("PATCH", "/v1/me", headers: Self.json, body: Array(#"{"nickname":"Tae"}"#.utf8)) == 409)
        try await world.failing(.rename, with: gone) {
            let other = Array(#"{"nickname":"Seoh"}"#.utf8)
            let status = try await ask("PATCH", "/v1/me", headers: Self.json, body: other)
            #expect(status == 404)
        }
        try await refuseBodies(
            world, "PATCH", "/v1/me", token: sora.access, invalid: ["nickname": "S"] as [String: String])

        let avatar = ["Image-ID: \(TripImage.ID())"]
        let picture = RouteRequest.picture
        #expect(try await ask("PUT", "/v1/me/avatar", headers: avatar, body: picture) == 200)
        #expect(
            try await world.ask("PUT", "/v1/me/avatar", token: tae.access, headers: avatar, body: picture).status == 409
        )
        #expect(try await ask("PUT", "/v1/me/avatar", headers: avatar, body: Array("text".utf8)) == 422)
        #expect(try await ask("PUT", "/v1/me/avatar", headers: avatar + Self.json, body: picture) == 415)
        let quota = picture + [UInt8](repeating: 0, count: 1 << 20)
        #expect(try await ask("PUT", "/v1/me/avatar", headers: ["Image-ID: \(TripImage.ID())"], body: quota) == 403)
        #expect(try await world.ask("GET", "/v1/trips?likedBy=\(tae.user.id)").status == 403)
        let large = [UInt8](repeating: 0, count: TripImage.maximumSize + 1)
        #expect(try await ask("PUT", "/v1/me/avatar", headers: avatar, body: large) == 413)
        try await world.failing(.setAvatar, with: gone) {
            let statuses = [
                try await ask("PUT", "/v1/me/avatar", headers: avatar, body: picture),
                try await ask("DELETE", "/v1/me/avatar"),
            ]
            #expect(statuses == [404, 404])
        }
        #expect(try await ask("DELETE", "/v1/me/avatar") == 200)

        #expect(try await ask("GET", "/v1/users/\(tae.user.id)") == 200)
        #expect(try await ask("GET", "/v1/users/\(User.ID())") == 404)
        #expect(try await ask("GET", "/v1/nicknames/Tae") == 200)
        #expect(try await ask("GET", "/v1/nicknames/T") == 422)
        #expect(try await ask("PUT", "/v1/me/blocked/\(tae.user.id)") == 201)
        #expect(try await ask("PUT", "/v1/me/blocked/\(tae.user.id)") == 200)
        #expect(try await ask("PUT", "/v1/me/blocked/\(sora.user.id)") == 403)
        #expect(try await ask("PUT", "/v1/me/blocked/\(User.ID())") == 404)
        #expect(try await ask("GET", "/v1/me/blocked") == 200)
        #expect(try await ask("DELETE", "/v1/me/blocked/\(tae.user.id)") == 204)
    }

    private func trips(_ world: ServerWorld) async throws {
        func signIn(_ nickname: String) async throws -> ServerWorld.Account {
            try ServerWorld.Account(
                await world.ask("POST", "/v1/sessions", json: ["nickname": nickname, "password": "open sesame"]))
        }
        let (sora, tae) = (try await signIn("Seo"), try await signIn("Tae"))
        let trip = try world.trip(1, by: sora.user)
        let path = "/v1/trips/\(trip.id)"
        func put(_ trip: RecordedTrip, _ header: String = "If-None-Match: *", token: String? = nil) async throws
            -> Int
        {
            try await world.put(trip, token: token ?? sora.access, header: header).status
        }
        #expect(try await world.put(trip, token: "none").status == 401)
        #expect(try await put(trip, token: tae.access) == 403)
        #expect(try await put(world.trip(2, by: sora.user, image: TripImage.ID())) == 404)
        #expect(try await put(trip) == 201)
        #expect(try await put(trip) == 200)
        let other = try trip.with(timeline: [])
        #expect(try await put(other) == 409)
        #expect(try await put(other, "If-Match: \"7\"") == 412)
        #expect(try await put(other, "") == 428)
        var invalid = try #require(
            JSONSerialization.jsonObject(with: JSONCoding.data(for: RecordedTripRecord(trip))) as? [String: Any])
        invalid["title"] = ""
        try await refuseBodies(
            world, "PUT", path, token: sora.access, headers: ["If-None-Match: *"], invalid: invalid)

        func read(_ target: String, missing: String? = nil, invalid: String? = nil) async throws {
            let first = try await world.ask("GET", target, token: tae.access)
            #expect(first.status == 200)
            let tag = try #require(first.headers["etag"])
            let headers = ["If-None-Match: \(tag)"]
            #expect(try await world.ask("GET", target, token: tae.access, headers: headers).status == 304)
            #expect(try await world.ask("GET", target, token: "none").status == 401)
            if let missing { #expect(try await world.ask("GET", missing, token: tae.access).status == 404) }
            if let invalid { #expect(try await world.ask("GET", invalid, token: tae.access).status == 422) }
        }
        let unknown = "/v1/trips/\(Trip.ID())"
        try await read("/v1/trips", invalid: "/v1/trips?limit=0")
        try await read("/v1/titles?text=T", invalid: "/v1/titles?text=T&limit=0")
        try await read(path, missing: unknown)
        try await read("\(path)/summary", missing: "\(unknown)/summary")
        try await read("\(path)/timeline", missing: "\(unknown)/timeline", invalid: "\(path)/timeline?day=0")
        try await read("\(path)/track", missing: "\(unknown)/track")
        for method in ["PUT", "DELETE"] {
            #expect(try await world.ask(method, "\(path)/like", token: tae.access).status == 204)
            #expect(try await world.ask(method, "\(unknown)/like", token: tae.access).status == 404)
            #expect(try await world.ask(method, "\(path)/like").status == 401)
        }
        for (target, token, status) in [
            (path, nil, 401), (path, sora.access, 403), (unknown, tae.access, 404), (path, tae.access, 201),
            (path, tae.access, 200),
        ] as [(String, String?, Int)] {
            #expect(try await world.ask("PUT", "\(target)/report", token: token).status == status)
        }
        for (target, token, header, status) in [
            (path, nil, "If-Match: *", 401), (path, tae.access, "If-Match: *", 403),
            (path, sora.access, "If-Match: \"7\"", 412), (path, sora.access, "Accept: */*", 428),
            (path, sora.access, "If-Match: *", 204), (path, sora.access, "If-Match: *", 404),
        ] as [(String, String?, String, Int)] {
            #expect(try await world.ask("DELETE", target, token: token, headers: [header]).status == status)
        }
    }

    private func pictures(_ world: ServerWorld) async throws {
        let ida = try await world.signUp("Ida")
        let id = TripImage.ID()
        let path = "/v1/images/\(id)"
        func put(_ body: [UInt8], token: String? = nil, headers: [String] = []) async throws -> Int {
            try await world.ask("PUT", path, token: token, headers: headers, body: body).status
        }
        #expect(try await put(RouteRequest.picture) == 401)
        #expect(try await put(Array("text".utf8), token: ida.access) == 422)
        #expect(try await put(RouteRequest.picture, token: ida.access, headers: Self.json) == 415)
        #expect(try await put(RouteRequest.picture, token: ida.access, headers: ["Content-Encoding: gzip"]) == 415)
        #expect(try await put([UInt8](repeating: 0, count: TripImage.maximumSize + 1), token: ida.access) == 413)
        #expect(try await put(RouteRequest.picture, token: ida.access) == 204)
        let trip = try world.trip(3, by: ida.user, image: id)
        #expect(try await world.put(trip, token: ida.access).status == 201)
        #expect(try await world.ask("GET", path, token: "none").status == 401)
        try await parts(world, path, missing: "/v1/images/\(TripImage.ID())")
        try await parts(world, "/images/\(id)", missing: "/images/\(TripImage.ID())")
        try await parts(world, "/style.css", missing: nil)
        try await parts(world, "/icon.svg", missing: nil)
        #expect(try await world.ask("GET", "/favicon.ico").headers["location"] == "/icon.svg")
        let page = "/trips/\(trip.id)"
        try await parts(world, "\(page)/map.png", missing: "/trips/\(Trip.ID())/map.png")
        for target in ["/", page] {
            let tag = try #require(try await world.ask("GET", target).headers["etag"])
            #expect(try await world.ask("GET", target, headers: ["If-None-Match: \(tag)"]).status == 304)
        }
        #expect(try await world.ask("GET", "/trips/\(Trip.ID())").status == 404)
    }

    private func parts(_ world: ServerWorld, _ target: String, missing: String?) async throws {
        let whole = try await world.ask("GET", target)
        #expect(whole.status == 200)
        let tag = try #require(whole.headers["etag"])
        #expect(try await world.ask("GET", target, headers: ["If-None-Match: \(tag)"]).status == 304)
        #expect(try await world.ask("GET", target, headers: ["Range: bytes=1-2"]).status == 206)
        let outside = try await world.ask("GET", target, headers: ["Range: bytes=1000-"])
        #expect(outside.status == 416)
        #expect(outside.headers["content-range"] == "bytes */\(whole.body.count)")
        if let missing { #expect(try await world.ask("GET", missing).status == 404) }
    }

    private func health(_ world: ServerWorld) async throws {
        #expect(try await world.ask("GET", "/healthz").status == 200)
        #expect(try await world.ask("GET", "/metrics").status == 200)
        let refused = try await world.ask("GET", "/metrics", headers: ["X-Forwarded-For: 192.0.2.1"])
        #expect(refused.status == 404)
        #expect(refused.headers["content-type"] == Problem.mediaType)
    }
}
#endif
