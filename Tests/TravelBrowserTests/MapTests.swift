import Foundation
import Synchronization
import Testing
import TravelDomainTesting
import TravelFileSamples
import TravelPages

@testable import TravelBrowser

@MainActor
@Suite("Maps of the app", .timeLimit(.minutes(2)), .liveTime)
struct MapTests {
    private static func trip(_ number: UInt64 = 1, place: String = "해운대") throws -> RecordedTrip {
        try TripBuilder(seed: number, author: User(seed: 2)).with {
            $0.title = "Trip \(number)"
            $0.numberOfDays = 2
            $0.timeline = try [(1, 35.1587, 129.1604), (2, 35.0975, 129.0107)].map { day, latitude, longitude in
                try TimelineEntry(
                    id: TimelineEntry.ID(seed: number * 10 + UInt64(day)), day: day,
                    time: TimeOfDay(minutesSinceMidnight: 600), title: Title("Stop \(day)"), text: EntryText("x"),
                    place: Place(name: place, coordinate: Coordinate(latitude: latitude, longitude: longitude)))
            }
        }.build()
    }

    /// A cache that notes what it draws.
    private final class Drawings: Sendable {
        private let subjects = Mutex<[MapCache.Subject]>([])

        var count: Int { subjects.withLock(\.count) }
        var cache: MapCache { cache(capacity: 2) }

        func cache(capacity: Int) -> MapCache {
            MapCache(capacity: capacity) { [self] subject, language in
                subjects.withLock { $0.append(subject) }
                return HTML("svg") { HTML("title") { language[.map] } }
            }
        }
    }

    @Test("a page draws a map again only where what it shows has changed")
    func drawnOnce() async throws {
        let world = try await BrowserWorld()
        let trip = try Self.trip()
        try await world.store.add([trip])
        let drawings = Drawings()
        let run = world.run(at: .trip(trip.id), maps: drawings.cache)
        #expect(await run.text().contains("<svg><title>Map</title></svg>"))
        run.receive([.control(.init("like"))])
        #expect(await run.text().contains("aria-pressed=\"true\""))
        run.receive([.link(ScreenAddress(.trip(trip.id, day: 2)))])
        #expect(await run.text().contains("Stop 2</a>"))
        #expect(drawings.count == 1)
        // The screen of the map draws its day.
        run.receive([.link(ScreenAddress(.map(trip.id, day: 1)))])
        #expect(await run.text().contains("class=\"large\""))
        #expect(drawings.count == 2)
        run.close()
    }

    @Test("the map of a day and the list below it have the same stops, numbered as in the trip")
    func mapOfDay() async throws {
        let world = try await BrowserWorld()
        let trip = try Self.trip()
        try await world.store.add([trip])
        for day in 1...2 {
            let run = world.run(at: .map(trip.id, day: day))
            let page = CheckedXML(Data(await run.text().utf8))
            #expect(page.all("a").compactMap { $0.attributes["data-stops"] } == ["\(day)"])
            #expect(page.all("li").compactMap { $0.attributes["value"] } == ["\(day)"])
            run.close()
        }
        // The page of the trip leads there.
        let run = world.run(at: .trip(trip.id, day: 2))
        #expect(await run.text().contains("href=\"\(ScreenAddress(.map(trip.id, day: 2)).text)\""))
        run.close()
    }

    @Test(
        "a map that several tabs show is drawn once, and once more for whoever sees another trip, until newer ones take its place"
    )
    func shared() throws {
        let drawings = Drawings()
        let maps = drawings.cache(capacity: 3)
        let (trip, other) = (try Self.trip(), try Self.trip(place: "광안리"))
        for _ in 1...3 {
            _ = maps.map(of: .trip(trip), in: .english)
            _ = maps.map(of: .trip(other), in: .english)
            _ = maps.map(of: .trip(trip), in: .korean)
        }
        #expect(drawings.count == 3)
        _ = maps.map(of: .trip(try Self.trip(2)), in: .english)
        _ = maps.map(of: .trip(trip), in: .korean)
        #expect(drawings.count == 4)
        _ = maps.map(of: .trip(trip), in: .english)
        #expect(drawings.count == 5)
    }

