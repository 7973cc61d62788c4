import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelPages

@Suite("Coastline", .limitedConcurrency)
struct CoastlineTests {
    @Test("the packed land has every polygon of its source, within 400 kB")
    func packed() {
        #expect(Coastline.land.utf8.count <= 400_000)
        #expect(Coastline.polygons.count == 2_005)
        var positions = 0
        for polygon in Coastline.polygons {
            let rings = polygon.rings
            #expect(rings.allSatisfy { $0.count >= 3 })
            positions += rings.reduce(0) { $0 + $1.count }
            let (longitudes, latitudes) = (rings[0].map(\.longitude), rings[0].map(\.latitude))
            let bounds = MapBounds(
                west: longitudes.min() ?? 0, south: latitudes.min() ?? 0, east: longitudes.max() ?? 0,
                north: latitudes.max() ?? 0)
            #expect(bounds == polygon.bounds)
            #expect(bounds.west >= -180 && bounds.east <= 180 && bounds.south >= -90 && bounds.north <= 90)
        }
        #expect(positions == 104_623)
    }

    @Test(
        "places on land are on land",
        arguments: [
            (37.5665, 126.978), (35.1796, 129.0756), (33.3617, 126.5292), (37.5, 130.87), (33.5, 126.95),
            (37.97, 124.65),
            (38.73, -9.15), (-17.8, 178), (-16.85, -179.95), (-85, 0), (-85, 179.99), (35.68, 139.69), (66, -179.9),
            (43.06, 141.35), (-37.8, 144.96),
        ])
    func land(latitude: Double, longitude: Double) {
        #expect(Self.isLand(latitude: latitude, longitude: longitude))
    }

    @Test(
        "places at sea are at sea, the Caspian included",
        arguments: [(42, 51), (37, 131), (36, 124), (0, 0), (33.9, 126.6), (-17, 179.2), (20, -150), (38.5, -10)])
    func sea(latitude: Double, longitude: Double) {
        #expect(!Self.isLand(latitude: latitude, longitude: longitude))
    }

    @Test("a map has land where the earth has it, in any view", arguments: 0..<40 as Range<UInt64>)
    func views(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // From a city to the whole earth, across the 180th meridian in a third of the views.
        let extent = 160 / pow(2, Double.random(in: 0...9, using: &random))
        let (latitude, longitude) = (
            Double.random(in: -70...80, using: &random),
            seed % 3 == 0 ? 180 : Double.random(in: -180...180, using: &random)
        )
        let corners = try [(-1.0, -1.0), (1, 1)].map { north, east in
            try Coordinate(
                latitude: min(max(latitude + north * extent / 3, -90), 90),
                longitude: (longitude + east * extent / 2).remainder(dividingBy: 360))
        }
        let projection = try #require(MapProjection(corners, on: seed % 2 == 0 ? .file : .page))
        let rings = Self.rings(of: Coastline(projection).path)
        // But for the rounding of sums.
        let inside = rings.joined().allSatisfy {
            (-0.01...projection.width + 0.01).contains($0.x) && (-0.01...projection.height + 0.01).contains($0.y)
        }
        #expect(inside)
        for _ in 0..<10 {
            let point = MapPoint(
                x: .random(in: 3...projection.width - 3, using: &random),
                y: .random(in: 3...projection.height - 3, using: &random))
            func isLand(_ x: Double, _ y: Double) -> Bool {
                let (east, north) = ((point.x + x - projection.width / 2), (projection.height / 2 - point.y - y))
                return Self.isLand(
                    latitude: projection.middle.latitude + north / projection.unitsADegree.down,
                    longitude: (projection.middle.longitude + east / projection.unitsADegree.across)
                        .remainder(dividingBy: 360))
            }
            let isDrawn = Self.isInside(rings, point.x, point.y)
            if isDrawn == isLand(0, 0) { continue }
            // Near the coast, a unit decides.
            let isNearTheCoast = [(2, 2), (-2, 2), (2, -2), (-2, -2)].contains { isLand($0, $1) == isDrawn }
            #expect(isNearTheCoast, "at \(point)")
        }
    }

