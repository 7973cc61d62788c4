import Foundation
import Testing
import TravelDomain
import TravelDomainTesting
import TravelFileSamples
import TravelTexts

@testable import TravelPages

@Suite("Zoomed map")
struct MapZoomTests {
    /// A trip with stops in three towns, each within a few streets, and some at the same place.
    private static func trip(_ count: Int, seed: UInt64 = 1) throws -> RecordedTrip {
        var samples = TripGenerator(seed: seed)
        let towns = [(35.16, 129.16), (35.8, 128.6), (37.55, 126.99)]
        return try TripBuilder(seed: seed).with { builder in
            builder.numberOfDays = 3
            builder.timeline = try (0..<count).map { index in
                let (latitude, longitude) = towns[index * 3 / count]
                let spread = index.isMultiple(of: 7) ? 0 : 0.02
                return try TimelineEntry(
                    id: TimelineEntry.ID(seed: UInt64(index)), day: index * 3 / count + 1,
                    time: TimeOfDay(minutesSinceMidnight: index), title: Title("Stop \(index + 1)"),
                    text: EntryText("x"),
                    place: Place(
                        name: "Place \(index)",
                        coordinate: Coordinate(
                            latitude: latitude + .random(in: -spread...spread, using: &samples.random),
                            longitude: longitude + .random(in: -spread...spread, using: &samples.random))))
            }
        }.build()
    }

    private static func layers(of trip: RecordedTrip) throws -> (MarkerLayers<MapMarker>, MapProjection) {
        let stops = MapStops(of: trip)
        let projection = try #require(MapProjection(stops.coordinates, on: .page))
        var space = MapSpace(projection)
        let markers = MapMarker.markers(for: stops.stops, in: projection)
        for marker in markers { space.take(marker.rect) }
        var layers = MarkerLayers(markers, names: markers.map { MapName.placed($0, in: &space) })
        layers.addZooms(of: projection, around: []) { MapMarker.markers(for: stops.stops, in: $0) }
        return (layers, projection)
    }

    @Test(
        "at each zoom every stop has one marker, and neither markers nor names overlap", arguments: [1, 2, 5, 12, 30])
    func zooms(count: Int) throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            let (layers, _) = try Self.layers(of: Self.trip(count, seed: seed))
            for zoom in [1] + MarkerLayers<MapMarker>.zooms {
                let shown = layers.items.filter { item in
                    let range = item.range?.split(separator: " ").compactMap { Int($0) } ?? [1]
                    return range[0] <= zoom && (range.count < 2 || zoom < range[1])
                }
                #expect(shown.flatMap(\.marker.members).sorted() == Array(1...count))
                var rects: [MapRect] = []
                for item in shown {
                    let (x, y) = (item.anchor.x * Double(zoom), item.anchor.y * Double(zoom))
                    let (dx, dy) = (x - item.marker.point.x, y - item.marker.point.y)
                    rects.append(item.marker.rect.moved(x: dx, y: dy).inner(1))
                    if let name = item.name, item.nameRange.flatMap(Int.init) ?? 1 <= zoom {
                        rects.append(name.rect.moved(x: dx, y: dy).inner(1))
                    }
                }
                for (index, rect) in rects.enumerated() {
                    #expect(!rects[(index + 1)...].contains(where: rect.overlaps), "\(seed), \(zoom)")
                }
            }
        }
    }

    @Test("stops that share a marker separate, unless they are at one place")
    func separates() throws {
        let (layers, _) = try Self.layers(of: Self.trip(6))
        let first = layers.items.filter { $0.first == 1 }.map(\.marker.members)
        #expect(first == [[1, 2], [3, 4], [5, 6]])
        let last = layers.items.filter { $0.range?.contains(" ") != true }.map(\.marker.members)
        #expect(last == (1...6).map { [$0] })
    }

    @Test("a map for a script has what it needs, and looks the same without it")
    func withoutScript() throws {
        let trip = try Self.trip(12)
        let file = try #require(MapWriter(language: .korean).html(for: trip, isZoomable: true)).document(.svg)
        let map = CheckedXML(file)
        #expect(map.all("svg")[0].attributes["data-projection"]?.split(separator: " ").count == 6)
        let plain = CheckedXML(try #require(MapWriter(language: .korean).html(for: trip)).document(.svg))
        let shown = map.all("g").filter { $0.attributes["transform"] != nil && $0.attributes["display"] == nil }
        #expect(
            shown.map { $0.text.prefix(10) } == plain.all("g").filter(\.attributes.isEmpty).map { $0.text.prefix(10) })
        let links = map.all("a").compactMap { $0.attributes["href"] }
        #expect(links.contains("?day=1#stop-1") && links.contains("?day=3#stop-12"))
        #expect(map.all("a").contains { $0.attributes["data-stops"] == "1-4" })
        #expect(plain.all("g").allSatisfy { $0.attributes["transform"] == nil && $0.attributes["data-zoom"] == nil })
    }

    @Test(
        "a map that can be zoomed stays small, however many stops there are", arguments: [(20, 30_000), (400, 40_000)])
    func size(count: Int, limit: Int) throws {
        let map = try #require(MapWriter().html(for: try Self.trip(count), isZoomable: true))
        #expect(map.text.utf8.count <= limit)
    }

    @Test("trips that share a marker separate")
    func trips() throws {
        let items = try [(35.1, 129.1), (35.11, 129.1), (37.5, 127.0)].enumerated().map { index, position in
            let position = try Coordinate(latitude: position.0, longitude: position.1)
            return TripsMap.Item(
                title: "Trip \(index)", address: "/trips/\(index)", route: [position], destination: position)
        }
        let drawing = TripsMap(items, list: "/mine", in: .english, isZoomable: true)
        let map = CheckedXML(try #require(drawing.html).document(.svg))
        #expect(map.all("g").compactMap { $0.attributes["data-zoom"] }.count == 3)
        #expect(map.all("a").compactMap { $0.attributes["href"] } == ["/mine", "/trips/0", "/trips/1", "/trips/2"])
    }
}

extension MapRect {
    /// Without an edge of so many units.
    fileprivate func inner(_ edge: Double) -> MapRect {
        MapRect(left: left + edge, top: top + edge, right: right - edge, bottom: bottom - edge)
    }
}
