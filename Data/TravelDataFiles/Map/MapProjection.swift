import Foundation

/// A position on a drawing, in units of the drawing; y grows downwards.
struct MapPoint: Hashable {
    var x: Double
    var y: Double

    /// The distance to `other`.
    func distance(to other: MapPoint) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}

/// The projection of coordinates onto a drawing that shows all of them: an equirectangular projection, true to scale
/// along the middle latitude, north up.
struct MapProjection {
    /// The size of the drawing.
    let width: Double
    let height: Double
    /// The number of units of the drawing per metre at the middle latitude.
    let scale: Double

    /// The coordinate in the middle; its longitude may be past 180.
    let middle: (latitude: Double, longitude: Double)
    /// The longitude from which all others count eastwards: the shortest arc with all coordinates begins there.
    private let west: Double
    private let cosine: Double

    static let metresADegree = 6_371_008.7714 * Double.pi / 180
    /// The smallest extent of the map in metres, so that a single place has surroundings.
    static let smallestExtent = 400.0
    private static let margin = 56.0
    private static let heights = 320.0...960.0

    /// The projection for `coordinates`; `nil` when there are none.
    init?(_ coordinates: [Coordinate], width: Double = 800) {
        guard let south = coordinates.map(\.latitude).min(), let north = coordinates.map(\.latitude).max() else {
            return nil
        }
        let west = Self.west(of: coordinates.map(\.longitude))
        let east = coordinates.map { Self.unwrapped($0.longitude, from: west) }.max() ?? west
        middle = ((south + north) / 2, (west + east) / 2)
        self.west = west
        cosine = max(cos(middle.latitude * .pi / 180), 0.01)

        let across = max((east - west) * cosine * Self.metresADegree, Self.smallestExtent)
        let down = max((north - south) * Self.metresADegree, Self.smallestExtent)
        let inner = width - 2 * Self.margin
        let height = (down * inner / across + 2 * Self.margin).rounded(.up)
        self.width = width
        self.height = min(max(height, Self.heights.lowerBound), Self.heights.upperBound)
        scale = min(inner / across, (self.height - 2 * Self.margin) / down)
    }

    /// The point of `coordinate`.
    func point(_ coordinate: Coordinate) -> MapPoint {
        MapPoint(
            x: x(ofLongitude: Self.unwrapped(coordinate.longitude, from: west)), y: y(ofLatitude: coordinate.latitude))
    }

    /// The position of a meridian, which may be past 180.
    func x(ofLongitude longitude: Double) -> Double {
        width / 2 + (longitude - middle.longitude) * unitsADegree.across
    }

    /// The position of a parallel.
    func y(ofLatitude latitude: Double) -> Double {
        height / 2 - (latitude - middle.latitude) * unitsADegree.down
    }

    /// The number of units of the drawing per degree.
    var unitsADegree: (across: Double, down: Double) {
        (cosine * Self.metresADegree * scale, Self.metresADegree * scale)
    }

    /// The western end of the shortest arc that contains all longitudes: it begins after the widest gap.
    private static func west(of longitudes: [Double]) -> Double {
        let sorted = longitudes.sorted()
        var west = sorted[0]
        var widest = sorted[0] + 360 - sorted[sorted.count - 1]
        for (a, b) in zip(sorted, sorted.dropFirst()) where b - a > widest {
            widest = b - a
            west = b
        }
        return west
    }

    private static func unwrapped(_ longitude: Double, from west: Double) -> Double {
        longitude < west ? longitude + 360 : longitude
    }
}

/// The round numbers on scales: 1, 2 and 5 times a power of ten.
enum RoundNumber {
    /// The greatest round number that is at most `limit`, which is positive.
    static func atMost(_ limit: Double) -> Double {
        let power = pow(10, floor(log10(limit)))
        return [5, 2].first { $0 * power <= limit }.map { $0 * power } ?? power
    }

    /// The smallest round number that is at least `limit`, which is positive.
    static func atLeast(_ limit: Double) -> Double {
        let power = pow(10, floor(log10(limit)))
        return [1, 2, 5].first { $0 * power >= limit }.map { $0 * power } ?? 10 * power
    }
}