    @Test(
        "a map of a few streets has no coast; a map of a city has one where the coast is fine, and of an area anywhere")
    func errors() throws {
        func isShown(_ latitude: Double, _ longitude: Double, kilometres: Double) throws -> Bool {
            let degrees = kilometres / 111.2
            let ends = try [longitude, longitude + degrees / cos(latitude * .pi / 180)].map {
                try Coordinate(latitude: latitude, longitude: $0)
            }
            return Coastline(try #require(MapProjection(ends, on: .page))).isShown
        }
        #expect(try !isShown(35.1, 129, kilometres: 3) && isShown(35.1, 129, kilometres: 5))
        #expect(try !isShown(38.7, -9.2, kilometres: 3) && isShown(38.7, -9.2, kilometres: 5))
        #expect(try !isShown(-22.9, -43.2, kilometres: 12) && isShown(-22.9, -43.2, kilometres: 20))
    }

    // MARK: The truth, straight from the polygons

    private static func isLand(latitude: Double, longitude: Double) -> Bool {
        polygons.contains { bounds, rings in
            bounds.contains(latitude: latitude, longitude: longitude) && isInside(rings, longitude, latitude)
        }
    }

    private static let polygons = Coastline.polygons.map { polygon in
        (polygon.bounds, polygon.rings.map { $0.map { MapPoint(x: $0.longitude, y: $0.latitude) } })
    }

    /// Whether a ray crosses the rings an odd number of times.
    private static func isInside(_ rings: [[MapPoint]], _ x: Double, _ y: Double) -> Bool {
        var isInside = false
        for ring in rings {
            guard var previous = ring.last else { continue }
            for point in ring {
                if (point.y > y) != (previous.y > y),
                    x < previous.x + (y - previous.y) / (point.y - previous.y) * (point.x - previous.x)
                {
                    isInside.toggle()
                }
                previous = point
            }
        }
        return isInside
    }

    /// The rings of a path with one absolute and then relative positions each, in tenths of a unit.
    private static func rings(of path: String) -> [[MapPoint]] {
        path.split(separator: "z").map { ring in
            let numbers = ring.dropFirst().replacing("l", with: " ").replacing("-", with: " -").split(separator: " ")
                .map { Double($0) ?? .nan }
            var position = MapPoint(x: 0, y: 0)
            return stride(from: 0, to: numbers.count, by: 2).map { index in
                position = MapPoint(x: position.x + numbers[index] / 10, y: position.y + numbers[index + 1] / 10)
                return position
            }
        }
    }
}

@Suite("Names on a map", .limitedConcurrency)
struct MapLabelTests {
    private func stops(_ count: Int, spread: Double, seed: UInt64) throws -> RecordedTrip {
        var random = SeededGenerator(seed: seed)
        let names = [
            "해운대해수욕장", "Café", "Gyeongbokgung Palace", "바다", "👨‍👩‍👧🏝️ 섬", String(repeating: "긴", count: 100), "שלום",
        ]
        return try TripBuilder(seed: seed).with { builder in
            builder.numberOfDays = 4
            builder.timeline = try (0..<count).map { index in
                let coordinate = try Coordinate(
                    latitude: 35.15 + .random(in: -spread...spread, using: &random),
                    longitude: 129.1 + .random(in: -spread...spread, using: &random))
                return try TimelineEntry(
                    id: TimelineEntry.ID(seed: UInt64(index)), day: index * 4 / count + 1,
                    time: TimeOfDay(minutesSinceMidnight: index), title: Title("Stop \(index + 1)"),
                    text: EntryText("x"), place: Place(name: "\(names[index % names.count])", coordinate: coordinate))
            }
        }.build()
    }

