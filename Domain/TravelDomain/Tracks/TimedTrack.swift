/// A track in chronological order, in which every point has a plausible time.
///
/// The steps come from the segments; without segments, from the routes; without routes, from the waypoints, each of
/// which is a segment of its own, because the route between them is unknown.
package struct TimedTrack {
    package struct Step: Hashable {
        package var coordinate: Coordinate
        package var elevation: Double?
        package var time: Date
        /// The index of the segment; the route between segments was not recorded.
        package var segment: Int

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
        /// Whether its clock is that of the track, and not that of its own place: it has no time of its own, or the track, which
        /// has times, comes within ``passingDistance``.
        package var isInZoneOfTrack = true
    }

    /// The steps; at least one.
    package let steps: [Step]
    /// The simplified path, without outliers; `nil` if only waypoints are known, or nothing moved.
    package let path: TrackGeometry?
    package let marks: [Mark]
    /// Whether the marks are all that becomes an entry, as in an export of a trip.
    package let isExported: Bool
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
        let path = Self.path(of: track)
        if path.contains(where: filter.takesYears) { throw Self.isTooLong }
        let segments = path.map { OutlierFilter.removingOutliers(from: filter.cleaned($0)) }.inOrderOfTime
        let isPath = [track.segments.joined().isEmpty, track.routes.joined().isEmpty].contains(false)
        let points = segments.enumerated().flatMap { number, points in points.map { (number, $0) } }
        guard let start = points.first?.1.coordinate else { throw .invalid(.init(.track, .empty)) }

        let marked = (track.waypoints + track.routes.joined()).filter(\.isMarked)
        let known = points.lazy.compactMap { _, point in point.time }
        // The entries of a trip have the times that their author gave them.
        let markTimes = marked.compactMap { track.isExported ? $0.time : filter.possible($0.time) }
        let isTimed = !known.isEmpty
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
        var rest = times[...]
        let timed = segments.map { segment in
            let estimated = rest.prefix(segment.count)
            rest = rest.dropFirst(segment.count)
            // A track without times gets none: those of its steps are of no use to others.
            return zip(segment, estimated).map { point, time in
                point.with(time: point.time ?? (isTimed ? Date(timeIntervalSince1970: time) : nil))
            }
        }
        let whole = track.isExported ? timed.filter { $0.count > 1 } : []
        if isPath {
            self.path = whole.isEmpty ? try TrackGeometry(simplifying: timed) : try TrackGeometry(points: whole)
        } else {
            self.path = nil
        }
        isExported = track.isExported && !marked.isEmpty
        let steps = zip(points, times).map { numbered, time in
            let (number, point) = numbered
            return Step(
                coordinate: point.coordinate, elevation: point.elevation, time: Date(timeIntervalSince1970: time),
                segment: number)
        }
        let ordered = steps.sortedStably { $0.time < $1.time }
        if ordered[steps.count - 1].time.timeIntervalSince(ordered[0].time) > Self.longest { throw Self.isTooLong }
        self.steps = ordered

        let margin = track.isExported ? Self.longest : Self.daysAround * 86_400
        let around = known.isEmpty ? nil : Self.around(ordered, within: margin)
        let markDates = marked.map { mark -> Date? in
            let time = track.isExported ? mark.time : filter.possible(mark.time)
            return time.flatMap { around?.contains($0) ?? true ? $0 : nil }
        }
        let nearest = marked.isEmpty ? nil : NearestPoint(steps.map(\.coordinate))
        let marks = zip(marked, markDates).map { mark, date in
            let passing = nearest?.nearest(to: mark.coordinate).map { steps[$0] } ?? steps[0]
            let isNear = passing.coordinate.distance(to: mark.coordinate) <= Self.passingDistance
            let isPassed = isNear || date.map { !Self.isRecorded($0, in: ordered) } ?? false
            return Mark(
                waypoint: mark, time: date ?? passing.time, isPassed: isPassed,
                isInZoneOfTrack: date == nil || isNear && !known.isEmpty)
        }
        self.marks = marks.sortedStably { $0.time < $1.time }
        self.isTimed = isTimed
        let isRecorded = track.segments.contains { !$0.isEmpty }  // Otherwise the marks are the steps.
        self.estimatedTimes = points.count - known.count + (isRecorded ? markDates.count { $0 == nil } : 0)
    }

    private static let isTooLong = TravelError.invalid(
        Violation(.track, .outOfRange("it takes longer than a year; import each trip from its own file")))

    private static func path(of track: Track) -> [[TrackPoint]] {
        let segments = track.segments.filter { !$0.isEmpty }
        if !segments.isEmpty { return segments }
        let routes = track.routes.filter { !$0.isEmpty }
        if !routes.isEmpty { return routes.map { $0.map(TrackPoint.init) } }
        return track.waypoints.map { [TrackPoint($0)] }
    }

    /// Whether any of the chronologically ordered steps is near that time.
    private static func isRecorded(_ time: Date, in steps: [Step]) -> Bool {
        let next = steps.partitioningIndex { $0.time >= time }
        return [next - 1, next].contains {
            steps.indices.contains($0) && abs(steps[$0].time.timeIntervalSince(time)) <= JourneyDay.soon
        }
    }

    private static func around(_ steps: [Step], within margin: TimeInterval) -> ClosedRange<Date> {
        steps[0].time.addingTimeInterval(-margin)...steps[steps.count - 1].time.addingTimeInterval(margin)
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

/// Estimates missing times of a route's points from the distances between them.
package struct TimeEstimator {
    private let points: [Coordinate]
    private let clock: LocalClock
    /// The distance of each point from the start, in metres.
    private let distances: [Double]

    /// Creates an estimator for a route of at least one point.
    package init(_ points: [Coordinate], _ clock: LocalClock = LocalClock()) {
        (self.points, self.clock) = (points, clock)
        var distance = 0.0
        self.distances = points.indices.map { index in
            if index > 0 { distance += points[index - 1].distance(to: points[index]) }
            return distance
        }
    }

    /// The times in seconds since 1970, for a walk from 09:00 on `day` at `place`. The last point is reached at 23:59 of
    /// that day at the latest.
    package func times(on day: CalendarDay, at place: Coordinate) -> [TimeInterval] {
        let (start, end) = (clock.instant(day, 9 * 3_600, at: place), clock.instant(day, 86_340, at: place))
        let length = distances[distances.count - 1]
        let pace = max(TimedTrack.pace, length / (end - start))
        return distances.map { start + $0 / pace }
    }

    /// The times in seconds since 1970: the known ones, of which there is at least one, and the others interpolated by
    /// distance.
    package func times(filling known: [Date?]) -> [TimeInterval] {
        var times = known.map { $0?.timeIntervalSince1970 ?? 0 }
        let fixed = known.indices.filter { known[$0] != nil }
        for (before, after) in zip(fixed, fixed.dropFirst()) where after - before > 1 {
            let length = distances[after] - distances[before]
            for index in before + 1..<after {
                let share =
                    length > 0
                    ? (distances[index] - distances[before]) / length : Double(index - before) / Double(after - before)
                times[index] = times[before] + (times[after] - times[before]) * share
            }
        }
        walk(from: fixed[0], over: 0..<fixed[0], &times)
        walk(from: fixed[fixed.count - 1], over: fixed[fixed.count - 1] + 1..<known.count, &times)
        return times
    }

    /// Assigns the points in `range` the times of a walk to or from the point at `anchor`, on its local day.
    private func walk(from anchor: Int, over range: Range<Int>, _ times: inout [TimeInterval]) {
        if range.isEmpty { return }
        var clock = clock
        let day = clock.read(Date(timeIntervalSince1970: times[anchor]), at: points[anchor]).day
        let start = clock.instant(day, at: points[anchor])
        let end = clock.instant(day, 86_399, at: points[anchor])
        for index in range {
            let time = times[anchor] + (distances[index] - distances[anchor]) / TimedTrack.pace
            times[index] = min(max(time, start), end)
        }
    }
}

/// Removes impossible timestamps from a recording.
package struct TimeFilter {
    /// The epoch of GPS time, 6 January 1980 (IS-GPS-200); no receiver recorded an earlier time.
    package static let beginningOfGPS = Date(timeIntervalSince1970: 315_964_800)

    private let range: ClosedRange<Date>

    /// Creates a filter for a recording that is read at `now`. A clock may be up to one day fast.
    package init(now: Date) {
        self.range = Self.beginningOfGPS...max(Self.beginningOfGPS, now.addingTimeInterval(86_400))
    }

    /// Returns `time` if a receiver can have recorded it, or else `nil`.
    package func possible(_ time: Date?) -> Date? {
        time.flatMap { range.contains($0) ? $0 : nil }
    }

    /// Whether the segment itself takes years: at least a quarter of its times are more than a year from the median,
    /// and no two consecutive times are more than a year apart. A clock that was not yet set has a gap.
    func takesYears(_ segment: [TrackPoint]) -> Bool {
        let times = segment.compactMap { possible($0.time) }.sorted()
        guard times.count > 1 else { return false }
        let median = times[times.count / 2]
        let farCount = times.count { abs($0.timeIntervalSince(median)) > TimedTrack.longest }
        return farCount * 4 >= times.count
            && zip(times, times.dropFirst()).allSatisfy { $1.timeIntervalSince($0) <= TimedTrack.longest }
    }

    /// Returns the points of a segment in chronological order, without impossible times.
    ///
    /// Removes times more than a year from the median, which come from a clock that was not yet set. Of the rest, keeps the
    /// longest non-decreasing subsequence; reverses the segment if more times are in order then.
    package func cleaned(_ segment: [TrackPoint]) -> [TrackPoint] {
        var points = segment.map { $0.with(time: possible($0.time)) }
        let known = points.compactMap(\.time).sorted()
        if known.isEmpty { return points }
        let median = known[known.count / 2]
        points = points.map { point in
            guard let time = point.time, abs(time.timeIntervalSince(median)) > TimedTrack.longest else { return point }
            return point.with(time: nil)
        }
        let (forward, removedCount) = Self.removingDisorder(from: points)
        if removedCount == 0 { return forward }
        let (backward, fewerRemoved) = Self.removingDisorder(from: points.reversed())
        return fewerRemoved < removedCount ? backward : forward
    }

    /// The points with the times that are in order, and the number of the other times.
    private static func removingDisorder(from points: [TrackPoint]) -> (points: [TrackPoint], removedCount: Int) {
        let timed = points.indices.filter { points[$0].time != nil }
        let removed = Set(timed.indices).subtracting(longestOrder(of: timed.compactMap { points[$0].time }))
        var points = points
        for index in removed.map({ timed[$0] }) { points[index] = points[index].with(time: nil) }
        return (points, removed.count)
    }

    /// The indices of the longest non-decreasing subsequence of `times`.
    ///
    /// Patience sorting: O(n log n).
    static func longestOrder(of times: [Date]) -> [Int] {
        if zip(times, times.dropFirst()).allSatisfy(<=) { return Array(times.indices) }
        var tails: [Int] = []  // tails[k] is the end of the best subsequence of length k + 1
        var previous = [Int?](repeating: nil, count: times.count)
        for (index, time) in times.enumerated() {
            let position = tails.partitioningIndex { times[$0] > time }
            previous[index] = position > 0 ? tails[position - 1] : nil
            if position == tails.count { tails.append(index) } else { tails[position] = index }
        }
        var order: [Int] = []
        var next = tails.last
        while let index = next {
            order.append(index)
            next = previous[index]
        }
        return order.reversed()
    }
}

extension TrackPoint {
    fileprivate func with(time: Date?) -> TrackPoint {
        TrackPoint(coordinate: coordinate, time: time, elevation: elevation)
    }
}

extension Array {
    /// The first index from which on every element meets `predicate`, found by binary search; `endIndex` if none does.
    func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = predicate(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }

    /// Sorts stably: equal elements keep their order.
    func sortedStably(by precedes: (Element, Element) -> Bool) -> [Element] {
        // Most arrays are sorted already.
        guard zip(self, dropFirst()).contains(where: { precedes($1, $0) }) else { return self }
        return enumerated()
            .sorted { precedes($0.element, $1.element) || !precedes($1.element, $0.element) && $0.offset < $1.offset }
            .map(\.element)
    }
}

/// Finds jumps in a recording that no vehicle can make: outliers, such as latitude 0, longitude 0 before the first fix.
enum OutlierFilter {
    /// The maximum speed in metres per second: 1,260 km per hour, faster than any airliner with tailwind.
    static let speed = 350.0
    /// The minimum distance in metres between points without times that counts as a jump.
    static let distance = 500_000.0
    /// The maximum number of consecutive outliers.
    static let maximumOutliers = 3

    /// Whether it is impossible to get from one point to the other in the time between them.
    static func isJump(_ from: Coordinate, _ start: Date?, _ to: Coordinate, _ end: Date?) -> Bool {
        let distance = from.distance(to: to)
        guard let start, let end else { return distance > Self.distance }
        // Receivers record whole seconds.
        return distance > speed * (abs(end.timeIntervalSince(start)) + 1)
    }

    /// Returns the points of a segment without short runs of outliers, which are separated from their neighbours by
    /// jumps.
    static func removingOutliers(from segment: [TrackPoint]) -> [TrackPoint] {
        var runs: [Range<Int>] = []
        var start = 0
        for index in segment.indices.dropFirst() {
            let (last, next) = (segment[index - 1], segment[index])
            if isJump(last.coordinate, last.time, next.coordinate, next.time) {
                runs.append(start..<index)
                start = index
            }
        }
        if start == 0 { return segment }
        runs.append(start..<segment.count)
        var kept: [TrackPoint] = []
        for (number, run) in runs.enumerated() {
            if run.count <= maximumOutliers, isOutlier(number, runs, segment, after: kept.last) { continue }
            kept += segment[run]
        }
        return kept
    }

    private static func isOutlier(
        _ number: Int, _ runs: [Range<Int>], _ segment: [TrackPoint], after last: TrackPoint?
    ) -> Bool {
        let next = number + 1 < runs.count ? segment[runs[number + 1].lowerBound] : nil
        // In the middle: the route continues after the run as if it did not exist.
        if let last, let next { return !isJump(last.coordinate, last.time, next.coordinate, next.time) }
        // At an end: without times, the run may be the real beginning or end of the route.
        guard segment[runs[number].lowerBound].time != nil, (next ?? last)?.time != nil else { return false }
        let neighbour = next == nil ? runs[number - 1] : runs[number + 1]
        return neighbour.count > max(runs[number].count, maximumOutliers)
    }
}
