#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A track in which every point has a time that can be true, in order of time.
///
/// The way itself is what was recorded: the segments; without any the routes; without those the waypoints, of which
/// each is a segment of its own, because nothing tells how one got from one to the next.
package struct TimedTrack {
    /// One point of the way.
    package struct Step: Hashable {
        package var coordinate: Coordinate
        package var elevation: Double?
        package var time: Date
        /// The number of the segment: what lies between two segments was not recorded.
        package var segment: Int

        /// A step with these parts.
        package init(coordinate: Coordinate, elevation: Double? = nil, time: Date, segment: Int = 0) {
            self.coordinate = coordinate
            self.elevation = elevation
            self.time = time
            self.segment = segment
        }
    }

    /// A place that someone gave a name or a note.
    package struct Mark: Hashable {
        package var waypoint: Waypoint
        package var time: Date
        /// Whether the way came within ``passingDistance``, as far as it was recorded when the mark was made.
        package var isPassed = true
    }

    /// The way; at least one step.
    package let steps: [Step]
    /// The marked places.
    package let marks: [Mark]
    /// Whether any step had a time of its own; without one the whole way is on one day.
    package let isTimed: Bool
    /// How many points had no time that can be true, and were given one.
    package let estimatedTimes: Int

    /// The pace of a walk, in metres a second: 4 km an hour.
    package static let pace = 4_000.0 / 3_600
    /// How near the way comes to a mark that is passed, in metres.
    package static let passingDistance = 1_000.0
    /// How long a trip is at most, in seconds: a year.
    package static let longest: TimeInterval = 366 * 86_400
    /// How many days before and after the way a mark may have been made to count as made on it.
    package static let daysAround = 7.0

    /// The times of `track`, as seen at `now`.
    ///
    /// - A time is impossible before the first day of GPS (6 January 1980), more than a day after `now`, more than
    ///   a year from the median of its segment, or out of order there; it counts as missing.
    /// - A missing time between two known ones is shared out by distance; before the first and after the last,
    ///   the way goes on at walking ``pace`` within the local day.
    /// - Where no time is known at all, the way begins at 09:00 on the day of the recording, or of `now`, and goes
    ///   at walking ``pace``, or as much faster as it takes to arrive on that day.
    /// - A mark without a time, or made more than ``daysAround`` days from the way, has the time at which
    ///   the way came nearest to it.
    /// - Up to three fixes in a row that no vehicle could have come by are left out.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when there is no point at all, or the recording takes longer than a year.
    package init(_ track: Track, now: Date) throws(TravelError) {
        let check = TimeCheck(now: now)
        let way = Self.way(of: track)
        if way.contains(where: check.takesYears) { throw Self.isTooLong }
        let segments = way.map { Jumps.removed(from: check.cleaned($0)) }.inOrderOfTime
        let points = segments.enumerated().flatMap { number, points in points.map { (number, $0) } }
        guard let start = points.first?.1.coordinate else { throw .invalid(.init(.track, .empty)) }

        let marked = (track.waypoints + track.routes.joined()).filter(\.isMarked)
        let known = points.lazy.compactMap { _, point in point.time }
        let markTimes = marked.compactMap { check.possible($0.time) }
        let times: [TimeInterval]
        if known.isEmpty {
            let date = markTimes.min() ?? check.possible(track.time) ?? now
            times = Pacing(points.map(\.1.coordinate)).times(onDayOf: date, at: start)
        } else {
            times = Pacing(points.map(\.1.coordinate)).times(filling: points.map(\.1.time))
        }
        let steps = zip(points, times).map { numbered, time in
            let (number, point) = numbered
            return Step(
                coordinate: point.coordinate, elevation: point.elevation, time: Date(timeIntervalSince1970: time),
                segment: number)
        }
        let ordered = steps.sortedStably { $0.time < $1.time }
        if ordered[steps.count - 1].time.timeIntervalSince(ordered[0].time) > Self.longest { throw Self.isTooLong }
        self.steps = ordered

        let around = known.isEmpty ? nil : Self.around(ordered)
        let markDates = marked.map { check.possible($0.time).flatMap { around?.contains($0) ?? true ? $0 : nil } }
        let nearest = marked.isEmpty ? nil : NearestPoint(steps.map(\.coordinate))
        let marks = zip(marked, markDates).map { mark, date in
            let passing = nearest?.nearest(to: mark.coordinate).map { steps[$0] } ?? steps[0]
            let isNear = passing.coordinate.distance(to: mark.coordinate) <= Self.passingDistance
            let isPassed = isNear || date.map { !Self.isRecorded($0, in: ordered) } ?? false
            return Mark(waypoint: mark, time: date ?? passing.time, isPassed: isPassed)
        }
        self.marks = marks.sortedStably { $0.time < $1.time }
        self.isTimed = !known.isEmpty
        let isRecorded = track.segments.contains { !$0.isEmpty }  // Else the marks are themselves the way.
        self.estimatedTimes = points.count - known.count + (isRecorded ? markDates.count { $0 == nil } : 0)
    }

    private static let isTooLong = TravelError.invalid(
        Violation(.track, .outOfRange("it takes longer than a year; import each trip from a file of its own")))

    private static func way(of track: Track) -> [[TrackPoint]] {
        let segments = track.segments.filter { !$0.isEmpty }
        if !segments.isEmpty { return segments }
        let routes = track.routes.filter { !$0.isEmpty }
        if !routes.isEmpty { return routes.map { $0.map(TrackPoint.init) } }
        return track.waypoints.map { [TrackPoint($0)] }
    }

    /// Whether any of the steps, which are in order of time, was taken about that time.
    private static func isRecorded(_ time: Date, in steps: [Step]) -> Bool {
        var (low, high) = (0, steps.count)
        while low < high {
            let middle = (low + high) / 2
            if steps[middle].time < time { low = middle + 1 } else { high = middle }
        }
        return [low - 1, low].contains {
            steps.indices.contains($0) && abs(steps[$0].time.timeIntervalSince(time)) <= JourneyDay.soon
        }
    }

    private static func around(_ steps: [Step]) -> ClosedRange<Date> {
        let margin = daysAround * 86_400
        return steps[0].time.addingTimeInterval(-margin)...steps[steps.count - 1].time.addingTimeInterval(margin)
    }
}

extension TrackPoint {
    fileprivate init(_ waypoint: Waypoint) {
        self.init(coordinate: waypoint.coordinate, time: waypoint.time, elevation: waypoint.elevation)
    }
}

extension Waypoint {
    /// Whether someone wrote anything about it.
    fileprivate var isMarked: Bool {
        [name, description].contains { $0.map { !Text.trimmed($0).isEmpty } ?? false }
    }
}

extension [[TrackPoint]] {
    /// The segments by the first known time of each; one without any stays behind the one before it.
    fileprivate var inOrderOfTime: Self {
        var last = Date.distantPast
        return map { segment in
            last = segment.lazy.compactMap(\.time).first ?? last
            return (last, segment)
        }
        .sortedStably { $0.0 < $1.0 }
        .map { $0.1 }
    }
}
