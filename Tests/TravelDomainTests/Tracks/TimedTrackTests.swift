import Foundation
import Testing
import TravelDomain

@Suite("The times of a track")
struct TimedTrackTests {
    private func minutes(_ segments: [[TrackPoint]]) throws -> [Double] {
        try TimedTrack(Track(segments: segments), now: Walk.now).steps.map { Walk.minutes($0.time).rounded() }
    }

    @Test("correct times do not change")
    func goodTimes() throws {
        let track = Track(segments: [[try Walk.point(0, at: 0), try Walk.point(10, at: 0), try Walk.point(20, at: 3)]])
        let timed = try TimedTrack(track, now: Walk.now)
        #expect(timed.steps.map { Walk.minutes($0.time) } == [0, 0, 3])
        #expect(timed.estimatedTimes == 0)
        #expect(timed.isTimed)
    }

    @Test("missing times are interpolated by distance")
    func missingTimes() throws {
        #expect(
            try minutes([
                [
                    try Walk.point(0, at: 0), try Walk.point(300, at: nil), try Walk.point(400, at: nil),
                    try Walk.point(1_000, at: 100),
                ]
            ]) == [0, 30, 40, 100])
    }

    @Test("missing times are interpolated by index without movement")
    func missingTimesInOnePlace() throws {
        #expect(
            try minutes([[try Walk.point(0, at: 0), try Walk.point(0, at: nil), try Walk.point(0, at: 8)]]) == [
                0, 4, 8,
            ])
    }

    @Test("times before the first and after the last known one are those of a walk, within the day")
    func missingEnds() throws {
        let points = [
            try Walk.point(0, at: nil), try Walk.point(2_000, at: 0), try Walk.point(3_000, at: nil),
            try Walk.point(103_000, at: nil),
        ]
        let untilMidnight = 14.0 * 60 + 45
        #expect(try minutes([points]) == [-30, 0, 15, untilMidnight])
        let timed = try TimedTrack(Track(segments: [points]), now: Walk.now)
        #expect(timed.estimatedTimes == 3)
        #expect(TimelineBuilder(timed).days.count == 1)
    }

    @Test(
        "impossible times count as missing",
        arguments: [
            ("before GPS", Date(timeIntervalSince1970: 315_964_799)),
            ("at the epoch of Unix", Date(timeIntervalSince1970: 0)),
            ("more than a day ahead", Walk.now.addingTimeInterval(86_401)),
            ("years before the rest", Date(timeIntervalSince1970: 946_684_800)),
            ("out of order", Walk.morning.addingTimeInterval(-3_600)),
            ("out of order by days", Walk.morning.addingTimeInterval(86_400 * 5)),
        ])
    func impossibleTimes(name: String, time: Date) throws {
        let points = [
            try Walk.point(0, at: 0), try Walk.point(100, at: 1), try Walk.point(200, at: 2),
            TrackPoint(coordinate: try Walk.place(north: 300), time: time),
            try Walk.point(400, at: 4), try Walk.point(500, at: 5), try Walk.point(600, at: 6),
        ]
        let timed = try TimedTrack(Track(segments: [points]), now: Walk.now)
        #expect(timed.steps.map { Walk.minutes($0.time).rounded() } == [0, 1, 2, 3, 4, 5, 6])
        #expect(timed.estimatedTimes == 1)
    }

    @Test("times of a clock that is not yet set count as missing, even in order")
    func clockNotSet() throws {
        let unset = Date(timeIntervalSince1970: 946_684_800)  // 1 January 2000
        let points = [
            TrackPoint(coordinate: try Walk.place(north: -1_000), time: unset), try Walk.point(0, at: 0),
            try Walk.point(100, at: 2), try Walk.point(200, at: 4),
        ]
        #expect(try minutes([points]) == [-15, 0, 2, 4])
    }

    @Test("a segment with descending times is reversed")
    func backwardSegment() throws {
        let timed = try TimedTrack(
            Track(segments: [[try Walk.point(300, at: 9), try Walk.point(200, at: 6), try Walk.point(0, at: 0)]]),
            now: Walk.now)
        #expect(timed.steps.map { Walk.minutes($0.time) } == [0, 6, 9])
        #expect(timed.estimatedTimes == 0)
    }

    @Test("one wrong time at the end of a segment does not reverse it", arguments: [0, 4])
    func wrongEnd(at index: Int) throws {
        var points = try (0...4).map { try Walk.point(Double($0) * 100, at: Double($0) * 2) }
        points[index] = try Walk.point(Double(index) * 100, at: index == 0 ? 60 : -60)
        let timed = try TimedTrack(Track(segments: [points]), now: Walk.now)
        #expect(timed.steps.map(\.coordinate) == points.map(\.coordinate))
        #expect(timed.estimatedTimes == 1)
    }

    @Test("one wrong time at the end of a segment with descending times does not keep it from being reversed")
    func wrongEndOfBackwardSegment() throws {
        var points = try (0...4).map { try Walk.point(Double($0) * 100, at: -Double($0) * 2) }
        points[4] = try Walk.point(400, at: 60)
        let timed = try TimedTrack(Track(segments: [points]), now: Walk.now)
        #expect(timed.steps.map(\.coordinate) == points.map(\.coordinate).reversed())
        #expect(timed.estimatedTimes == 1)
    }

    @Test("segments are ordered by time, and a segment without times follows its predecessor")
    func segmentsInOrder() throws {
        let timed = try TimedTrack(
            Track(segments: [
                [try Walk.point(500, at: 50), try Walk.point(600, at: 60)], [try Walk.point(700, at: nil)],
                [try Walk.point(0, at: 0), try Walk.point(100, at: 10)],
            ]), now: Walk.now)
        #expect(timed.steps.map(\.segment) == [0, 0, 1, 1, 2])
        #expect(timed.steps.map { Walk.minutes($0.time).rounded() } == [0, 10, 50, 60, 62])
    }

    @Test("overlapping segments are merged in chronological order")
    func twoReceivers() throws {
        let times = try minutes([
            [try Walk.point(0, at: 0), try Walk.point(100, at: 2), try Walk.point(200, at: 4)],
            [try Walk.point(1, at: 1), try Walk.point(101, at: 3), try Walk.point(201, at: 5)],
        ])
        #expect(times == [0, 1, 2, 3, 4, 5])
    }

    @Test("without times, the track is a walk of 4 km per hour from 09:00 on the day of the recording")
    func noTimesAtAll() throws {
        let points = [try Walk.point(0, at: nil), try Walk.point(2_000, at: nil), try Walk.point(6_000, at: nil)]
        let timed = try TimedTrack(
            Track(time: Walk.morning.addingTimeInterval(10 * 3_600), segments: [points]), now: Walk.now)
        #expect(timed.steps.map { Walk.minutes($0.time).rounded() } == [-15, 15, 75])
        #expect(!timed.isTimed)
        #expect(timed.estimatedTimes == 3)
    }

    @Test(
        "without a possible time of recording, or with that of an export today, the day must be given",
        arguments: [
            nil, Date(timeIntervalSince1970: 0), Date.distantFuture, Walk.now, Walk.now.addingTimeInterval(-86_399),
        ] as [Date?])
    func noDayEither(time: Date?) throws {
        let track = Track(time: time, segments: [[try Walk.point(0, at: nil)]])
        #expect(throws: TravelError.invalid(.init(.date, .empty))) { try TimedTrack(track, now: Walk.now) }
        let timed = try TimedTrack(track, now: Walk.now, day: CalendarDay("2023-02-01"))
        #expect(timed.dayOrigin == .given)
        #expect(timed.steps.map { $0.time.ISO8601Format() } == ["2023-02-01T00:00:00Z"])
    }

    @Test("a day is refused for a track with times")
    func dayOfATimedTrack() throws {
        let track = Track(segments: [[try Walk.point(0, at: 0)]])
        let error = #expect(throws: TravelError.self) {
            try TimedTrack(track, now: Walk.now, day: CalendarDay("2023-02-01"))
        }
        guard case .invalid(let violation)? = error else { return }
        #expect(violation.field == .date)
    }

    @Test("without times, the track stays on one day, however long it is")
    func longWayWithoutTimes() throws {
        let points = try (0...40).map { number in
            TrackPoint(coordinate: try Coordinate(latitude: 50, longitude: Double(number) * 4 - 80))
        }
        let timeline = TimelineBuilder(
            try TimedTrack(Track(segments: [points]), now: Walk.now, day: CalendarDay("2024-05-01")))
        #expect(timeline.days.count == 1)
        #expect(timeline.moments.map(\.time.description) == ["09:00", "23:59"])
    }

    @Test("routes replace missing segments, and waypoints replace missing routes")
    func waysWithoutATrack() throws {
        let route = [try Walk.mark(nil, 0), try Walk.mark("길목", 1_000), try Walk.mark(nil, 2_000)]
        let byRoute = try TimedTrack(
            Track(waypoints: [try Walk.mark("다른 곳", 9_000)], routes: [route]), now: Walk.now,
            day: CalendarDay("2024-05-01"))
        #expect(byRoute.steps.map(\.segment) == [0, 0, 0])
        #expect(byRoute.marks.map(\.waypoint.name) == ["길목", "다른 곳"])

        let waypoints = [try Walk.mark("나중", 900, at: 50), try Walk.mark("처음", 0, at: 0), try Walk.mark("그다음", 10)]
        let byWaypoints = try TimedTrack(Track(waypoints: waypoints), now: Walk.now)
        #expect(byWaypoints.steps.map { Walk.minutes($0.time).rounded() } == [0, 1, 50])
        #expect(byWaypoints.marks.map(\.waypoint.name) == ["처음", "그다음", "나중"])
        #expect(byWaypoints.estimatedTimes == 1)
    }

    @Test(
        "a mark keeps its time within a few days of the track, or else gets that of the nearest step",
        arguments: [
            (nil, 20.0), (25.0, 25.0), (-60.0 * 24 * 6, -60.0 * 24 * 6), (-60.0 * 24 * 8, 20.0),
            (-60.0 * 24 * 900, 20.0),
            (60.0 * 24 * 25, 20.0), (60.0 * 24 * 9_000, 20.0),
        ] as [(Double?, Double)])
    func marks(made: Double?, expected: Double) throws {
        let points = [try Walk.point(0, at: 0), try Walk.point(500, at: 10), try Walk.point(1_000, at: 20)]
        let mark = try Walk.mark("정자", 1_100, at: made)
        let timed = try TimedTrack(Track(waypoints: [mark], segments: [points]), now: Walk.now)
        #expect(timed.marks.map { Walk.minutes($0.time).rounded() } == [expected])
        #expect(timed.estimatedTimes == (made == expected ? 0 : 1))
    }

    @Test("a waypoint without name and note is not a mark beside a track")
    func blankWaypoints() throws {
        let waypoints = [
            try Walk.mark(nil, 0), try Walk.mark(" \n", 0), try Walk.mark(nil, 0, note: "샘물"), try Walk.mark("샘", 0),
        ]
        let timed = try TimedTrack(Track(waypoints: waypoints, segments: [[try Walk.point(0, at: 0)]]), now: Walk.now)
        #expect(timed.marks.map(\.waypoint) == [waypoints[2], waypoints[3]])
    }

    @Test(
        "a track without points is rejected",
        arguments: [
            Track(name: "빈 기록", time: Walk.morning), Track(routes: [[]], segments: [[], []]),
        ])
    func empty(track: Track) {
        #expect(throws: TravelError.invalid(.init(.track, .empty))) { try TimedTrack(track, now: Walk.now) }
    }
}
