import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting
import TravelTexts

@testable import TravelPages

@Suite("Map features", .limitedConcurrency)
struct MapFeaturesTests {
    /// A rectangle of about this width and three quarters of its height, on a drawing of 380 units.
    private static func features(
        _ latitude: Double, _ longitude: Double, kilometres: Double, tolerance: Double = 0.7
    ) -> MapFeatures {
        let (bounds, scale) = rectangle(latitude, longitude, kilometres: kilometres)
        return MapFeatures(in: bounds, scale: scale, tolerance: tolerance)
    }

    private static func rectangle(
        _ latitude: Double, _ longitude: Double, kilometres: Double
    ) -> (bounds: MapBounds, scale: Double) {
        let down = kilometres / 111.195 * 0.75 / 2
        let across = kilometres / 111.195 / max(cos(latitude * .pi / 180), 0.01) / 2
        let bounds = MapBounds(
            west: longitude - across, south: max(latitude - down, -90), east: longitude + across,
            north: min(latitude + down, 90))
        return (bounds, 380 / (kilometres * 1_000))
    }

    @Test("the packed features have all of their sources, within 450 kB")
    func packed() {
        let texts = [
            MapFeatures.borders, MapFeatures.provinces, MapFeatures.rivers, MapFeatures.lakes, MapFeatures.towns,
            MapFeatures.regions,
        ]
        #expect(texts.reduce(0) { $0 + $1.utf8.count } <= 450_000)
        let earth = MapBounds(west: -180, south: -90, east: 180, north: 90)
        let features = MapFeatures(in: earth, scale: 0.01, tolerance: 0)
        #expect(features.borders.count + features.disputed.count == 361)
        #expect(features.disputed.count == 23)
        #expect(features.provinces.count == 32)
        #expect(features.rivers.count == 365)
        #expect(features.lakes.count == 405)
        #expect(features.towns.count == 7_518)
        #expect(features.towns.filter { $0.rank == 14 }.count == 19)
        let positions =
            (features.borders + features.disputed + features.provinces + features.rivers).flatMap(\.parts).joined()
            .map(\.self) + features.lakes.flatMap(\.rings).joined()
        let isOnEarth = (positions + features.towns.map(\.position)).allSatisfy {
            (-180.001...180.001).contains($0.longitude) && (-90...90).contains($0.latitude)
        }
        #expect(isOnEarth)
        // Points on a straight line are left out even without tolerance.
        #expect((60_000...70_000).contains(positions.count))
    }

    @Test("a map of Seoul has the Han, the border of the city, its quarters and its neighbours")
    func seoul() {
        let bounds = MapBounds(west: 126.7, south: 37.4, east: 127.3, north: 37.7)
        let features = MapFeatures(in: bounds, scale: 0.01)
        #expect(features.rivers.map(\.name.korean) == ["한강", "남한강"])
        #expect(!features.provinces.isEmpty && features.borders.isEmpty && features.lakes.isEmpty)
        #expect(features.towns.first?.name == Text("Seoul", "서울"))
        #expect(Set(features.towns.map(\.name.korean)).isSuperset(of: ["강남", "여의도", "성남", "과천", "광명"]))
        // The river runs between the palace and the south of the city.
        let (palace, museum, gangnam) = ((37.5796, 126.977), (37.5239, 126.9804), (37.498, 127.028))
        #expect(Self.crossings(palace, gangnam, of: features.rivers) % 2 == 1)
        #expect(Self.crossings(palace, museum, of: features.rivers) == 0)
        #expect(Self.crossings((37.5342, 126.9945), gangnam, of: features.rivers) % 2 == 1)
    }

    @Test("maps of Daejeon and Chuncheon have their towns and the borders of their provinces")
    func inland() {
        let daejeon = Self.features(36.35, 127.38, kilometres: 100)
        #expect(Set(daejeon.towns.map(\.name.korean)).isSuperset(of: ["대전", "세종", "청주", "공주", "계룡", "옥천"]))
        #expect(Self.crossings((36.35, 127.38), (36.48, 127.289), of: daejeon.provinces) % 2 == 1)
        let chuncheon = Self.features(37.88, 127.73, kilometres: 80)
        #expect(Set(chuncheon.towns.map(\.name.korean)).isSuperset(of: ["춘천", "화천", "양구", "홍천", "가평"]))
        #expect(Self.crossings((37.8747, 127.7342), (37.831, 127.51), of: chuncheon.provinces) % 2 == 1)
        #expect(Self.crossings((37.8747, 127.7342), (37.697, 127.889), of: chuncheon.provinces) == 0)
        #expect(chuncheon.regions.map(\.name.english).contains("Gangwon"))
    }

