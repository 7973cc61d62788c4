#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A place that someone marked, on the way or in advance.
///
/// ```swift
/// Waypoint(coordinate: summit, name: "백운대")
/// ```
public struct Waypoint: Hashable, Sendable {
    /// The location of the point on the map.
    public let coordinate: Coordinate
    /// The time of marking, which may be long before the visit; not validated.
    public let time: Date?
    /// The elevation in metres above sea level.
    public let elevation: Double?
    /// The name of the point; `nil` without one.
    public let name: String?
    /// The note on the point; `nil` without one.
    public let description: String?

    /// Creates a waypoint from its parts; `elevation` is in metres above sea level.
    public init(
        coordinate: Coordinate, time: Date? = nil, elevation: Double? = nil, name: String? = nil,
        description: String? = nil
    ) {
        self.coordinate = coordinate
        self.time = time
        self.elevation = elevation
        self.name = name
        self.description = description
    }
}
