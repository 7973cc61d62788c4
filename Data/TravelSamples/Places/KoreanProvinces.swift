public import TravelDomain

/// The provinces of South Korea by their boundaries.
///
/// ```swift
/// KoreanProvinces.shared.region(at: cityHallOfBucheon)    // .gyeonggi, though Seoul is two kilometres away
/// KoreanProvinces.shared.region(at: tokyo)                // nil
/// ```
///
/// The boundaries are those of the census of 2018 of Statistics Korea, simplified to 50 metres, with the county of Gunwi in
/// Daegu, to which it has belonged since July 2023; its border is known to about two kilometres.
///
/// **Format.** Each line has the name of a region and its rings. A ring is the number of its corners and their differences
/// from the corner before, east and north, in 1/4,000 degree; the first is that from 0°, 0°. Numbers are in groups of five
/// bits from the lowest, each a character from `?` on, all but the last + 32; of a difference, the lowest bit is the sign.
public struct KoreanProvinces: RegionDirectory {
    /// The provinces, read when a position is first looked up.
    public static let shared = KoreanProvinces(outlines)

    /// How far from the land of a province a position may be, in metres: on a pier, a ferry or a small island.
    public static let reach = 30_000.0

    fileprivate struct Province {
        let region: Region
        let rings: [Ring]
    }

    /// A polygon, or a hole of one, in degrees.
    fileprivate struct Ring {
        /// Latitudes and longitudes.
        var corners: [(Double, Double)] = []
        var (west, south, east, north) = (180.0, 90.0, -180.0, -90.0)

        mutating func append(_ x: Double, _ y: Double) {
            corners.append((y, x))
            (west, south, east, north) = (min(west, x), min(south, y), max(east, x), max(north, y))
        }
    }

    private let provinces: [Province]

    init(_ text: String) {
        provinces = text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let region = Region(rawValue: String(words[0])) else { return nil }
            return Province(region: region, rings: Self.rings(Array(words[1].utf8)[...]))
        }
    }

    /// Returns the province that has the position, or else the nearest one within ``reach``; `nil` farther out, and outside of
    /// South Korea.
    public func region(at coordinate: Coordinate) -> Region? {
        let (x, y) = (coordinate.longitude, coordinate.latitude)
        guard coordinate.isInKorea else { return nil }
        if let province = provinces.first(where: { $0.contains(x, y) }) { return province.region }
        let distances = provinces.map { (region: $0.region, distance: $0.distance(to: coordinate)) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return nearest.distance <= Self.reach ? nearest.region : nil
    }

    private static func rings(_ characters: ArraySlice<UInt8>) -> [Ring] {
        var rings: [Ring] = []
        var numbers = PackedNumbers(characters)
        while !numbers.rest.isEmpty {
            var (x, y, ring) = (0, 0, Ring())
            for _ in 0..<numbers.number() {
                x += numbers.difference()
                y += numbers.difference()
                ring.append(Double(x) / 4_000, Double(y) / 4_000)
            }
            rings.append(ring)
        }
        return rings
    }
}

extension KoreanProvinces.Province {
    /// Whether a ray to the east crosses the rings an odd number of times: a hole takes away what its polygon has.
    func contains(_ x: Double, _ y: Double) -> Bool {
        let around = rings.filter { $0.south <= y && y <= $0.north && $0.west <= x && x <= $0.east }
        return !around.count { Coordinate.isInside($0.corners, y, x) }.isMultiple(of: 2)
    }

    /// The distance of a position from the outline, in metres, at most a kilometre off within 100 kilometres.
    func distance(to coordinate: Coordinate) -> Double {
        // On a plane that touches the earth at the position.
        let metersNorth = 111_195.0
        let east = try? Coordinate(latitude: coordinate.latitude, longitude: coordinate.longitude + 1)
        let metersEast = east.map { coordinate.distance(to: $0) } ?? metersNorth
        var least = Double.infinity
        for ring in rings {
            var previous = ring.corners[ring.corners.count - 1]
            for corner in ring.corners {
                let ax = (previous.1 - coordinate.longitude) * metersEast
                let ay = (previous.0 - coordinate.latitude) * metersNorth
                let bx = (corner.1 - previous.1) * metersEast
                let by = (corner.0 - previous.0) * metersNorth
                let share = min(max(-(ax * bx + ay * by) / max(bx * bx + by * by, 1e-9), 0), 1)
                let (x, y) = (ax + share * bx, ay + share * by)
                least = min(least, x * x + y * y)
                previous = corner
            }
        }
        return least.squareRoot()
    }
}
