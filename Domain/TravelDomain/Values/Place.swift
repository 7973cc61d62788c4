/// A point on the earth, in degrees of WGS 84.
public struct Coordinate: Hashable, Sendable {
    /// Degrees north of the equator, -90…90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180…180.
    public let longitude: Double

    /// The point at that latitude and longitude.
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

/// Somewhere one can be: a name, an address where there is one, and a point on the map.
public struct Place: Hashable, Sendable {
    /// What the place is called.
    public let name: String
    /// Its postal address, or the part of it that is known; may be empty.
    public let address: String
    /// Where it is.
    public let coordinate: Coordinate

    /// A place by that name and address.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the name is empty or longer than 100 characters, or when the
    ///   address is longer than 200.
    public init(name: String, address: String = "", coordinate: Coordinate)
        throws(TravelError)
    {
        self.name = try Text.validated(name, as: .placeName, length: 1...100, lines: .one)
        self.address = try Text.validated(address, as: .placeAddress, length: 0...200, lines: .one)
        self.coordinate = coordinate
    }
}