    @Test("provinces are those of today: Gunwi is in Daegu")
    func gunwi() {
        let features = Self.features(36.1, 128.6, kilometres: 120)
        let gunwi = (36.243, 128.573)
        #expect(Self.crossings((35.8687, 128.605), gunwi, of: features.provinces) % 2 == 0)
        #expect(Self.crossings((36.5659, 128.725), gunwi, of: features.provinces) % 2 == 1)
        #expect(Self.crossings((36.12, 128.344), gunwi, of: features.provinces) % 2 == 1)
    }

    @Test("a map of Geneva has its lake, the border, and the town")
    func geneva() throws {
        let features = Self.features(46.3, 6.4, kilometres: 90)
        let lake = try #require(features.lakes.first { $0.name == Text("Lake Geneva", "레만호") })
        #expect(lake.rings[0].contains { $0.longitude > 6.8 } && lake.rings[0].contains { $0.longitude < 6.25 })
        #expect(!features.borders.isEmpty)
        #expect(Set(features.towns.map(\.name.english)).isSuperset(of: ["Geneva", "Lausanne"]))
    }

    @Test("Switzerland has borders on all sides")
    func switzerland() {
        let features = Self.features(46.8, 8.2, kilometres: 450)
        let bern = (46.948, 7.447)
        // Lyon, Milan, Aosta, and Besançon.
        for abroad in [(45.764, 4.836), (45.464, 9.19), (45.737, 7.32), (47.238, 6.024)] {
            #expect(Self.crossings(bern, abroad, of: features.borders) % 2 == 1, "to \(abroad)")
        }
        // Zürich, Lausanne, Chur, and Sion.
        for home in [(47.377, 8.541), (46.52, 6.633), (46.85, 9.53), (46.233, 7.36)] {
            #expect(Self.crossings(bern, home, of: features.borders) % 2 == 0, "to \(home)")
        }
    }

    @Test("a map of Nepal has Kathmandu and Pokhara, with Korean names, and the borders to India and China")
    func kathmandu() {
        let features = Self.features(28, 84.5, kilometres: 500)
        #expect(Set(features.towns.map(\.name.korean)).isSuperset(of: ["카트만두", "포카라"]))
        #expect(Self.crossings((27.7, 85.3), (29.65, 85.3), of: features.borders) % 2 == 1)
        #expect(Self.crossings((27.7, 85.3), (26.5, 85.3), of: features.borders) % 2 == 1)
    }

    @Test(
        "the smaller the scale, the greater are the features",
        arguments: [(37.5, 127.0), (48.85, 2.35), (40.7, -74), (-33.9, 151.2), (28.6, 77.2)])
    func scales(latitude: Double, longitude: Double) throws {
        let extents = [30.0, 100, 300, 1_000, 3_000, 10_000]
        let maps = extents.map { Self.features(latitude, longitude, kilometres: $0) }
        // But for the six that every map has.
        let ranks = maps.map { $0.towns.dropFirst(6).last?.rank }.compactMap(\.self)
        #expect(ranks == ranks.sorted())
        for map in maps {
            #expect(map.towns.map(\.rank) == map.towns.map(\.rank).sorted(by: >))
            #expect(map.towns.count <= 120)
        }
        let names = Set(maps[5].lakes.map(\.name.english))
        #expect(!names.contains("Biwa Ko"))
    }

    @Test("a desert has its small towns, and an empty ocean nothing")
    func empty() {
        let gobi = Self.features(45, 105, kilometres: 500)
        #expect(gobi.towns.map(\.name.english).contains("Mandalgovi"))
        #expect(Self.features(-45, -135, kilometres: 1_000) == Self.features(-50, -130, kilometres: 100))
        let nothing = MapFeatures(in: MapBounds(west: 10, south: 50, east: 10, north: 51), scale: 1)
        #expect(Self.features(-45, -135, kilometres: 1_000) == nothing)
        for scale in [0, -1, .nan, .infinity, 1e-12, 1e9] {
            #expect(MapFeatures(in: MapBounds(west: 10, south: 50, east: 11, north: 51), scale: scale) == nothing)
        }
        for limit in [Double.nan, .infinity, 1e300, -.infinity, 5] {
            #expect(MapFeatures(in: MapBounds(west: 10, south: 50, east: limit, north: 51), scale: 0.01) == nothing)
            #expect(MapFeatures(in: MapBounds(west: 10, south: 50, east: 11, north: limit), scale: 0.01) == nothing)
        }
    }

