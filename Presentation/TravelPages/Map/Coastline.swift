/// The land of the earth, for the maps of trips.
///
/// The polygons are of Natural Earth (naturalearthdata.com, public domain): scale 1:50m, and 1:10m in ``detailed``, which is
/// where most trips go. They are stored as text in ``land``, between white space, so that the executable needs no file
/// beside it: a polygon has its bounds, then its rings, the outer one first. Numbers are the differences of an encoded
/// polyline (Google Maps Platform): groups of five bits from the lowest, each as a character from `?` on, with 32 added
/// to all but the last. Signed numbers are in zigzag order, positions in thousandths of a degree.
///
///     polygon = west south width height rings ring…
///     ring    = count (east north)…     the differences from the position before, the first from west and south
///
/// `Tests/Tools/pack-coastline.py` writes them. A polygon is decoded only when it is in view: the land of a region
/// takes about half a millisecond, that of the whole earth five.
struct Coastline {
    /// The polygons in the order of the text.
    static let polygons = Array(land.utf8).split { $0 <= UInt8(ascii: " ") }.map(LandPolygon.init)

    /// Where the coast is of 1:10m.
    static let detailed = [
        // Korea and Japan, Hong Kong to Okinawa, Vietnam, the Philippines
        MapBounds(west: 122, south: 30, east: 146, north: 46), MapBounds(west: 112, south: 20, east: 132, north: 30),
        MapBounds(west: 102, south: 8, east: 111, north: 22), MapBounds(west: 116, south: 4, east: 128, north: 20),
        // The south and west of Europe, Guam and Saipan, Hawaii
        MapBounds(west: -11, south: 34.5, east: 30, north: 49.5),
        MapBounds(west: 144, south: 13, east: 146, north: 16),
        MapBounds(west: -161, south: 18.5, east: -154.5, north: 22.5),
    ]

    /// How far the coast may be from the real one in metres, in most places.
    static func error(latitude: Double, longitude: Double) -> Double {
        // A view may be past the 180th meridian.
        let longitude = longitude.remainder(dividingBy: 360)
        return detailed.contains { $0.contains(latitude: latitude, longitude: longitude) } ? 500 : 2_000
    }

    private let projection: MapProjection

    init(_ projection: MapProjection) {
        self.projection = projection
    }

    /// Whether the map shows enough of the earth for a coast with this error: ten times as much. On a map of a few
    /// streets it would put stops into the sea.
    var isShown: Bool {
        let error = Self.error(latitude: projection.middle.latitude, longitude: projection.middle.longitude)
        return projection.width / projection.scale >= 10 * error
    }

    /// The land in the drawing, as the data of a path in tenths of its units; empty where there is only sea.
    var path: String {
        var path = ""
        for ring in corners {
            path += "M\(ring[0].x) \(ring[0].y)l"
            for (index, (from, to)) in zip(ring, ring.dropFirst()).enumerated() {
                let (x, y) = (to.x - from.x, to.y - from.y)
                // A minus sign separates numbers as well.
                path += (index > 0 && x >= 0 ? " " : "") + "\(x)" + (y >= 0 ? " " : "") + "\(y)"
            }
            path += "z"
        }
        return path
    }

    /// The land in the drawing, to be filled by the rule of even and odd.
    var rings: [[MapPoint]] {
        corners.map { $0.map { MapPoint(x: Double($0.x) / 10, y: Double($0.y) / 10) } }
    }

    /// The rings in tenths of units, at least three corners each.
    private var corners: [[(x: Int, y: Int)]] {
        var found: [[(x: Int, y: Int)]] = []
        let view = projection.bounds
        for polygon in Self.polygons where polygon.bounds.south < view.north && polygon.bounds.north > view.south {
            // A view across the 180th meridian, or of all meridians, shows polygons from the other end again.
            let first = ((view.west - polygon.bounds.east) / 360).rounded(.up)
            let last = ((view.east - polygon.bounds.west) / 360).rounded(.down)
            guard first <= last else { continue }
            let rings = polygon.rings
            for turn in stride(from: first, through: last, by: 1) {
                found += rings.compactMap { corners(of: $0, turned: turn * 360) }
            }
        }
        return found
    }

