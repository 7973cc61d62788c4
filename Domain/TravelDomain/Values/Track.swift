#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A journey as a receiver or an app recorded it, not yet validated.
///
/// ``ImportTrack`` turns it into a travel.
///
/// ```swift
/// Track(name: "북한산", segments: [[TrackPoint(coordinate: summit)]]).isEmpty    // false
/// Track(name: "북한산").isEmpty                                               // true
/// ```
public struct Track: Hashable, Sendable {
    /// The name of the recording; `nil` without one.
    public let name: String?
    /// The time of the recording according to its metadata.
    public let time: Date?
    /// The waypoints, in the order of the recording.
    public let waypoints: [Waypoint]
    /// The planned routes, each with its points in order.
    public let routes: [[Waypoint]]
    /// The continuously recorded segments, each with its points in order.
    public let segments: [[TrackPoint]]

    /// Creates a track from its parts, in the order in which the file has them.
    public init(
        name: String? = nil, time: Date? = nil, waypoints: [Waypoint] = [], routes: [[Waypoint]] = [],
        segments: [[TrackPoint]] = []
    ) {
        self.name = name
        self.time = time
        self.waypoints = waypoints
        self.routes = routes
        self.segments = segments
    }

    /// Whether the track has no points at all.
    public var isEmpty: Bool {
        waypoints.isEmpty && routes.allSatisfy(\.isEmpty) && segments.allSatisfy(\.isEmpty)
    }
}
