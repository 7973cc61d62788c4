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
    /// The places in ``marks`` by what is written there.
    private var marksByName: [String?: [Int]] = [:]

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
        let isKnown = marksByName[mark.waypoint.name, default: []].contains { index in
            mark.time.timeIntervalSince(marks[index].time) <= Self.soon
                && marks[index].waypoint.coordinate.distance(to: mark.waypoint.coordinate) <= Self.nearby
        }
        if isKnown { return }
        marksByName[mark.waypoint.name, default: []].append(marks.count)
        marks.append(mark)
        markTimes.append(time)
    }

    /// The moments of the day, in order, on the day of the trip with that number.
    func moments(number: Int, findingStays: Bool) -> [JourneyMoment] {
        var moments = zip(marks, markTimes).map { mark, time in
            JourneyMoment(
                .mark(mark.waypoint), day: number, time: time, coordinate: mark.waypoint.coordinate,
                elevation: mark.waypoint.elevation)
        }
        for (moment, steps) in wayMoments(number, findingStays ? Stay.all(in: steps) : []) {
            if let mark = marks.firstIndex(where: { tells($0, of: moment, steps) }) {
                moments[mark].stayed = max(moments[mark].stayed, moment.stayed)
                moments[mark].distance = moments[mark].distance ?? moment.distance
            } else {
                moments.append(moment)
            }
        }
        return moments.sortedStably { ($0.time, $0.rank) < ($1.time, $1.rank) }
    }

    private func tells(_ mark: TimedTrack.Mark, of moment: JourneyMoment, _ range: ClosedRange<Int>) -> Bool {
        mark.time >= steps[range.lowerBound].time.addingTimeInterval(-Self.soon)
            && mark.time <= steps[range.upperBound].time.addingTimeInterval(Self.soon)
            && mark.waypoint.coordinate.distance(to: moment.coordinate) <= Self.nearby
    }

    /// Departure, stays and arrival, each with the steps it is made of. One leaves at the end of a stay that opens
    /// the day and arrives at the beginning of one that closes it.
    private func wayMoments(_ number: Int, _ stays: [Stay]) -> [(JourneyMoment, ClosedRange<Int>)] {
        guard let last = steps.indices.last else { return [] }
        func moment(_ kind: JourneyMoment.Kind, at step: Int, in stay: Stay?) -> (JourneyMoment, ClosedRange<Int>) {
            let moment = JourneyMoment(
                kind, day: number, time: stepTimes[step], coordinate: stay?.centre ?? steps[step].coordinate,
                elevation: steps[step].elevation, stayed: stay?.duration ?? 0,
                distance: kind == .stay ? nil : distance(without: stays))
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
    private func distance(without stays: [Stay]) -> Double? {
        var stays = stays[...]
        var last: [Int: Int] = [:]  // the latest step of each segment: two receivers may have recorded at once
        var distance: Double?
        for (index, step) in steps.enumerated() {
            while let stay = stays.first, stay.steps.upperBound <= index { stays.removeFirst() }
            let previous = last.updateValue(index, forKey: step.segment)
            guard let previous, !(stays.first?.steps.contains(previous) ?? false) else { continue }
            distance = (distance ?? 0) + steps[previous].coordinate.distance(to: step.coordinate)
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
