/// A journey as a receiver or an app recorded it, not yet validated.
///
/// ``ImportTrack`` turns it into a trip.
///
/// ```swift
/// Track(name: "북한산", segments: [[TrackPoint(coordinate: summit)]]).isEmpty    // false
/// Track(name: "북한산").isEmpty                                               // true
/// ```
public struct Track: Hashable, Sendable {
    public let name: String?
    /// The time of the recording according to its metadata.
    public let time: Date?
    /// The waypoints, in the order of the recording.
    public let waypoints: [Waypoint]
    /// The planned routes, each with its points in order.
    public let routes: [[Waypoint]]
    /// The continuously recorded segments, each with its points in order.
    public let segments: [[TrackPoint]]
    /// The number of points that a reader left out, because their position, time or elevation cannot be read.
    public let omittedPoints: Int
    /// Whether the file is an export of a trip: an import keeps all points of ``segments``, and its entries are those of
    /// ``waypoints``, if there are any, whatever their number and their times.
    public let isExported: Bool

    public init(
        name: String? = nil, time: Date? = nil, waypoints: [Waypoint] = [], routes: [[Waypoint]] = [],
        segments: [[TrackPoint]] = [], omittedPoints: Int = 0, isExported: Bool = false
    ) {
        self.name = name
        self.time = time
        self.waypoints = waypoints
        self.routes = routes
        self.segments = segments
        self.omittedPoints = omittedPoints
        self.isExported = isExported
    }

    public var isEmpty: Bool {
        waypoints.isEmpty && routes.allSatisfy(\.isEmpty) && segments.allSatisfy(\.isEmpty)
    }
}

/// One point of a recorded track.
public struct TrackPoint: Hashable, Sendable {
    public let coordinate: Coordinate
    /// The time according to the receiver; not validated.
    public let time: Date?
    /// The elevation in metres above sea level.
    public let elevation: Double?

    public init(coordinate: Coordinate, time: Date? = nil, elevation: Double? = nil) {
        self.coordinate = coordinate
        self.time = time
        self.elevation = elevation
    }
}

/// A place that someone marked, on the way or in advance.
public struct Waypoint: Hashable, Sendable {
    public let coordinate: Coordinate
    /// The time of marking, which may be long before the visit; not validated.
    public let time: Date?
    /// The elevation in metres above sea level.
    public let elevation: Double?
    public let name: String?
    public let description: String?
    /// The name and the address of the place, if the file tells them apart from ``name``, which is a title then. Its own
    /// coordinate does not count.
    public let place: Place?

    public init(
        coordinate: Coordinate, time: Date? = nil, elevation: Double? = nil, name: String? = nil,
        description: String? = nil, place: Place? = nil
    ) {
        self.coordinate = coordinate
        self.time = time
        self.elevation = elevation
        self.name = name
        self.description = description
        self.place = place
    }
}
