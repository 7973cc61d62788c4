#if Server
import Foundation
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain

@testable import TravelServer

@Suite("Reports over HTTP", .limitedConcurrency)
struct ReportRouteTests {
    /// A world with a trip of Mina, and six accounts.
    private func withReporters(
        _ body: (ServerWorld, RecordedTrip, _ mina: ServerWorld.Account, _ others: [ServerWorld.Account]) async throws
            -> Void
    ) async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let trip = try world.trip(1, by: mina.user)
            #expect(try await world.put(trip, token: mina.access).status == 201)
            var others: [ServerWorld.Account] = []
            for number in 1...6 { others.append(try await world.signUp("Other \(number)")) }
            try await body(world, trip, mina, others)
        }
    }

    private func expectReport(
        _ trip: RecordedTrip, _ token: String, in world: ServerWorld, _ status: Int
    ) async throws {
        let reply = try await world.ask("PUT", "/v1/trips/\(trip.id)/report", token: token)
        #expect(reply.status == status)
    }

    /// Signs in again: access tokens have expired.
    private func token(_ account: ServerWorld.Account, in world: ServerWorld) async throws -> String {
        let json = ["nickname": account.user.nickname.text, "password": "open sesame"]
        return try ServerWorld.Account(await world.ask("POST", "/v1/sessions", json: json)).access
    }

    @Test("six new accounts do not hide a trip, and are answered as others are")
    func newAccounts() async throws {
        try await withReporters { world, trip, _, others in
            for other in others {
                try await expectReport(trip, other.access, in: world, 201)
                try await expectReport(trip, other.access, in: world, 200)
            }
            #expect(try await world.ask("GET", "/v1/trips/\(trip.id)").status == 200)
            // Nor do they later: the moment of the report counts.
            world.clock.advance(by: 2 * 24 * 60 * 60)
            for other in others { try await expectReport(trip, token(other, in: world), in: world, 200) }
            #expect(try await world.ask("GET", "/v1/trips/\(trip.id)").status == 200)
        }
    }

    @Test("six accounts that are older than a day hide a trip from everyone but its author, who is told")
    func oldAccounts() async throws {
        try await withReporters { world, trip, mina, others in
            world.clock.advance(by: 24 * 60 * 60 + 1)
            let author = try await token(mina, in: world)
            #expect(!(try await world.ask("GET", "/v1/trips/\(trip.id)", token: author).text.contains("isHidden")))
            for other in others { try await expectReport(trip, token(other, in: world), in: world, 201) }
            #expect(try await world.ask("GET", "/v1/trips/\(trip.id)").status == 404)
            for path in ["/v1/trips/\(trip.id)", "/v1/trips/\(trip.id)/summary", "/v1/trips"] {
                let reply = try await world.ask("GET", path, token: author)
                #expect(reply.status == 200)
                #expect(reply.text.contains(#""isHidden":true"#), "\(path): \(reply.text)")
            }
            // The author writes as before.
            #expect(try await world.put(trip, token: author, header: "If-Match: \"1\"").status == 200)
        }
    }

    @Test("a user reports at most five trips a day that count")
    func manyReports() async throws {
        try await withReporters { world, trip, mina, others in
            world.clock.advance(by: 24 * 60 * 60 + 1)
            let author = try await token(mina, in: world)
            for other in others {
                let token = try await token(other, in: world)
                for number in UInt64(0)..<5 {
                    let filler = try world.trip(number, by: mina.user)
                    #expect(try await world.put(filler, token: author).status == 201)
                    try await expectReport(filler, token, in: world, 201)
                }
                try await expectReport(trip, token, in: world, 201)
            }
            #expect(try await world.ask("GET", "/v1/trips/\(trip.id)").status == 200)
        }
    }

    @Test("an account that the owner blocks is signed out at once, and learns why it cannot sign in")
    func blockedAccount() async throws {
        try await withReporters { world, _, _, others in
            let other = others[0]
            #expect(try await world.ask("GET", "/v1/me", token: other.access).status == 200)
            try await world.store.setBlocked(true, account: other.user.id, at: world.clock.now)
            #expect(try await world.ask("GET", "/v1/me", token: other.access).status == 401)
            #expect(
                try await world.ask("POST", "/v1/sessions/refresh", json: ["refreshToken": other.refresh]).status == 401
            )
            let json = ["nickname": other.user.nickname.text, "password": "open sesame"]
            #expect(try await world.ask("POST", "/v1/sessions", json: json).status == 403)
            try await world.store.setBlocked(false, account: other.user.id, at: world.clock.now)
            #expect(try await world.ask("POST", "/v1/sessions", json: json).status == 200)
        }
    }
}
#endif
