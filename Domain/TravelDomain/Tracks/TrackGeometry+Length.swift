extension TrackGeometry {
    /// The length of the way in metres: the one that every text, map and page states.
    ///
    /// It is the sum of the distances between consecutive positions of a segment; what lies between segments does not count.
    /// In a segment with times, noise of the receiver does not count either:
    ///
    /// - **Jitter**: what it records while it is within 100 metres of a place for 15 minutes or longer.
    /// - **Jumps**: what no vehicle can travel in the time between two positions, faster than 1,260 kilometres an hour.
    ///
    /// The distances of an imported trip's days, in the texts of its entries, add up to it.
    public var length: Double { legs.reduce(0) { $0 + $1.length } }

    /// The way from one position to the next.
    package struct Leg: Hashable, Sendable {
        package let length: Double
        /// The time of its end; `nil` in a segment without times.
        package let end: Date?
    }

    /// The ways that ``length`` counts: those of segments with times in the order of their ends, then the others.
    package var legs: [Leg] {
        let steps = Self.steps(of: points).map(\.step)
        var stays = StayPoint.all(in: steps)[...]
        var legs: [Leg] = []
        var last: [Int: Int] = [:]  // the latest step of each segment, because segments may overlap in time
        for (index, step) in steps.enumerated() {
            while let stay = stays.first, stay.steps.upperBound <= index { stays.removeFirst() }
            guard let previous = last.updateValue(index, forKey: step.segment) else { continue }
            // Within the stay; the way to it counts.
            if let stay = stays.first, stay.steps.contains(previous) { continue }
            let (from, start) = (steps[previous].coordinate, steps[previous].time)
            if OutlierFilter.isJump(from, start, step.coordinate, step.time) { continue }
            legs.append(Leg(length: from.distance(to: step.coordinate), end: step.time))
        }
        for (segment, times) in zip(segments, times) where times.isEmpty {
            legs += zip(segment, segment.dropFirst()).map { Leg(length: $0.distance(to: $1), end: nil) }
        }
        return legs
    }

    /// The indices of the first and the last position of each stay, in each segment.
    static func endsOfStays(in segments: [[TrackPoint]]) -> [Set<Int>] {
        var ends: [Set<Int>] = segments.map { _ in [] }
        let steps = steps(of: segments)
        for stay in StayPoint.all(in: steps.map(\.step)) {
            for (step, index) in [steps[stay.steps.lowerBound], steps[stay.steps.upperBound - 1]] {
                ends[step.segment].insert(index)
            }
        }
        return ends
    }

    /// The positions of the segments in which all have times, in chronological order, with their indices in the segments.
    private static func steps(of segments: [[TrackPoint]]) -> [(step: TimedTrack.Step, index: Int)] {
        segments.enumerated().flatMap { number, segment in
            let steps = segment.enumerated().compactMap { index, point in
                point.time.map {
                    (step: TimedTrack.Step(coordinate: point.coordinate, time: $0, segment: number), index: index)
                }
            }
            return steps.count == segment.count ? steps : []
        }
        .sortedStably { $0.step.time < $1.step.time }
    }
}
