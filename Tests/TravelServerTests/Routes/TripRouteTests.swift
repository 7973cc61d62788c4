#if Server
import Foundation
import TestTurns
import Testing
import TravelDataInMemory
import TravelDataRemote
import TravelDomain
import TravelDomainTesting
import TravelJSON

@testable import TravelServer

@Suite("Trips over HTTP", .takesTurns)
struct TripRouteTests {
    @Test("are added once, replaced by their version, and removed")
    func writing() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let trip = try world.trip(1, by: mina.user)
            let path = "/v1/trips/\(trip.id)"
            #expect(try await world.put(trip, token: mina.access, header: "").status == 428)
            let added = try await world.put(trip, token: mina.access)
            #expect(added.status == 201)
            #expect(added.headers["etag"] == "\"1\"")
            #expect(added.headers["trip-version"] == "1")
            #expect(try await world.put(trip, token: mina.access).status == 200)
            var content = trip.content
            content.title = try Title("Other")
            let edited = try trip.with(content)
            #expect(try await world.put(edited, token: mina.access).status == 409)
            let replaced = try await world.put(edited, token: mina.access, header: "If-Match: \"1\"")
            #expect(replaced.status == 200)
            #expect(replaced.headers["trip-version"] == "2")
            // A repeat after a lost answer.
            #expect(try await world.put(edited, token: mina.access, header: "If-Match: \"1\"").status == 200)
            let outdated = try await world.put(trip, token: mina.access, header: "If-Match: \"1\"")
            #expect(outdated.status == 412)
            let problem = try JSONCoding.value(Problem.self, in: Data(outdated.body))
            guard case .outdated(let current) = problem.error else {
                Issue.record("\(problem)")
                return
            }
            #expect(current.content.title.text == "Other")
            #expect(try await world.put(trip, token: mina.access, header: "If-Match: x").status == 400)
            #expect(try await world.ask("DELETE", path, token: mina.access).status == 428)
            #expect(try await world.ask("DELETE", path, token: mina.access, headers: ["If-Match: \"1\""]).status == 412)
            #expect(try await world.ask("DELETE", path, token: mina.access, headers: ["If-Match: \"2\""]).status == 204)
            #expect(try await world.ask("DELETE", path, token: mina.access, headers: ["If-Match: *"]).status == 404)
        }
    }

    @Test("are read as the viewer sees them, and sent again only when they have changed")
    func reading() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let jun = try await world.signUp("Jun")
            let trip = try world.trip(1, by: mina.user)
            try await world.put(trip, token: mina.access)
            #expect(try await world.ask("PUT", "/v1/trips/\(trip.id)/like", token: jun.access).status == 204)
            for part in ["", "/summary", "/timeline", "/timeline?day=1", "/track"] {
                let target = "/v1/trips/\(trip.id)\(part)"
                let first = try await world.ask("GET", target, token: jun.access)
                #expect(first.status == 200)
                let tag = try #require(first.headers["etag"])
                let second = try await world.ask("GET", target, token: jun.access, headers: ["If-None-Match: \(tag)"])
                #expect(second.status == 304)
                #expect(second.body.isEmpty)
                let head = try await world.ask("HEAD", target, token: jun.access)
                #expect(head.headers["content-length"] == "\(first.body.count)")
            }
            let seen = try JSONCoding.value(
                DetailsRecord.self, in: Data(await world.ask("GET", "/v1/trips/\(trip.id)", token: jun.access).body)
            ).details
            #expect(seen.trip.isLiked && !seen.trip.isMine && seen.trip.likeCount == 1)
            #expect(seen.timeline == trip.timeline)
            let page = try JSONCoding.value(
                PageRecord.self,
                in: Data(await world.ask("GET", "/v1/trips?region=jeju,busan&limit=5&keyword=Trip+1").body)
            ).page
            #expect(page.trips.map(\.id) == [trip.id])
            #expect(try await world.ask("GET", "/v1/titles?text=Tr").text == "[\"Trip 1\"]")
            #expect(try await world.ask("GET", "/v1/trips/\(trip.id)/track").text == "null")
            #expect(try await world.ask("DELETE", "/v1/trips/\(trip.id)/like", token: jun.access).status == 204)
        }
    }

    @Test(
        "refuse what the interface does not have, with a problem",
        arguments: [
            ("GET", "/v1/trips?region=atlantis", 400, "malformed"), ("GET", "/v1/trips?limit=0", 422, "invalid"),
            ("GET", "/v1/trips?limit=x", 422, "invalid"), ("GET", "/v1/trips?after=x", 422, "invalid"),
            ("GET", "/v1/trips?sort=newest&sort=newest", 400, "malformed"),
            ("GET", "/v1/trips?unknown=1", 400, "malformed"),
            ("GET", "/v1/trips?keyword", 400, "malformed"), ("GET", "/v1/trips/x", 400, "malformed"),
            ("GET", "/v1/titles", 400, "malformed"), ("GET", "/v1/nothing", 404, "noSuchRoute"),
            ("GET", "/v1/trips/%00", 400, "malformed"), ("GET", "/v1/trips/%FF?x=%", 400, "malformed"),
            ("POST", "/v1/trips", 405, "methodNotAllowed"), ("OPTIONS", "/v1/me", 405, "methodNotAllowed"),
            ("get", "/v1/trips", 405, "methodNotAllowed"), ("POST", "/v1/sessions", 415, "unsupportedMediaType"),
            ("GET", "/v1/nicknames/x", 422, "invalid"),
            ("GET", "/v1/trips/6f1c2c1e-8d5b-4a53-9c9e-0b1f6a7f3f10", 404, "notFound"),
            ("GET", "/v1/trips/6f1c2c1e-8d5b-4a53-9c9e-0b1f6a7f3f10/timeline?day=0", 422, "invalid"),
            ("GET", "/", 404, "noSuchRoute"),
        ])
    func refusals(method: String, target: String, status: Int, cause: String) async throws {
        try await withWorld { world in
            let reply = try await world.ask(method, target)
            #expect(reply.status == status)
            #expect(reply.cause == cause)
            #expect(reply.headers["content-type"] == "application/problem+json")
            #expect(try reply.json()["request"] as? String == reply.headers["request-id"])
            if status == 405 { #expect(reply.headers["allow"]?.isEmpty == false) }
        }
    }

    /// A body, which no message of a test repeats.
    struct Body: CustomTestStringConvertible {
        let text: String
        let status: Int
        var testDescription: String { "\(text.prefix(30)), \(text.utf8.count) bytes: \(status)" }

        init(_ text: String, _ status: Int) {
            self.text = text
            self.status = status
        }
    }

    @Test(
        "refuse bodies that are none",
        arguments: [
            Body("{", 400), Body(String(repeating: "[", count: 60_000), 400),
            Body(String(repeating: "{\"a\":", count: 13_000), 400), Body("null", 400), Body("{}", 400),
            Body("\u{0}", 400),
            Body(#"{"nickname":"x","password":"open sesame"}"#, 422),
            Body(#"{"nickname":"Mina","password":"short"}"#, 422),
            Body(#"{"nickname":1,"password":"open sesame"}"#, 400),
            Body(#"{"nickname":"Mina","password":"\#(String(repeating: "p", count: 70_000))"}"#, 413),
        ])
    func bodies(body: Body) async throws {
        try await withWorld { world in
            let reply = try await world.ask(
                "POST", "/v1/accounts", headers: ["Content-Type: application/json"], body: Array(body.text.utf8))
            #expect(reply.status == body.status, "\(reply.text)")
        }
    }

    @Test("refuse one that is nested 100,000 deep")
    func nested() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            for text in [String(repeating: "[", count: 100_000), String(repeating: "{\"timeline\":", count: 100_000)] {
                let reply = try await world.ask(
                    "PUT", "/v1/trips/\(Trip.ID())", token: mina.access,
                    headers: ["Content-Type: application/json", "If-None-Match: *"], body: Array(text.utf8))
                #expect(reply.status == 400)
            }
        }
    }
}

@Suite("Pictures over HTTP", .takesTurns)
struct PictureRouteTests {
    private static let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<100).map { UInt8($0) }

    @Test("wait for the trip of their account, and are sent whole, in part, or not again")
    func pictures() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let jun = try await world.signUp("Jun")
            let id = TripImage.ID()
            let path = "/v1/images/\(id)"
            #expect(try await world.ask("PUT", path, token: mina.access, body: Array("no picture".utf8)).status == 422)
            #expect(
                try await world.ask(
                    "PUT", path, token: mina.access, headers: ["Content-Type: text/html"], body: Self.bytes
                ).status == 415)
            #expect(
                try await world.ask(
                    "PUT", path, token: mina.access, headers: ["Content-Type: image/png"], body: Self.bytes
                ).status == 204)
            #expect(try await world.ask("GET", path, token: mina.access).status == 404)
            // Nobody else can use it.
            let stolen = try world.trip(2, by: jun.user, image: id)
            #expect(try await world.put(stolen, token: jun.access).status == 404)
            let trip = try world.trip(1, by: mina.user, image: id)
            #expect(try await world.put(trip, token: mina.access).status == 201)
            #expect(try await world.put(trip, token: mina.access).status == 200)
            let whole = try await world.ask("GET", path)
            #expect(whole.status == 200 && whole.body == Self.bytes)
            #expect(whole.headers["content-type"] == "image/png")
            let tag = try #require(whole.headers["etag"])
            #expect(try await world.ask("GET", path, headers: ["If-None-Match: \(tag)"]).status == 304)
            let part = try await world.ask("GET", path, headers: ["Range: bytes=8-11", "If-Range: \(tag)"])
            #expect(part.status == 206 && part.body == [0, 1, 2, 3])
            #expect(part.headers["content-range"] == "bytes 8-11/108")
            #expect(try await world.ask("GET", path, headers: ["Range: bytes=8-11", "If-Range: \"x\""]).status == 200)
            #expect(try await world.ask("GET", path, headers: ["Range: bytes=108-"]).status == 416)
            let ranges = (0..<1_000).map { "\($0)-\($0)" }.joined(separator: ",")
            #expect(try await world.ask("GET", path, headers: ["Range: bytes=\(ranges)"]).body == Self.bytes)
        }
    }

    @Test("that wait too long are dropped")
    func expiry() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let id = TripImage.ID()
            #expect(try await world.ask("PUT", "/v1/images/\(id)", token: mina.access, body: Self.bytes).status == 204)
            world.clock.advance(by: 3_601)
            let again = try ServerWorld.Account(
                await world.ask("POST", "/v1/sessions", json: ["nickname": "Mina", "password": "open sesame"]))
            let trip = try world.trip(1, by: mina.user, image: id)
            #expect(try await world.put(trip, token: again.access).status == 404)
        }
    }

    @Test("of people are set and removed by them")
    func avatars() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let id = TripImage.ID()
            #expect(try await world.ask("PUT", "/v1/me/avatar", token: mina.access, body: Self.bytes).status == 400)
            let reply = try await world.ask(
                "PUT", "/v1/me/avatar", token: mina.access, headers: ["Image-ID: \(id)"], body: Self.bytes)
            #expect(try reply.json()["avatar"] as? String == "\(id)")
            #expect(try await world.ask("GET", "/v1/images/\(id)").body == Self.bytes)
            let removed = try await world.ask("DELETE", "/v1/me/avatar", token: mina.access)
            #expect(try removed.json()["avatar"] == nil)
            #expect(try await world.ask("GET", "/v1/images/\(id)").status == 404)
        }
    }

    @Test("are missing, and can be sent again, after the system has removed the temporary folder")
    func removedFolder() async throws {
        let parent = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID())")
        defer { try? FileManager.default.removeItem(at: parent) }  // The system eventually empties that directory.
        let staged = try StagedImages(in: parent, now: { Date() })
        let (mina, image) = (User.ID(), try TripImage(bytes: Data(Self.bytes)))
        try await staged.keep(image, for: mina)
        try FileManager.default.removeItem(at: parent)
        #expect(try await staged.images([image.id], of: mina) == [])
        try await staged.keep(image, for: mina)
        #expect(try await staged.images([image.id], of: mina) == [image])
    }

    @Test("have limits of an account, and of all")
    func limits() async throws {
        var limits = StagedImages.Limits()
        limits.perAccount = 250
        limits.inAll = 450
        let staged = try StagedImages(in: nil, limits: limits, now: { Date() })
        let (mina, jun) = (User.ID(), User.ID())
        func image() throws -> TripImage { try TripImage(bytes: Data(Self.bytes)) }
        let first = try image()
        try await staged.keep(first, for: mina)
        try await staged.keep(first, for: mina)
        try await staged.keep(image(), for: mina)
        await #expect(throws: TravelError.self) { try await staged.keep(image(), for: mina) }
        try await staged.keep(image(), for: jun)
        try await staged.keep(image(), for: jun)
        await #expect(throws: TravelError.self) { try await staged.keep(image(), for: User.ID()) }
        await staged.remove([first.id], of: mina)
        try await staged.keep(image(), for: User.ID())
        await staged.removeAll()
    }
}

