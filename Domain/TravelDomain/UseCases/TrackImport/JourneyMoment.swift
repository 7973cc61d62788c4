/// One moment of a recorded journey.
public struct JourneyMoment: Hashable, Sendable {
    /// The kind of moment.
    public var kind: Kind
    /// The day of the travel, 1-based.
    public var day: Int
    /// The local time.
    public var time: TimeOfDay
    /// The location.
    public var coordinate: Coordinate
    /// The elevation in metres above sea level.
    public var elevation: Double?
    /// The duration of the stay in seconds; 0 without a stay.
    public var stayed: Double
    /// The distance of the day's route in metres, on its departure and its arrival; `nil` if it was not recorded.
    public var distance: Double?

    /// Whether the route passes the location; a mark may be far from the route.
    public var isPassed: Bool

    /// Creates a moment from its parts.
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
    public enum Kind: Hashable, Sendable {
        /// The day's route begins.
        case departure
        /// The day's route ends.
        case arrival
        /// The traveller stays in one place, or the day has no other route.
        case stay
        /// The traveller passes or creates a mark.
        case mark(Waypoint)
    }
}
