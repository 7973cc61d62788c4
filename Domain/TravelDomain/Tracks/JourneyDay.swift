/// The part of a track that was recorded on one local day.
struct JourneyDay {
    let day: CalendarDay
    private var steps: [TimedTrack.Step] = []
    private var stepTimes: [TimeOfDay] = []
    private var marks: [TimedTrack.Mark] = []
    private var markTimes: [TimeOfDay] = []
    /// The length of the way in metres; `nil` when no two consecutive points were recorded.
    private var distance: Double?
    private var grid = MarkGrid(size: Self.nearby)

    /// The maximum distance in metres between a mark and a moment that it covers.
    static let nearby = StayPoint.radius
    /// The maximum time in seconds between them.
    static let soon = 30.0 * 60

    init(_ day: CalendarDay) {
        self.day = day
    }

    /// Appends the next step, with its local time.
    mutating func add(_ step: TimedTrack.Step, at time: TimeOfDay) {
        steps.append(step)
        stepTimes.append(time)
    }

    /// Appends the next mark, with its local time, unless it repeats a recent mark with the same name at the same
    /// place and `mayRepeat` is false.
    mutating func add(_ mark: TimedTrack.Mark, at time: TimeOfDay, mayRepeat: Bool = false) {
        if !mayRepeat, grid.contains(like: mark, within: Self.soon) { return }
        grid.add(mark)
        marks.append(mark)
        markTimes.append(time)
    }

    /// Adds the length of the way from one point to the next.
    mutating func add(_ length: Double) {
        distance = (distance ?? 0) + length
    }

    /// The moments in order; `number` is the day of the trip. Those of an export are its marks.
    func moments(number: Int, isTimed: Bool, isExported: Bool = false) -> [JourneyMoment] {
        var moments = zip(marks, markTimes).map { mark, time in
            JourneyMoment(
                .mark(mark.waypoint), day: number, time: time, coordinate: mark.waypoint.coordinate,
                elevation: mark.waypoint.elevation, isPassed: mark.isPassed)
        }
        if isExported { return moments.sortedStably { $0.time < $1.time } }
        for (moment, steps) in routeMoments(number, isTimed ? StayPoint.all(in: steps) : [], isTimed: isTimed) {
            if let mark = mark(covering: moment, steps) {
                moments[mark].stayed = max(moments[mark].stayed, moment.stayed)
                moments[mark].distance = moments[mark].distance ?? moment.distance
            } else {
                moments.append(moment)
            }
        }
        return moments.sortedStably { ($0.time, $0.rank) < ($1.time, $1.rank) }
    }

    /// The first mark that covers a moment with those steps; marks are in chronological order.
    private func mark(covering moment: JourneyMoment, _ range: ClosedRange<Int>) -> Int? {
        let begin = steps[range.lowerBound].time.addingTimeInterval(-Self.soon)
        let end = steps[range.upperBound].time.addingTimeInterval(Self.soon)
        let first = marks.partitioningIndex { $0.time >= begin }
        return marks[first...].prefix { $0.time <= end }.firstIndex {
            $0.waypoint.coordinate.distance(to: moment.coordinate) <= Self.nearby
        }
    }

    /// The departure, the stays and the arrival, each with its steps. The departure is the end of a stay that begins
    /// the day, and the arrival the beginning of a stay that ends it.
    private func routeMoments(
        _ number: Int, _ stays: [StayPoint], isTimed: Bool
    ) -> [(JourneyMoment, ClosedRange<Int>)] {
        guard let last = steps.indices.last else { return [] }
        func moment(
            _ kind: JourneyMoment.Kind, at step: Int, in stay: StayPoint?, after distance: Double?
        ) -> (JourneyMoment, ClosedRange<Int>) {
            let moment = JourneyMoment(
                kind, day: number, time: stepTimes[step], coordinate: stay?.centre ?? steps[step].coordinate,
                elevation: steps[step].elevation, stayed: stay?.duration ?? 0,
                distance: distance)
            return (moment, stay.map { $0.steps.lowerBound...$0.steps.upperBound - 1 } ?? step...step)
        }
        let opening = stays.first { $0.steps.lowerBound == 0 }
        let closing = stays.last { $0.steps.upperBound == steps.count }
        if last == 0 || (opening != nil && opening == closing) {
            // The way to it may have begun on the day before.
            return [moment(.stay, at: 0, in: opening, after: distance.flatMap { $0 > 0 ? $0 : nil })]
        }
        let between = stays.filter { $0 != opening && $0 != closing }
        return [moment(.departure, at: opening.map { $0.steps.upperBound - 1 } ?? 0, in: opening, after: distance)]
            + between.map { moment(.stay, at: $0.steps.lowerBound, in: $0, after: nil) }
            + [moment(.arrival, at: closing.map(\.steps.lowerBound) ?? last, in: closing, after: distance)]
    }
}

extension JourneyMoment {
    /// The order of moments in the same minute.
    fileprivate var rank: Int {
        switch kind {
        case .departure: 0
        case .mark, .stay: 1
        case .arrival: 2
        }
    }
}

