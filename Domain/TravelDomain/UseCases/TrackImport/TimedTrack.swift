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
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when there is no point at all.
    package init(_ track: Track, now: Date) throws(TravelError) {
        let check = TimeCheck(now: now)
        let segments = Self.way(of: track).map(check.cleaned).inOrderOfTime
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
        self.steps = steps.sortedStably { $0.time < $1.time }

        let around = known.isEmpty ? nil : Self.around(self.steps)
        let markDates = marked.map { check.possible($0.time).flatMap { around?.contains($0) ?? true ? $0 : nil } }
        self.marks = zip(marked, markDates)
            .map { mark, date in Mark(waypoint: mark, time: date ?? Self.passing(mark.coordinate, on: steps)) }
            .sortedStably { $0.time < $1.time }
        self.isTimed = !known.isEmpty
        let isRecorded = track.segments.contains { !$0.isEmpty }  // Else the marks are themselves the way.
        self.estimatedTimes = points.count - known.count + (isRecorded ? markDates.count { $0 == nil } : 0)
    }

    private static func way(of track: Track) -> [[TrackPoint]] {
        let segments = track.segments.filter { !$0.isEmpty }
        if !segments.isEmpty { return segments }
        let routes = track.routes.filter { !$0.isEmpty }
        if !routes.isEmpty { return routes.map { $0.map(TrackPoint.init) } }
        return track.waypoints.map { [TrackPoint($0)] }
    }

    /// The time when the way first came nearest to `place`.
    private static func passing(_ place: Coordinate, on steps: [Step]) -> Date {
        let metresADegree = 111_194.0  // of latitude: the least that a difference in latitude can be away
        var nearest = (distance: Double.infinity, time: steps[0].time)
        for step in steps where abs(step.coordinate.latitude - place.latitude) * metresADegree < nearest.distance {
            let distance = step.coordinate.distance(to: place)
            if distance < nearest.distance { nearest = (distance, step.time) }
        }
        return nearest.time
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
