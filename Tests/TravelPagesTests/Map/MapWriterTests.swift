import Foundation
import TestConcurrency
import Testing
import TravelDataFiles
import TravelDomain
import TravelDomainTesting
import TravelFileSamples
import TravelTexts

@testable import TravelPages

@Suite("Map writer", .limitedConcurrency)
struct MapWriterTests {
    private func trip(_ stops: [(day: Int, latitude: Double, longitude: Double)]) throws -> RecordedTrip {
        try TripBuilder(seed: 1).with { builder in
            builder.numberOfDays = max(stops.map(\.day).max() ?? 1, 1)
            builder.timeline = try stops.enumerated().map { index, stop in
                try TimelineEntry(
                    id: TimelineEntry.ID(seed: UInt64(index)), day: stop.day,
                    time: TimeOfDay(minutesSinceMidnight: index), title: Title("Stop \(index + 1)"),
                    text: EntryText("x"),
                    place: Place(
                        name: "place", coordinate: Coordinate(latitude: stop.latitude, longitude: stop.longitude)))
            }
        }.build()
    }

    private func map(_ trip: RecordedTrip) -> CheckedXML {
        CheckedXML(MapWriter().data(for: trip))
    }

    @Test("a map is well-formed and self-contained, whatever the titles are", arguments: 0..<4 as Range<UInt64>)
    func generated(seed: UInt64) throws {
        var generated = GeneratedTrips(seed: seed)
        let trip = try generated.exported().trip
        let language: Language = seed.isMultiple(of: 2) ? .english : .korean
        let file = MapWriter(language: language).data(for: trip)
        let map = CheckedXML(file)
        #expect(map.defects == [])
        #expect(!CheckedXML.containsAddress(file))
        #expect(map.all("title").first?.text == xmlText(language[.mapTitle(trip.content.title)]))
        let texts = map.all("text").map(\.text)
        for entry in trip.timeline where entry.coordinate != nil {
            #expect(texts.contains(xmlText(entry.title.text)))
        }
        let isFinite = map.elements.allSatisfy { element in
            element.attributes.values.allSatisfy { !$0.contains("nan") && !$0.contains("inf") }
        }
        #expect(isFinite)
    }

    @Test("a map numbers the stops in order, and has a line for each day with several places")
    func stops() throws {
        let map = try map(
            trip([(1, 35.1, 129.0), (1, 35.2, 129.1), (2, 35.3, 129.2), (3, 35.1, 129.2), (3, 35, 129.1)]))
        #expect(map.all("text", class: "num").map(\.text).sorted() == ["1", "2", "3", "4", "5"])
        #expect(map.all("path", class: "line").count { $0.attributes["d"]?.contains("L") == true } == 2)
        #expect(map.all("text", class: "head").map(\.text).last == "Day 3 · Fri, 3 May 2024")
    }

    @Test("a map numbers its stops as the timeline does, entries without a place included")
    func numbers() throws {
        let places = try trip([(1, 35.1, 129.0), (1, 35.2, 129.1), (2, 35.3, 129.2)])
        let note = try TimelineEntry(
            id: TimelineEntry.ID(seed: 99), day: 1, time: TimeOfDay(minutesSinceMidnight: 0), title: Title("Note"),
            text: EntryText("x"))
        let map = try map(places.saving(note))
        let first = try #require(try places.saving(note).timeline.firstIndex(of: note)) + 1
        let others = (1...4).filter { $0 != first }.map(String.init)
        #expect(map.all("text", class: "num").map(\.text).sorted() == others)
        #expect(map.all("text", class: "key").map(\.text) == others)
    }

    @Test("stops at the same place share a marker with all their numbers")
    func samePlace() throws {
        let map = try map(trip([(1, 35, 129), (1, 35, 129), (1, 35, 129.5), (2, 35, 129), (2, 35, 129.5)]))
        #expect(map.all("text", class: "num").map(\.text).sorted() == ["1–2, 4", "3, 5"])
    }

    @Test("a map of a single place shows its surroundings")
    func single() throws {
        let map = try map(trip([(1, 35, 129)]))
        #expect(map.all("text", class: "num").map(\.text) == ["1"])
        #expect(map.all("text").contains { $0.text == "2 km" })
        #expect(map.all("rect", class: "sea").count == 1 && map.all("path", class: "land").count == 1)
    }

