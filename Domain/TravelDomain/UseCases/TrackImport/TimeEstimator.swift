#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

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
