#if Server
import CompositionTesting
import Foundation
import Synchronization
import Testing
import TravelDataInMemory
import TravelDomainTesting

@testable import TravelBrowser
@testable import TravelServer

/// A site whose requests need no socket.
private struct Site: Sendable {
    static let host = "traveline.localhost:8080"

    let world: BrowserWorld
    let sessions: BrowserSessions
    var application: BrowserApplication
    private let now: Clock

    final class Clock: Sendable {
        let seconds = Mutex(0.0)
    }

    @MainActor
    init(trips: Int = 3, _ limits: BrowserSessions.Limits = .init()) async throws {
        let (world, now) = (try await BrowserWorld(trips: trips), Clock())
        let sessions = BrowserSessions(limits) { now.seconds.withLock(\.self) }
        let access = BrowserSessions.Access(useCases: world.useCases, language: .english) { id, size, _ in
            id == TripImage.ID(seed: 1) ? ("image/png", Data([1, 2, 3, size == nil ? 4 : 5])) : nil
        }
        (self.world, self.now, self.sessions) = (world, now, sessions)
        application = BrowserApplication(
            origins: .init(hosts: [Self.host], scheme: "http", cookie: "traveline-8080"), sessions: sessions,
            entrance: .ticket { $0 == "ticket" ? access : nil })
    }

    func pass(_ seconds: Double) { now.seconds.withLock { $0 += seconds } }

    func answer(
        _ method: String, _ target: String, cookie: String? = nil, host: String? = host, origin: String? = nil,
        accepts coding: String? = nil, _ form: KeyValuePairs<String, String>? = nil
    ) async throws -> HTTPResponse {
        let parts = target.split(separator: "?", maxSplits: 1)
        let query =
            parts.count == 2 ? FormCoding.pairs(in: Array(parts[1].utf8)).map { ($0.name, Optional($0.value)) } : []
        var headers = HTTPHeaders()
        if let host { headers.add("Host", host) }
        if let origin { headers.add("Origin", origin) }
        if let coding { headers.add("Accept-Encoding", coding) }
        if let cookie { headers.add("Cookie", "theme=dark; traveline-8080=\(cookie); traveline-9=x") }
        let body = form.map { form in
            form.map { "\($0.percentEncoded)=\($1.percentEncoded)" }.joined(separator: "&")
        }
        if body != nil { headers.add("Content-Type", "application/x-www-form-urlencoded") }
        return await application.answer(
            HTTPRequest(
                method: method, path: parts[0].split(separator: "/").map(String.init), query: query, headers: headers,
                isMalformed: false, client: "127.0.0.1",
                readBody: { limit in
                    let bytes = Array((body ?? "").utf8)
                    guard bytes.count <= limit else { throw HTTPRefusal.bodyTooLarge(limit: limit) }
                    return bytes
                },
                reserveAnswer: { _ in }))
    }

