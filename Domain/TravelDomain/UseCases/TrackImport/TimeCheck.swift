#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Which of the times in a recording can be true.
package struct TimeCheck {
    /// The first moment of GPS time, 6 January 1980 (IS-GPS-200): no receiver recorded anything before it.
    package static let beginningOfGPS = Date(timeIntervalSince1970: 315_964_800)

    private let range: ClosedRange<Date>

    /// A check made at `now`, which a clock that is fast by up to a day still passes.
    package init(now: Date) {
        self.range = Self.beginningOfGPS...max(Self.beginningOfGPS, now.addingTimeInterval(86_400))
    }

    /// The time, if a receiver can have seen it.
    package func possible(_ time: Date?) -> Date? {
        time.flatMap { range.contains($0) ? $0 : nil }
    }

    /// Whether a quarter of the points or more were recorded over a year from the median, without a year between two of
    /// them: that is no clock that was not set.
    func takesYears(_ segment: [TrackPoint]) -> Bool {
        let times = segment.compactMap { possible($0.time) }.sorted()
        guard times.count > 1 else { return false }
        let median = times[times.count / 2]
        let farCount = times.count { abs($0.timeIntervalSince(median)) > TimedTrack.longest }
        return farCount * 4 >= times.count
            && zip(times, times.dropFirst()).allSatisfy { $1.timeIntervalSince($0) <= TimedTrack.longest }
    }

    /// The points of a segment, in order of time, without the times that cannot be true.
    ///
    /// A segment that runs backward in time is turned round. Times more than a year from the median are those of
    /// a clock not yet set. Of the rest as many are kept as can be kept in order.
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

    /// The indices of the longest part of `times` in which none is earlier than the one before it.
    ///
    /// Patience sorting: O(n log n).
    static func longestOrder(of times: [Date]) -> [Int] {
        if zip(times, times.dropFirst()).allSatisfy(<=) { return Array(times.indices) }
        var tails: [Int] = []  // tails[k] ends the best order of k + 1 times
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
    /// The index of the first element that meets `predicate`, which every later one does too; `count` without one.
    fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = predicate(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }

    /// The elements in order, those that are equal in it as they were.
    func sortedStably(by precedes: (Element, Element) -> Bool) -> [Element] {
        enumerated()
            .sorted { precedes($0.element, $1.element) || !precedes($1.element, $0.element) && $0.offset < $1.offset }
            .map(\.element)
    }
}
