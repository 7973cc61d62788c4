import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting
import TravelFileSamples
import TravelTexts

@testable import TravelPages

@Suite("Surroundings of a map", .limitedConcurrency)
struct MapSurroundingsTests {
    private static func trip(_ stops: [(String, Double, Double)]) throws -> RecordedTrip {
        try TripBuilder(seed: 1).with { builder in
            builder.timeline = try stops.enumerated().map { index, stop in
                try TimelineEntry(
                    id: TimelineEntry.ID(seed: UInt64(index)), day: 1, time: TimeOfDay(minutesSinceMidnight: index),
                    title: Title("Stop \(index + 1)"), text: EntryText("x"),
                    place: Place(name: stop.0, coordinate: Coordinate(latitude: stop.1, longitude: stop.2)))
            }
        }.build()
    }

    private static func texts(_ trip: RecordedTrip, in language: Language) -> [String] {
        CheckedXML(MapWriter(language: language).data(for: trip)).all("text").map(\.text)
    }

    private static let gangwon = [
        ("춘천역", 37.8848, 127.717), ("남이섬", 37.791, 127.5255), ("월정사", 37.7318, 128.5929), ("정선시장", 37.3797, 128.6612),
    ]

    @Test("a map inland has towns, rivers and borders, in the language of the page")
    func languages() throws {
        let trip = try Self.trip(Self.gangwon)
        let korean = Self.texts(trip, in: .korean)
        #expect(Set(korean).isSuperset(of: ["춘천", "홍천", "횡성", "남한강"]))
        #expect(!korean.contains("Chuncheon") && !korean.contains("Namhan"))
        let english = Self.texts(trip, in: .english)
        #expect(Set(english).isSuperset(of: ["Chuncheon", "Hongcheon", "Hoengseong", "Namhan"]))
        #expect(!english.contains("홍천"))
        let map = CheckedXML(MapWriter().data(for: trip))
        #expect(map.defects == [])
        #expect(map.all("path", class: "province").count == 1 && map.all("path", class: "river").count == 1)
        #expect(map.all("path", class: "dots").count == 1)
        #expect(map.all("text", class: "small").last?.text == "Map: Natural Earth, Statistics Korea")
        // Great towns abroad have Korean names; those without have their own.
        let alps = try Self.trip([("제네바", 46.2044, 6.1432), ("생모리츠", 46.4908, 9.8355)])
        #expect(Set(Self.texts(alps, in: .korean)).isSuperset(of: ["베른", "레만호", "론강"]))
        let gobi = try Self.trip([("사막", 47.9, 106.9), ("고비", 43.5, 104.1)])
        #expect(Set(Self.texts(gobi, in: .korean)).isSuperset(of: ["울란바토르", "Mandalgovi"]))
    }

    @Test("a name of the trip takes the place of the same name of a town")
    func sameNames() throws {
        let trip = try Self.trip(Self.gangwon + [("홍천", 37.697, 127.889), ("HONGCHEON", 37.5, 127.7)])
        #expect(Self.texts(trip, in: .korean).count { $0 == "홍천" } == 1)
        #expect(Self.texts(trip, in: .english).count { $0.lowercased() == "hongcheon" } == 1)
    }

    @Test("a great town is named although its dot is under the marker of the trip")
    func covered() throws {
        #expect(try Self.texts(Self.trip([("hotel", 46.2044, 6.1432)]), in: .english).contains("Geneva"))
        let trip = try Self.trip([("서울역", 37.5549, 126.9708), ("부산역", 35.1152, 129.0422)])
        #expect(Set(Self.texts(trip, in: .korean)).isSuperset(of: ["서울", "부산", "대전", "대구"]))
    }

    @Test("a map of an empty ocean has no surroundings, and of a few streets none that are known too inexactly")
    func nothing() throws {
        for stops in [[("a", -45.0, -135.0), ("b", -46, -136)], [("a", 46.2044, 6.1432), ("b", 46.2, 6.14)]] {
            let map = try CheckedXML(MapWriter().data(for: Self.trip(stops)))
            for name in ["river", "lake", "border", "province", "dots"] {
                #expect(map.all("path", class: name).isEmpty)
            }
            #expect(map.elements.allSatisfy { !$0.isHidden })
        }
    }