    @Test("a map without places says so")
    func nowhere() throws {
        let map = try map(trip([]))
        #expect(map.defects == [])
        #expect(map.all("text").map(\.text) == ["No entry has a place."])
    }

    @Test(
        "every stop is inside the drawing, and the scale is correct, anywhere on the earth",
        arguments: [
            [(35.1, 129.0), (35.2, 129.1)], [(-17, 179.5), (-18, -179.5)], [(90, 0), (90, 120), (89.9, -120)],
            [(-90, 0), (90, 180)], [(0, -180), (0, 180)], [(0, -120), (0, 0), (0, 120)],
            [(37.5, 127), (37.500_001, 127)],
            [(37.5, 127), (37.5, 127)],
        ])
    func projection(points: [(Double, Double)]) throws {
        let coordinates = try points.map { try Coordinate(latitude: $0, longitude: $1) }
        let projection = try #require(MapProjection(coordinates))
        let drawn = coordinates.map(projection.point)
        #expect(drawn.allSatisfy { (0...projection.width).contains($0.x) && (0...projection.height).contains($0.y) })
        #expect((320...960).contains(projection.height))
        let bar = ScaleBar(projection)
        #expect(bar.length <= 160 && bar.length > 60)
        // On short distances in the middle latitudes, the drawing agrees with the surface of the earth.
        let distance = coordinates[0].distance(to: coordinates[1])
        if (100...50_000).contains(distance), abs(coordinates[0].latitude) < 60 {
            let (x, y) = (drawn[1].x - drawn[0].x, drawn[1].y - drawn[0].y)
            let metres = (x * x + y * y).squareRoot() / projection.scale
            #expect(abs(metres / distance - 1) < 0.01)
        }
    }

    @Test("a map across the 180th meridian is contiguous")
    func antimeridian() throws {
        let west = try Coordinate(latitude: -17, longitude: 179.5)
        let east = try Coordinate(latitude: -17, longitude: -179.5)
        let projection = try #require(MapProjection([west, east]))
        #expect(projection.point(west).x < projection.point(east).x)
        #expect(projection.scale > 688 / 120_000)
    }

    @Test(
        "the scale of a map has round numbers",
        arguments: [(1.0, 1.0, 1.0), (4.9, 2, 5), (5, 5, 5), (9.9, 5, 10), (0.3, 0.2, 0.5), (1_234, 1_000, 2_000)])
    func roundNumbers(limit: Double, atMost: Double, atLeast: Double) {
        #expect(abs(RoundNumber.atMost(limit) - atMost) < 1e-9)
        #expect(abs(RoundNumber.atLeast(limit) - atLeast) < 1e-9)
    }

    @Test("a map shows the recorded track in place of the lines from stop to stop, and all of it")
    func track() throws {
        let path = try (0..<500).map { number in
            try Coordinate(latitude: 37.5 + Double(number) / 100, longitude: 127 + Double(number % 7) / 1_000)
        }
        var trip = try trip([(1, 37.5, 127), (1, 37.6, 127)])
        trip = try RecordedTrip(
            id: trip.id, author: trip.author, createdAt: trip.createdAt, content: trip.content,
            timeline: trip.timeline, track: TrackGeometry([path, [path[0], path[400]]]))
        let map = map(trip)
        #expect(map.defects == [])
        let paths = map.all("path", class: "path").compactMap { $0.attributes["d"] }
        #expect(paths.count == 2 && paths[0].split(separator: "L").count > 400)
        #expect(!map.all("path", class: "line").contains { $0.attributes["d"]?.contains("L") == true })
        #expect(map.all("text", class: "small").contains { $0.text.hasPrefix("Recorded track 1") })
        #expect(self.map(try trip.with(timeline: [])).all("path", class: "path").count == 2)
    }

    @Test("a map repeats its colours after eight days, with dashed lines")
    func manyDays() throws {
        let map = try map(trip((1...20).map { ($0, 35 + Double($0) / 10, 129) }))
        #expect(map.defects == [])
        let classes = Set(map.all("g").compactMap { $0.attributes["class"] })
        #expect(classes.contains("d0") && classes.contains("d0 dashed") && !classes.contains("d8"))
    }
}
