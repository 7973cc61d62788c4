#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A track in chronological order, in which every point has a plausible time.
///
/// The steps come from the segments; without segments, from the routes; without routes, from the waypoints, each of
/// which is a segment of its own, because the route between them is unknown.
package struct TimedTrack {
    /// One point of the track.
    package struct Step: Hashable {
        package var coordinate: Coordinate
        package var elevation: Double?
        package var time: Date
        /// The index of the segment; the route between segments was not recorded.
        package var segment: Int

        /// Creates a step from its parts.
        package init(coordinate: Coordinate, elevation: Double? = nil, time: Date, segment: Int = 0) {
            self.coordinate = coordinate
            self.elevation = elevation
            self.time = time
            self.segment = segment
        }
    }

    /// A waypoint with a name or a note.
    package struct Mark: Hashable {
        package var waypoint: Waypoint
        package var time: Date
        /// Whether the track comes within ``passingDistance``, or was not recorded at the time of the mark.
        package var isPassed = true
    }

    /// The steps; at least one.
    package let steps: [Step]
    /// The segments of the way, without outliers; empty if only waypoints are known.
    package let way: [[Coordinate]]
    /// The marks.
    package let marks: [Mark]
    /// Whether any step had a time of its own; if not, the whole track is on one day.
    package let isTimed: Bool
    /// The number of points whose time was missing or impossible and therefore estimated.
    package let estimatedTimes: Int
    /// How the day of a track without times was determined.
    package let dayOrigin: ImportedTrack.DayOrigin
    /// The clock of the traveller, before its first reading.
    package let clock: LocalClock

    /// The walking pace in metres per second: 4 km per hour.
    package static let pace = 4_000.0 / 3_600
    /// The maximum distance in metres between the track and a mark that it passes.
    package static let passingDistance = 1_000.0
    /// The maximum duration of a track in seconds: one year.
    package static let longest: TimeInterval = 366 * 86_400
    /// The maximum number of days before or after the track at which the time of a mark counts.
    package static let daysAround = 7.0

    /// Validates and completes the times of `track`, as of `now`.
    ///
    /// - A time is impossible, and counts as missing, if it is before the GPS epoch (6 January 1980), more than one day
    ///   after `now`, more than a year from the median of its segment, or out of order within it.
    /// - Missing times between two known ones are interpolated by distance; before the first and after the last known
    ///   time, the traveller walks at ``pace`` within the local day.
    /// - Without any known time, the track begins at 09:00 on `day`, or else on the day of its first mark with a time, or
    ///   of the recording as the file says, and continues at ``pace``, or as much faster as is necessary to arrive on
    ///   that day. A file that was written less than a day before `now` says when it was exported, not recorded.
    /// - A mark without a time, or with a time more than ``daysAround`` days from the track, gets the time at which the
    ///   track was nearest to it.
    /// - Up to three consecutive points that no vehicle can have reached are removed.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the track has no points or spans more than a year; with
    ///   ``Violation/Field/date`` and ``Violation/Rule/empty`` when it has no times and its day is not known; with
    ///   ``Violation/Field/date`` when `day` is given to a track that has times.
    package init(
        _ track: Track, now: Date, day: CalendarDay? = nil, clock: LocalClock = LocalClock()
    ) throws(TravelError) {
        let filter = TimeFilter(now: now)
        let way = Self.way(of: track)
        if way.contains(where: filter.takesYears) { throw Self.isTooLong }
        let segments = way.map { OutlierFilter.removingOutliers(from: filter.cleaned($0)) }.inOrderOfTime
        let isWay = [track.segments.joined().isEmpty, track.routes.joined().isEmpty].contains(false)
        self.way = isWay ? segments.map { $0.map(\.coordinate) } : []
        let points = segments.enumerated().flatMap { number, points in points.map { (number, $0) } }
        guard let start = points.first?.1.coordinate else { throw .invalid(.init(.track, .empty)) }

        let marked = (track.waypoints + track.routes.joined()).filter(\.isMarked)
        let known = points.lazy.compactMap { _, point in point.time }
        let markTimes = marked.compactMap { filter.possible($0.time) }
        let times: [TimeInterval]
        let estimator = TimeEstimator(points.map(\.1.coordinate), clock)
        if known.isEmpty {
            let written = filter.possible(track.time).flatMap { now.timeIntervalSince($0) < 86_400 ? nil : $0 }
            var clock = clock
            if let day {
                (dayOrigin, times) = (.given, estimator.times(on: day, at: start))
            } else if let date = markTimes.min() ?? written {
                dayOrigin = markTimes.isEmpty ? .file : .marks
                times = estimator.times(on: clock.read(date, at: start).day, at: start)
            } else {
                throw .invalid(.init(.date, .empty))
            }
        } else {
            guard day == nil else { throw .invalid(.init(.date, .outOfRange("the track has times of its own"))) }
            (dayOrigin, times) = (.recorded, estimator.times(filling: points.map(\.1.time)))
        }
        self.clock = clock
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
        let markDates = marked.map { filter.possible($0.time).flatMap { around?.contains($0) ?? true ? $0 : nil } }
        let nearest = marked.isEmpty ? nil : NearestPoint(steps.map(\.coordinate))
        let marks = zip(marked, markDates).map { mark, date in
            let passing = nearest?.nearest(to: mark.coordinate).map { steps[$0] } ?? steps[0]
            let isNear = passing.coordinate.distance(to: mark.coordinate) <= Self.passingDistance
            let isPassed = isNear || date.map { !Self.isRecorded($0, in: ordered) } ?? false
            return Mark(waypoint: mark, time: date ?? passing.time, isPassed: isPassed)
        }
        self.marks = marks.sortedStably { $0.time < $1.time }
        self.isTimed = !known.isEmpty
        let isRecorded = track.segments.contains { !$0.isEmpty }  // Otherwise the marks are the steps.
        self.estimatedTimes = points.count - known.count + (isRecorded ? markDates.count { $0 == nil } : 0)
    }

    private static let isTooLong = TravelError.invalid(
        Violation(.track, .outOfRange("it takes longer than a year; import each trip from its own file")))

    private static func way(of track: Track) -> [[TrackPoint]] {
        let segments = track.segments.filter { !$0.isEmpty }
        if !segments.isEmpty { return segments }
        let routes = track.routes.filter { !$0.isEmpty }
        if !routes.isEmpty { return routes.map { $0.map(TrackPoint.init) } }
        return track.waypoints.map { [TrackPoint($0)] }
    }

    /// Whether any of the chronologically ordered steps is near that time, found by binary search.
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
    /// Whether it has a name or a note.
    fileprivate var isMarked: Bool {
        [name, description].contains { $0.map { !TextRules.trimmed($0).isEmpty } ?? false }
    }
}

extension [[TrackPoint]] {
    /// The segments ordered by their first known time; a segment without times stays after its predecessor.
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
