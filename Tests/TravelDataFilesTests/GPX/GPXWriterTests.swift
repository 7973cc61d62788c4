import Foundation
import TestConcurrency
import Testing
import TravelDataFiles
import TravelDomain
import TravelDomainTesting
import TravelFileSamples

@Suite("GPX writer", .limitedConcurrency)
struct GPXWriterTests {
    @Test(
        "a written GPX file is well-formed, and the reader returns each place with its title and text",
        arguments: 0..<25 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generated = GeneratedTrips(seed: seed)
        let trip = try generated.exported().trip
        let file = GPXWriter().data(for: trip)
        #expect(CheckedXML(file).error == nil)
        let track = try GPXReader().track(in: file)
        #expect(track.name == xmlText(trip.content.title.text))
        let located = trip.timeline.filter { $0.coordinate != nil }
        #expect(track.waypoints.map(\.name) == located.map { xmlText($0.title.text) })
        #expect(track.waypoints.map(\.description) == located.map { xmlText($0.text.text) })
        for (waypoint, entry) in zip(track.waypoints, located) {
            let coordinate = try #require(entry.coordinate)
            #expect(waypoint.coordinate.distance(to: coordinate) < 0.000_1)
            #expect(waypoint.time != nil)
        }
        let days = Dictionary(grouping: located, by: \.day).values.filter { $0.count > 1 }
        if let recorded = trip.track {
            #expect(try TrackGeometry(points: track.segments) == recorded)
        } else {
            #expect(track.segments.map(\.count).sorted() == days.map(\.count).sorted())
        }
    }

    @Test("written times are in UTC, and an import returns the local times")
    func localTimes() throws {
        let places = try [(35.1, 129.1, "부산"), (35.2, 129.0, "김해"), (40.7, -74.0, "New York")].map {
            try Place(name: $2, coordinate: Coordinate(latitude: $0, longitude: $1))
        }
        let trip = try TripBuilder(seed: 1).with { builder in
            builder.numberOfDays = 3
            builder.timeline = try zip([1, 1, 3], places).enumerated().map { index, stop in
                try TimelineEntry(
                    day: stop.0, time: TimeOfDay(hour: 9 + index * 3, minute: 30), title: Title(stop.1.name),
                    text: EntryText("text \(index)"), place: stop.1)
            }
        }.build()
        let track = try GPXReader().track(in: GPXWriter().data(for: trip))
        let first = try #require(track.waypoints.first?.time)
        #expect(first.ISO8601Format() == "2024-05-01T00:30:00Z")
        let timed = try TimedTrack(track, now: Date(timeIntervalSince1970: 1_800_000_000))
        let moments = TimelineBuilder(timed).moments
        #expect(moments.map(\.day) == trip.timeline.map(\.day))
        #expect(moments.map(\.time) == trip.timeline.map(\.time))
        #expect(timed.estimatedTimes == 0)
    }

    @Test("a trip without places becomes a valid file without points")
    func nowhere() throws {
        let trip = try TripBuilder(seed: 1).build()
        #expect(try GPXReader().track(in: GPXWriter().data(for: trip)).isEmpty)
    }

    @Test("written elements have the order of the GPX 1.1 schema")
    func order() throws {
        let place = try Place(name: "바다 & 산", address: "부산", coordinate: Coordinate(latitude: 35, longitude: 1e-9))
        let trip = try TripBuilder(seed: 1).with { builder in
            builder.title = "<바다>"
            builder.author = try User(seed: 1, nickname: "민지")
            builder.timeline = try [9, 10].map {
                try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: $0), title: Title("a"), text: EntryText("b\nc"), place: place)
            }
        }.build()
        let text = String(decoding: GPXWriter().data(for: trip), as: UTF8.self)
        let added =
            #"<extensions><place xmlns="https://traveline.invalid/gpx/1" name="바다 &amp; 산" address="부산" /></extensions>"#
        let point = #"lat="35.0" lon="0.000000001000">"#
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="traveline" xmlns="http://www.topografix.com/GPX/1/1">
                <metadata><name>&lt;바다&gt;</name><author><name>민지</name></author><time>2025-01-01T00:00:01Z</time></metadata>
                <wpt \(point)<time>2024-05-01T09:00:00Z</time><name>a</name><cmt>바다 &amp; 산, 부산</cmt><desc>b
                c</desc>\(added)</wpt>
                <wpt \(point)<time>2024-05-01T10:00:00Z</time><name>a</name><cmt>바다 &amp; 산, 부산</cmt><desc>b
                c</desc>\(added)</wpt>
                <trk><name>1: 2024-05-01</name><number>1</number><trkseg>
                <trkpt \(point)<time>2024-05-01T09:00:00Z</time></trkpt>
                <trkpt \(point)<time>2024-05-01T10:00:00Z</time></trkpt></trkseg></trk>
                </gpx>

                """)
    }
}
