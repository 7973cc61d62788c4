/// One moment of a recorded journey, from which an entry of the timeline is created.
///
/// ```swift
/// let arrival = JourneyMoment(.arrival, day: 1, time: try TimeOfDay(hour: 17), coordinate: summit, elevation: 1_947)
/// arrival.isPassed    // true
/// ```
public struct JourneyMoment: Hashable, Sendable {
    /// The kind of moment, which decides the title of its entry.
    public var kind: Kind
    /// The number of the day of the travel, 1-based.
    public var day: Int
    /// The local time at which the moment begins.
    public var time: TimeOfDay
    /// The location at which the moment was recorded.
    public var coordinate: Coordinate
    /// The elevation in metres above sea level.
    public var elevation: Double?
    /// The duration of the stay in seconds; 0 without a stay.
    public var stayed: Double
    /// The distance of the day's route in metres, on its departure and its arrival; `nil` if it was not recorded.
    public var distance: Double?

    /// Whether the route passes the location; a mark may be far from the route.
    public var isPassed: Bool

    /// Creates a moment from its parts, without checks.
    public init(
        _ kind: Kind, day: Int, time: TimeOfDay, coordinate: Coordinate, elevation: Double? = nil, stayed: Double = 0,
        distance: Double? = nil, isPassed: Bool = true
    ) {
        self.kind = kind
        self.day = day
        self.time = time
        self.coordinate = coordinate
        self.elevation = elevation
        self.stayed = stayed
        self.distance = distance
        self.isPassed = isPassed
    }

    /// The kinds of moments.
    ///
    /// ```swift
    /// switch moment.kind {
    /// case .departure: "Departure"
    /// case .arrival: "Arrival"
    /// case .stay: "Stop"
    /// case .mark(let waypoint): waypoint.name ?? "Mark"
    /// }
    /// ```
    public enum Kind: Hashable, Sendable {
        /// The beginning of the day's route.
        case departure
        /// The end of the day's route, in its last place.
        case arrival
        /// The traveller stays in one place, or the day has no other route.
        case stay
        /// The traveller passes or creates a mark.
        case mark(Waypoint)
    }
}
