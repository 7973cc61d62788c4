#if Server
import CompositionTesting
import Foundation
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@testable import TravelBrowser
@testable import TravelServer

@Suite("A link to a trip, followed in the app on a server", .timeLimit(.minutes(3)), .liveTime)
struct SharedLinkTests {
    /// A server with a trip of Mina that is shared by link, and the paths that lead to it.
    private struct Shared {
        let site: HostedSite
        let trip: RecordedTrip
        let author: User
        let key: LinkKey

        static let title = "Hidden lake"
        let cover: TripImage
        let picture: TripImage
        let entry = TimelineEntry.ID(seed: 3)

        var path: String { "/app/trips/\(trip.id)" }
        var link: String { "\(path)?key=\(key.text)" }

        init() async throws {
            (site, key) = (try await HostedSite(), LinkKey())
            (cover, picture) = (try TripImage(seed: 5), try TripImage(seed: 6))
            let audience = Audience.byLink(key)
            author = try await site.browser(of: "Mina").site.user("Mina")
            trip = try TripBuilder(seed: 7, author: author).with {
                $0.title = Self.title
                $0.numberOfDays = 2
                $0.content.audience = audience
                $0.content.thumbnail = TripImage.ID(seed: 5)
                $0.timeline = [
                    try TimelineEntry(
                        id: TimelineEntry.ID(seed: 3), day: 1, time: TimeOfDay("09:30"), title: Title("Boat"),
                        text: EntryText("b"), pictures: [Picture(TripImage.ID(seed: 6))])
                ]
            }.build()
            try await site.store.add([trip], images: [cover, picture])
        }

        /// Whether a browser sees the trip at a path.
        func isSeen(by browser: HostedSite.Browser, at path: String) async throws -> Bool {
            try await browser.ask("GET", path).text.contains(Self.title)
        }

        func share(with audience: Audience) async throws {
            try await site.store.update(trip.id, by: author.id) { trip throws(TravelError) in
                var content = trip.content
                content.audience = audience
                return try RecordedTrip(
                    id: trip.id, author: trip.author, createdAt: trip.createdAt, content: content,
                    timeline: trip.timeline)
            }
        }
    }

    @Test("shows the trip with its pictures to whoever is signed in, also on its other screens")
    func follow() async throws {
        let shared = try await Shared()
        let jun = try await shared.site.browser(of: "Jun")
        #expect(try await !shared.isSeen(by: jun, at: shared.path))
        let page = try await jun.ask("GET", shared.link)
        #expect(page.text.contains(Shared.title) && page.text.contains("action=\"\(shared.link)\""))
        #expect(page.header("Cache-Control") == "no-store" && page.header("Referrer-Policy") == "same-origin")
        let query = "key=\(shared.key.text)"
        for (image, size) in [(shared.cover, "middle"), (shared.picture, "middle")] {
            let path = "/app/images/\(image.id)?size=\(size)"
            #expect(page.text.contains("\"\(path)&amp;\(query)\""))
            let answer = try await jun.ask("GET", "\(path)&\(query)")
            #expect(answer.status == 200 && answer.header("Cache-Control") == "private, no-cache")
            #expect(try await jun.ask("GET", path).status == 404)
            #expect(try await jun.ask("GET", "\(path)&key=\(LinkKey().text)").status == 404)
        }
        for path in ["/entries/\(shared.entry)?\(query)", "?day=2&amp;\(query)"] {
            #expect(page.text.contains("href=\"\(shared.path)\(path)\""), "\(path)")
        }
        // The session goes on with the key where an address has none.
        for path in ["", "?day=2", "/map", "/entries/\(shared.entry)"] {
            #expect(try await shared.isSeen(by: jun, at: shared.path + path), "\(path)")
        }
    }

    @Test("lets its visitor like the trip, report it and block its author")
    func act() async throws {
        let shared = try await Shared()
        let jun = try await shared.site.browser(of: "Jun")
        let id = try await shared.site.user("Jun").id
        let store = shared.site.store
        #expect(try await jun.press("like", on: shared.path).status == 200)
        #expect(try await store.trip(shared.trip.id, viewer: shared.author.id).likeCount == 0, "without the key")
        #expect(try await jun.press("like", on: shared.link).status == 200)
        #expect(try await store.trip(shared.trip.id, viewer: shared.author.id).likeCount == 1)
        #expect(try await jun.press("answer yes report", on: shared.path).text.contains("Reported"))
        #expect(try await store.reportedTrips(limit: 9).map(\.id) == [shared.trip.id])
        #expect(try await jun.press("delete", on: shared.link).status == 200)
        #expect(try await store.trip(shared.trip.id, viewer: shared.author.id).isMine)
        #expect(try await jun.press("answer yes block", on: shared.link).status == 200)
        #expect(try await store.blocked(by: id).map(\.id) == [shared.author.id])
        #expect(try await !shared.isSeen(by: jun, at: shared.link))
    }

