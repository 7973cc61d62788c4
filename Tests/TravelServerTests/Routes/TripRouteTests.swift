#if Server
import Foundation
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDataRemote
import TravelDomain
import TravelDomainTesting
import TravelJSON

@testable import TravelServer

@Suite("Trips over HTTP", .limitedConcurrency)
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

    @Test("are replaced and removed by a tag only if the version has the content of that tag, whoever likes them")
    func contentTags() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let jun = try await world.signUp("Jun")
            let trip = try world.trip(1, by: mina.user)
            let path = "/v1/trips/\(trip.id)"
            try await world.put(trip, token: mina.access)
            let seen = try #require(await world.ask("GET", path).headers["etag"])
            // What another server of that name has made of version 1, or this one before it was restored.
            var content = trip.content
            content.title = try Title("Other")
            let other = try trip.with(content)
            let unseen = "\"\(TripTag(.first, content: other.contentDigest).text(answer: "09ab"))\""
            #expect(try await world.put(other, token: mina.access, header: "If-Match: \(unseen)").status == 412)
            #expect(
                try await world.ask("DELETE", path, token: mina.access, headers: ["If-Match: \(unseen)"]).status == 412)
            #expect(try await world.ask("PUT", "\(path)/like", token: jun.access).status == 204)
            #expect(try await world.ask("GET", path).headers["etag"] != seen)
            #expect(try await world.put(other, token: mina.access, header: "If-Match: \(seen)").status == 200)
            let summary = try #require(await world.ask("GET", "\(path)/summary").headers["etag"])
            let gone = try await world.ask("DELETE", path, token: mina.access, headers: ["If-Match: \(summary)"])
            #expect(gone.status == 204)
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
            ("GET", "/v1/titles?text=a&text=b", 400, "malformed"),
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

    @Test("refuse texts that are larger than their limit, and lists that are longer, before they are examined")
    func sizes() async throws {
        try await withWorld { world in
            let marked = "e" + String(repeating: "\u{301}\u{316}", count: 80_000)
            for path in ["/v1/accounts", "/v1/sessions"] {
                let password = "open sesame" + String(marked.unicodeScalars.prefix(15_000))
                #expect(
                    try await world.ask("POST", path, json: ["nickname": "ee", "password": password]).status == 422)
                #expect(try await world.ask("POST", path, json: ["nickname": "ee", "password": marked]).status == 413)
            }
            let mina = try await world.signUp("Mina")
            let trip = try world.trip(1, by: mina.user)
            let text = String(decoding: try JSONCoding.bytes(for: RecordedTripRecord(trip)), as: UTF8.self)
            let entry = try #require(text.firstMatch(of: #/\{"day".*?"Harbour"\}/#)).output
            let changes = [
                text.replacing("Trip 1", with: marked), text.replacing("Rain", with: marked),
                text.replacing("Harbour", with: marked),
                text.replacing(entry, with: Array(repeating: entry, count: 1_001).joined(separator: ",")),
            ]
            for body in changes {
                let reply = try await world.ask(
                    "PUT", "/v1/trips/\(trip.id)", token: mina.access,
                    headers: ["Content-Type: application/json", "If-None-Match: *"], body: Array(body.utf8))
                #expect(reply.status == 422, "\(reply.text.prefix(200))")
            }
            let themes = #""themes":["# + Array(repeating: #""food""#, count: 100).joined(separator: ",") + "]"
            let reply = try await world.ask(
                "PUT", "/v1/trips/\(trip.id)", token: mina.access,
                headers: ["Content-Type: application/json", "If-None-Match: *"],
                body: Array(text.replacing(#""themes":[]"#, with: themes).utf8))
            #expect(reply.status == 400)
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

@Suite("Pictures over HTTP", .limitedConcurrency)
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
            // It waits no longer.
            let another = try world.trip(3, by: mina.user, image: id)
            #expect(try await world.put(another, token: mina.access).status == 404)
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

    @Test("take the memory of their own size, not of the largest picture")
    func memory() async throws {
        // A quarter of it, 1 MiB, is for one client.
        try await withWorld({ $0.answerMemory = 4 << 20 }) { world in
            let mina = try await world.signUp("Mina")
            func show(_ count: Int) async throws -> Reply {
                let (id, bytes) = (TripImage.ID(), Self.bytes + [UInt8](repeating: 7, count: count))
                let kept = try await world.ask("PUT", "/v1/images/\(id)", token: mina.access, body: bytes)
                #expect(kept.status == 204)
                let trip = try world.trip(1, by: mina.user, image: id)
                #expect(try await world.put(trip, token: mina.access).status == 201)
                return try await world.ask("GET", "/v1/images/\(id)")
            }
            #expect(try await show(60_000).body.count == 60_108)
            #expect(try await show(1 << 19).body.count == 1 << 19 + 108)
            #expect(try await show(1 << 20).status == 503)
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
        // Nobody else can read it.
        let folder = try #require(FileManager.default.contentsOfDirectory(atPath: parent.path).first)
        let attributes = try FileManager.default.attributesOfItem(atPath: parent.appending(path: folder).path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        try FileManager.default.removeItem(at: parent)
        #expect(try await staged.images([image.id], of: mina) == [])
        try await staged.keep(image, for: mina)
        #expect(try await staged.images([image.id], of: mina) == [image])
    }

    @Test("of a server that was killed are removed by the next one, and those of a server that runs are not")
    func abandonedFolders() async throws {
        let parent = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID())")
        defer { try? FileManager.default.removeItem(at: parent) }  // The system eventually empties that directory.
        let manager = FileManager.default
        let running = try StagedImages(in: parent, now: { Date() })
        let (mina, image) = (User.ID(), try TripImage(bytes: Data(Self.bytes)))
        try await running.keep(image, for: mina)
        // That of a process that was killed has a lock that nobody holds; that of an earlier version has none.
        func folder(_ name: String, age: TimeInterval) throws -> URL {
            let url = parent.appending(path: name)
            try manager.createDirectory(at: url, withIntermediateDirectories: true)
            try Data("picture".utf8).write(to: url.appending(path: "picture"))
            try manager.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: url.path)
            return url
        }
        let killed = try folder("traveline-pictures-killed", age: 0)
        try Data().write(to: killed.appending(path: "lock"))
        let earlier = try folder("traveline-pictures-earlier", age: 25 * 60 * 60)
        let recent = try folder("traveline-pictures-recent", age: 60)
        let other = try folder("other-pictures", age: 25 * 60 * 60)
        let link = parent.appending(path: "traveline-pictures-link")
        try manager.createSymbolicLink(at: link, withDestinationURL: other)
        let next = try StagedImages(in: parent, now: { Date() })
        for url in [killed, earlier] { #expect(!manager.fileExists(atPath: url.path)) }
        for url in [recent, other, link] { #expect(manager.fileExists(atPath: url.path), "\(url)") }
        #expect(try await running.images([image.id], of: mina) == [image])
        await next.removeAll()
        await running.removeAll()
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

@Suite("Pages over HTTP", .limitedConcurrency)
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
            #expect(try await world.ask("GET", "/icon.svg").text == "<svg/>")
            #expect(try await world.ask("GET", "/v1/nothing").cause == "noSuchRoute")
        }
    }

    @Test("name the configured address in previews, and never the host of a request")
    func addresses() async throws {
        let shared = { @Sendable (image: TripImage) in ("image/png", image.bytes) }
        for origin in [SiteOrigin("https://trips.example.org"), nil] {
            try await withWorld(pages: WebPages(at: origin, picture: shared)) { world in
                let mina = try await world.signUp("Mina")
                let image = TripImage.ID()
                try await world.ask("PUT", "/v1/images/\(image)", token: mina.access, body: RouteRequest.picture)
                let trip = try world.trip(1, by: mina.user, image: image)
                #expect(try await world.put(trip, token: mina.access).status == 201)
                for target in ["/", "/trips/\(trip.id)"] {
                    let page = try await world.ask(
                        "GET", target,
                        headers: ["X-Forwarded-Host: evil.example", "Forwarded: host=evil.example;proto=https"])
                    #expect(page.status == 200 && !page.text.contains("evil.example"))
                    let address = #"<meta property="og:url" content="https://trips.example.org\#(target)" />"#
                    #expect(page.text.contains(address) == (origin != nil))
                    #expect(page.text.contains("og:url") == (origin != nil))
                }
                let page = try await world.ask("GET", "/trips/\(trip.id)")
                let picture = "https://trips.example.org/images/\(image)?size=middle"
                #expect(page.text.contains(picture) == (origin != nil))
            }
        }
    }

    @Test("of the travel log have its texts, and pictures as they are given to them")
    func webPages() async throws {
        let pages = WebPages { image in image.format == .png ? ("image/png", Data("shared".utf8)) : nil }
        #expect(pages.languages == ["en", "ko"])
        try await withWorld(pages: pages) { world in
            let mina = try await world.signUp("Mina")
            let trip = try world.trip(1, by: mina.user)
            try await world.put(trip, token: mina.access)
            let list = try await world.ask("GET", "/?region=jeju", headers: ["Accept-Language: ko"])
            #expect(list.text.contains(#"<h2 dir="auto">Trip 1</h2>"#) && list.text.contains("<h1>여행</h1>"))
            #expect(list.headers["content-security-policy"] == pages.contentSecurityPolicy)
            let page = try await world.ask("GET", "/trips/\(trip.id)")
            #expect(page.text.contains("<h1 dir=\"auto\">Trip 1</h1>") && page.text.contains("Recorded by Mina"))
            let missing = try await world.ask("GET", "/trips/\(Trip.ID())", headers: ["Accept-Language: ko"])
            #expect(missing.status == 404 && missing.text.contains("찾을 수 없습니다"))
            #expect(try await world.ask("GET", "/?region=atlantis").status == 400)
            #expect(try await world.ask("GET", "/style.css").status == 404)
            let icon = try await world.ask("GET", "/icon.svg")
            #expect(icon.headers["content-type"] == "image/svg+xml" && icon.text.hasPrefix("<svg"))
            #expect(try await world.ask("GET", "/favicon.ico").status == 308)
        }
        let (png, gif) = try (
            TripImage(bytes: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0])),
            TripImage(bytes: Data("GIF89a".utf8))
        )
        #expect(pages.picture(png)?.bytes == Data("shared".utf8) && pages.picture(gif) == nil)
    }
}

@Suite("A server", .limitedConcurrency)
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
