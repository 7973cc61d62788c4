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
        var cache: MapCache {
            MapCache { [self] subject, language in
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
        // The screen of the map shows the same one.
        run.receive([.link(ScreenAddress(.map(trip.id, day: 1)))])
        #expect(await run.text().contains("class=\"large\""))
        #expect(drawings.count == 1)
        run.close()
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
                #expect(markers.map { $0.attributes["href"] } == ["?day=1#stop-1", "?day=2#stop-2"])
                run.close()
            }
        }
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