    @Test("the surroundings are for the eyes: a screen reader reads the stops")
    func hidden() throws {
        let map = try CheckedXML(MapWriter().data(for: Self.trip(Self.gangwon)))
        let names = map.all("text").filter(\.isHidden).map(\.text)
        #expect(Set(names).isSuperset(of: ["Chuncheon", "Namhan"]))
        #expect(!map.all("text").filter { !$0.isHidden }.map(\.text).contains("Chuncheon"))
        #expect(!names.contains("월정사") && !names.contains("1"))
    }

    @Test(
        "no name overlaps another or the trip, none is there twice, and a page grows by at most 10 kB",
        arguments: 0..<200 as Range<UInt64>)
    func generated(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // Around a known town, from a few streets to a continent, with names that towns have as well.
        let towns = [
            (37.57, 127.0), (36.35, 127.38), (35.1, 129.04), (37.88, 127.73), (33.4, 126.55), (46.95, 7.45),
            (48.85, 2.35),
            (52.5, 13.4), (35.68, 139.7), (27.7, 85.3), (40.7, -74), (-33.45, -70.67), (-17.8, 179.9), (64.1, -21.9),
            (1.3, 103.8), (-1.3, 36.8), (31.2, 121.5), (69.6, 18.9), (61.2, -149.9), (-41.3, 174.8),
        ]
        let town = towns[Int(seed) % towns.count]
        let extent = 60 / pow(2, Double.random(in: 0...11, using: &random))
        let names = [
            "Seoul", "서울", "Paris", "바다", "a", "Gyeongbokgung Palace", "베른", String(repeating: "긴", count: 30),
        ]
        let stops = (0..<Int.random(in: 1...25, using: &random)).map { index in
            (
                names[(index + Int(seed)) % names.count],
                min(max(town.0 + .random(in: -extent / 2...extent / 2, using: &random), -89), 89),
                (town.1 + .random(in: -extent...extent, using: &random)).remainder(dividingBy: 360)
            )
        }
        let trip = try Self.trip(stops)
        let language: Language = seed.isMultiple(of: 2) ? .english : .korean
        for sheet in [MapSheet.page, .file] {
            let mapped = MapStops(of: trip)
            let projection = try #require(MapProjection(mapped.coordinates, on: sheet))
            let markers = MapMarker.markers(for: mapped.stops, in: projection)
            var space = MapSpace(projection)
            space.take(ScaleBar(projection).rect)
            for marker in markers { space.take(marker.rect) }
            let written = markers.compactMap { MapName.placed($0, in: &space) }.map(\.text)
            let surroundings = MapSurroundings(projection, in: language)
            let placed = surroundings.placed(
                except: written, around: markers.map(\.rect), beside: [mapped.coordinates.map(projection.point)],
                in: space)
            let dots = placed.dots.map {
                MapRect(left: $0.x - 2, top: $0.y - 2, right: $0.x + 2, bottom: $0.y + 2)
            }
            let rects = placed.labels.map(\.rect) + dots
            for (index, rect) in rects.enumerated() {
                #expect(!rects[(index + 1)...].contains(where: rect.overlaps))
                #expect(!space.taken.contains(where: rect.overlaps))
                #expect(rect.left >= 0 && rect.right <= projection.width)
                #expect(rect.top >= 0 && rect.bottom <= projection.height)
            }
            let texts = (written + placed.labels.map(\.text)).map { $0.lowercased() }
            #expect(Set(placed.labels.map { $0.text.lowercased() }).isDisjoint(with: written.map { $0.lowercased() }))
            #expect(Set(texts).count + (written.count - Set(written.map { $0.lowercased() }).count) == texts.count)
            let labels = MapSurroundings.html(of: placed, isZoomable: false)
            #expect(surroundings.ground.text.utf8.count + labels.text.utf8.count <= 10_000)
        }
    }

    @Test("names of waters are readable on land and sea, and lines differ from the land")
    func contrast() {
        for (palette, colors) in [
            (MapStyle.light, MapStyle.SurroundingColors.light), (MapStyle.dark, MapStyle.SurroundingColors.dark),
        ] {
            for ground in [palette.land, palette.sea] {
                #expect(MapLabelTests.contrast(colors.water, ground) >= 4.5)
                #expect(MapLabelTests.contrast(palette.soft, ground) >= 4.5)
            }
            for line in [colors.river, colors.border, colors.province] {
                #expect(MapLabelTests.contrast(line, palette.land) >= 1.5)
            }
        }
    }
}
