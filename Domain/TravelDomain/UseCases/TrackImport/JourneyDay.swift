#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The part of a track that was recorded on one local day.
struct JourneyDay {
    /// The date.
    let day: CalendarDay
    private var steps: [TimedTrack.Step] = []
    private var stepTimes: [TimeOfDay] = []
    private var marks: [TimedTrack.Mark] = []
    private var markTimes: [TimeOfDay] = []
    private var grid = MarkGrid(size: Self.nearby)

    /// The maximum distance in metres between a mark and a moment that it covers.
    static let nearby = StayPoint.radius
    /// The maximum time in seconds between them.
    static let soon = 30.0 * 60

    /// Creates an empty day.
    init(_ day: CalendarDay) {
        self.day = day
    }

    /// Appends the next step, with its local time.
    mutating func add(_ step: TimedTrack.Step, at time: TimeOfDay) {
        steps.append(step)
        stepTimes.append(time)
    }

    /// Appends the next mark, with its local time, unless it repeats a recent mark with the same name at the same
    /// place.
    mutating func add(_ mark: TimedTrack.Mark, at time: TimeOfDay) {
        if grid.contains(like: mark, within: Self.soon) { return }
        grid.add(mark)
        marks.append(mark)
        markTimes.append(time)
    }

    /// The moments in order; `number` is the day of the travel.
    func moments(number: Int, isTimed: Bool) -> [JourneyMoment] {
        var moments = zip(marks, markTimes).map { mark, time in
            JourneyMoment(
                .mark(mark.waypoint), day: number, time: time, coordinate: mark.waypoint.coordinate,
                elevation: mark.waypoint.elevation, isPassed: mark.isPassed)
        }
        for (moment, steps) in routeMoments(number, isTimed ? StayPoint.all(in: steps) : [], isTimed: isTimed) {
            if let mark = mark(covering: moment, steps) {
                moments[mark].stayed = max(moments[mark].stayed, moment.stayed)
                moments[mark].distance = moments[mark].distance ?? moment.distance
            } else {
                moments.append(moment)
            }
        }
        return moments.sortedStably { ($0.time, $0.rank) < ($1.time, $1.rank) }
    }

    /// The first mark that covers a moment with those steps, found by binary search; marks are in chronological order.
    private func mark(covering moment: JourneyMoment, _ range: ClosedRange<Int>) -> Int? {
        let begin = steps[range.lowerBound].time.addingTimeInterval(-Self.soon)
        let end = steps[range.upperBound].time.addingTimeInterval(Self.soon)
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].time < begin { low = middle + 1 } else { high = middle }
        }
        return marks[low...].prefix { $0.time <= end }.firstIndex {
            $0.waypoint.coordinate.distance(to: moment.coordinate) <= Self.nearby
        }
    }

    /// The departure, the stays and the arrival, each with its steps. The departure is the end of a stay that begins
    /// the day, and the arrival the beginning of a stay that ends it.
    private func routeMoments(
        _ number: Int, _ stays: [StayPoint], isTimed: Bool
    ) -> [(JourneyMoment, ClosedRange<Int>)] {
        guard let last = steps.indices.last else { return [] }
        let distance = distance(without: stays, isTimed: isTimed)
        func moment(_ kind: JourneyMoment.Kind, at step: Int, in stay: StayPoint?) -> (JourneyMoment, ClosedRange<Int>)
        {
            let moment = JourneyMoment(
                kind, day: number, time: stepTimes[step], coordinate: stay?.centre ?? steps[step].coordinate,
                elevation: steps[step].elevation, stayed: stay?.duration ?? 0,
                distance: kind == .stay ? nil : distance)
            return (moment, stay.map { $0.steps.lowerBound...$0.steps.upperBound - 1 } ?? step...step)
        }
        let opening = stays.first { $0.steps.lowerBound == 0 }
        let closing = stays.last { $0.steps.upperBound == steps.count }
        if last == 0 || (opening != nil && opening == closing) { return [moment(.stay, at: 0, in: opening)] }
        let between = stays.filter { $0 != opening && $0 != closing }
        return [moment(.departure, at: opening.map { $0.steps.upperBound - 1 } ?? 0, in: opening)]
            + between.map { moment(.stay, at: $0.steps.lowerBound, in: $0) }
            + [moment(.arrival, at: closing.map(\.steps.lowerBound) ?? last, in: closing)]
    }

    /// The recorded distance in metres, without jumps and without the jitter of the receiver during stays; `nil` when
    /// no two consecutive points were recorded.
    private func distance(without stays: [StayPoint], isTimed: Bool) -> Double? {
        var stays = stays[...]
        var last: [Int: Int] = [:]  // the latest step of each segment, because segments may overlap in time
        var distance: Double?
        for (index, step) in steps.enumerated() {
            while let stay = stays.first, stay.steps.upperBound <= index { stays.removeFirst() }
            let previous = last.updateValue(index, forKey: step.segment)
            guard let previous, !(stays.first?.steps.contains(previous) ?? false) else { continue }
            let (from, start) = (steps[previous].coordinate, steps[previous].time)
            if isTimed, OutlierFilter.isJump(from, start, step.coordinate, step.time) { continue }
            distance = (distance ?? 0) + from.distance(to: step.coordinate)
        }
        return distance
    }
}

extension JourneyMoment {
    /// The order of moments in the same minute.
    fileprivate var rank: Int {
        switch kind {
        case .departure: 0
        case .mark, .stay: 1
        case .arrival: 2
        }
    }
}
