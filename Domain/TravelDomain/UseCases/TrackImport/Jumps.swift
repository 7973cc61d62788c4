#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Jumps in a recording that no vehicle makes: fixes far off, such as the null island of a receiver that has none yet.
enum Jumps {
    /// Faster than any airliner with the wind behind it, in metres a second: 1,260 km an hour.
    static let speed = 350.0
    /// How far off a fix without a time lies at least, in metres.
    static let distance = 500_000.0
    /// How many fixes in a row are taken for stray ones.
    static let strayCount = 3

    /// Whether nobody gets from one point to the other in the time between them.
    static func isJump(_ from: Coordinate, _ start: Date?, _ to: Coordinate, _ end: Date?) -> Bool {
        let distance = from.distance(to: to)
        guard let start, let end else { return distance > Self.distance }
        // Times are told in whole seconds.
        return distance > speed * (abs(end.timeIntervalSince(start)) + 1)
    }

    /// The points of a segment without the few that lie beyond a jump from all around them.
    static func removed(from segment: [TrackPoint]) -> [TrackPoint] {
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
            if run.count <= strayCount, isStray(number, runs, segment, after: kept.last) { continue }
            kept += segment[run]
        }
        return kept
    }

    private static func isStray(
        _ number: Int, _ runs: [Range<Int>], _ segment: [TrackPoint], after last: TrackPoint?
    ) -> Bool {
        let next = number + 1 < runs.count ? segment[runs[number + 1].lowerBound] : nil
        // In between: the way goes on behind it as if it were not there.
        if let last, let next { return !isJump(last.coordinate, last.time, next.coordinate, next.time) }
        // At an end: only times tell that it is not the beginning or the end of the way.
        guard segment[runs[number].lowerBound].time != nil, (next ?? last)?.time != nil else { return false }
        let neighbour = next == nil ? runs[number - 1] : runs[number + 1]
        return neighbour.count > max(runs[number].count, strayCount)
    }
}
