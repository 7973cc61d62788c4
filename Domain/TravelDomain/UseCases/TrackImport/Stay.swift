#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A while spent in one place.
package struct Stay: Hashable, Sendable {
    /// Which of the steps lie in it.
    package var steps: Range<Int>
    /// The mean of its points.
    package var centre: Coordinate
    /// When it began.
    package var arrival: Date
    /// When it ended.
    package var departure: Date

    /// How far from its first point a stay may reach, in metres.
    package static let radius = 100.0
    /// How long one stays at least, in seconds.
    package static let minimum: TimeInterval = 15 * 60
    /// How long stray fixes may interrupt a stay, in seconds.
    package static let interruption: TimeInterval = 2 * 60

    /// How long it lasted, in seconds.
    package var duration: TimeInterval { departure.timeIntervalSince(arrival) }

    /// The stays among steps in order of time.
    ///
    /// One pass: steps gather round a first one until the way leads out of its ``radius``. A group that returns
    /// within the ``interruption`` to where a recent one was continues it. The groups that lasted the ``minimum``
    /// are the stays.
    package static func all(in steps: [TimedTrack.Step]) -> [Stay] {
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
        return groups.map { Stay(of: steps, in: $0) }.filter { $0.duration >= minimum }
    }

    /// How many groups back a stay is looked for that an interruption broke.
    private static let recent = 4

    private init(of all: [TimedTrack.Step], in range: Range<Int>) {
        self.steps = range
        self.centre = .mean(of: all[range].lazy.map(\.coordinate))
        self.arrival = all[range.lowerBound].time
        self.departure = all[range.upperBound - 1].time
    }
}

extension Coordinate {
    /// The middle of points that lie near the first of them; there is at least one.
    static func mean(of points: some RandomAccessCollection<Coordinate>) -> Coordinate {
        let first = points[points.startIndex]
        var north = 0.0
        var east = 0.0
        for point in points {
            north += point.latitude - first.latitude
            east += wrapped(point.longitude - first.longitude)
        }
        let count = Double(points.count)
        let middle = try? Coordinate(
            latitude: min(max(first.latitude + north / count, -90), 90),
            longitude: wrapped(first.longitude + east / count))
        return middle ?? first  // Both parts were just brought into their range.
    }

    /// The same longitude in -180…180.
    private static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }
}
