#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A point on the earth, in WGS 84 degrees.
///
/// ```swift
/// try Coordinate(latitude: 37.5665, longitude: 126.978)    // Seoul
/// try Coordinate(latitude: 91, longitude: 0)               // throws TravelError.invalid
/// ```
public struct Coordinate: Hashable, Sendable {
    /// Degrees north of the equator, from -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, from -180 to 180.
    public let longitude: Double

    /// Creates the point at that latitude and longitude.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when either is out of range or not a number.
    public init(latitude: Double, longitude: Double) throws(TravelError) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw .invalid(.init(.coordinate, .outOfRange("latitude -90…90, longitude -180…180")))
        }
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A named location with an optional address and an optional position.
///
/// ```swift
/// try Place(name: "경복궁", address: "서울 종로구", coordinate: Coordinate(latitude: 37.5796, longitude: 126.977))
/// try Place(name: "할머니 댁")    // as typed; maps show only places with a coordinate
/// ```
public struct Place: Hashable, Sendable {
    public let name: String
    /// The postal address, or the part of it that is known; may be empty.
    public let address: String
    /// The location of the place on the map; `nil` if only its name is known.
    public let coordinate: Coordinate?

    /// Creates a place with that name and address, and its location if it is known.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the name is empty or longer than 100 characters, when the address is
    ///   longer than 200, or when either is larger than 2,048 bytes in UTF-8 or has a character of more than 32 code
    ///   points.
    public init(name: String, address: String = "", coordinate: Coordinate? = nil) throws(TravelError) {
        try self.init(name, address, coordinate, from: .user)
    }

    /// A place that a store has, with texts of any size.
    package init(storedName name: String, address: String, coordinate: Coordinate?) throws(TravelError) {
        try self.init(name, address, coordinate, from: .store)
    }

    private init(
        _ name: String, _ address: String, _ coordinate: Coordinate?, from origin: TextRules.Origin
    ) throws(TravelError) {
        self.name = try TextRules.validated(name, as: .placeName, .placeName, lines: .one, from: origin)
        self.address = try TextRules.validated(address, as: .placeAddress, .placeAddress, lines: .one, from: origin)
        self.coordinate = coordinate
    }
}

/// An entry in a directory of places: the place, its names, and its region.
public struct KnownPlace: Hashable, Sendable {
    public let place: Place
    public let coordinate: Coordinate
    public let englishName: String
    /// Further names in either language, such as `"남산타워"` and `"Namsan Tower"` for N Seoul Tower.
    public let otherNames: [String]
    public let region: Region

    /// Creates a known place from its parts.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `place` has no coordinate.
    public init(place: Place, englishName: String, otherNames: [String] = [], region: Region) throws(TravelError) {
        guard let coordinate = place.coordinate else { throw .invalid(.init(.coordinate, .empty)) }
        self.place = place
        self.coordinate = coordinate
        self.englishName = englishName
        self.otherNames = otherNames
        self.region = region
    }
}

extension Coordinate {
    /// The distance to `other` along the surface of the earth, in metres.
    ///
    /// Treats the earth as a sphere, with an error of at most 0.6 %. Uses the haversine formula, which is accurate to
    /// the millimetre for both neighbouring and antipodal points.
    ///
    /// ```swift
    /// let seoulStation = try Coordinate(latitude: 37.5547, longitude: 126.9707)
    /// let busanStation = try Coordinate(latitude: 35.1152, longitude: 129.0422)
    /// seoulStation.distance(to: busanStation)    // about 328,600
    /// ```
    public func distance(to other: Coordinate) -> Double {
        let latitudes = (Self.radians(latitude), Self.radians(other.latitude))
        let byLatitude = sin((latitudes.1 - latitudes.0) / 2)
        let byLongitude = sin(Self.radians(other.longitude - longitude) / 2)
        let haversine = byLatitude * byLatitude + cos(latitudes.0) * cos(latitudes.1) * byLongitude * byLongitude
        return 2 * Self.earthRadius * asin(min(haversine, 1).squareRoot())
    }

    /// The mean radius of the earth in metres: R₁ of the Geodetic Reference System 1980 (H. Moritz, Journal of
    /// Geodesy 74, 2000).
    private static let earthRadius = 6_371_008.7714

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
