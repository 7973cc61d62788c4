#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One fix of a recorded track.
public struct TrackPoint: Hashable, Sendable {
    /// Where it was.
    public let coordinate: Coordinate
    /// When it was, as the receiver says; not checked.
    public let time: Date?
    /// Metres above sea level.
    public let elevation: Double?

    /// A fix with these parts.
    public init(coordinate: Coordinate, time: Date? = nil, elevation: Double? = nil) {
        self.coordinate = coordinate
        self.time = time
        self.elevation = elevation
    }
}
