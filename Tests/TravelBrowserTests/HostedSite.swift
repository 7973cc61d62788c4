#if Server
import Foundation
import Testing
import TravelDataInMemory
import TravelDomain

@testable import TravelBrowser
@testable import TravelServer

/// A server with accounts in memory, and browsers of its people, whose requests need no socket.
struct HostedSite: Sendable {
    static let origin = "https://trips.example.org"

    let store: InMemoryTripRepository
    let server: TravelHTTPServer
    let app: HostedApp

    /// - Parameters:
    ///   - store: What an earlier run of the server has stored.
    ///   - accounts: The accounts of the store, which may fail.
    ///   - elapsed: The seconds for which this server's clock is ahead.
    init(
        _ store: InMemoryTripRepository = InMemoryTripRepository(), accounts: (any AccountRepository)? = nil,
        after elapsed: Double = 0,
        _ configure: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws {
        self.store = store
        var configuration = ServerConfiguration(port: 0)
        configure(&configuration)
        server = try TravelHTTPServer(
            configuration, stores: ServerStores(trips: store, accounts: accounts ?? store, oversight: store),
            now: { Date(timeIntervalSinceNow: elapsed) })
        app = await HostedApp(server.browserAccounts) { _ in
            throw TravelError.unavailable(.init("No file.", canRetry: false))
        }
        // Every page waits until it has loaded, also on a busy machine.
        app.start(at: [Self.origin], patience: .seconds(20))
    }

    /// A browser with its cookie.
    final class Browser {
        let site: HostedSite
        var cookie: String?

        init(_ site: HostedSite) { self.site = site }

        var sessionID: String? { cookie.map { String($0.prefix { $0 != "." }) } }

        @discardableResult
        func ask(
            _ method: String, _ target: String, origin: String? = HostedSite.origin, language: String = "en",
            _ form: [(String, String)]? = nil
        ) async throws -> HTTPResponse {
            let parts = target.split(separator: "?", maxSplits: 1)
            let query =
                parts.count == 2 ? FormCoding.pairs(in: Array(parts[1].utf8)).map { ($0.name, Optional($0.value)) } : []
            var headers = HTTPHeaders()
            headers.add("Host", "trips.example.org")
            headers.add("Accept-Language", language)
            if let origin, method == "POST" { headers.add("Origin", origin) }
            if let cookie { headers.add("Cookie", "__Host-traveline=\(cookie)") }
            if form != nil { headers.add("Content-Type", "application/x-www-form-urlencoded") }
            let body = (form ?? []).map { "\($0.percentEncoded)=\($1.percentEncoded)" }.joined(separator: "&")
            let answer = await site.app.answer(
                HTTPRequest(
                    method: method, path: parts[0].split(separator: "/").map(String.init), query: query,
                    headers: headers, isMalformed: false, client: "192.0.2.7",
                    readBody: { _ in Array(body.utf8) }, reserveAnswer: { _ in }))
            if let set = answer.header("Set-Cookie")?.wholeMatch(
                of: #/__Host-traveline=([\w-]{43}\.[0-9a-f]{32}); .*/#)?.1
            {
                cookie = String(set)
            }
            return answer
        }

        /// The same browser at another run of the server.
        func returned(to site: HostedSite) -> Browser {
            let browser = Browser(site)
            browser.cookie = cookie
            return browser
        }

        func signUp(_ nickname: String, _ password: String = "open sesame") async throws -> HTTPResponse {
            try await ask("POST", "/app/sign-up", [("nickname", nickname), ("password", password)])
        }

        func signIn(_ nickname: String, _ password: String = "open sesame") async throws -> HTTPResponse {
            try await ask("POST", "/app/sign-in", [("nickname", nickname), ("password", password)])
        }

        /// Opens a page: its text, its run and the token of the session.
        func open(_ path: String = "/app/") async throws -> (text: String, run: String, token: String) {
            let answer = try await ask("GET", path)
            let text = answer.text
            return (
                text, String(try #require(text.firstMatch(of: #/data-run="([0-9a-f]{32})"/#)?.1)),
                String(try #require(text.firstMatch(of: #/name="token" value="([0-9a-f]{32})"/#)?.1))
            )
        }

        /// Presses a control of a page, and waits until its answer is known.
        func press(_ control: String, on path: String, _ fields: [(String, String)] = []) async throws -> HTTPResponse {
            let token = try await open(path).token
            return try await ask("POST", path, [("token", token)] + fields + [("do", control)])
        }
    }

    func browser() -> Browser { Browser(self) }

    /// A browser whose user has just signed up.
    func browser(of nickname: String) async throws -> Browser {
        let browser = browser()
        #expect(try await browser.signUp(nickname).status == 303)
        return browser
    }

    func user(_ nickname: String) async throws -> User {
        try #require(await store.account(named: Nickname(nickname))).user
    }
}

extension HTTPResponse {
    var text: String {
        if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "a stream" }
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
#endif