/// One moment of a recorded journey, from which an entry of the timeline is created.
///
/// ```swift
/// let arrival = JourneyMoment(.arrival, day: 1, time: try TimeOfDay(hour: 17), coordinate: summit, elevation: 1_947)
/// arrival.isPassed    // true
/// ```
public struct JourneyMoment: Hashable, Sendable {
    public var kind: Kind
    /// The number of the day of the trip, 1-based.
    public var day: Int
    public var time: TimeOfDay
    public var coordinate: Coordinate
    /// The elevation in metres above sea level.
    public var elevation: Double?
    /// The duration of the stay in seconds; 0 without a stay.
    public var stayed: Double
    /// The distance of the day's route in metres, on its departure and its arrival, or on a stay that is all of it; `nil`
    /// if it was not recorded. Those of the days add up to ``TrackGeometry/length``.
    public var distance: Double?

    /// Whether the route passes the location; a mark may be far from the route.
    public var isPassed: Bool

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

/// The local time along a route.
///
/// A zone that is given applies everywhere. Otherwise it is Korea Standard Time around South Korea, UTC+9 without
/// daylight saving time; elsewhere the zone that a directory names for the coordinate; and where it names none,
/// nautical time: one-hour zones of 15 degrees of longitude, without regard to borders or daylight saving time.
///
/// The directory is asked again after 20 kilometres, and a nautical zone changes only when the route is 3.75 degrees (a
/// quarter of an hour) past its edge, so that a route along an edge does not switch back and forth.
package struct LocalClock: Sendable {
    /// A zone, in the order of certainty.
    package enum Zone: Hashable, Sendable {
        case given(String)
        case korea
        case named(String)
        case nautical(Int)
    }

    private let zones: any TimeZoneDirectory
    private let given: String?
    private var current: (zone: Zone, place: Coordinate)?
    /// The zones that readings have used, in order.
    package private(set) var used: [Zone] = []

    /// The distance in metres after which the directory is asked again.
    private static let reach = 20_000.0

    /// Creates a clock, whose first reading determines the zone; `given` is a zone of the directory that always applies.
    package init(_ zones: any TimeZoneDirectory = NoTimeZones(), given: String? = nil) {
        (self.zones, self.given) = (zones, given)
    }

    /// The local day and time at `date` for a traveller who has reached `coordinate`.
    package mutating func read(_ date: Date, at coordinate: Coordinate) -> (day: CalendarDay, time: TimeOfDay) {
        let zone = zone(at: coordinate, date)
        if current?.zone != zone { current = (zone, coordinate) }
        return read(date, in: zone)
    }

    /// The local day and time at `date` at a place that the traveller may not have come to from the last one.
    package mutating func readApart(_ date: Date, at coordinate: Coordinate) -> (day: CalendarDay, time: TimeOfDay) {
        read(date, in: LocalClock(zones, given: given).zone(at: coordinate, date))
    }

    private mutating func read(_ date: Date, in zone: Zone) -> (day: CalendarDay, time: TimeOfDay) {
        if !used.contains(zone) { used.append(zone) }
        let minutes = Int(((date.timeIntervalSince1970 + offset(of: zone, at: date)) / 60).rounded(.down))
        return (
            CalendarDay(daysSince1970: minutes.flooredQuotient(1_440)), TimeOfDay(minutesSinceMidnight: minutes)
        )
    }

    /// The seconds since 1970 at which a clock at `coordinate` shows `seconds` after midnight on `day`, in the zone of a
    /// new clock. A time that the clocks skip is that before the change.
    package func instant(_ day: CalendarDay, _ seconds: Double = 0, at coordinate: Coordinate) -> TimeInterval {
        let local = Double(day.daysSince1970) * 86_400 + seconds
        let date = Date(timeIntervalSince1970: local)
        let zone = LocalClock(zones, given: given).zone(at: coordinate, date)
        let near = local - offset(of: zone, at: date)
        return local - offset(of: zone, at: Date(timeIntervalSince1970: near))
    }

    private func zone(at coordinate: Coordinate, _ date: Date) -> Zone {
        if let given { return .given(given) }
        if coordinate.isAroundKorea { return .korea }
        if case .named? = current?.zone, let current, current.place.distance(to: coordinate) <= Self.reach {
            return current.zone
        }
        if let name = zones.zone(at: coordinate), zones.offset(of: name, at: date) != nil { return .named(name) }
        let exact = coordinate.longitude / 15
        switch current?.zone {
        case .nautical(let hours)? where abs(exact - Double(hours)) <= 0.75: return .nautical(hours)
        case .korea? where abs(exact - 9) <= 0.75: return .korea
        default: return .nautical(Int(exact.rounded()))
        }
    }

    private func offset(of zone: Zone, at date: Date) -> Double {
        switch zone {
        case .korea: 9 * 3_600
        case .nautical(let hours): Double(hours) * 3_600
        // A zone is used only if the directory has it.
        case .given(let name), .named(let name): Double(zones.offset(of: name, at: date) ?? 0)
        }
    }
}

extension Coordinate {
    /// Whether the point lies in the bounding box of South Korea: 33…39 degrees north, 124…132 degrees east. All clocks
    /// in it show UTC+9.
    package var isAroundKorea: Bool {
        (33...39).contains(latitude) && (124...132).contains(longitude)
    }
}