@Suite("Observations over HTTP", .takesTurns)
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
                #expect(end.contains("event: problem") && !end.contains("trips.sqlite"), "\(end)")
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
            #expect(end.contains("event: problem") && end.contains("\"outage\":\"busy\""), "\(end)")
        }
    }

    /// What ends the session of a device.
    enum End: CaseIterable {
        case signOut, reusedToken, changedPassword, withdrawal
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
            let status =
                switch end {
                case .signOut: try await world.ask("DELETE", "/v1/session", token: mina.access).status
                case .changedPassword:
                    try await world.ask(
                        "PUT", "/v1/me/password", token: mina.access, json: ["old": password, "new": "close sesame"]
                    ).status
                case .withdrawal:
                    try await world.ask("DELETE", "/v1/me", token: mina.access, json: ["password": password]).status
                case .reusedToken:
                    try await { () async throws -> Int in
                        let refresh = ["refreshToken": mina.refresh]
                        // The observation goes on with new tokens.
                        _ = try await world.ask("POST", "/v1/sessions/refresh", json: refresh)
                        return try await world.ask("POST", "/v1/sessions/refresh", json: refresh).status
                    }()
                }
            #expect(status == [.signOut: 204, .changedPassword: 200, .withdrawal: 204, .reusedToken: 401][end])
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

@Suite("Pages over HTTP", .takesTurns)
struct PageRouteTests {
    @Test(
        "are in the language that the reader prefers, without regard to malformed weights",
        arguments: [
            ("ko", "ko"), ("en;q=0.5, ko;q=0.8", "ko"), ("en;q=0.5, ko;q=0.5", "en"), ("ko;q=0", "en"), ("", "en"),
            ("en;q=abc, ko;q=0.1", "ko"), ("ko;q=abc", "en"), ("ko;q=, fr", "en"), ("ko;q=7, en;q=0.1", "en"),
            ("ko;q=abc, ko;q=0.2", "ko"),
        ])
    func languages(header: String, language: String) {
        var headers = HTTPHeaders()
        headers.add("Accept-Language", header)
        #expect(PageRequest.language(of: headers, among: ["en", "ko"]) == language)
    }

    @Test("show what everyone sees, in the language of the reader, with a strict policy")
    func pages() async throws {
        try await withWorld(pages: PlainPages()) { world in
            let mina = try await world.signUp("Mina")
            let trip = try world.trip(1, by: mina.user)
            try await world.put(trip, token: mina.access)
            let list = try await world.ask(
                "GET", "/?region=jeju", headers: ["Accept-Language: fr, ko-KR;q=0.8, en;q=0.5"])
            #expect(list.text == "ko: [\"Trip 1\"]")
            #expect(list.headers["content-security-policy"] == "default-src 'none'")
            #expect(list.headers["content-language"] == "ko")
            #expect(list.headers["referrer-policy"] == "no-referrer")
            #expect(list.headers["x-content-type-options"] == "nosniff")
            let tag = try #require(list.headers["etag"])
            let again = try await world.ask(
                "GET", "/?region=jeju", headers: ["Accept-Language: ko", "If-None-Match: \(tag)"])
            #expect(again.status == 304)
            #expect(try await world.ask("GET", "/trips/\(trip.id)").text == "en: Trip 1")
            for (target, status) in [
                ("/trips/\(Trip.ID())", 404), ("/trips/x", 400), ("/nothing", 404), ("/?a=b", 400),
            ] {
                let page = try await world.ask("GET", target)
                #expect(page.status == status)
                #expect(page.text == "en: nothing")
                #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            }
            #expect(try await world.ask("GET", "/style.css").text == "body {}")
            #expect(try await world.ask("GET", "/v1/nothing").cause == "noSuchRoute")
        }
    }
}

@Suite("A server", .takesTurns)
struct ServerStartTests {
    @Test("that other machines can reach needs TLS or a proxy", arguments: ["0.0.0.0", "::", "192.0.2.1"])
    func needsTLS(host: String) throws {
        let store = InMemoryTripRepository()
        let server = try TravelHTTPServer(
            ServerConfiguration(host: host, port: 0), stores: ServerStores(trips: store, accounts: store))
        let error = #expect(throws: ServerStartError.self) { try server.start() }
        #expect(error?.description.contains("certificate") == true)
    }

    @Test("says what is wrong with its address")
    func address() throws {
        let store = InMemoryTripRepository()
        let server = try TravelHTTPServer(
            ServerConfiguration(host: "example.org", port: 80), stores: ServerStores(trips: store, accounts: store))
        #expect(throws: ServerStartError.self) { try server.start() }
    }

    @Test("is healthy, and drains")
    func health() async throws {
        let world = try ServerWorld()
        #expect(try await world.ask("GET", "/healthz").text == "{\"status\":\"ok\"}")
        await world.server.drain()
        #expect(await ask(world.port, "GET", "/healthz") == nil)
    }
}
#endif
