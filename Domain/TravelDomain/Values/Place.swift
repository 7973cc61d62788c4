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
    /// The name of the place, as signs show it.
    public let name: String
    /// The postal address, or the part of it that is known; may be empty.
    public let address: String
    /// The location of the place on the map; `nil` if only its name is known.
    public let coordinate: Coordinate?

    /// Creates a place with that name and address, and its location if it is known.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the name is empty or longer than 100 characters, or when the
    ///   address is longer than 200.
    public init(name: String, address: String = "", coordinate: Coordinate? = nil) throws(TravelError) {
        self.name = try TextRules.validated(name, as: .placeName, length: TextLimits.placeName, lines: .one)
        self.address = try TextRules.validated(address, as: .placeAddress, length: TextLimits.placeAddress, lines: .one)
        self.coordinate = coordinate
    }
}