    @Test("a map across the 180th meridian is the same from both sides, and continuous")
    func antimeridian() {
        let (bounds, scale) = Self.rectangle(-17.5, 180, kilometres: 700)
        let east = MapFeatures(in: bounds, scale: scale)
        let west = MapFeatures(
            in: MapBounds(west: bounds.west - 360, south: bounds.south, east: bounds.east - 360, north: bounds.north),
            scale: scale)
        #expect(east.towns.map(\.name) == west.towns.map(\.name))
        #expect(east.towns.map(\.name.english).contains("Suva"))
        let siberia = Self.features(66, 180, kilometres: 2_000)
        #expect(siberia.towns.contains { $0.position.longitude > 180 })
        #expect(siberia.towns.contains { $0.position.longitude < 180 })
    }

    @Test("the poles have no features, and no map stops there", arguments: [90.0, 89, -90, -80])
    func poles(latitude: Double) {
        for kilometres in [10.0, 1_000, 5_000] {
            let features = Self.features(latitude, 0, kilometres: kilometres)
            #expect(features.towns.allSatisfy { abs($0.position.latitude) > 50 })
        }
        #expect(Self.features(latitude, 0, kilometres: 100).borders.isEmpty)
    }

    @Test("lines are within the bounds, and simplified ones near the exact ones", arguments: 0..<30 as Range<UInt64>)
    func simplified(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let extent = 5_000 / pow(2, Double.random(in: 0...7, using: &random))
        let (latitude, longitude) = (
            Double.random(in: 30...60, using: &random), Double.random(in: -180...180, using: &random)
        )
        let (bounds, scale) = Self.rectangle(latitude, longitude, kilometres: extent)
        let (exact, simple) = (
            MapFeatures(in: bounds, scale: scale, tolerance: 0), MapFeatures(in: bounds, scale: scale, tolerance: 2)
        )
        let units = 111_195 * scale
        let cosine = cos((bounds.south + bounds.north) / 2 * .pi / 180)
        func points(_ line: [MapPosition]) -> [MapPoint] {
            line.map { MapPoint(x: $0.longitude * units * cosine, y: $0.latitude * units) }
        }
        for (lines, others) in [(exact.borders, simple.borders), (exact.rivers, simple.rivers)] {
            let segments = others.flatMap(\.parts).map(points)
            for part in lines.flatMap(\.parts) {
                let isInside = part.allSatisfy {
                    (bounds.west - 1e-6...bounds.east + 1e-6).contains($0.longitude)
                        && (bounds.south - 1e-6...bounds.north + 1e-6).contains($0.latitude)
                }
                #expect(isInside)
                // Those that are shorter than two units are left out.
                guard MapGeometry.extent(of: points(part)) > 4 else { continue }
                for point in points(part) {
                    let isNear = segments.contains { line in
                        zip(line, line.dropFirst()).contains { Self.distance(point, $0, $1) < 2.05 }
                    }
                    #expect(isNear)
                }
            }
        }
    }

    @Test("the same rectangle has the same features, from many tasks at once")
    func concurrent() async {
        let expected = Self.features(47, 8, kilometres: 400)
        let results = await withTaskGroup(of: MapFeatures.self) { group in
            for _ in 0..<16 { group.addTask { Self.features(47, 8, kilometres: 400) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count == 16 && results.allSatisfy { $0 == expected })
    }

    private static func distance(_ point: MapPoint, _ start: MapPoint, _ end: MapPoint) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = dx * dx + dy * dy
        let share = length == 0 ? 0 : min(max(((point.x - start.x) * dx + (point.y - start.y) * dy) / length, 0), 1)
        return hypot(point.x - start.x - share * dx, point.y - start.y - share * dy)
    }

    /// How often the straight line between two places crosses lines.
    private static func crossings(
        _ from: (Double, Double), _ to: (Double, Double), of lines: [MapFeatures.Line]
    ) -> Int {
        func side(_ a: (Double, Double), _ b: (Double, Double), _ c: (Double, Double)) -> Bool {
            (b.0 - a.0) * (c.1 - a.1) > (b.1 - a.1) * (c.0 - a.0)
        }
        return lines.flatMap(\.parts).reduce(0) { count, part in
            let places = part.map { ($0.latitude, $0.longitude) }
            return count
                + zip(places, places.dropFirst()).count { a, b in
                    side(from, to, a) != side(from, to, b) && side(a, b, from) != side(a, b, to)
                }
        }
    }
}
