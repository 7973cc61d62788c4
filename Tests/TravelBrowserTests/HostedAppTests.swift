#if Server
import CompositionTesting
import Foundation
import Synchronization
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@testable import TravelBrowser
@testable import TravelServer

@Suite("The app on a server", .timeLimit(.minutes(3)), .liveTime)
struct HostedAppTests {
    @Test("leads whoever is signed out to the form for signing in, and from there to the screen of the link")
    func links() async throws {
        let site = try await HostedSite()
        _ = try await site.browser(of: "Mina")
        let browser = site.browser()
        for path in ["/app/", "/app/me", "/app/trips/\(Trip.ID(seed: 1))?day=2", "/app/settings"] {
            let answer = try await browser.ask("GET", path)
            #expect(answer.status == 303)
            #expect(answer.header("Location") == "/app/sign-in?next=\(path.percentEncoded)")
        }
        for path in [
            "/app/runs/0123", "/app/runs/0123/patches", "/app/images/\(TripImage.ID(seed: 1))", "/app/nothing",
        ] {
            #expect(try await browser.ask("GET", path).status == 401, "\(path)")
        }
        #expect(try await browser.ask("POST", "/app/me", [("do", "refresh")]).status == 401)
        let next = "/app/sign-in?next=\("/app/me".percentEncoded)"
        let page = try await browser.ask("GET", next, language: "ko-KR,en;q=0.5").text
        #expect(page.contains("lang=\"ko\"") && page.contains("로그인") && page.contains("next=%2Fapp%2Fme"))
        let answer = try await browser.ask("POST", next, [("nickname", "Mina"), ("password", "open sesame")])
        #expect(answer.status == 303 && answer.header("Location") == "/app/me")
        #expect(try await browser.open("/app/me").text.contains("Mina"))
        // Whoever is signed in needs no form.
        #expect(try await browser.ask("GET", next).header("Location") == "/app/me")
    }

    @Test(
        "leads nowhere else after signing in",
        arguments: ["//evil.example/", "https://evil.example/app/", "/", "app/me", ""])
    func foreignTargets(next: String) async throws {
        let site = try await HostedSite()
        let browser = try await site.browser(of: "Mina")
        browser.cookie = nil
        let answer = try await browser.ask(
            "POST", "/app/sign-in?next=\(next.percentEncoded)", [("nickname", "Mina"), ("password", "open sesame")])
        #expect(answer.status == 303 && answer.header("Location") == "/app/")
    }

    @Test("has a cookie that only the server itself gets, encrypted")
    func cookie() async throws {
        let site = try await HostedSite()
        let answer = try await site.browser().signUp("Mina")
        let cookie = try #require(answer.header("Set-Cookie"))
        let value = #/__Host-traveline=[\w-]{43}\.[0-9a-f]{32}/#
        let attributes = "; Path=/; HttpOnly; SameSite=Lax; Secure"
        #expect(cookie.dropLast(attributes.count).wholeMatch(of: value) != nil)
        #expect(cookie.hasSuffix(attributes))
        #expect(answer.header("Cache-Control") == "no-store")
    }

