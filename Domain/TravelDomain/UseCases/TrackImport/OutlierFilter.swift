#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
