import Testing
import TravelPresentation

@Suite("The wordings of imported tracks")
struct TrackWordingTests {
    @Test(
        "the English text of an entry states the same facts as the Korean one",
        arguments: [
            (
                .departure, 38.4, 3_600, 999.4, "Departure",
                "Stayed for 1 hour. 999 m on this day. 38 m above sea level."
            ),
            (.arrival, nil, 0, 12_345, "Arrival", "Arrived after 12.3 km."),
            (.departure, nil, 0, nil, "Departure", "The first record of this day."),
            (.arrival, nil, 0, nil, "Arrival", "The last record of this day."),
            (.stay, nil, 7_500, nil, "Stop", "Stayed for 2 hours 5 minutes."),
            (.stay, nil, 0, nil, "On the way", "Passed here."),
        ] as [(JourneyMoment.Kind, Double?, Double, Double?, String, String)])
    func english(
        kind: JourneyMoment.Kind, elevation: Double?, stayed: Double, distance: Double?, title: String, text: String
    ) throws {
        let moment = try moment(kind, elevation: elevation, stayed: stayed, distance: distance)
        #expect(EnglishTrackWording().title(of: moment) == title)
        #expect(EnglishTrackWording().text(of: moment) == text)
    }

    @Test(
        "the text of an entry states the duration, the distance and the elevation",
        arguments: [
            (.departure, nil, 0, 12_345, "출발", "이날 12.3km를 이동했다."),
            (.departure, 38.4, 3_600, 999.4, "출발", "1시간 동안 머물렀다. 이날 999m를 이동했다. 해발 38m."),
            (.arrival, -3.2, 0, 999.6, "도착", "1.0km를 이동해 도착했다. 해발 -3m."),
            (.departure, nil, 0, nil, "출발", "이날의 첫 기록이다."),
            (.arrival, nil, 0, nil, "도착", "이날의 마지막 기록이다."),
            (.stay, nil, 2_100, nil, "머문 곳", "35분 동안 머물렀다."),
            (.stay, 20_000, 7_500, nil, "머문 곳", "2시간 5분 동안 머물렀다."),
            (.stay, .nan, 0, nil, "지난 곳", "이곳을 지났다."),
        ] as [(JourneyMoment.Kind, Double?, Double, Double?, String, String)])
    func facts(
        kind: JourneyMoment.Kind, elevation: Double?, stayed: Double, distance: Double?, title: String, text: String
    ) throws {
        let moment = try moment(kind, elevation: elevation, stayed: stayed, distance: distance)
        #expect(KoreanTrackWording().title(of: moment) == title)
        #expect(KoreanTrackWording().text(of: moment) == text)
    }

    @Test(
        "the text of a mark says whether the route passes it", arguments: [(true, "이곳을 지났다."), (false, "이곳을 표시해 두었다.")])
    func marks(isPassed: Bool, text: String) throws {
        let place = try Coordinate(latitude: 37.5655, longitude: 126.978)
        let moment = try moment(.mark(Waypoint(coordinate: place)), isPassed: isPassed)
        #expect(KoreanTrackWording().title(of: moment) == "표시한 곳")
        #expect(KoreanTrackWording().text(of: moment) == text)
    }

    private func moment(
        _ kind: JourneyMoment.Kind, elevation: Double? = nil, stayed: Double = 0, distance: Double? = nil,
        isPassed: Bool = true
    ) throws -> JourneyMoment {
        JourneyMoment(
            kind, day: 1, time: try TimeOfDay(hour: 9),
            coordinate: try Coordinate(latitude: 37.5655, longitude: 126.978),
            elevation: elevation, stayed: stayed, distance: distance, isPassed: isPassed)
    }
}
