import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelPages

@Suite("A map in pixels", .limitedConcurrency)
struct MapPictureTests {
    private static func trip(
        _ stops: [(day: Int, latitude: Double, longitude: Double)], track: [[(Double, Double)]] = []
    ) throws -> RecordedTrip {
        try TripBuilder(seed: 1).with { builder in
            builder.numberOfDays = 30
            builder.timeline = try stops.enumerated().map { index, stop in
                try TimelineEntry(
                    id: TimelineEntry.ID(seed: UInt64(index)), day: stop.day,
                    time: TimeOfDay(minutesSinceMidnight: index % 1_440), title: Title("Stop"), text: EntryText("x"),
                    place: Place(
                        name: "x", coordinate: Coordinate(latitude: stop.latitude, longitude: stop.longitude)))
            }
            if !track.isEmpty {
                builder.track = try TrackGeometry(
                    track.map { try $0.map { try Coordinate(latitude: $0.0, longitude: $0.1) } })
            }
        }.build()
    }

    /// The picture of a trip, in which one looks for colours.
    private struct Shown {
        private let pixels: [UInt8]
        private let projection: MapProjection

        init(_ trip: RecordedTrip) throws {
            pixels = try #require(MapPicture(of: trip)).pixels()
            let track = trip.track?.segments.joined().map(\.self) ?? []
            projection = try #require(MapProjection(MapStops(of: trip).coordinates + track, on: MapPicture.sheet))
            #expect(pixels.count == 1_200 * 630 * 3)
        }

        /// The colour at a place, as in a style sheet, so many pixels to the east.
        func color(_ latitude: Double, _ longitude: Double, east: Double = 0) throws -> String {
            let point = projection.point(try Coordinate(latitude: latitude, longitude: longitude))
            let index = (Int(point.y * 2) * 1_200 + Int(point.x * 2 + east)) * 3
            return "#"
                + pixels[index..<index + 3].map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }
                .joined()
        }

