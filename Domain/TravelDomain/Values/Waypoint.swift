#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A place that someone marked, on the way or when planning it.
public struct Waypoint: Hashable, Sendable {
    /// Where it is.
    public let coordinate: Coordinate
    /// When it was marked, which may be long before anyone went there; not checked.
    public let time: Date?
    /// Metres above sea level.
    public let elevation: Double?
    /// What it is called.
    public let name: String?
    /// What is noted about it.
    public let description: String?

    /// A marked place with these parts.
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
