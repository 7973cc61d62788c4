import Foundation
import Testing
import TravelDomain
import TravelDomainTesting
import TravelFileSamples
import TravelTexts

@testable import TravelPages

@Suite("Map of many trips")
struct TripsMapTests {
    private func item(_ title: String, _ positions: (Double, Double)...) throws -> TripsMap.Item {
        let route = try positions.map { try Coordinate(latitude: $0.0, longitude: $0.1) }
        return .init(title: title, address: "/trips/\(title.count)", route: route, destination: route[0])
    }

    private func map(_ items: [TripsMap.Item]) throws -> CheckedXML {
        CheckedXML(try #require(TripsMap(items, list: "/mine", in: .korean).html).document(.svg))
    }

    @Test("a map without trips is none")
    func empty() {
        #expect(TripsMap([], list: "/mine", in: .english).html == nil)
    }

    @Test("each trip has a line and a marker that leads to it, whatever its title is")
    func markers() throws {
        let titles = GeneratedTrips.hostileTitles
        let items = try titles.enumerated().map { index, title in
            try item(title, (33 + Double(index) * 0.2, 126 + Double(index % 3)), (34, 127))
        }
        let map = try map(items)
        #expect(map.defects { $0.hasPrefix("/") } == [])
        #expect(map.all("path", class: "line").count == items.count)
        let links = map.all("a")
        #expect(map.all("title")[0].text == "여행 \(titles.count)개의 지도")
        for title in titles {
            #expect(links.contains { $0.text.contains(xmlText(title)) }, "\(title)")
        }
    }

    @Test("trips at one place share a marker with their number, which leads to the list")
    func sharedMarkers() throws {
        let map = try map([
            try item("a", (35.1, 129.1)), try item("bb", (35.1001, 129.1)), try item("ccc", (37.5, 127)),
        ])
        #expect(map.all("a").map { $0.attributes["href"] } == ["/mine", "/trips/3"])
        #expect(map.all("text", class: "num").map(\.text) == ["2"])
    }

    @Test("a thousand trips of one country are drawn without markers that overlap")
    func many() throws {
        var samples = TripGenerator(seed: 1)
        let items = try (0..<1_000).map { _ in
            let position = try Coordinate(
                latitude: .random(in: 33...38.6, using: &samples.random),
                longitude: .random(in: 124.6...131.9, using: &samples.random))
            return TripsMap.Item(title: "Trip", address: "/trips/1", route: [position], destination: position)
        }
        let projection = try #require(MapProjection(items.map(\.destination), on: .page))
        let markers = TripsMarker.markers(for: items, in: projection)
        #expect(markers.reduce(0) { $0 + $1.items.count } == 1_000)
        for (index, marker) in markers.enumerated() {
            #expect(!markers[(index + 1)...].contains { $0.rect.overlaps(marker.rect) })
        }
    }
}
