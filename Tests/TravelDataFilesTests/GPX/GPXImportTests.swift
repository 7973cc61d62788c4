import Foundation
import Testing
import TestConcurrency
import TravelDataFiles
import TravelDomain
import TravelDomainTesting
import TravelFileSamples

/// A store that keeps nothing, and places of which none is known: what is left is the recording itself.
private struct Nowhere: TripRepository, TripEditingRepository, PlaceRepository, UserRepository, SessionRepository {
    func add(_ trips: [RecordedTrip], images: [TripImage]) {}
    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) throws -> RecordedTrip? { throw TravelError.notFound(.trip(id)) }
    func search(_ query: TripQuery) -> TripPage { TripPage(trips: [], next: nil) }
    func trip(_ id: Trip.ID, viewer: User.ID?) throws -> Trip { throw TravelError.notFound(.trip(id)) }
    func timeline(of id: Trip.ID, viewer: User.ID?) throws -> [TimelineEntry] {
        throw TravelError.notFound(.trip(id))
    }
    func track(of id: Trip.ID, viewer: User.ID?) throws -> TrackGeometry? { throw TravelError.notFound(.trip(id)) }
    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) {}
    func search(_ text: String, limit: Int) -> [KnownPlace] { [] }
    func nearest(to coordinate: Coordinate, within meters: Double) -> KnownPlace? { nil }
    func user(_ id: User.ID) throws -> User { User(id: id, nickname: try Nickname("은하")) }
    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) -> Bool { false }
    func add(_ user: User) {}
    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) {}
    func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) {}
    func removeUser(_ id: User.ID, by user: User.ID) {}
    func session() -> Session? { Session(user: User.ID()) }
    func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) {}
    func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        AsyncThrowingStream { $0.finish() }
    }
}

@Suite("Import of GPX files", .limitedConcurrency)
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
        let imported = try await importTrack(
            try Fixture.track(name), fileName: name,
            day: name == "komoot-no-times.gpx" ? try CalendarDay("2024-06-01") : nil)
        let content = imported.trip.content
        #expect("\(content.title) \(content.days.first)–\(content.days.last)" == header)
        #expect(imported.trip.timeline.map { "\($0.day) \($0.time) \($0.title): \($0.text)" } == entries)
    }

    @Test("an imported recording has its elevations, and so has the file that is written of it")
    func elevations() async throws {
        let trip = try await importTrack(Fixture.track("garmin-connect.gpx"), fileName: "").trip
        let track = try #require(trip.track)
        let profile = try #require(track.profile)
        #expect([profile.ascent, profile.descent, profile.highest].map { $0.rounded() } == [677, 602, 837])
        let written = GPXWriter().data(for: trip)
        #expect(CheckedXML(written).all("ele").count == track.segments[0].count)
        #expect(try GPXReader().track(in: written).segments == track.points)
        #expect(track.elevations[0].max() == 836.5)
    }

    /// The same trip: all but what a file of the format does not have, which are the IDs, the time of writing and the region.
    private func expectSame(_ again: RecordedTrip, _ trip: RecordedTrip, _ comment: Comment) {
        #expect(again.content.title == trip.content.title && again.content.days == trip.content.days, comment)
        func parts(_ trip: RecordedTrip) -> [String] {
            trip.timeline.map { "\($0.day) \($0.time) \($0.title): \($0.text) @ \($0.place.map { "\($0)" } ?? "")" }
        }
        #expect(parts(again) == parts(trip), comment)
        #expect(again.track == trip.track, comment)
    }

    @Test(
        "a recording that was imported and written as GPX is imported as the same trip",
        arguments: [
            "garmin-connect.gpx", "osmand.gpx", "several-days.gpx", "glitch-times.gpx", "gpx-1.0-logger.gpx",
            "strava.gpx",
            "outside-korea.gpx", "evening-in-paris.gpx", "untimed-end.gpx",
        ])
    func again(name: String) async throws {
        let trip = try await importTrack(Fixture.track(name), fileName: name).trip
        let written = GPXWriter().data(for: trip)
        let read = try GPXReader().track(in: written)
        let again = try await importTrack(read, fileName: "x.gpx")
        #expect(again.estimatedTimes == 0)
        expectSame(again.trip, trip, "\(name)")
        #expect(GPXWriter().data(for: again.trip) == written)
    }

    @Test("a generated recording, too", arguments: 0..<40 as Range<UInt64>)
    func againGenerated(seed: UInt64) async throws {
        var recording = GeneratedRecording(seed: seed)
        let trip = try await importTrack(recording.track(days: 3), fileName: "x.gpx").trip
        let files = [GPXWriter().data(for: trip), try GeoJSONWriter().data(for: trip)]
        let again = try await importTrack(GPXReader().track(in: files[0]), fileName: "x.gpx")
        #expect(again.estimatedTimes == 0 && trip.track?.times.contains { $0.isEmpty } == false)
        expectSame(again.trip, trip, "seed \(seed)")
        #expect(try GeoJSONReader().contents(of: files[1]) == .trip(trip))
    }

    @Test("a recording without times gets none from its import")
    func withoutTimes() async throws {
        let trip = try await importTrack(
            Fixture.track("komoot-no-times.gpx"), fileName: "", day: try CalendarDay("2024-06-01")
        ).trip
        #expect(trip.track?.times.allSatisfy(\.isEmpty) == true)
    }

    private let importTrack = ImportTrack(
        trips: Nowhere(), users: Nowhere(), places: Nowhere(), session: Nowhere(), wording: PlainTrackWording(),
        now: { Date(timeIntervalSince1970: 1_717_210_800) })
}

