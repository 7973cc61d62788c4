#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What was recorded on one local day.
struct JourneyDay {
    /// Which day it is.
    let day: CalendarDay
    private var steps: [TimedTrack.Step] = []
    private var stepTimes: [TimeOfDay] = []
    private var marks: [TimedTrack.Mark] = []
    private var markTimes: [TimeOfDay] = []
    private var grid = MarkGrid(size: Self.nearby)

    /// How near a mark is to what it tells of, in metres.
    static let nearby = Stay.radius
    /// How near it is in time, in seconds.
    static let soon = 30.0 * 60

    /// A day with nothing recorded yet.
    init(_ day: CalendarDay) {
        self.day = day
    }

    /// Adds the next step, taken at that local time.
    mutating func add(_ step: TimedTrack.Step, at time: TimeOfDay) {
        steps.append(step)
        stepTimes.append(time)
    }

    /// Adds the next mark, made or passed at that local time; once where several were made at one place.
    mutating func add(_ mark: TimedTrack.Mark, at time: TimeOfDay) {
        if grid.contains(like: mark, within: Self.soon) { return }
        grid.add(mark)
        marks.append(mark)
        markTimes.append(time)
    }

    /// The moments of the day, in order, on the day of the trip with that number.
    func moments(number: Int, isTimed: Bool) -> [JourneyMoment] {
        var moments = zip(marks, markTimes).map { mark, time in
            JourneyMoment(
                .mark(mark.waypoint), day: number, time: time, coordinate: mark.waypoint.coordinate,
                elevation: mark.waypoint.elevation, isPassed: mark.isPassed)
        }
        for (moment, steps) in wayMoments(number, isTimed ? Stay.all(in: steps) : [], isTimed: isTimed) {
            if let mark = mark(telling: moment, steps) {
                moments[mark].stayed = max(moments[mark].stayed, moment.stayed)
                moments[mark].distance = moments[mark].distance ?? moment.distance
            } else {
                moments.append(moment)
            }
        }
        return moments.sortedStably { ($0.time, $0.rank) < ($1.time, $1.rank) }
    }

    /// The first mark that tells of a moment made of those steps; marks are in order of time.
    private func mark(telling moment: JourneyMoment, _ range: ClosedRange<Int>) -> Int? {
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

    /// Departure, stays and arrival, each with the steps it is made of. One leaves at the end of a stay that opens
    /// the day and arrives at the beginning of one that closes it.
    private func wayMoments(
        _ number: Int, _ stays: [Stay], isTimed: Bool
    ) -> [(JourneyMoment, ClosedRange<Int>)] {
        guard let last = steps.indices.last else { return [] }
        let distance = distance(without: stays, isTimed: isTimed)
        func moment(_ kind: JourneyMoment.Kind, at step: Int, in stay: Stay?) -> (JourneyMoment, ClosedRange<Int>) {
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

    /// The length of the recorded way in metres, without the wandering of the receiver during a stay; `nil` when
    /// nothing was recorded between any two points.
    private func distance(without stays: [Stay], isTimed: Bool) -> Double? {
        var stays = stays[...]
        var last: [Int: Int] = [:]  // the latest step of each segment: two receivers may have recorded at once
        var distance: Double?
        for (index, step) in steps.enumerated() {
            while let stay = stays.first, stay.steps.upperBound <= index { stays.removeFirst() }
            let previous = last.updateValue(index, forKey: step.segment)
            guard let previous, !(stays.first?.steps.contains(previous) ?? false) else { continue }
            let (from, start) = (steps[previous].coordinate, steps[previous].time)
            if isTimed, Jumps.isJump(from, start, step.coordinate, step.time) { continue }
            distance = (distance ?? 0) + from.distance(to: step.coordinate)
        }
        return distance
    }
}

extension JourneyMoment {
    /// The order of what happens in the same minute.
    fileprivate var rank: Int {
        switch kind {
        case .departure: 0
        case .mark, .stay: 1
        case .arrival: 2
        }
    }
}