    @Test("is of no use to another session, with another key, or for another trip")
    func strangers() async throws {
        let shared = try await Shared()
        let (jun, hana) = (try await shared.site.browser(of: "Jun"), try await shared.site.browser(of: "Hana"))
        let other = try TripBuilder(seed: 8, author: shared.author).with {
            $0.title = Shared.title
            $0.content.audience = .byLink(LinkKey())
        }.build()
        try await shared.site.store.add([other])
        #expect(try await shared.isSeen(by: jun, at: shared.link))
        #expect(try await !shared.isSeen(by: jun, at: "/app/trips/\(other.id)?key=\(shared.key.text)"))
        for wrong in [
            LinkKey().text, "", "x", shared.key.text.lowercased() + "=", other.content.audience.key?.text ?? "",
        ] {
            #expect(try await !shared.isSeen(by: hana, at: "\(shared.path)?key=\(wrong)"), "\(wrong)")
            // Nor does it take the right one away from whoever has that.
            #expect(try await shared.isSeen(by: jun, at: "\(shared.path)?key=\(wrong)"), "\(wrong)")
        }
        #expect(try await !shared.isSeen(by: hana, at: shared.path))
        // The same person in another browser has to follow the link there.
        let second = shared.site.browser()
        #expect(try await second.signIn("Jun").status == 303)
        #expect(try await !shared.isSeen(by: second, at: shared.path))
    }

    @Test("leads whoever is signed out to the trip after signing in, and again after the server was restarted")
    func signIn() async throws {
        let shared = try await Shared()
        _ = try await shared.site.browser(of: "Jun")
        let browser = shared.site.browser()
        let form = try #require(try await browser.ask("GET", shared.link).header("Location"))
        #expect(form == "/app/sign-in?next=\(shared.link.percentEncoded)")
        let answer = try await browser.ask("POST", form, [("nickname", "Jun"), ("password", "open sesame")])
        #expect(answer.header("Location") == shared.link)
        #expect(try await shared.isSeen(by: browser, at: shared.link))
        await shared.site.app.stop()
        let returned = browser.returned(to: try await HostedSite(shared.site.store))
        #expect(try await !shared.isSeen(by: returned, at: shared.path))
        #expect(try await shared.isSeen(by: returned, at: shared.link))
    }

    @Test(
        "opens nothing any more once the owner has withdrawn it, also on a screen that is open",
        arguments: [Audience.onlyMe, .byLink(LinkKey())])
    func withdraw(audience: Audience) async throws {
        let shared = try await Shared()
        let jun = try await shared.site.browser(of: "Jun")
        let id = try await jun.open(shared.link).run
        let session = try #require(shared.site.app.sessions.session(jun.sessionID))
        let run = try #require(await shared.site.app.sessions.run(id, in: session))
        try await shared.share(with: audience)
        let patches = await run.patches(after: await run.version, until: "no longer")
        #expect(patches.last.map { !String(decoding: $0.json, as: UTF8.self).contains(Shared.title) } == true)
        #expect(try await !shared.isSeen(by: jun, at: shared.link))
        #expect(try await !shared.isSeen(by: jun, at: shared.path))
        #expect(try await jun.ask("GET", "/app/images/\(shared.cover.id)?key=\(shared.key.text)").status == 404)
        // A new link opens it again.
        guard let key = audience.key else { return }
        #expect(try await shared.isSeen(by: jun, at: "\(shared.path)?key=\(key.text)"))
    }

    @Test("of a trip that everyone sees by now, or that is one's own, leaves no key behind")
    func withoutNeed() async throws {
        let shared = try await Shared()
        let (mina, jun) = (shared.site.browser(), try await shared.site.browser(of: "Jun"))
        #expect(try await mina.signIn("Mina").status == 303)
        for (browser, audience) in [(mina, Audience.byLink(shared.key)), (jun, .everyone)] {
            try await shared.share(with: audience)
            let page = try await browser.open(shared.link).text
            #expect(page.contains(Shared.title) && page.contains("action=\"\(shared.path)\""))
            #expect(!page.contains("&amp;key=") && !page.contains("/app/images/\(shared.cover.id)?key="))
        }
        try await shared.share(with: .onlyMe)
        #expect(try await !shared.isSeen(by: jun, at: shared.link))
    }

    @Test("is kept with at most as many others as a session may have")
    func limit() throws {
        let links = FollowedLinks()
        let keys = (0...FollowedLinks.maximumCount).map { (Trip.ID(seed: UInt64($0)), LinkKey()) }
        for (trip, key) in keys { links.keep(key, of: trip) }
        #expect(links.key(of: keys[0].0) == nil)
        #expect(keys.dropFirst().allSatisfy { links.key(of: $0) == $1 })
        let (trip, key) = (keys[1].0, LinkKey())
        links.keep(key, of: trip)
        #expect(links.key(of: trip) == key && links.key(of: keys[2].0) == keys[2].1)
        #expect(links.address(of: .map(trip, day: 2)).text == "/app/trips/\(trip)/map?day=2&key=\(key.text)")
        #expect(links.address(of: .settings).text == "/app/settings")
        #expect(ScreenAddress("/app/trips/\(trip)?key=\(key.text)&day=2")?.key == key)
        #expect(ScreenAddress("/app/settings?key=\(key.text)")?.key == nil)
    }
}
#endif
