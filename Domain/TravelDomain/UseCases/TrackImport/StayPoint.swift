#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A period of time that the traveller spent in one place.
package struct StayPoint: Hashable, Sendable {
    /// The indices of its steps.
    package var steps: Range<Int>
    /// The mean coordinate of its points.
    package var centre: Coordinate
    /// The time of arrival.
    package var arrival: Date
    /// The time of departure.
    package var departure: Date

    /// The maximum distance in metres between the first and any other point of a stay.
    package static let radius = 100.0
    /// The minimum duration in seconds.
    package static let minimum: TimeInterval = 15 * 60
    /// The maximum duration in seconds for which outliers may interrupt a stay.
    package static let interruption: TimeInterval = 2 * 60

    /// The duration in seconds.
    package var duration: TimeInterval { departure.timeIntervalSince(arrival) }

    /// Finds the stays in chronologically ordered steps.
    ///
    /// A single pass groups consecutive steps that lie within ``radius`` of the group's first step. A group that
    /// begins at most ``interruption`` after a recent group, and near its first step, continues that group. Groups
    /// that last at least ``minimum`` are stays.
    package static func all(in steps: [TimedTrack.Step]) -> [StayPoint] {
        var groups: [Range<Int>] = []
        var first = 0
        while first < steps.count {
            let anchor = steps[first].coordinate
            let end = steps[first...].firstIndex { $0.coordinate.distance(to: anchor) > radius } ?? steps.count
            let continued = groups.suffix(recent).lastIndex { group in
                steps[first].time.timeIntervalSince(steps[group.upperBound - 1].time) <= interruption
                    && steps[group.lowerBound].coordinate.distance(to: anchor) <= radius
            }
            if let continued {
                let begin = groups[continued].lowerBound
                groups.replaceSubrange(continued..., with: CollectionOfOne(begin..<end))
            } else {
                groups.append(first..<end)
            }
            first = end
        }
        return groups.map { StayPoint(of: steps, in: $0) }.filter { $0.duration >= minimum }
    }

    /// The number of recent groups that a new group may continue.
    private static let recent = 4

    private init(of all: [TimedTrack.Step], in range: Range<Int>) {
        self.steps = range
        self.centre = .mean(of: all[range].lazy.map(\.coordinate))
        self.arrival = all[range.lowerBound].time
        self.departure = all[range.upperBound - 1].time
    }
}

extension Coordinate {
    /// The mean of points that lie near the first one; there is at least one.
    static func mean(of points: some RandomAccessCollection<Coordinate>) -> Coordinate {
        let first = points[points.startIndex]
        var north = 0.0
        var east = 0.0
        for point in points {
            north += point.latitude - first.latitude
            east += wrapped(point.longitude - first.longitude)
        }
        let count = Double(points.count)
        // Both components are clamped to their ranges, so that this does not throw.
        let middle = try? Coordinate(
            latitude: min(max(first.latitude + north / count, -90), 90),
            longitude: wrapped(first.longitude + east / count))
        return middle ?? first
    }

    /// The equivalent longitude in -180…180.
    private static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }
}
