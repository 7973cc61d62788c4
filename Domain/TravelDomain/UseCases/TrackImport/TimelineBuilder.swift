/// Selects the moments of a track that become entries, on the days of the travel.
///
/// Every recorded day has its departure, its arrival and the stays between them; every mark has its moment. A moment
/// that a mark covers is merged into it.
package struct TimelineBuilder {
    /// The days of the travel: the first through the last local day that has a point.
    package let days: DayRange
    /// The moments, ordered by day and time.
    package let moments: [JourneyMoment]
    /// The number of moments that were omitted on days with too many.
    package let omitted: Int
    /// The zones of the times, in the order of the journey.
    package let zones: [LocalClock.Zone]

    /// The maximum number of moments per day. On journeys of many days it is less, so that all days fit in a timeline.
    package static let momentsADay = 30

    /// Selects the moments of `track`.
    package init(_ track: TimedTrack) {
        let (days, zones) = Self.days(of: track)
        self.zones = zones
        let first = days[0].day
        var omitted = 0
        let most = min(Self.momentsADay, RecordedTravel.maximumEntryCount / days.count)
        self.moments = days.flatMap { day in
            let all = day.moments(number: first.days(until: day.day) + 1, isTimed: track.isTimed)
            let kept = Self.mostRelevant(all, atMost: most)
            omitted += all.count - kept.count
            return kept
        }
        self.days = DayRange(first, days: first.days(until: days[days.count - 1].day) + 1)
        self.omitted = omitted
    }

    /// The local days that have a point, in order; at least one. A track without times of its own keeps the zone of its
    /// first point.
    private static func days(of track: TimedTrack) -> ([JourneyDay], [LocalClock.Zone]) {
        var clock = track.clock
        var days: [CalendarDay: JourneyDay] = [:]
        let start = track.isTimed ? nil : track.steps[0].coordinate
        // Marks and steps are read in chronological order together, so that both use the same zone.
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
        return (days.values.sorted { $0.day < $1.day }, clock.used)
    }

    /// Limits a day to `maximum` moments, in their order. Priority: departure and arrival, then marks spread
    /// evenly over the day, then the longest stays.
    private static func mostRelevant(_ moments: [JourneyMoment], atMost maximum: Int) -> [JourneyMoment] {
        if moments.count <= maximum { return moments }
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
        let room = max(maximum - ends.count, 0)
        if marks.count > room { marks = (0..<room).map { marks[$0 * marks.count / room] } }
        stays.sort { (moments[$0].stayed, $1) > (moments[$1].stayed, $0) }
        return (ends + marks + stays).prefix(maximum).sorted().map { moments[$0] }
    }
}