    /// Begins a session, and opens a page in it.
    func open() async throws -> (cookie: String, run: String, token: String) {
        let answer = try await answer("POST", "/app/open", origin: "null", ["secret": "ticket"])
        let cookie = try #require(
            answer.header("Set-Cookie")?.wholeMatch(of: #/traveline-8080=([0-9a-f]{32}\.[0-9a-f]{32}); .*/#)?.1)
        let page = try await self.answer("GET", "/app/", cookie: String(cookie)).text
        return (
            String(cookie), String(try #require(page.firstMatch(of: #/data-run="([0-9a-f]{32})"/#)?.1)),
            String(try #require(page.firstMatch(of: #/name="token" value="([0-9a-f]{32})"/#)?.1))
        )
    }

    static let origin = "http://\(host)"
}

@Suite("The app in a browser refuses", .timeLimit(.minutes(2)), .liveTime)
struct ApplicationTests {
    private static let trip = Trip.ID(seed: 1)

    /// Everything that a session may ask for: the method, and the path with `RUN` for a run.
    private static let targets = [
        ("GET", "/app/"), ("GET", "/app/trips/\(trip)"), ("GET", "/app/me"), ("POST", "/app/"),
        ("GET", "/app/runs/RUN"), ("POST", "/app/runs/RUN"), ("GET", "/app/runs/RUN/patches"),
        ("GET", "/app/images/\(TripImage.ID(seed: 1))"),
    ]

    private static func form(_ method: String, token: String) -> KeyValuePairs<String, String>? {
        method == "POST" ? ["token": token, "number": "1", "do": "refresh"] : nil
    }

    @Test("whoever has no session, or none any more", arguments: targets)
    func sessions(method: String, path: String) async throws {
        let site = try await Site()
        let (cookie, run, token) = try await site.open()
        let target = path.replacing("RUN", with: run)
        func status(_ cookie: String?) async throws -> Int {
            try await site.answer(
                method, target, cookie: cookie, origin: Site.origin, Self.form(method, token: token)
            ).status
        }
        #expect(try await [200, 204].contains(status(cookie)))
        for wrong in [nil, "", "0", String(cookie.dropLast()), String(cookie.reversed()), cookie + "0"] {
            #expect(try await status(wrong) == 401, "\(wrong ?? "none")")
        }
        site.pass(12 * 3_600 + 1)
        #expect(try await status(cookie) == 401)
        await site.sessions.sweep()
        #expect(await site.sessions.count == 0)
    }

    @Test("a run of another session", arguments: targets.filter { $0.1.contains("RUN") })
    func runs(method: String, path: String) async throws {
        let site = try await Site()
        let (mine, other) = (try await site.open(), try await site.open())
        #expect(mine.run != other.run && mine.cookie != other.cookie && mine.token != other.token)
        let target = path.replacing("RUN", with: other.run)
        let answer = try await site.answer(
            method, target, cookie: mine.cookie, origin: Site.origin, Self.form(method, token: mine.token))
        #expect(answer.status == 404)
        #expect(!answer.text.contains("Trip"))
    }

    @Test("an action that does not come from a page of its own session", arguments: targets.filter { $0.0 == "POST" })
    func actions(method: String, path: String) async throws {
        let site = try await Site()
        let (mine, other) = (try await site.open(), try await site.open())
        let target = path.replacing("RUN", with: mine.run)
        let like = PageInput.Control("like", "\(Self.trip)").text
        func status(_ token: String?, _ origin: String?) async throws -> Int {
            let form: KeyValuePairs = ["number": "1", "do": like, token == nil ? "other" : "token": token ?? ""]
            return try await site.answer("POST", target, cookie: mine.cookie, origin: origin, form).status
        }
        for token in [nil, "", other.token, String(mine.token.dropLast()), mine.token.uppercased() + " "] {
            #expect(try await status(token, Site.origin) == 403, "\(token ?? "none")")
        }
        let origins = [
            nil, "", "null", "https://\(Site.host)", "http://example.org", "http://traveline.localhost",
            "http://traveline.localhost:80801", "http://x.\(Site.host)",
        ]
        for origin in origins { #expect(try await status(mine.token, origin) == 403, "\(origin ?? "none")") }
        #expect(try await site.world.store.trip(Self.trip, viewer: BrowserWorld.me).likeCount == 0)
        #expect(try await status(mine.token, Site.origin) < 300)
    }

    @Test("another name of its address, as after a changed DNS entry", arguments: targets)
    func hosts(method: String, path: String) async throws {
        let site = try await Site()
        let (cookie, run, token) = try await site.open()
        for host in [
            nil, "", "example.org", "example.org:8080", "localhost:8080", "traveline.localhost", "127.0.0.1:80",
        ] {
            let answer = try await site.answer(
                method, path.replacing("RUN", with: run), cookie: cookie, host: host, origin: Site.origin,
                Self.form(method, token: token))
            #expect(answer.status == 421, "\(host ?? "none")")
        }
    }

    @Test("a wrong secret, and a method or an address that there is not")
    func addresses() async throws {
        let site = try await Site()
        let (cookie, run, _) = try await site.open()
        #expect(try await site.answer("POST", "/app/open", origin: "null", ["secret": "other"]).status == 401)
        #expect(try await site.answer("POST", "/app/open", origin: "null", ["other": "ticket"]).status == 401)
        #expect(
            try await site.answer("POST", "/app/open", origin: "http://example.org", ["secret": "ticket"]).status == 403
        )
        #expect(try await site.answer("GET", "/app/open", cookie: cookie).status == 404)
        for path in [
            "/other", "/app/nothing", "/app/runs", "/app/runs/\(run)/other", "/app/images", "/app/images/none",
        ] {
            #expect(try await site.answer("GET", path, cookie: cookie).status == 404, "\(path)")
        }
        for method in ["PUT", "DELETE", "OPTIONS", "get"] {
            #expect(try await site.answer(method, "/app/", cookie: cookie).status == 405)
        }
    }

    @Test("more actions than a person makes, of this session only, and answers again afterwards")
    func rate() async throws {
        var limits = BrowserSessions.Limits()
        (limits.burst, limits.rate) = (5, 1)
        let site = try await Site(limits)
        let (mine, other) = (try await site.open(), try await site.open())
        func status(_ session: (cookie: String, run: String, token: String), _ number: Int) async throws -> Int {
            try await site.answer(
                "POST", "/app/runs/\(session.run)", cookie: session.cookie, origin: Site.origin,
                ["token": session.token, "number": "\(number)", "do": "refresh"]
            ).status
        }
        var statuses: [Int] = []
        for number in 1...7 { statuses.append(try await status(mine, number)) }
        #expect(statuses == [204, 204, 204, 204, 204, 429, 429])
        #expect(try await status(other, 1) == 204)
        site.pass(2)
        #expect(try await status(mine, 6) == 204)
    }

    @Test("frames of random bytes as an action change nothing", arguments: 1...20)
    func randomBytes(seed: Int) async throws {
        let site = try await Site()
        let (cookie, run, token) = try await site.open()
        var random = SeededGenerator(seed: UInt64(seed))
        for number in 1...20 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let name = ["do", "go", "history", "keyword", text].randomElement(using: &random) ?? "do"
            let status = try await site.answer(
                "POST", "/app/runs/\(run)", cookie: cookie, origin: Site.origin,
                ["token": token, "number": "\(number)", name: text]
            ).status
            #expect(status == 204)
        }
        #expect(try await site.answer("GET", "/app/", cookie: cookie).text.contains("Trip 1"))
    }
}

@Suite("The app in a browser", .timeLimit(.minutes(5)), .liveTime)
struct ApplicationPageTests {
    @Test(
        "works without the script: a form is posted to the address of its page, and answered with the page as it is then"
    )
    func withoutScript() async throws {
        let site = try await Site()
        let (cookie, _, token) = try await site.open()
        let trip = Trip.ID(seed: 2)
        let page = try await site.answer(
            "POST", "/app/", cookie: cookie, origin: Site.origin, ["token": token, "do": "like \(trip)"])
        #expect(page.status == 200 && page.text.contains("♥ 1"))
        #expect(try await site.world.store.trip(trip, viewer: BrowserWorld.me).isLiked)
        let found = try await site.answer("GET", "/app/?keyword=Trip%202", cookie: cookie).text
        #expect(found.contains(">Trip 2</h2>") && !found.contains(">Trip 1</h2>"))
    }

    @Test("the policy allows pictures of the server of tiles, where there is one")
    func tilePolicy() async throws {
        var site = try await Site()
        let plain = try #require(try await site.answer("GET", "/app/style.css").header("Content-Security-Policy"))
        site.application.tiles = try TileServer(address: "https://tile.example.org/a/{z}/{x}/{y}", credit: "©")
        let policy = try #require(try await site.answer("GET", "/app/style.css").header("Content-Security-Policy"))
        #expect(policy == plain.replacing("img-src 'self'", with: "img-src 'self' https://tile.example.org"))
    }

    @Test("has a policy without exceptions, and answers that no cache keeps")
    func headers() async throws {
        let site = try await Site()
        let (cookie, _, _) = try await site.open()
        for path in ["/app/", "/app/nothing", "/app/style.css", "/app/script.js"] {
            let answer = try await site.answer("GET", path, cookie: cookie)
            let policy = try #require(answer.header("Content-Security-Policy"))
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe-") && !policy.contains("data:") && !policy.contains("*"))
            #expect(answer.header("Referrer-Policy") == "same-origin")
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Cache-Control") == (path.contains(".") ? "public, no-cache" : "no-store"))
        }
        let page = try await site.answer("GET", "/app/", cookie: cookie).text
        #expect(!page.contains("<script>") && !page.contains("style=\"") && !page.contains(" on"))
        let picture = try await site.answer("GET", "/app/images/\(TripImage.ID(seed: 1))", cookie: cookie)
        #expect(picture.header("Cache-Control") == "private, no-cache" && picture.text == "\u{1}\u{2}\u{3}\u{4}")
        let small = try await site.answer("GET", "/app/images/\(TripImage.ID(seed: 1))?size=small", cookie: cookie)
        #expect(small.text == "\u{1}\u{2}\u{3}\u{5}")
        let large = try await site.answer("GET", "/app/images/\(TripImage.ID(seed: 1))?size=large", cookie: cookie)
        #expect(large.status == 404)
        #expect(try await site.answer("GET", "/app/images/\(TripImage.ID(seed: 2))", cookie: cookie).status == 404)
    }

    @Test("sends its script and its style compressed to whoever accepts that, and as they are to others")
    func staticTexts() async throws {
        let site = try await Site()
        for path in ["/app/style.css", "/app/script.js"] {
            let plain = try await site.answer("GET", path)
            let compressed = try await site.answer("GET", path, accepts: "gzip, br")
            guard case .bytes(let whole) = plain.body, case .bytes(let less) = compressed.body else {
                Issue.record("a stream")
                continue
            }
            #expect(plain.header("Content-Encoding") == nil && compressed.header("Content-Encoding") == "gzip")
            #expect(less.count < whole.count / 2 && less.starts(with: [0x1F, 0x8B]))
            #expect(compressed.headers.count { $0.name == "Content-Encoding" } == 1)
            for answer in [plain, compressed] { #expect(answer.header("Vary") == "Accept-Encoding") }
            #expect(compressed.header("ETag") == plain.header("ETag")?.replacing(/"$/, with: "-gzip\""))
        }
    }

    @Test("has at most so many tabs in a session, and ends those that nobody uses")
    func abandoned() async throws {
        var limits = BrowserSessions.Limits()
        (limits.runs, limits.unconnected) = (3, 20)
        let site = try await Site(limits)
        let (cookie, first, _) = try await site.open()
        for _ in 1...5 { #expect(try await site.answer("GET", "/app/", cookie: cookie).status == 200) }
        #expect(await site.sessions.runCount == 3)
        #expect(try await site.answer("GET", "/app/runs/\(first)", cookie: cookie).status == 404)
        site.pass(21)
        await site.sessions.sweep()
        #expect(await site.sessions.runCount == 0)
        #expect(try await site.answer("GET", "/app/", cookie: cookie).status == 200)
    }

    @Test("holds nothing of 2,000 tabs that were abandoned")
    func manyAbandoned() async throws {
        let site = try await Site(trips: 1)
        for _ in 1...100 {
            let (cookie, _, _) = try await site.open()
            for _ in 1..<20 { _ = try await site.answer("GET", "/app/settings", cookie: cookie) }
        }
        #expect(await site.sessions.runCount == 2_000)
        weak let run = await site.sessions.anyRun
        #expect(run != nil)
        site.pass(12 * 3_600 + 1)
        await site.sessions.sweep()
        #expect(await site.sessions.count == 0)
        while run != nil { await Task.yield() }
    }
}

@Suite("Forms of browsers")
struct FormCodingTests {
    @Test("are read as they were written, whatever their texts are", arguments: 1...50)
    func roundTrip(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let texts = ["", "a b", "+", "%", "%41", "&=", "서울", "🏝️", "\u{0}\r\n", "e\u{301}"]
        let pairs = (0..<5).map { _ in
            (name: texts.randomElement(using: &random) ?? "", value: texts.randomElement(using: &random) ?? "")
        }
        let form = pairs.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
        let read = FormCoding.pairs(in: Array(form.utf8))
        #expect(read.map(\.name) == pairs.map(\.name) && read.map(\.value) == pairs.map(\.value))
    }

    @Test("may end anywhere")
    func truncated() {
        #expect(FormCoding.pairs(in: Array("a=%4".utf8)).map(\.value) == ["%4"])
        #expect(FormCoding.pairs(in: Array("a=%zz+b&c".utf8)).map(\.value) == ["%zz b", ""])
        #expect(FormCoding.pairs(in: Array("=&&=".utf8)).map(\.name) == ["", ""])
        #expect(FormCoding.pairs(in: []).isEmpty)
    }
}
#endif
