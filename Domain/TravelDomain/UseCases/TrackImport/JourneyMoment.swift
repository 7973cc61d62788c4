/// One moment of a recorded journey.
package struct JourneyMoment: Hashable {
    /// What happened.
    package var kind: Kind
    /// The day of the trip, 1-based.
    package var day: Int
    /// The local time.
    package var time: TimeOfDay
    /// Where it was.
    package var coordinate: Coordinate
    /// Metres above sea level.
    package var elevation: Double?
    /// How long the traveller stayed there, in seconds; 0 for a passage.
    package var stayed: Double
    /// How far the day's way leads, in metres; told where it begins and where it ends, if it was recorded.
    package var distance: Double?

    /// Whether the way came by there; a mark may lie far off.
    package var isPassed: Bool

    /// A moment with these parts.
    package init(
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

    /// What can happen on a journey.
    package enum Kind: Hashable {
        /// The day's way begins.
        case departure
        /// The day's way ends.
        case arrival
        /// The traveller stays, or was seen there at all.
        case stay
        /// A mark is passed.
        case mark(Waypoint)
    }
}
