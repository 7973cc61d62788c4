import Foundation
import Testing
import TravelDomain

@Suite("The moments of a journey")
struct TimelineBuilderTests {
    private func timeline(_ waypoints: [Waypoint] = [], _ segments: [TrackPoint]...) throws -> TimelineBuilder {
        TimelineBuilder(try TimedTrack(Track(waypoints: waypoints, segments: segments), now: Walk.now))
    }

    private func told(_ timeline: TimelineBuilder) -> [String] {
        timeline.moments.map { moment in
            let kind =
                switch moment.kind {
                case .departure: "departure"
                case .arrival: "arrival"
                case .stay: "stay"
                case .mark(let waypoint): waypoint.name ?? "mark"
                }
            return "\(moment.day) \(moment.time) \(kind)"
        }
    }

    @Test("a day without stays has a departure and an arrival, with the distance")
    func oneWay() throws {
        let timeline = try timeline(
            [], [try Walk.point(0, at: 0), try Walk.point(800, at: 10), try Walk.point(0, at: 20)])
        #expect(told(timeline) == ["1 09:15 departure", "1 09:35 arrival"])
        #expect(timeline.moments.allSatisfy { abs(($0.distance ?? 0) - 1_600) < 2 })
        #expect(timeline.omitted.isEmpty)
    }

    @Test("a stay is a moment at the time of arrival, with its duration")
    func stay() throws {
        let timeline = try timeline(
            [],
            [
                try Walk.point(0, at: 0), try Walk.point(800, at: 10), try Walk.point(820, at: 45),
                try Walk.point(1_600, at: 60),
            ])
        #expect(told(timeline) == ["1 09:15 departure", "1 09:25 stay", "1 10:15 arrival"])
        #expect(timeline.moments.map(\.stayed) == [0, 35 * 60, 0])
    }

    @Test("the departure is the end of a first stay, and the arrival the beginning of a last stay")
    func staysAtTheEnds() throws {
        let timeline = try timeline(
            [],
            [
                try Walk.point(0, at: 0), try Walk.point(10, at: 40), try Walk.point(900, at: 60),
                try Walk.point(910, at: 100),
            ])
        #expect(told(timeline) == ["1 09:55 departure", "1 10:15 arrival"])
        let fortyMinutes: TimeInterval = 40 * 60
        #expect(timeline.moments.map(\.stayed) == [fortyMinutes, fortyMinutes])
    }

    @Test("a day in one place, or with one point, is a single stay")
    func restDay() throws {
        #expect(told(try timeline([], [try Walk.point(0, at: 0), try Walk.point(9, at: 90)])) == ["1 09:15 stay"])
        #expect(told(try timeline([], [try Walk.point(0, at: 0)])) == ["1 09:15 stay"])
    }