        var colors: Set<[UInt8]> { Set(stride(from: 0, to: pixels.count, by: 3).map { Array(pixels[$0..<$0 + 3]) }) }
    }

    @Test("has the land, the sea, the lines and the numbers of the map on the page, in the light colours")
    func colors() throws {
        let light = MapStyle.light
        let shown = try Shown(Self.trip([(1, 35.18, 129.08), (2, 33.59, 130.4), (2, 34.2, 129.29)]))
        #expect(try shown.color(34.3, 131.5) == light.land.text)
        #expect(try shown.color(35.2, 131.2) == light.sea.text)
        // The edges of the markers, beside the numbers.
        #expect(try shown.color(35.18, 129.08, east: -16) == light.days[0].text)
        #expect(try shown.color(33.59, 130.4, east: -16) == light.days[1].text)
        // On the line, in the sea: three quarters of #b93c0b on #cfe2ef.
        #expect(try shown.color((33.59 + 34.2) / 2, (130.4 + 129.29) / 2) == "#bf6644")
        #expect(shown.colors.contains([255, 255, 255]), "the numbers are white")
    }

    @Test("has the track in place of the lines, and a track alone is enough")
    func track() throws {
        let track = [[(35.0, 129.0), (35.2, 129.4)], [(35.21, 129.41), (35.3, 129.4)]]
        for stops in [[], [(1, 35.0, 129.0), (1, 35.3, 129.4)]] {
            let shown = try Shown(Self.trip(stops, track: track))
            #expect(try shown.color(35.1, 129.2) == MapStyle.light.path.text)
        }
    }

    @Test("a trip without a position has none")
    func noPlace() throws {
        let trip = try TripBuilder(seed: 1).with {
            $0.timeline = [try TimelineEntry(seed: 1, title: "a", text: "b")]
        }.build()
        #expect(MapPicture(of: trip) == nil)
    }

    @Test("looks the same for the same positions, and different for others")
    func appearance() throws {
        let stops = [(1, 35.18, 129.08), (2, 33.59, 130.4)]
        func appearance(_ trip: RecordedTrip) throws -> Int { try #require(MapPicture(of: trip)).appearance }
        let (one, same) = (try Self.trip(stops), try Self.trip(stops).with(.byLink(LinkKey())))
        #expect(try appearance(one) == appearance(same))
        for other in [
            try Self.trip([(1, 33.59, 130.4), (2, 35.18, 129.08)]), try Self.trip([stops[0]]),
            try Self.trip([stops[0], (1, 33.59, 130.4)]),
            try Self.trip(stops, track: [[(35, 129), (35.1, 129.1)]]),
        ] {
            #expect(try appearance(one) != appearance(other))
        }
    }

    @Test(
        "is drawn wherever a trip may be", arguments: [(89.9, 0.0), (-89.9, 179.99), (0, -180), (65, 179.9), (35, 129)])
    func places(latitude: Double, longitude: Double) throws {
        _ = try Shown(Self.trip([(1, latitude, longitude)]))
        _ = try Shown(Self.trip([(1, latitude, longitude), (9, latitude / 2, -longitude / 2), (30, 0, 0)]))
        let shown = try Shown(
            Self.trip(
                (1...40).map { (1 + $0 % 30, latitude, longitude * (1 - Double($0) / 10_000)) }))
        #expect(shown.colors.count > 2)
    }

    @Test("draws of a long track what one can tell apart, and little of a tangle")
    func thinned() {
        let walk = (0..<100_000).map { MapPoint(x: 600 * Double($0) / 100_000, y: 150 + 100 * sin(Double($0) / 5_000)) }
        let line = MapGeometry.thinned([walk])
        #expect(line.count == 1 && (500...4_000).contains(line[0].count))
        #expect(line[0].first == walk.first && line[0].last == walk.last)
        var generator = SplitMix(seed: 7)
        let tangle = (0..<100_000).map { _ in
            MapPoint(x: .random(in: 0...600, using: &generator), y: .random(in: 0...315, using: &generator))
        }
        for lines in [[tangle], stride(from: 0, to: tangle.count, by: 2).map { Array(tangle[$0..<$0 + 2]) }] {
            let drawn = MapGeometry.thinned(lines)
            #expect(drawn.reduce(0) { $0 + MapGeometry.length(of: $1) } <= 50_000)
        }
    }

    private struct SplitMix: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }

    // MARK: The canvas

    private static let white = MapCanvas.Color(red: 255, green: 255, blue: 255)
    private static let black = MapCanvas.Color(red: 0, green: 0, blue: 0)

    /// How dark each pixel of a row is, of 255.
    private static func row(_ y: Int, of canvas: MapCanvas) -> [Int] {
        (0..<canvas.width).map { 255 - Int(canvas.pixels[(y * canvas.width + $0) * 3]) }
    }

    private static func ring(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> [MapPoint] {
        [
            MapPoint(x: left, y: top), MapPoint(x: right, y: top), MapPoint(x: right, y: bottom),
            MapPoint(x: left, y: bottom),
        ]
    }

    @Test("a filled polygon has smooth edges, and holes")
    func polygons() {
        var canvas = MapCanvas(width: 8, height: 4, color: Self.white)
        canvas.fill([Self.ring(0.5, 0.5, 7.75, 9), Self.ring(3, 1, 5, 2)], Self.black)
        func near(_ found: [Int], _ wanted: [Double]) -> Bool {
            zip(found, wanted).allSatisfy { abs(Double($0) - $1 * 255) <= 3 }
        }
        #expect(near(Self.row(0, of: canvas), [0.25, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.375]))
        #expect(near(Self.row(1, of: canvas), [0.5, 1, 1, 0, 0, 1, 1, 0.75]))
        #expect(near(Self.row(3, of: canvas), [0.5, 1, 1, 1, 1, 1, 1, 0.75]))
        // Far outside, and of no area.
        let before = canvas.pixels
        canvas.fill([Self.ring(-1e9, -1e9, -1, 1e9), Self.ring(1, 1, 1, 3), Self.ring(9, 0, 1e12, 4), []], Self.white)
        #expect(canvas.pixels == before)
    }

    @Test("a line has its width and round ends, and is as dark where it crosses itself")
    func lines() {
        var canvas = MapCanvas(width: 9, height: 9, color: Self.white)
        let across = [MapPoint(x: 2.5, y: 4.5), MapPoint(x: 6.5, y: 4.5), MapPoint(x: 2.5, y: 4.5)]
        canvas.stroke(
            [across, [MapPoint(x: 4.5, y: -100), MapPoint(x: 4.5, y: 100)]], width: 3, Self.black, opacity: 0.5)
        let half = 127...129
        #expect((1...7).allSatisfy { half.contains(Self.row(4, of: canvas)[$0]) })
        #expect(Self.row(4, of: canvas)[0] == 0 && Self.row(4, of: canvas)[8] == 0)
        #expect(Self.row(2, of: canvas) == [0, 0, 0] + Self.row(2, of: canvas)[3...5] + [0, 0, 0])
        #expect(Self.row(2, of: canvas)[3...5].allSatisfy(half.contains))
        // Another line is drawn over it.
        canvas.stroke([[MapPoint(x: 4.5, y: 4.5)]], width: 2, Self.black)
        #expect(Self.row(4, of: canvas)[4] == 255)
    }

    @Test("every character of a marker is drawn inside of its room", arguments: ["0123456789", "1–3, 7", "12 …", "…"])
    func text(label: String) {
        let text = StrokedText(label)
        let points = text.lines(size: 6, middle: MapPoint(x: 100, y: 50)).joined()
        #expect(!points.isEmpty)
        #expect(points.allSatisfy { abs($0.x - 100) <= text.width / 2 + 0.3 && (46.9...54.3).contains($0.y) })
        #expect(
            label.filter { $0 != " " }.allSatisfy { !StrokedText(String($0)).lines(size: 6, middle: .zero).isEmpty })
    }
}
