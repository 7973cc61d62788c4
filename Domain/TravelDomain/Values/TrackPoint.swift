#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One point of a recorded track.
///
/// ```swift
/// TrackPoint(coordinate: summit, time: noon, elevation: 836)    // 836 m above sea level
/// ```
public struct TrackPoint: Hashable, Sendable {
    /// The location that the device has recorded.
    public let coordinate: Coordinate
    /// The time according to the receiver; not validated.
    public let time: Date?
    /// The elevation in metres above sea level.
    public let elevation: Double?

    /// Creates a track point from its parts.
    public init(coordinate: Coordinate, time: Date? = nil, elevation: Double? = nil) {
        self.coordinate = coordinate
        self.time = time
        self.elevation = elevation
    }
}