@Suite("GPX errors", .limitedConcurrency)
struct GPXErrorTests {
    @Test(
        "an invalid file throws an error of one line with the position, the problem and the remedy",
        arguments: [
            ("empty.gpx", "The file is empty. Record or export it again."),
            ("blank.gpx", "The file is empty. Record or export it again."),
            ("web-page.gpx", "This is not a GPX file but a web page. Export the track as GPX."),
            ("places.kml.gpx", "This is not a GPX file but a KML file. Export the track as GPX."),
            ("json.gpx", "This is not a GPX file but something other than XML. Export the track as GPX."),
            ("gzip.gpx", "This is not a GPX file but a gzip archive. Unpack it or export the track as GPX."),
            ("version-2.gpx", "Line 2: GPX version \"2.0\" is not supported. Export the track as GPX 1.1 or 1.0."),
            (
                "mismatched-tags.gpx",
                "Line 4, column 31: The XML is malformed: an end tag does not match its start tag. Correct it "
                    + "or export the track again."
            ),
            (
                "bare-ampersand.gpx",
                "Line 3, column 39: The XML is malformed: an & or a < is not escaped; write &amp; or &lt;. Correct "
                    + "it or export the track again."
            ),
            ("truncated.gpx", "Line 254, column 24: The file ends too early. Copy or export it again."),
            ("truncated-in-tag.gpx", "Line 3, column 34: The file ends too early. Copy or export it again."),
            (
                "huge-latitude.gpx",
                "Line 5: The latitude \"1e300\" is not a number of degrees from -90 to 90. Correct it."
            ),
            (
                "longitude-off-globe.gpx",
                "Line 3: The longitude \"180.5\" is not a number of degrees from -180 to 180. Correct "
                    + "it."
            ),
            ("missing-latitude.gpx", "Line 3: A point has no latitude. Add the attribute lat."),
            ("nan-latitude.gpx", "Line 3: The latitude \"NaN\" is not a number of degrees from -90 to 90. Correct it."),
            ("decimal-comma.gpx", "Line 3: The latitude \"37,5665\" has a decimal comma. Write it with a point."),
            ("elevation-comma.gpx", "Line 3: The elevation \"38,5\" has a decimal comma. Write it with a point."),
            (
                "time-in-words.gpx",
                "Line 5: The time \"yesterday at noon, by t…\" is not in the form 2024-05-01T09:30:00Z. "
                    + "Correct it or leave it out."
            ),
            (
                "entity-expansion.gpx",
                "Line 2, column 1: A document type is declared, which GPX does not have. Remove the <!DOCTYPE …> "
                    + "part."
            ),
            (
                "external-entity.gpx",
                "Line 2, column 1: A document type is declared, which GPX does not have. Remove the <!DOCTYPE …> part."
            ),
            (
                "wrong-encoding.gpx",
                "Line 3, column 10: The XML is malformed: a character is not allowed, or not in the "
                    + "encoding that the file declares. Correct it or export the track again."
            ),
            (
                "unknown-encoding.gpx",
                "Line 1, column 30: The XML is malformed: the declared encoding is not supported. "
                    + "Correct it or export the track again."
            ),
            (
                "second-document.gpx",
                "Line 3, column 1: The XML is malformed: there is content after the last element. Correct it or "
                    + "export the track again."
            ),
        ])
    func brokenFileIsRefused(name: String, description: String) throws {
        let error = try #require(throws: TravelFileError.self) { try Fixture.track("Broken/\(name)") }
        #expect(error.description == description)
        #expect(error.description.allSatisfy { !$0.isNewline })
    }

