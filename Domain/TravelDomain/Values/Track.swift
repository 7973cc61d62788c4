#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A journey as a receiver or an app recorded it, before any of it is checked or made sense of.
///
/// ``ImportTrack`` makes a travel of it.
public struct Track: Hashable, Sendable {
    /// What the recording is called.
    public let name: String?
    /// When the recording says it was made.
    public let time: Date?
    /// The marked places, in the order of the recording.
    public let waypoints: [Waypoint]
    /// The planned routes, each from its first point to its last.
    public let routes: [[Waypoint]]
    /// The stretches recorded without a break, each from its first fix to its last.
    public let segments: [[TrackPoint]]

    /// A recording with these parts.
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

    /// Whether no point is recorded in it: no place, no route, no stretch.
    public var isEmpty: Bool {
        waypoints.isEmpty && routes.allSatisfy(\.isEmpty) && segments.allSatisfy(\.isEmpty)
    }
}