    @Test("a map has its buttons with names in both languages, and its markers lead to the days of their entries")
    func controls() async throws {
        let world = try await BrowserWorld()
        let trip = try Self.trip()
        try await world.store.add([trip])
        for (language, names) in [
            (Language.english, ["Zoom in", "Zoom out", "Show the whole map"]),
            (.korean, ["확대", "축소", "지도 전체 보기"]),
        ] {
            for screen in [Screen.trip(trip.id), .map(trip.id, day: 1)] {
                let run = world.run(at: screen, language)
                let page = CheckedXML(Data(await run.text().utf8))
                let buttons = page.all("button").filter { $0.attributes["data-zoom-to"] != nil }
                #expect(buttons.map { $0.attributes["aria-label"] } == names)
                #expect(buttons.map { $0.attributes["data-key"] } == ["+", "-", "0"])
                let markers = page.all("a").filter { $0.attributes["data-stops"] != nil }
                let isTrip = screen == .trip(trip.id)
                #expect(
                    markers.map { $0.attributes["href"] } == ["?day=1#stop-1"] + (isTrip ? ["?day=2#stop-2"] : []))
                run.close()
            }
        }
    }

    @Test(
        "a server of tiles has an address of https, or of this machine, and its origin",
        arguments: [
            ("https://tile.example.org/{z}/{x}/{y}.png", "https://tile.example.org"),
            ("https://Tiles.Example.org:8443/{z}/{y}/{x}?key=a-b", "https://tiles.example.org:8443"),
            ("http://127.0.0.1:8080/{z}/{x}/{y}.png", "http://127.0.0.1:8080"),
            ("http://localhost/{z}/{x}/{y}", "http://localhost"),
        ])
    func tileServers(address: String, origin: String) throws {
        #expect(try TileServer(address: address, credit: "© OSM").origin == origin)
    }

    @Test(
        "an address of tiles that discloses more, or that the policy cannot name, is refused",
        arguments: [
            ("http://tile.example.org/{z}/{x}/{y}", TileServer.Problem.insecure),
            ("tile.example.org/{z}/{x}/{y}", .insecure),
            ("javascript://x/{z}/{x}/{y}", .insecure), ("", .insecure), ("https:///{z}/{x}/{y}", .host),
            ("https://me:secret@example.org/{z}/{x}/{y}", .host), ("https://*.example.org/{z}/{x}/{y}", .host),
            ("https://{s}.example.org/{z}/{x}/{y}", .host), ("https://a;script-src/{z}/{x}/{y}", .host),
            ("https://a b/{z}/{x}/{y}", .host), ("https://a:x/{z}/{x}/{y}", .host),
            ("https://a/{z}/{x}", .placeholders),
            ("https://a/{z}/{x}/{y}/{y}", .placeholders), ("https://a/{z}/{x}/{y}{r}", .placeholders),
            ("https://a/{z}/{x}/{y} ", .characters), ("https://a/{z}/{x}/{y}\"", .characters),
        ])
    func refusedTileServers(address: String, problem: TileServer.Problem) {
        #expect(throws: problem) { try TileServer(address: address, credit: "© OSM") }
        for language in Language.allCases { #expect(!language[problem.text].isEmpty) }
    }

    @Test("tiles need a credit", arguments: ["", " \n", String(repeating: "x", count: 201)])
    func withoutCredit(credit: String) {
        #expect(throws: TileServer.Problem.credit) {
            try TileServer(address: "https://a/{z}/{x}/{y}", credit: credit)
        }
    }

    @Test("a map names the server of tiles that was configured, and loads nothing from it")
    func tiles() async throws {
        let world = try await BrowserWorld()
        let trip = try Self.trip()
        try await world.store.add([trip])
        let tiles = try TileServer(address: "https://tile.example.org/{z}/{x}/{y}.png", credit: "© <OSM>")
        for (language, words) in [(Language.english, "learns which place"), (.korean, "어느 곳을 보는지")] {
            let run = world.run(at: .trip(trip.id), language, tiles: tiles)
            let page = CheckedXML(Data(await run.text().utf8))
            let button = try #require(page.all("button").first { $0.attributes["data-tiles"] != nil })
            #expect(button.attributes["data-tiles"] == tiles.address)
            let note = page.elements.first { $0.attributes["id"] == button.attributes["aria-describedby"] }
            #expect(note?.text.contains("tile.example.org") == true && note?.text.contains(words) == true)
            #expect(page.all("p", class: "credit").map(\.text) == ["© <OSM>"])
            let loaded = page.elements.compactMap { $0.attributes["src"] ?? $0.attributes["href"] }
            #expect(!loaded.contains { $0.contains("tile.example.org") })
            run.close()
        }
        let run = world.run(at: .trip(trip.id))
        #expect(!(await run.text()).contains("tiles"))
        run.close()
    }

    @Test("a changed trip, another language and another trip have maps of their own, and the last two are kept")
    func kept() throws {
        let drawings = Drawings()
        let maps = drawings.cache
        let trip = MapCache.Subject.trip(try Self.trip())
        let moved = MapCache.Subject.trip(try Self.trip(place: "다대포"))
        _ = maps.map(of: trip, in: .english)
        _ = maps.map(of: moved, in: .english)
        #expect(drawings.count == 2)
        let korean = maps.map(of: moved, in: .korean)
        #expect(drawings.count == 3 && korean?.text == "<svg><title>지도</title></svg>")
        #expect(maps.map(of: moved, in: .english)?.text == "<svg><title>Map</title></svg>")
        #expect(drawings.count == 3)
        _ = maps.map(of: trip, in: .english)
        #expect(drawings.count == 4)
        // The Korean one was used least recently.
        _ = maps.map(of: moved, in: .english)
        #expect(drawings.count == 4)
    }
}