    @Test(
        "a file that cannot be opened throws unreadable, with the reason but without its name",
        arguments: [
            ("no-such-file.gpx", "The file cannot be read: there is no such file."),
            ("Broken", "The file cannot be read: it is a directory."),
            ("Broken/json.gpx/inside", "The file cannot be read: there is no such file."),
        ])
    func unreadableFileIsToldApart(name: String, description: String) throws {
        let error = try #require(throws: TravelFileError.self) { try Fixture.track(name) }
        #expect(error.description == description)
        #expect(error.problem.isUnreadable, "\(error.problem)")
    }

    @Test(
        "the error for a file in another format names the format",
        arguments: [
            ("PK\u{3}\u{4}xxxxxxxx", "a zip archive"),
            ("\u{E}\u{10}d\u{0}aaaa.FIT", "a FIT file"),
            ("<TrainingCenterDatabase xmlns='x'/>", "a TCX file"),
            ("<x:html>", "a web page"),
            ("<!-- <gpx> --><?pi <gpx>?><svg>", "XML of another kind"),
        ])
    func foreignFormIsNamed(text: String, form: String) throws {
        let error = try #require(throws: TravelFileError.self) { try GPXReader().track(in: Data(text.utf8)) }
        #expect(error.problem == .notGPX(form))
    }

    @Test(
        "a document type throws in any encoding, even after a comment",
        arguments: [
            String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
        ])
    func documentTypeIsRefused(encoding: String.Encoding) throws {
        // In UTF-16 these two characters have the bytes of "-->" among theirs.
        let text = "<!-- \u{2D2D}\u{3E00}\u{2D2D}\u{003E}<gpx> --><!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx>&a;</gpx>"
        let data = try #require(text.data(using: encoding))
        let error = try #require(throws: TravelFileError.self) { try GPXReader().track(in: data) }
        #expect(error.problem == .documentType)
    }

    @Test("a comment of any length may come before the first element")
    func longBeginning() throws {
        let file = "<!--" + String(repeating: " ", count: 100_000) + "--><gpx/>"
        #expect(try GPXReader().track(in: Data(file.utf8)) == Track())
    }

    @Test("a file that is cut at any byte throws truncated")
    func everyBeginningOfAFileIsTruncated() throws {
        let whole = try Data(contentsOf: Fixture.url("waypoints-only.gpx"))
        let end = try #require(whole.lastIndex(of: UInt8(ascii: ">")))
        for length in 1...end {
            let error = #expect(throws: TravelFileError.self) { try GPXReader().track(in: whole.prefix(length)) }
            #expect(error?.problem == .truncated, "after \(length) bytes")
        }
    }

    @Test("the description of an invalid value is one short line without control characters")
    func valueIsShownOnOneLine() throws {
        let value = "1\u{1B}[31m\u{2028}\u{85}" + String(repeating: "9", count: 1_000_000)
        let error = TravelFileError(.time(value), at: .line(7))
        #expect(error.description.count < 140)
        #expect(error.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
}