    /// `nil` for a ring of which less is in the drawing than one sees.
    private func corners(of ring: [LandPolygon.Position], turned: Double) -> [(x: Int, y: Int)]? {
        let points = ring.map {
            MapPoint(x: projection.x(ofLongitude: $0.longitude + turned), y: projection.y(ofLatitude: $0.latitude))
        }
        // Positions closer than a unit look the same.
        var corners: [(x: Int, y: Int)] = []
        for point in clipped(points) {
            let corner = (x: Int((point.x * 10).rounded()), y: Int((point.y * 10).rounded()))
            if let last = corners.last, abs(last.x - corner.x) < 8, abs(last.y - corner.y) < 8 { continue }
            corners.append(corner)
        }
        return corners.count >= 3 ? corners : nil
    }

    /// The part of a polygon inside the drawing, by the algorithm of Sutherland and Hodgman (1974): a concave polygon in
    /// several parts stays one, joined along the edge of the drawing, which is invisible without a stroke.
    private func clipped(_ points: [MapPoint]) -> [MapPoint] {
        let columns = Self.cut(Self.cut(points, at: 0, keeping: 1), at: projection.width, keeping: -1)
        let rows = Self.cut(columns.map(\.transposed), at: 0, keeping: 1)
        return Self.cut(rows, at: projection.height, keeping: -1).map(\.transposed)
    }

    /// The part of a polygon on one side of an upright line: the right for 1, the left for -1.
    static func cut(_ points: [MapPoint], at x: Double, keeping side: Double) -> [MapPoint] {
        func isKept(_ point: MapPoint) -> Bool { (point.x - x) * side >= 0 }

        guard var previous = points.last, !points.allSatisfy(isKept) else { return points }
        var kept: [MapPoint] = []
        for point in points {
            if isKept(point) != isKept(previous) {
                let share = (x - previous.x) / (point.x - previous.x)
                kept.append(MapPoint(x: x, y: previous.y + share * (point.y - previous.y)))
            }
            if isKept(point) { kept.append(point) }
            previous = point
        }
        return kept
    }
}

extension MapPoint {
    fileprivate var transposed: MapPoint { MapPoint(x: y, y: x) }
}

/// A polygon of ``Coastline``: its bounds, and its rings still in their stored form.
struct LandPolygon {
    typealias Position = (longitude: Double, latitude: Double)

    /// In degrees; east is at most 180.
    let bounds: MapBounds
    private let rest: PackedNumbers
    private let corner: (x: Int, y: Int)

    init(_ text: ArraySlice<UInt8>) {
        var numbers = PackedNumbers(text)
        corner = (numbers.difference(), numbers.difference())
        let (width, height) = (numbers.number(), numbers.number())
        bounds = MapBounds(
            west: Self.degrees(corner.x), south: Self.degrees(corner.y), east: Self.degrees(corner.x + width),
            north: Self.degrees(corner.y + height))
        rest = numbers
    }

    /// The rings without their last position, which is the first again; all but the first are holes.
    var rings: [[Position]] {
        var numbers = rest
        var (x, y) = corner
        return (0..<numbers.number()).map { _ in
            (0..<numbers.number()).map { _ in
                x += numbers.difference()
                y += numbers.difference()
                return (Self.degrees(x), Self.degrees(y))
            }
        }
    }

    private static func degrees(_ thousandths: Int) -> Double { Double(thousandths) / 1_000 }
}

/// A part of the earth between two parallels and two meridians, in degrees; meridians may be past 180.
package struct MapBounds: Hashable, Sendable {
    package let west: Double, south: Double, east: Double, north: Double

    package init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    func contains(latitude: Double, longitude: Double) -> Bool {
        south <= latitude && latitude <= north && west <= longitude && longitude <= east
    }
}
