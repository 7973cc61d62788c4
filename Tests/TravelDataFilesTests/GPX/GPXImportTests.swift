import Foundation
import TestTurns
import Testing
import TravelDataFiles
import TravelDomain

/// A store that keeps nothing, and places of which none is known: what is left is the recording itself.
private struct Nowhere: TravelRepository, PlaceRepository, UserRepository, SessionRepository {
    func add(_ travels: [RecordedTravel], images: [TravelImage]) {}
    func search(_ query: TravelQuery) -> TravelPage { TravelPage(travels: [], next: nil) }
    func travel(_ id: Travel.ID, viewer: User.ID?) throws -> Travel { throw TravelError.notFound(.travel(id)) }
    func timeline(of id: Travel.ID, viewer: User.ID?) throws -> [TimelineEntry] {
        throw TravelError.notFound(.travel(id))
    }
    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) {}
    func search(_ text: String, limit: Int) -> [KnownPlace] { [] }
    func nearest(to coordinate: Coordinate, within meters: Double) -> KnownPlace? { nil }
    func user(_ id: User.ID) throws -> User { User(id: id, nickname: try Nickname("은하")) }
    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) -> Bool { false }
    func add(_ user: User) {}
    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) {}
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
                    "1 08:30 출발: 이날 5.8km를 이동했다. 해발 160m.", "1 10:06 머문 곳: 20분 동안 머물렀다. 해발 808m.",
                    "1 11:26 도착: 5.8km를 이동해 도착했다. 해발 235m.",
                ]
            ),
            (
                "osmand.gpx", "2024-03-30_10… 2024-03-30–2024-03-30",
                [
                    "1 10:05 출발: 이날 2.1km를 이동했다. 해발 45m.", "1 10:42 첨성대: 벚꽃이 절반쯤 피었다.",
                    "1 11:05 동궁과 월지: 야경은 다음에", "1 11:23 도착: 2.1km를 이동해 도착했다. 해발 53m.",
                ]
            ),
            (
                "several-days.gpx", "제주 한 바퀴, 느리게… 2024-04-11–2024-04-14",
                [
                    "1 10:00 출발: 이날 3.2km를 이동했다. 해발 35m.", "1 11:20 도착: 3.2km를 이동해 도착했다. 해발 35m.",
                    "2 08:30 출발: 이날 11.9km를 이동했다. 해발 35m.", "2 10:30 도착: 11.9km를 이동해 도착했다. 해발 35m.",
                    "3 07:10 성산일출봉: 이곳을 지났다.", "4 09:00 출발: 이날 13.6km를 이동했다. 해발 35m.",
                    "4 11:00 도착: 13.6km를 이동해 도착했다. 해발 35m.",
                ]
            ),
            (
                "komoot-no-times.gpx", "해파랑길 1코스 2024-06-01–2024-06-01",
                ["1 09:00 출발: 이날 7.3km를 이동했다. 해발 20m.", "1 10:50 도착: 7.3km를 이동해 도착했다. 해발 30m."]
            ),
            (
                "route-only.gpx", "전주에서 대구까지 2022-08-06–2022-08-06",
                ["1 09:00 전주한옥마을: 이날 136.3km를 이동했다.", "1 16:44 거창 휴게소: 점심", "1 23:59 대구: 이날 136.3km를 이동했다."]
            ),
            (
                "waypoints-only.gpx", "나들이 표시 2021-06-12–2021-06-12",
                ["1 10:00 경복궁 & 광화문: 이곳을 지났다.", "1 10:40 북촌: 이곳을 지났다.", "1 14:30 남산: 계단이 <많다>. 물 & 간식!"]
            ),
            (
                "glitch-times.gpx", "시계가 틀린 기록 2024-05-01–2024-05-01",
                ["1 09:06 출발: 이날 778m를 이동했다.", "1 09:18 도착: 778m를 이동해 도착했다."]
            ),
            (
                "gpx-1.0-logger.gpx", "Seoraksan 2009 2009-10-17–2009-10-17",
                ["1 06:10 출발: 이날 6.3km를 이동했다. 해발 250m.", "1 11:10 DAECHEONGBONG: 이날 6.3km를 이동했다. 해발 1708m."]
            ),
        ])
    func fixtures(name: String, header: String, entries: [String]) async throws {
        let importTrack = ImportTrack(
            travels: Nowhere(), users: Nowhere(), places: Nowhere(), session: Nowhere(),
            now: { Date(timeIntervalSince1970: 1_717_210_800) })
        let imported = try await importTrack(try Fixture.track(name), fileName: name)
        let content = imported.travel.content
        #expect("\(content.title) \(content.days.first)–\(content.days.last)" == header)
        #expect(imported.travel.timeline.map { "\($0.day) \($0.time) \($0.title): \($0.text)" } == entries)
    }
}
