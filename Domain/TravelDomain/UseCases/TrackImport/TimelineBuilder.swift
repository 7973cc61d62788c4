/// The moments of a recorded journey that are worth an entry, on the days of the trip.
///
/// Every day on which the way was recorded has its departure, its arrival and the stays between them; every mark
/// has its moment. What a mark already tells is not told twice.
package struct TimelineBuilder {
    /// The days of the trip: from the first local day that has a point through the last.
    package let days: DayRange
    /// The moments, by day and time.
    package let moments: [JourneyMoment]
    /// How many moments were left out of days that had more than ``momentsADay``.
    package let omitted: Int

    /// How many moments a day has at most.
    package static let momentsADay = 30

    /// The moments of `track`.
    package init(_ track: TimedTrack) {
        let days = Self.days(of: track)
        let first = days[0].day
        var omitted = 0
        self.moments = days.flatMap { day in
            let all = day.moments(number: first.days(until: day.day) + 1, isTimed: track.isTimed)
            let kept = Self.mostTelling(all)
            omitted += all.count - kept.count
            return kept
        }
        self.days = DayRange(first, days: first.days(until: days[days.count - 1].day) + 1)
        self.omitted = omitted
    }

    /// The local days that have a point, in order; at least one. A way without times of its own keeps the zone of
    /// its start.
    private static func days(of track: TimedTrack) -> [JourneyDay] {
        var clock = LocalClock()
        var days: [CalendarDay: JourneyDay] = [:]
        let start = track.isTimed ? nil : track.steps[0].coordinate
        // Marks and steps are read in one order of time, so that both are told in the same zone.
        var marks = track.marks[...]
        func readMarks(until isReached: (TimedTrack.Mark) -> Bool) {
            while let mark = marks.first, !isReached(mark) {
                let (day, time) = clock.read(mark.time, at: start ?? mark.waypoint.coordinate)
                days[day, default: JourneyDay(day)].add(mark, at: time)
                marks.removeFirst()
            }
        }
        for step in track.steps {
            readMarks { $0.time >= step.time }
            let (day, time) = clock.read(step.time, at: start ?? step.coordinate)
            days[day, default: JourneyDay(day)].add(step, at: time)
        }
        readMarks { _ in false }
        return days.values.sorted { $0.day < $1.day }
    }

    /// At most ``momentsADay`` of a day's moments, in their order: departure and arrival, then marks from all over
    /// the day, then the longest stays.
    private static func mostTelling(_ moments: [JourneyMoment]) -> [JourneyMoment] {
        if moments.count <= momentsADay { return moments }
        var ends: [Int] = []
        var marks: [Int] = []
        var stays: [Int] = []
        for (index, moment) in moments.enumerated() {
            switch moment.kind {
            case .departure, .arrival: ends.append(index)
            case .mark: marks.append(index)
            case .stay: stays.append(index)
            }
        }
        let room = momentsADay - ends.count
        if marks.count > room { marks = (0..<room).map { marks[$0 * marks.count / room] } }
        stays.sort { (moments[$0].stayed, $1) > (moments[$1].stayed, $0) }
        return (ends + marks + stays).prefix(momentsADay).sorted().map { moments[$0] }
    }
}
