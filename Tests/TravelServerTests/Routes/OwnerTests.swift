#if Server
import Foundation
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelJSON

@testable import TravelServer

@Suite("What the owner of a server decides", .limitedConcurrency)
struct OwnerTests {
    private func signUp(_ nickname: String, invitation: String? = nil, in world: ServerWorld) async throws -> Reply {
        var json = ["nickname": nickname, "password": "open sesame"]
        json["invitation"] = invitation
        return try await world.ask("POST", "/v1/accounts", json: json)
    }

    private func expectSignUp(
        _ nickname: String, invitation: String? = nil, in world: ServerWorld, _ status: Int
    ) async throws {
        let reply = try await signUp(nickname, invitation: invitation, in: world)
        #expect(reply.status == status)
    }

    @Test("a closed server takes no new accounts, and lets those in that it has")
    func closed() async throws {
        try await withWorld {
            $0.signUp = .closed
        } _: { world in
            let mina = User(id: User.ID(), nickname: try Nickname("Mina"))
            try await world.store.addAccount(mina, password: PlainHashing().hash(Password("open sesame")))
            let reply = try await signUp("Jun", in: world)
            #expect(reply.status == 422)
            #expect(try reply.json()["field"] as? String == "invitation")
            #expect(try reply.json()["detail"] as? String == "This server takes no new accounts.")
            let json = ["nickname": "Mina", "password": "open sesame"]
            #expect(try await world.ask("POST", "/v1/sessions", json: json).status == 200)
        }
    }

    @Test("an invitation is good for one account, and is not used up by a nickname that is taken")
    func invitations() async throws {
        try await withWorld {
            $0.signUp = .invitation
        } _: { world in
            let sodium = try Sodium()
            let access = AccountAccess(
                accounts: world.store, hashing: PlainHashing(), tokens: sodium, now: { world.clock.now })
            let codes = try await Invite(access)(2).map(\.text)
            #expect(Set(codes).count == 2)
            for wrong in [nil, "", "nonsense", codes[0].lowercased() + "A", sodium.token().text] {
                let reply = try await signUp("Mina", invitation: wrong, in: world)
                #expect(reply.status == 422)
                #expect(try reply.json()["field"] as? String == "invitation")
            }
            try await expectSignUp("Mina", invitation: codes[0], in: world, 201)
            try await expectSignUp("Jun", invitation: codes[0], in: world, 422)
            try await expectSignUp("mina", invitation: codes[1], in: world, 409)
            try await expectSignUp("Jun", invitation: codes[1], in: world, 201)
        }
    }

    @Test("an open server needs no invitation")
    func open() async throws {
        try await withWorld { world in
            let reply = try await signUp("Mina", invitation: Sodium().token().text, in: world)
            #expect(reply.status == 201)
        }
    }

    @Test("what goes beyond the quota of an account is refused with what and how many, and a repeat is not")
    func quotas() async throws {
        try await withWorld {
            $0.quota = AccountUsage(trips: 2, pictures: 2, bytes: 1_000)
        } _: { world in
            let mina = try await world.signUp("Mina")
            let jun = try await world.signUp("Jun")
            let trips = try (1...3).map { try world.trip($0, by: mina.user) }
            for trip in trips.prefix(2) { #expect(try await world.put(trip, token: mina.access).status == 201) }
            let refused = try await world.put(trips[2], token: mina.access)
            #expect(refused.status == 403)
            #expect(refused.cause == "quotaExceeded")
            let detail = try #require(refused.json()["detail"] as? String)
            #expect(detail.hasPrefix("An account may have at most 2 trips on this server; yours has 2"))
            // The answer was lost.
            #expect(try await world.put(trips[1], token: mina.access).status == 200)
            #expect(try await world.put(trips[1], token: mina.access, header: "If-Match: \"1\"").status == 200)
            // Others have their own.
            #expect(try await world.put(world.trip(4, by: jun.user), token: jun.access).status == 201)

            func setAvatar(_ count: Int) async throws -> Reply {
                let picture = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: count - 3)
                return try await world.ask(
                    "PUT", "/v1/me/avatar", token: mina.access, headers: ["Image-ID: \(TripImage.ID())"], body: picture)
            }
            let large = try await setAvatar(1_001)
            #expect(large.status == 403)
            #expect(large.text.contains("at most 1000 bytes of pictures"))
            let stored = try await setAvatar(400)
            #expect(stored.status == 200)
        }
    }

    @Test("the likes of someone are searched by them only")
    func likes() async throws {
        try await withWorld(pages: PlainPages()) { world in
            let mina = try await world.signUp("Mina")
            let jun = try await world.signUp("Jun")
            let target = "/v1/trips?likedBy=\(mina.user.id)"
            #expect(try await world.ask("GET", target, token: mina.access).status == 200)
            #expect(try await world.ask("GET", target, token: jun.access).status == 403)
            #expect(try await world.ask("GET", target).status == 403)
            let events = ["Accept: text/event-stream"]
            #expect(try await world.ask("GET", target, headers: events).status == 403)
        }
    }

    @Test("a query of many parameters is refused with an answer", arguments: ["/v1/trips?", "/?", "/healthz?"])
    func manyParameters(target: String) async throws {
        try await withWorld(pages: PlainPages()) { world in
            for count in [201, 500, 1_000, 4_000] {
                let query = String(repeating: "a&", count: count - 1) + "a"
                let reply = try await world.ask("GET", target + query)
                #expect(reply.status == 400, "\(count)")
                #expect(reply.cause == "malformed" || target == "/?")
            }
            let longest = (1...200).map { "a\($0)" }.joined(separator: "&")
            #expect(try await world.ask("GET", target + longest).status == 400)
        }
    }
}

@Suite("A NUL in a target", .limitedConcurrency)
struct NULTests {
    @Test(
        "is malformed wherever it is, and the request is not one for what stands before it",
        arguments: [
            "/healthz\0", "/healthz\0/x", "/\0", "/v1/trips?limit=1\0", "/v1/trips?limit=1&\0a=1",
            "/v1/trips\0?limit=1", "/healthz\0HTTP/1.1",
        ])
    func isRefused(target: String) async throws {
        try await withWorld { world in
            let reply = try #require(await ask(world.port, "GET", target))
            #expect(reply.status == 400)
            #expect(try await world.ask("GET", "/healthz").status == 200)
        }
    }
}
#endif
