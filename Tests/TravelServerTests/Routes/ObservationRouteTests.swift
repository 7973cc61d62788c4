#if Server
import Foundation
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDataRemote
import TravelDomain
import TravelDomainTesting

@testable import TravelServer

@Suite("Observations over HTTP", .limitedConcurrency)
struct ObservationRouteTests {
    /// An open observation.
    private func observe(_ world: ServerWorld, _ target: String, _ headers: [String] = []) async throws -> RawClient {
        let client = try RawClient(port: world.port)
        let head = ["GET \(target) HTTP/1.1", "Host: h", "Accept: text/event-stream"] + headers
        await client.send(head.joined(separator: "\r\n") + "\r\n\r\n")
        return client
    }

    @Test("send each new value, and the first one only to whom it is new")
    func values() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let trip = try world.trip(1, by: mina.user)
            try await world.put(trip, token: mina.access)
            let observers = try await [
                observe(world, "/v1/trips/\(trip.id)/summary"), observe(world, "/v1/trips/\(trip.id)"),
                observe(world, "/v1/trips?author=\(mina.user.id)"),
            ]
            var last = ""
            for observer in observers {
                let first = await observer.receive(until: "}\n\n")
                #expect(first.contains("Content-Type: text/event-stream"))
                #expect(first.contains("event: value") && first.contains("\"likeCount\":0"), "\(first)")
                if last.isEmpty {
                    last = try String(#require(first.firstMatch(of: /id: (\w+)/)).1)
                }
            }
            #expect(try await world.ask("PUT", "/v1/trips/\(trip.id)/like", token: mina.access).status == 204)
            for observer in observers {
                #expect(await observer.receive(until: "}\n\n").contains("\"likeCount\":1"))
            }
            #expect(try await world.ask("DELETE", "/v1/trips/\(trip.id)/like", token: mina.access).status == 204)
            let resumed = try await observe(world, "/v1/trips/\(trip.id)/summary", ["Last-Event-ID: \(last)"])
            #expect(await resumed.receive(until: ":\n\n").contains("200 OK"))
            #expect(try await world.ask("PUT", "/v1/trips/\(trip.id)/like", token: mina.access).status == 204)
            let next = await resumed.receive(until: "}\n\n")
            #expect(next.contains("\"likeCount\":1") && !next.contains("\"likeCount\":0"), "\(next)")
        }
    }

    @Test("end with the error of the domain, and begin with it if it is there from the beginning")
    func errors() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let trip = try world.trip(1, by: mina.user)
            #expect(
                try await world.ask("GET", "/v1/trips/\(trip.id)", headers: ["Accept: text/event-stream"]).status
                    == 404)
            try await world.put(trip, token: mina.access)
            let observer = try await observe(world, "/v1/trips/\(trip.id)/timeline", ["Connection: close"])
            #expect(await observer.receive(until: "]\n\n").contains("Harbour"))
            try await world.ask("DELETE", "/v1/trips/\(trip.id)", token: mina.access, headers: ["If-Match: *"])
            let end = await observer.receiveToEnd()
            #expect(end.contains("event: problem") && end.contains("\"cause\":\"notFound\""), "\(end)")
        }
    }

    @Test("end with a problem when the store cannot answer, and the reason is in the log alone")
    func outage() async throws {
        try await withWorld { world in
            let outage = TravelError.Outage("/srv/trips.sqlite is full.", cause: .diskFull, canRetry: true)
            try await world.failing(with: .unavailable(outage)) {
                let observer = try await observe(world, "/v1/trips", ["Connection: close"])
                let end = await observer.receiveToEnd()
                #expect(end.contains("event: problem") && end.contains("\"outage\":\"server failure\""), "\(end)")
                #expect(!end.contains("trips.sqlite"), "\(end)")
                #expect(try await eventually { world.log.all.contains { $0.contains("disk full: /srv/trips.sqlite") } })
            }
        }
    }

    @Test("take memory for an event until it is sent, and end with a problem where there is none")
    func memory() async throws {
        try await withWorld {
            // A client has a quarter.
            $0.answerMemory = 4 * 1_500
            $0.smallAnswer = 100
        } _: { world in
            let mina = try await world.signUp("Mina")
            let trip = try world.trip(1, by: mina.user)
            try await world.put(trip, token: mina.access)
            let observer = try await observe(world, "/v1/trips/\(trip.id)")
            for count in [0, 1, 0, 1, 0, 1] {
                #expect(await observer.receive(until: "}\n\n").contains("\"likeCount\":\(count)"))
                try await world.ask(count == 0 ? "PUT" : "DELETE", "/v1/trips/\(trip.id)/like", token: mina.access)
            }
            let long = try RecordedTrip(
                id: Trip.ID(), author: mina.user, createdAt: world.clock.now, content: trip.content,
                timeline: [
                    TimelineEntry(
                        day: 1, time: TimeOfDay("09:30"), title: Title("Harbour"),
                        text: EntryText(String(repeating: "x", count: 2_000)))
                ])
            try await world.store.add([long], images: [])
            let end = await (try observe(world, "/v1/trips/\(long.id)", ["Connection: close"])).receiveToEnd()
            #expect(end.contains("event: problem") && end.contains("\"outage\":\"server busy\""), "\(end)")
        }
    }

    /// What ends the session of a device.
    enum End: CaseIterable {
        case signOut, reusedToken, changedPassword, accountDeletion
    }

    @Test("of a user end at once with their session, and those of others do not", arguments: End.allCases)
    func endOfSession(end: End) async throws {
        try await withWorld { world in
            let (mina, jun) = (try await world.signUp("Mina"), try await world.signUp("Jun"))
            let trip = try world.trip(1, by: jun.user)
            try await world.put(trip, token: jun.access)
            var observers: [RawClient] = []
            for account in [mina, jun] {
                let headers = ["Authorization: Bearer \(account.access)", "Connection: close"]
                observers.append(try await observe(world, "/v1/trips/\(trip.id)/summary", headers))
            }
            for observer in observers { _ = await observer.receive(until: "}\n\n") }
            let password = "open sesame"
            // Another device of the user.
            let tablet = try ServerWorld.Account(
                await world.ask("POST", "/v1/sessions", json: ["nickname": "Mina", "password": password]))
            let status =
                switch end {
                case .signOut: try await world.ask("DELETE", "/v1/session", token: mina.access).status
                case .changedPassword:
                    try await world.ask(
                        "PUT", "/v1/me/password", token: tablet.access, json: ["old": password, "new": "close sesame"]
                    ).status
                case .accountDeletion:
                    try await world.ask("DELETE", "/v1/me", token: tablet.access, json: ["password": password]).status
                case .reusedToken:
                    try await { () async throws -> Int in
                        let refresh = ["refreshToken": mina.refresh]
                        // The observation goes on with new tokens.
                        _ = try await world.ask("POST", "/v1/sessions/refresh", json: refresh)
                        return try await world.ask("POST", "/v1/sessions/refresh", json: refresh).status
                    }()
                }
            #expect(status == [.signOut: 204, .changedPassword: 200, .accountDeletion: 204, .reusedToken: 401][end])
            let last = await observers[0].receiveToEnd()
            #expect(last.contains("event: problem") && last.contains("\"cause\":\"signedOut\""), "\(last)")
            #expect(last.hasSuffix("0\r\n\r\n"))
            try await world.ask("PUT", "/v1/trips/\(trip.id)/like", token: jun.access)
            #expect(await observers[1].receive(until: "}\n\n").contains("\"likeCount\":1"))
        }
    }

    @Test("of a client end with its session as an error, and go on when it has changed its password")
    func clients() async throws {
        try await withWorld { world in
            let jun = try await world.signUp("Jun")
            _ = try await world.signUp("Mina")
            let trip = try world.trip(1, by: jun.user)
            try await world.put(trip, token: jun.access)
            let folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let session = RemoteSession(
                server: try ServerAddress("http://127.0.0.1:\(world.port)"), tokens: try FileTokenStore(folder: folder),
                password: { throw TravelError.signedOut })
            let mina = try await session.signIn(Nickname("Mina"), Password("open sesame"))
            var likes: [Int] = []
            await #expect(throws: TravelError.signedOut) {
                for try await value in RemoteTravelStore(session).observeTrip(trip.id, viewer: mina.id) {
                    likes.append(value.likeCount)
                    if likes.count == 1 {
                        try await session.changePassword(from: Password("open sesame"), to: Password("close sesame"))
                        try await world.ask("PUT", "/v1/trips/\(trip.id)/like", token: jun.access)
                    } else {
                        // Another device changes it again.
                        let other = try ServerWorld.Account(
                            await world.ask(
                                "POST", "/v1/sessions", json: ["nickname": "Mina", "password": "close sesame"]))
                        try await world.ask(
                            "PUT", "/v1/me/password", token: other.access,
                            json: ["old": "close sesame", "new": "open says me"])
                    }
                }
            }
            #expect(likes == [0, 1])
        }
    }

    @Test("of a user end with the token")
    func expiry() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let trip = try world.trip(1, by: mina.user)
            try await world.put(trip, token: mina.access)
            world.clock.advance(by: 15 * 60 - 0.2)
            let observer = try await observe(
                world, "/v1/trips/\(trip.id)", ["Authorization: Bearer \(mina.access)", "Connection: close"])
            #expect(await observer.receiveToEnd().hasSuffix("0\r\n\r\n"))
        }
    }
}
#endif
