#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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