    @Test("says beside the field what is wrong with a new account, and keeps what was typed except the password")
    func signUp() async throws {
        let site = try await HostedSite()
        _ = try await site.browser(of: "Mina")
        for (nickname, password, problem) in [
            ("MINA", "open sesame", "Choose another one"), ("", "open sesame", "nickname"),
            ("Jun", "short", "password"),
            ("Jun", "password1", "password"),
        ] {
            let browser = site.browser()
            let answer = try await browser.signUp(nickname, password)
            #expect(answer.status == 422 && browser.cookie == nil, "\(nickname) \(password)")
            #expect(
                answer.text.contains("aria-invalid=\"true\"") && answer.text.lowercased().contains(problem.lowercased())
            )
            #expect(answer.text.contains("value=\"\(nickname)\"") || nickname.isEmpty)
            #expect(!answer.text.contains(password))
        }
    }

    @Test("lets in by invitation only, or nobody, as the server says")
    func signUpPolicies() async throws {
        let closed = try await HostedSite { $0.signUp = .closed }
        #expect(try await closed.browser().ask("GET", "/app/sign-up").status == 404)
        #expect(try await closed.browser().signUp("Mina").status == 404)
        #expect(try await !closed.browser().ask("GET", "/app/sign-in").text.contains("sign-up"))
        let invited = try await HostedSite { $0.signUp = .invitation }
        let access = invited.server.application.access
        let code = try #require(try await Invite(access)(1).first).text
        #expect(try await invited.browser().ask("GET", "/app/sign-up").text.contains("name=\"invitation\""))
        #expect(try await invited.browser().signUp("Mina").status == 422)
        let form = [("nickname", "Mina"), ("password", "open sesame"), ("invitation", code)]
        #expect(try await invited.browser().ask("POST", "/app/sign-up", form).status == 303)
        #expect(try await invited.browser().ask("POST", "/app/sign-up", form).status == 422)
    }

    @Test("refuses a wrong password, and after ten of them every other")
    func attempts() async throws {
        let site = try await HostedSite()
        _ = try await site.browser(of: "Mina")
        let browser = site.browser()
        for _ in 1...10 { #expect(try await browser.signIn("Mina", "wrong password").status == 422) }
        let answer = try await browser.signIn("Mina")
        #expect(answer.status == 429 && answer.text.contains("Too many attempts") && browser.cookie == nil)
    }

    @Test(
        "refuses forms that come from other sites",
        arguments: [nil, "null", "https://evil.example", "http://trips.example.org"])
    func origins(origin: String?) async throws {
        let site = try await HostedSite()
        let browser = try await site.browser(of: "Mina")
        for path in ["/app/sign-in", "/app/sign-up", "/app/password", "/app/settings", "/app/open"] {
            let answer = try await browser.ask(
                "POST", path, origin: origin, [("nickname", "Jun"), ("password", "open sesame")])
            #expect(answer.status == 403, "\(path)")
        }
    }

    @Test("another password signs out every other browser and device, and this browser goes on")
    func changePassword() async throws {
        let site = try await HostedSite()
        let (here, there) = (try await site.browser(of: "Mina"), site.browser())
        #expect(try await there.signIn("Mina").status == 303)
        let stream = try await there.open()
        let former = here.cookie
        let page = try await here.ask("GET", "/app/password").text
        let token = String(try #require(page.firstMatch(of: #/name="token" value="([0-9a-f]{32})"/#)?.1))
        func change(_ token: String, _ old: String, _ new: String) async throws -> HTTPResponse {
            try await here.ask("POST", "/app/password", [("token", token), ("old", old), ("password", new)])
        }
        #expect(try await change("0", "open sesame", "another sesame").status == 403)
        for wrong in ["wrong password", "x", ""] {
            let answer = try await change(token, wrong, "another sesame")
            #expect(answer.status == 422)
            // Beside the field of the former password.
            #expect(answer.text.contains(#/id="old-note" class="problem"[^>]*>The password is wrong\./#))
        }
        #expect(try await change(token, "open sesame", "short").status == 422)
        #expect(here.cookie == former)
        #expect(try await change(token, "open sesame", "another sesame").header("Location") == "/app/settings")
        #expect(here.cookie != former)
        #expect(try await here.open("/app/settings").text.contains("Mina"))
        #expect(try await there.ask("GET", "/app/runs/\(stream.run)").status == 401)
        #expect(try await there.ask("GET", "/app/").status == 303)
        #expect(try await there.signIn("Mina").status == 422)
        #expect(try await there.signIn("Mina", "another sesame").status == 303)
    }

    @Test("signing out ends the session on the server")
    func signOut() async throws {
        let site = try await HostedSite()
        let browser = try await site.browser(of: "Mina")
        _ = try await browser.press("sign-out", on: "/app/settings")
        #expect(try await browser.ask("GET", "/app/settings").status == 303)
        #expect(try await browser.ask("GET", "/app/runs/0").status == 401)
    }

    @Test("deletes an account with its password, with everything that it has, and ends its sessions")
    func deleteAccount() async throws {
        let site = try await HostedSite()
        let (browser, other) = (try await site.browser(of: "Mina"), site.browser())
        #expect(try await other.signIn("Mina").status == 303)
        let path = "/app/settings/delete-account"
        let wrong = try await browser.press("submit", on: path, [("password", "wrong password")])
        #expect(wrong.status == 200 && wrong.text.contains("The password is wrong."))
        _ = try await browser.press("submit", on: path, [("password", "open sesame")])
        #expect(try await site.store.account(named: Nickname("Mina")) == nil)
        #expect(try await browser.ask("GET", "/app/").status == 303)
        #expect(try await other.ask("GET", "/app/").status == 303)
    }

    @Test("a device that another process signs out is nobody's any more")
    func signedOutElsewhere() async throws {
        let site = try await HostedSite()
        let browser = try await site.browser(of: "Mina")
        #expect(try await browser.ask("GET", "/app/").status == 200)
        let account = try #require(await site.store.account(named: Nickname("Mina")))
        try await site.store.setPassword(account.password, replacing: account.password, of: account.user.id)
        #expect(try await browser.ask("GET", "/app/").status == 303)
    }

    @Test("a restarted server knows its browsers again, whose open pages stay valid")
    func restart() async throws {
        let site = try await HostedSite()
        let browser = try await site.browser(of: "Mina")
        let page = try await browser.open("/app/trips/new")
        await site.app.stop()
        #expect(try await browser.ask("GET", "/app/").status == 503)
        let restarted = try await HostedSite(site.store)
        let again = browser.returned(to: restarted)
        // Two first requests at once belong to one session.
        let cookie = again.cookie
        @Sendable func status(_ path: String) async throws -> Int {
            let browser = restarted.browser()
            browser.cookie = cookie
            return try await browser.ask("GET", path).status
        }
        async let run = status("/app/runs/\(page.run)")
        async let screen = status("/app/me")
        #expect(try await (run, screen) == (404, 200))
        #expect(await restarted.app.sessions.count == 1)
        let answer = try await again.ask(
            "POST", "/app/trips/new", [("token", page.token), ("title", "Busan"), ("do", "save")])
        #expect(answer.status == 200 && answer.text.contains("value=\"Busan\""))
        // Signed out is signed out, whoever asks.
        #expect(try await again.press("sign-out", on: "/app/settings").status < 400)
        for other in [again, browser.returned(to: try await HostedSite(site.store))] {
            #expect(try await other.ask("GET", "/app/").status == 303)
        }
    }

    @Test("twelve hours after it has begun a session goes on nowhere, and not without its whole secret")
    func restartTooLate() async throws {
        let site = try await HostedSite()
        let browser = try await site.browser(of: "Mina")
        for (hours, status) in [(11.9, 200), (12.1, 303)] {
            let later = browser.returned(to: try await HostedSite(site.store, after: hours * 3_600))
            #expect(try await later.ask("GET", "/app/").status == status, "\(hours) hours")
        }
        let cookie = try #require(browser.cookie)
        let other = browser.returned(to: try await HostedSite(site.store))
        for wrong in [
            String(cookie.dropLast()), String(cookie.dropFirst()), try #require(browser.sessionID), "",
            String(repeating: "A", count: 43) + cookie.suffix(33),
        ] {
            other.cookie = wrong
            #expect(try await other.ask("GET", "/app/").status == 303, "\(wrong)")
        }
        #expect(await other.site.app.sessions.count == 0)
    }

    @Test("a token of the interface begins no session of a browser, nor the reverse")
    func tokensOfInterface() async throws {
        let site = try await HostedSite()
        let browser = try await site.browser(of: "Mina")
        let sodium = try Sodium(hashesAtOnce: 1)
        let access = AccountAccess(accounts: site.store, hashing: sodium, tokens: sodium, now: { Date() })
        let cookie = try #require(browser.sessionID.flatMap { Token($0) })
        #expect(try await Authenticate(access)(cookie) == nil)
        let signedIn = try await SignInWithPassword(access)(Nickname("Mina"), Password("open sesame"))
        #expect(try await Authenticate(access)(signedIn.access) != nil)
        for token in [signedIn.access, signedIn.refresh] {
            browser.cookie = "\(token.text).\(String(repeating: "0", count: 32))"
            #expect(try await browser.ask("GET", "/app/").status == 303)
        }
    }

    @Test("a page that only watches ends as well when another process signs its device out")
    func signedOutWhileWatching() async throws {
        let site = try await HostedSite()
        let browser = try await site.browser(of: "Mina")
        let session = try #require(site.app.sessions.session(browser.sessionID))
        let run = try #require(await site.app.sessions.run(try await browser.open().run, in: session))
        _ = await run.beginStream()
        await site.app.sessions.endSignedOut()
        #expect(await !run.hasEnded)
        let account = try #require(await site.store.account(named: Nickname("Mina")))
        try await site.store.setPassword(account.password, replacing: account.password, of: account.user.id)
        await site.app.sessions.endSignedOut()
        #expect(await run.hasEnded)
    }

    @Test("a session stays ended whose sign-out the store refuses, and at last also for another process")
    func refusedSignOut() async throws {
        let store = InMemoryTripRepository()
        let accounts = AccountsWithoutSignOut(store)
        let site = try await HostedSite(store, accounts: accounts)
        let browser = try await site.browser(of: "Mina")
        let (sessions, id) = (site.app.sessions, browser.sessionID)
        await sessions.end(try #require(sessions.session(id)))
        await sessions.signOutRefused()
        #expect(accounts.refusals.withLock(\.self) >= 1)
        for _ in 1...2 {
            let answer = try await browser.ask("GET", "/app/")
            #expect(answer.status == 303 && answer.header("Location")?.hasPrefix("/app/sign-in") == true)
        }
        #expect(try await site.server.browserAccounts.device(withToken: #require(id)) != nil)
        // The refusal is over.
        accounts.refuses.withLock { $0 = false }
        await sessions.signOutRefused()
        #expect(try await site.server.browserAccounts.device(withToken: #require(id)) == nil)
        let elsewhere = browser.returned(to: try await HostedSite(store))
        #expect(try await elsewhere.ask("GET", "/app/").status == 303)
    }

    @Test("a server that stops asks the store once more to sign out whose session has ended")
    func refusedSignOutAtTheEnd() async throws {
        let store = InMemoryTripRepository()
        let accounts = AccountsWithoutSignOut(store)
        let site = try await HostedSite(store, accounts: accounts)
        let (browser, other) = (try await site.browser(of: "Mina"), try await site.browser(of: "Jun"))
        await site.app.sessions.end(try #require(site.app.sessions.session(browser.sessionID)))
        await site.app.sessions.signOutRefused()
        accounts.refuses.withLock { $0 = false }
        await site.app.stop()
        let restarted = try await HostedSite(store)
        #expect(try await browser.returned(to: restarted).ask("GET", "/app/").status == 303)
        #expect(try await other.returned(to: restarted).ask("GET", "/app/").status == 200)
    }

    @Test("an account has at most so many sessions: the oldest one ends")
    func sessions() async throws {
        let site = try await HostedSite()
        let first = try await site.browser(of: "Mina")
        for _ in 1..<20 { #expect(try await site.browser().signIn("Mina").status == 303) }
        #expect(try await first.ask("GET", "/app/").status == 200)
        #expect(try await site.browser().signIn("Mina").status == 303)
        #expect(try await first.ask("GET", "/app/").status == 303)
    }

    @Test("shows nobody what another account alone may see, its pictures included")
    func strangers() async throws {
        let site = try await HostedSite()
        let (mina, jun) = (try await site.browser(of: "Mina"), try await site.browser(of: "Jun"))
        let author = try await site.user("Mina")
        let image = try TripImage(seed: 5)
        let trip = try TripBuilder(seed: 7, author: author).with {
            $0.title = "Secret lake"
            $0.content.audience = .onlyMe
            $0.content.thumbnail = image.id
        }.build()
        try await site.store.add([trip], images: [image])
        let path = "/app/trips/\(trip.id)"
        #expect(try await mina.open(path).text.contains("Secret lake"))
        #expect(try await mina.ask("GET", "/app/images/\(image.id)?size=small").status == 200)
        #expect(try await !jun.open(path).text.contains("Secret lake"))
        #expect(try await jun.ask("GET", "/app/images/\(image.id)?size=small").status == 404)
        // Nor is there a way for Jun to act in the session of Mina.
        let (run, token) = (try await mina.open().run, try await jun.open().token)
        #expect(try await jun.ask("POST", "/app/runs/\(run)", [("token", token), ("number", "1")]).status == 404)
        #expect(try await jun.press("delete", on: path).status == 200)
        #expect(try await site.store.trip(trip.id, viewer: author.id).id == trip.id)
    }

    @Test("writes no more trips than the account may have, and says so")
    func quota() async throws {
        let site = try await HostedSite { $0.quota.trips = 1 }
        let user = try await site.browser(of: "Mina").site.user("Mina")
        let store = site.server.browserAccounts.store()
        let trips = try (1...3).map { try TripBuilder(seed: UInt64($0), author: user).build() }
        try await store.add([trips[0]])
        let error = await #expect(throws: TravelError.self) { try await store.add([trips[1]]) }
        #expect(error?.description.contains("at most 1 trips") == true)
        await #expect(throws: TravelError.self) { try await store.add([trips[1], trips[2]]) }
        #expect(try await store.search(TripQuery(TripCriteria(), viewer: user.id)).trips.count == 1)
    }

    @Test("a server without an app for browsers answers nothing below /app")
    func withoutApp() async throws {
        let store = InMemoryTripRepository()
        let server = try TravelHTTPServer(
            ServerConfiguration(port: 0), stores: ServerStores(trips: store, accounts: store))
        let request = HTTPRequest(
            method: "GET", path: ["app"], query: [], headers: HTTPHeaders(), isMalformed: false, client: "127.0.0.1",
            readBody: { _ in [] }, reserveAnswer: { _ in })
        #expect(await server.application.answer(request).status == 404)
        server.connectApp(below: "app") { _ in HTTPResponse(204) }
        let answer = await server.application.answer(request)
        #expect(answer.status == 204 && answer.header("Request-ID") != nil)
    }
}

/// The accounts of a store that refuses to sign devices out while ``refuses`` is set.
private final class AccountsWithoutSignOut: AccountRepository {
    private let base: InMemoryTripRepository
    let refuses = Mutex(true)
    let refusals = Mutex(0)

    init(_ base: InMemoryTripRepository) { self.base = base }

    func removeDevice(_ id: SignedInDevice.ID) async throws {
        guard !refuses.withLock(\.self) else {
            refusals.withLock { $0 += 1 }
            throw InterceptedStore.outage
        }
        try await base.removeDevice(id)
    }

    func addAccount(_ user: User, password: PasswordHash, at time: Date, invitation: TokenDigest?) async throws {
        try await base.addAccount(user, password: password, at: time, invitation: invitation)
    }

    func addInvitations(_ invitations: [TokenDigest], at time: Date) async throws {
        try await base.addInvitations(invitations, at: time)
    }

    func hasInvitation(_ invitation: TokenDigest) async throws -> Bool { try await base.hasInvitation(invitation) }
    func account(named nickname: Nickname) async throws -> TravelDomain.Account? {
        try await base.account(named: nickname)
    }
    func account(of user: User.ID) async throws -> TravelDomain.Account? { try await base.account(of: user) }

    func setPassword(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {
        try await base.setPassword(password, replacing: former, of: user)
    }

    func rehash(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {
        try await base.rehash(password, replacing: former, of: user)
    }

    func addDevice(_ device: SignedInDevice, provenBy password: PasswordHash) async throws {
        try await base.addDevice(device, provenBy: password)
    }

    func device(withAccess digest: TokenDigest) async throws -> SignedInDevice? {
        try await base.device(withAccess: digest)
    }

    func renewDevice(_ refresh: TokenDigest, at now: Date, with tokens: DeviceTokens) async throws -> Renewal {
        try await base.renewDevice(refresh, at: now, with: tokens)
    }

    func removeExpiredDevices(at now: Date) async throws { try await base.removeExpiredDevices(at: now) }
}

@Suite("A store within the quota of its accounts")
struct QuotaStoreTests {
    @Test(arguments: TravelStoreContract.checks)
    func fulfilsTheContract(check: ContractCheck<any TravelStore>) async throws {
        try await check.run {
            let store = InMemoryTripRepository()
            return QuotaStore(base: store, quota: Self.quota(of: store))
        }
    }

    @Test("an observation waits for a turn before it shows a change, and not before its first value")
    func turns() async throws {
        let (memory, turns) = (InMemoryTripRepository(), Turns())
        let user = try User(seed: 1, nickname: "Mina")
        let trip = try TripBuilder(seed: 1, author: user).build()
        try await memory.add(user)
        try await memory.add([trip])
        let store = QuotaStore(base: memory, quota: Self.quota(of: memory), turn: { turns.add() })
        var page = try store.observe(TripQuery(TripCriteria(), viewer: user.id)).makeAsyncIterator()
        var observed = store.observeTrip(trip.id, viewer: user.id).makeAsyncIterator()
        _ = try await page.next(isolation: nil)
        _ = try await observed.next(isolation: nil)
        #expect(turns.count == 0)
        try await memory.setLiked(true, trip: trip.id, by: user.id)
        let changed = try await page.next(isolation: nil)
        #expect(changed?.trips.first?.likeCount == 1)
        #expect(turns.count == 1)
        let liked = try await observed.next(isolation: nil)
        #expect(liked?.likeCount == 1)
        #expect(turns.count == 2)
    }

    private final class Turns: Sendable {
        private let state = Mutex(0)

        var count: Int { state.withLock(\.self) }

        func add() { state.withLock { $0 += 1 } }
    }

    private static func quota(of store: InMemoryTripRepository) -> AccountQuota {
        AccountQuota(limit: AccountUsage(trips: 1_000, pictures: 1_000, bytes: 1 << 30), oversight: store)
    }
}
#endif