    @Test("days are local, and include days without moments")
    func days() throws {
        let hour = 60.0
        let timeline = try timeline(
            [], [try Walk.point(0, at: 0), try Walk.point(900, at: 14 * hour)],
            [try Walk.point(1_800, at: 15 * hour), try Walk.point(2_700, at: 16 * hour)],
            [try Walk.point(0, at: 72 * hour), try Walk.point(5_000, at: 73 * hour)])
        #expect(timeline.days == DayRange(try CalendarDay("2024-05-01"), days: 4))
        #expect(
            told(timeline) == [
                "1 09:15 departure", "1 23:15 arrival", "2 00:15 departure", "2 01:15 arrival", "4 09:15 departure",
                "4 10:15 arrival",
            ])
    }

    @Test("a mark replaces a moment that is near in place and time")
    func markReplacesNearMoment() throws {
        let points = [
            try Walk.point(0, at: 0), try Walk.point(2_000, at: 60), try Walk.point(2_010, at: 120),
            try Walk.point(0, at: 180),
        ]
        let marks = [try Walk.mark("대문", 20, at: 5), try Walk.mark("찻집", 2_050, at: 70)]
        let timeline = try timeline(marks, points)
        #expect(told(timeline) == ["1 09:20 대문", "1 10:25 찻집", "1 12:15 arrival"])
        #expect(timeline.moments.map(\.stayed) == [0, 3_600, 0])
        #expect(timeline.moments[0].distance != nil)
    }

    @Test("repeated marks at one place are one moment")
    func sameMark() throws {
        let marks = [
            try Walk.mark("샘", 500, at: 10), try Walk.mark("샘", 505, at: 12), try Walk.mark("샘", 500, at: 300),
            try Walk.mark("바위", 500, at: 10),
        ]
        #expect(
            told(try timeline(marks, [try Walk.point(0, at: 0), try Walk.point(9_000, at: 400)])) == [
                "1 09:15 departure", "1 09:25 샘", "1 09:25 바위", "1 14:15 샘", "1 15:55 arrival",
            ])
    }

    @Test("moments in the same minute are ordered: departure, marks, arrival")
    func oneMinute() throws {
        let points = [try Walk.point(0, at: 0), try Walk.point(500, at: 0.4), try Walk.point(1_000, at: 0.8)]
        #expect(
            told(try timeline([try Walk.mark("중간", 500)], points)) == [
                "1 09:15 departure", "1 09:15 중간", "1 09:15 arrival",
            ])
    }

    @Test("the distance excludes gaps and the jitter of the receiver during stays")
    func distance() throws {
        let wandering = try (0...60).map { try Walk.point(900 + Double($0 % 2) * 50, at: 20 + Double($0)) }
        let timeline = try timeline(
            [], [try Walk.point(0, at: 0), try Walk.point(900, at: 19)] + wandering,
            [try Walk.point(5_000, at: 200), try Walk.point(5_900, at: 220)])
        #expect(abs((timeline.moments[0].distance ?? 0) - 1_800) < 2)
    }

    @Test("a track of waypoints has no distance")
    func waypointsAlone() throws {
        let timeline = try timeline([
            try Walk.mark(nil, 0, at: 0), try Walk.mark("전망대", 900, at: 30), try Walk.mark(nil, 3_000, at: 90),
        ])
        #expect(told(timeline) == ["1 09:15 departure", "1 09:45 전망대", "1 10:45 arrival"])
        #expect(timeline.moments.allSatisfy { $0.distance == nil })
    }

    @Test("a day has at most 30 moments: the ends, evenly spread marks, then the longest stays")
    func limit() throws {
        let marks = try (0..<25).map { try Walk.mark("표시 \($0)", Double($0) * 1_000 + 500, at: Double($0) * 30 + 15) }
        let points = try (0..<25).flatMap { number in
            let stay = 16 + Double(number % 5) * 2
            return [
                try Walk.point(Double(number) * 1_000, at: Double(number) * 30),
                try Walk.point(Double(number) * 1_000, at: Double(number) * 30 + stay - 10),
                try Walk.point(Double(number) * 1_000, at: Double(number) * 30 + stay),
            ]
        }
        let timeline = try timeline(marks.filter { $0.name != "표시 3" }, points)
        #expect(timeline.moments.count == 30)
        #expect(timeline.omitted.count == 25 + 24 - 30)
        #expect(timeline.moments.count { if case .mark = $0.kind { true } else { false } } == 24)
        let stays = timeline.moments.filter { $0.kind == .stay }
        #expect(stays.map { $0.stayed / 60 } == [24, 24, 24, 24])
        #expect(timeline.moments.contains { $0.kind == .departure })
        #expect(timeline.moments.contains { $0.kind == .arrival })

        let many = try (0..<500).map { try Walk.mark("표시 \($0)", Double($0) * 200, at: Double($0)) }
        let crowded = try self.timeline(many, [try Walk.point(-900, at: -10), try Walk.point(120_000, at: 700)])
        #expect(crowded.moments.count == 30)
        #expect(crowded.omitted.count == 472)
        #expect((crowded.moments.dropLast().last?.time ?? .init(minutesSinceMidnight: 0)) > (try TimeOfDay(hour: 17)))
    }
}
