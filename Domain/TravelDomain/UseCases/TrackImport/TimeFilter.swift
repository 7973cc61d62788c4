#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

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
    /// Reverses a segment that runs backwards in time. Removes times more than a year from the median, which come
    /// from a clock that was not yet set. Of the rest, keeps the longest non-decreasing subsequence.
    package func cleaned(_ segment: [TrackPoint]) -> [TrackPoint] {
        var points = segment.map { $0.with(time: possible($0.time)) }
        let known = points.compactMap(\.time)
        guard let first = known.first, let last = known.last else { return points }
        if first > last { points.reverse() }

        let median = known.sorted()[known.count / 2]
        let year: TimeInterval = 366 * 86_400
        points = points.map { point in
            guard let time = point.time, abs(time.timeIntervalSince(median)) > year else { return point }
            return point.with(time: nil)
        }
        let timed = points.indices.filter { points[$0].time != nil }
        let kept = Self.longestOrder(of: timed.compactMap { points[$0].time })
        if kept.count == timed.count { return points }
        for index in Set(timed.indices).subtracting(kept).map({ timed[$0] }) {
            points[index] = points[index].with(time: nil)
        }
        return points
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
    fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = predicate(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }

    /// Sorts stably: equal elements keep their order.
    func sortedStably(by precedes: (Element, Element) -> Bool) -> [Element] {
        enumerated()
            .sorted { precedes($0.element, $1.element) || !precedes($1.element, $0.element) && $0.offset < $1.offset }
            .map(\.element)
    }
}
