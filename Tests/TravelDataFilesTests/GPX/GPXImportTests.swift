import Foundation
import TestTurns
import Testing
import TravelDataFiles
import TravelDomain
import TravelDomainTesting

/// A store that keeps nothing, and places of which none is known: what is left is the recording itself.
private struct Nowhere: TravelRepository, PlaceRepository, UserRepository, SessionRepository {
    func add(_ travels: [RecordedTravel], images: [TravelImage]) {}
    func search(_ query: TravelQuery) -> TravelPage { TravelPage(travels: [], next: nil) }
    func travel(_ id: Travel.ID, viewer: User.ID?) throws -> Travel { throw TravelError.notFound(.travel(id)) }
    func timeline(of id: Travel.ID, viewer: User.ID?) throws -> [TimelineEntry] {
        throw TravelError.notFound(.travel(id))
    }
    func track(of id: Travel.ID, viewer: User.ID?) throws -> TrackGeometry? { throw TravelError.notFound(.travel(id)) }
    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) {}
    func search(_ text: String, limit: Int) -> [KnownPlace] { [] }
    func nearest(to coordinate: Coordinate, within meters: Double) -> KnownPlace? { nil }
    func user(_ id: User.ID) throws -> User { User(id: id, nickname: try Nickname("은하")) }
    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) -> Bool { false }
    func add(_ user: User) {}
    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) {}
    func setAvatar(_ image: TravelImage?, of id: User.ID, by user: User.ID) {}
    func removeUser(_ id: User.ID, by user: User.ID) {}
    func session() -> Session? { Session(user: User.ID()) }
    func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) {}
    func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        AsyncThrowingStream { $0.finish() }
    }
}

@Suite("Import of GPX files", .takesTurns)
struct GPXImportTests {
    @Test(
        "an imported recording has the expected title, days and entries",
        arguments: [
            (
                "garmin-connect.gpx", "북한산 등산 2024-05-05–2024-05-05",
                [
                    "1 08:30 departure: departure, 5760 m, 160 m high", "1 10:06 stay: stay, 1200 s, 808 m high",
                    "1 11:26 arrival: arrival, 5760 m, 235 m high",
                ]
            ),
            (
                "osmand.gpx", "2024-03-30_10-05_Sat 2024-03-30–2024-03-30",
                [
                    "1 10:05 departure: departure, 2134 m, 45 m high", "1 10:42 첨성대: 벚꽃이 절반쯤 피었다.",
                    "1 11:05 동궁과 월지: 야경은 다음에", "1 11:23 arrival: arrival, 2134 m, 53 m high",
                ]
            ),
            (
                "several-days.gpx", "제주 한 바퀴, 느리게 걷는 나흘 2024-04-11–2024-04-14",
                [
                    "1 10:00 departure: departure, 3222 m, 35 m high", "1 11:20 arrival: arrival, 3222 m, 35 m high",
                    "2 08:30 departure: departure, 11858 m, 35 m high", "2 10:30 arrival: arrival, 11858 m, 35 m high",
                    "3 07:10 성산일출봉: mark", "4 09:00 departure: departure, 13579 m, 35 m high",
                    "4 11:00 arrival: arrival, 13579 m, 35 m high",
                ]
            ),
            (
                "komoot-no-times.gpx", "해파랑길 1코스 2024-06-01–2024-06-01",
                ["1 09:00 departure: departure, 7348 m, 20 m high", "1 10:50 arrival: arrival, 7348 m, 30 m high"]
            ),
            (
                "route-only.gpx", "전주에서 대구까지 2022-08-06–2022-08-06",
                ["1 09:00 전주한옥마을: mark, 136303 m", "1 16:44 거창 휴게소: 점심", "1 23:59 대구: mark, 136303 m"]
            ),
            (
                "waypoints-only.gpx", "나들이 표시 2021-06-12–2021-06-12",
                ["1 10:00 경복궁 & 광화문: mark", "1 10:40 북촌: mark", "1 14:30 남산: 계단이 <많다>. 물 & 간식!"]
            ),
            (
                "glitch-times.gpx", "시계가 틀린 기록 2024-05-01–2024-05-01",
                ["1 09:06 departure: departure, 778 m", "1 09:18 arrival: arrival, 778 m"]
            ),
            (
                "gpx-1.0-logger.gpx", "Seoraksan 2009 2009-10-17–2009-10-17",
                [
                    "1 06:10 departure: departure, 6347 m, 250 m high",
                    "1 11:10 DAECHEONGBONG: mark, 6347 m, 1708 m high",
                ]
            ),
        ])
    func fixtures(name: String, header: String, entries: [String]) async throws {
        let importTrack = ImportTrack(
            travels: Nowhere(), users: Nowhere(), places: Nowhere(), session: Nowhere(),
            wording: PlainTrackWording(), now: { Date(timeIntervalSince1970: 1_717_210_800) })
        let imported = try await importTrack(
            try Fixture.track(name), fileName: name,
            day: name == "komoot-no-times.gpx" ? try CalendarDay("2024-06-01") : nil)
        let content = imported.travel.content
        #expect("\(content.title) \(content.days.first)–\(content.days.last)" == header)
        #expect(imported.travel.timeline.map { "\($0.day) \($0.time) \($0.title): \($0.text)" } == entries)
    }
}