    @Test(
        "neither markers nor names overlap, and all are on the map",
        arguments: [(1, 0.1), (5, 0.001), (12, 0.05), (40, 0.01), (40, 0.2), (300, 0.5), (1_000, 1)])
    func overlaps(count: Int, spread: Double) throws {
        for seed in 0..<3 as Range<UInt64> {
            let stops = MapStops(of: try stops(count, spread: spread, seed: seed))
            for sheet in [MapSheet.page, .file] {
                let projection = try #require(MapProjection(stops.coordinates, on: sheet))
                let markers = MapMarker.markers(for: stops.stops, in: projection)
                var space = MapSpace(projection)
                for marker in markers { space.take(marker.rect) }
                let names = markers.compactMap { MapName.placed($0, in: &space) }
                let rects = markers.map(\.rect) + names.map(\.rect)
                for (index, rect) in rects.enumerated() {
                    #expect(!rects[(index + 1)...].contains(where: rect.overlaps))
                    #expect(rect.left >= 0 && rect.right <= projection.width)
                    #expect(rect.top >= 0 && rect.bottom <= projection.height)
                }
                #expect(markers.flatMap { $0.stops.map(\.number) }.sorted() == Array(1...count))
                #expect(names.allSatisfy { MapText.width(of: $0.text, size: MapName.size) <= 13 * MapName.size })
                if count <= 12, spread > 0.04 { #expect(names.count * 2 >= markers.count) }
            }
        }
    }

    @Test("a marker has the numbers of its stops, as many as fit")
    func labels() throws {
        func label(_ places: [Double]) throws -> [String] {
            let trip = try TripBuilder(seed: 1).with { builder in
                builder.timeline = try places.enumerated().map { index, latitude in
                    try TimelineEntry(
                        id: TimelineEntry.ID(seed: UInt64(index)), day: 1, time: TimeOfDay(minutesSinceMidnight: index),
                        title: Title("a"), text: EntryText("b"),
                        place: Place(name: "\(latitude)", coordinate: Coordinate(latitude: latitude, longitude: 127)))
                }
            }.build()
            let stops = MapStops(of: trip)
            let projection = try #require(MapProjection(stops.coordinates))
            return MapMarker.markers(for: stops.stops, in: projection).map { marker in
                "\(marker.parts.map(\.label).joined(separator: " | ")): \(marker.name ?? "")"
            }
        }
        #expect(try label([37, 36, 37, 37]) == ["1, 3–4: 37.0", "2: 36.0"])
        #expect(try label([37, 36, 37, 36, 37]) == ["1, 3, 5: 37.0", "2, 4: 36.0"])
        #expect(try label([37, 36, 37, 36, 37, 36, 37]) == ["1 …: 37.0", "2, 4, 6: 36.0"])
        #expect(try label(Array(repeating: 37, count: 120)) == ["1–120: 37.0"])
        #expect(try label([37, 36, 37.000_1, 37.000_2]) == ["1, 3–4: 37.0 +2", "2: 36.0"])
    }

    @Test("a text takes more room than in common fonts, and an ellipsis shows where it is cut")
    func width() {
        #expect(MapText.width(of: "해운대", size: 12) >= 36)
        // Six letters of Arial Bold are 39.3 units wide.
        #expect((39.3...60).contains(MapText.width(of: "Lisbon", size: 12)))
        #expect(MapText.width(of: "e\u{301}", size: 12) == MapText.width(of: "e", size: 12))
        #expect(MapText.shortened("해운대해수욕장", to: 60, size: 12) == "해운대…")
        #expect(MapText.shortened("바다", to: 60, size: 12) == "바다")
    }

    @Test("texts are readable on land, sea and paper, and numbers on the colours of days")
    func contrast() {
        for palette in [MapStyle.light, MapStyle.dark] {
            for ground in [palette.land, palette.sea, palette.paper] {
                #expect(Self.contrast(palette.ink, ground) >= 4.5)
                #expect(Self.contrast(palette.soft, ground) >= 4.5)
                #expect(Self.contrast(palette.path, ground) >= 3)
                #expect(palette.days.allSatisfy { Self.contrast($0, ground) >= 3 })
            }
            #expect(palette.days.allSatisfy { Self.contrast($0, palette.number) >= 4.5 })
        }
    }

    /// The contrast of two colours (WCAG 2.2).
    static func contrast(_ a: CSS, _ b: CSS) -> Double {
        let lights = [a.text, b.text].map { color in
            let number = Int(color.dropFirst(), radix: 16) ?? 0
            let parts = [16, 8, 0].map { shift in
                let part = Double(number >> shift & 255) / 255
                return part <= 0.040_45 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }.sorted()
        return (lights[1] + 0.05) / (lights[0] + 0.05)
    }
}
