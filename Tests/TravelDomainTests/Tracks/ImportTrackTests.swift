import Foundation
import TestReporting
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

/// A store that supports only what importing needs.
private actor RecordingStore: TripRepository, TripEditingRepository {
    private(set) var trips: [RecordedTrip] = []

    func add(_ trips: [RecordedTrip], images: [TripImage]) throws {
        for trip in trips where self.trips.contains(where: { $0.id == trip.id }) {
            throw TravelError.conflict(.trip(trip.id))
        }
        self.trips += trips
    }

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) throws -> RecordedTrip? {
        guard let index = trips.firstIndex(where: { $0.id == id }) else { throw TravelError.notFound(.trip(id)) }
        guard let changed = try change(trips[index]) else { return trips.remove(at: index) }
        trips[index] = try changed.revision(of: trips[index])
        return trips[index]
    }

    func search(_ query: TripQuery) -> TripPage { TripPage(trips: [], next: nil) }
    func trip(_ id: Trip.ID, viewer: User.ID?) throws -> Trip { throw TravelError.notFound(.trip(id)) }
    func timeline(of id: Trip.ID, viewer: User.ID?) throws -> [TimelineEntry] {
        throw TravelError.notFound(.trip(id))
    }
    func track(of id: Trip.ID, viewer: User.ID?) throws -> TrackGeometry? { throw TravelError.notFound(.trip(id)) }
    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) throws {
        throw TravelError.notFound(.trip(id))
    }
}

/// A directory of a few places, or one that throws `outage`.
private struct FewPlaces: PlaceRepository {
    var places: [KnownPlace] = []
    var outage: TravelError?

    func search(_ text: String, limit: Int) throws -> [KnownPlace] { [] }

    func nearest(to coordinate: Coordinate, within meters: Double) throws -> KnownPlace? {
        if let outage { throw outage }
        let near = places.filter { $0.coordinate.distance(to: coordinate) <= meters }
        return near.min { $0.coordinate.distance(to: coordinate) < $1.coordinate.distance(to: coordinate) }
    }
}

@Suite("Importing a track", .limitedConcurrency)
struct ImportTrackTests {
    private let store = RecordingStore()
    private let author: User
    private let places: FewPlaces

    init() throws {
        author = User(nickname: try Nickname("은하"))
        func place(_ name: String, _ north: Double, _ region: Region) throws -> KnownPlace {
            try KnownPlace(
                place: Place(name: name, address: "", coordinate: Walk.place(north: north)), englishName: name,
                region: region)
        }
        places = FewPlaces(places: [
            try place("서울광장", 0, .seoul), try place("수락산", 15_000, .gyeonggi), try place("해운대", -320_000, .busan),
        ])
    }

    private func imported(
        _ track: Track, fileName: String = "걷기.gpx", region: Region? = nil, places: FewPlaces? = nil,
        regions: any RegionDirectory = NoRegions(), zone: String? = nil, replaces: Bool = false
    ) async throws -> ImportedTrack {
        let users = InMemoryTripRepository()
        try await users.add(author)
        let importTrack = ImportTrack(
            trips: store, users: users, places: places ?? self.places, session: InMemorySession(signedIn: author.id),
            wording: PlainTrackWording(), regions: regions, zones: TenHours(), now: { Walk.now })
        return try await importTrack(
            track, fileName: fileName, region: region, timeZone: zone, replaces: replaces)
    }

    /// A zone that is ten hours behind Korea.
    private struct TenHours: TimeZoneDirectory {
        func zone(at coordinate: Coordinate) -> String? { nil }
        func offset(of zone: String, at date: Date) -> Int? { zone == "Far" ? -3_600 : nil }
    }

    @Test("a track that is imported again in another zone replaces its own entries, and nothing that was written since")
    func replacing() async throws {
        let first = try await imported(walk(), replaces: true)
        let own = try TimelineEntry(
            day: 1, time: TimeOfDay(hour: 20), title: Title("저녁"), text: EntryText("내가 썼다"))
        _ = try await store.update(first.trip.id, expecting: nil, by: author.id, adding: []) {
            trip throws(TravelError) in
            var content = trip.content
            content.title = try Title("내 제목")
            return try trip.with(content).saving(own)
        }
        let again = try await imported(walk(), region: .jeju, zone: "Far", replaces: true)
        let trip = try #require(await store.trips.first)
        #expect(trip == again.trip && again.trip.id == first.trip.id)
        #expect(trip.content.title.text == "내 제목" && trip.content.region == .jeju)
        // 09:15 in Korea is 23:15 of the day before, ten hours behind.
        #expect(trip.content.days == DayRange(try CalendarDay("2024-04-30"), days: 2))
        #expect(trip.timeline.map { "\($0.day) \($0.time)" } == ["1 23:15", "1 23:27", "2 20:00"])
        #expect(trip.timeline.last?.title.text == "저녁")
    }

    private func walk(name: String? = nil, from north: Double = 0) throws -> Track {
        Track(name: name, segments: [[try Walk.point(north, at: 0), try Walk.point(north + 800, at: 12)]])
    }

    @Test("stores a trip with its days, region, author and timeline, and returns it")
    func trip() async throws {
        let result = try await imported(try walk(name: "아침 산책"))
        let trip = result.trip
        #expect(await store.trips == [trip])
        #expect(trip.author == author)
        #expect(trip.createdAt == Walk.now)
        #expect(trip.content.title.text == "아침 산책")
        #expect(trip.content.region == .seoul)
        #expect(trip.content.days == DayRange(try CalendarDay("2024-05-01"), days: 1))
        #expect(trip.timeline.map(\.time.description) == ["09:15", "09:27"])
        #expect(trip.timeline.map(\.title.text) == ["서울광장", "서울광장"])
        #expect(trip.timeline.map(\.text.text) == ["departure, 800 m", "arrival, 800 m"])
        #expect(try trip.timeline.map(\.place?.coordinate) == [Walk.place(), Walk.place(north: 800)])
        #expect(result.regionOrigin == .entries)
        #expect(result.estimatedTimes == 0 && result.omittedEntries == 0)
    }

    @Test("the region is that in which the entries lie, not that of a place nearby, unless it is unknown")
    func regionsByBoundary() async throws {
        struct Line: RegionDirectory {
            /// The regions north and south of the border.
            let sides: (Region?, Region?)

            func region(at coordinate: Coordinate) -> Region? {
                coordinate.latitude > 37.52 ? sides.0 : sides.1
            }
        }
        let north = try await imported(try walk(), regions: Line(sides: (.gangwon, .incheon)))
        #expect(north.trip.content.region == .gangwon && north.regionOrigin == .entries)
        let south = try await imported(try walk(from: -10_000), regions: Line(sides: (.gangwon, .incheon)))
        #expect(south.trip.content.region == .incheon && south.trip.timeline[0].title.text != "서울광장")
        let unknown = try await imported(try walk(from: 20), regions: Line(sides: (nil, .incheon)))
        #expect(unknown.trip.content.region == .seoul)
    }

    @Test(
        "uses the name of the recording as title, or else that of the file, shortened to fit",
        arguments: [
            ("한강", "x.gpx", "한강"),
            (nil, "2024 봄 나들이.gpx", "2024 봄 나들이"),
            (nil, "BIKE.GPX", "BIKE"),
            (" ", "걷기", "걷기"),
            (nil, ".gpx", "a track"),
            (nil, "", "a track"),
            ("아주 길고 긴 이름을 가진 어느 봄날의 산책", "x.gpx", "아주 길고 긴 이름을 가진 어느 봄날의 산책"),
        ] as [(String?, String, String)])
    func titles(name: String?, fileName: String, title: String) async throws {
        #expect(try await imported(try walk(name: name), fileName: fileName).trip.content.title.text == title)
    }

    @Test("the distances of the days add up to the length of the track", arguments: 0..<40 as Range<UInt64>)
    func distances(seed: UInt64) async throws {
        var recording = GeneratedRecording(seed: seed)
        var track = try recording.track(days: 3)
        if seed.isMultiple(of: 7) {
            track = Track(
                time: Walk.morning, segments: track.segments.map { $0.map { TrackPoint(coordinate: $0.coordinate) } })
        }
        let timed = try TimedTrack(track, now: Walk.now)
        let days = Dictionary(grouping: TimelineBuilder(timed).moments, by: \.day)
        let sum = days.values.reduce(0) { sum, moments in sum + (moments.lazy.compactMap(\.distance).first ?? 0) }
        let length = try #require(timed.path?.length)
        #expect(abs(sum - length) < 1e-3 && length > 1_000, "\(sum) beside \(length)")
        #expect(try await imported(track).trip.track == timed.path)
    }

    @Test("a name or a note that does not fit is shortened, and counted")
    func shortening() async throws {
        let name = String(repeating: "가", count: 61)
        let long = try await imported(try walk(name: name))
        #expect(long.trip.content.title.text == String(repeating: "가", count: 59) + "…")
        #expect(long.shortenedTexts == 1)
        let track = try walk(name: String(name.dropLast()))
        #expect(try await imported(track).shortenedTexts == 0)
        let note = String(repeating: "나", count: 5_001)
        let marked = Track(waypoints: [try Walk.mark("시장", 0, at: 100, note: note)], segments: track.segments)
        #expect(try await imported(marked).shortenedTexts == 1)
    }

    @Test("finds the region of most entries, and the first one among ties")
    func majority() async throws {
        var track = Track(segments: [
            [try Walk.point(15_000, at: 0), try Walk.point(15_100, at: 20), try Walk.point(0, at: 200)]
        ])
        #expect(try await imported(track).trip.content.region == .gyeonggi)
        track = Track(waypoints: [try Walk.mark("시장", -2_000, at: 100)], segments: track.segments)
        #expect(try await imported(track).trip.content.region == .seoul)
    }

    @Test("uses the given region")
    func givenRegion() async throws {
        let result = try await imported(try walk(), region: .jeju)
        #expect(result.trip.content.region == .jeju)
        #expect(result.regionOrigin == .given)
    }

    @Test("guesses the region far from any known place, and reports it")
    func guessedRegion() async throws {
        let result = try await imported(try walk(from: -280_000))
        #expect(result.trip.content.region == .busan)
        #expect(result.regionOrigin == .guess)
        let nowhere = try await imported(try walk(), places: FewPlaces())
        #expect(nowhere.regionOrigin == .guess)
    }

    @Test("files a track outside Korea under abroad, on its local days")
    func outsideKorea() async throws {
        let lisbon: [(Double, Double, TimeInterval)] = [(38.7139, -9.1335, 0), (38.6916, -9.216, 3_600)]
        let points = try lisbon.map { latitude, longitude, seconds in
            TrackPoint(
                coordinate: try Coordinate(latitude: latitude, longitude: longitude),
                time: Walk.morning.addingTimeInterval(seconds))
        }
        let result = try await imported(Track(name: "Lisboa", segments: [points]))
        #expect(result.trip.content.region == .abroad)
        #expect(result.regionOrigin == .entries)
        #expect(result.trip.timeline.map(\.time.description) == ["23:15", "00:15"])
        #expect(result.trip.content.days == DayRange(try CalendarDay("2024-04-30"), days: 2))
    }

    @Test("uses the given time zone, which must exist, and the one of the directory as a guess")
    func timeZones() async throws {
        struct Lisbon: TimeZoneDirectory {
            func zone(at coordinate: Coordinate) -> String? { "Europe/Lisbon" }
            func offset(of zone: String, at date: Date) -> Int? {
                ["Europe/Lisbon": 3_600, "Asia/Tokyo": 32_400][zone]
            }
        }
        let users = InMemoryTripRepository()
        try await users.add(author)
        let importTrack = ImportTrack(
            trips: store, users: users, places: FewPlaces(), session: InMemorySession(signedIn: author.id),
            wording: PlainTrackWording(), zones: Lisbon(), now: { Walk.now })
        func track(_ longitude: Double) throws -> Track {
            let coordinate = try Coordinate(latitude: 38.7, longitude: longitude)
            return Track(segments: [[TrackPoint(coordinate: coordinate, time: Walk.morning)]])
        }
        let guessed = try await importTrack(track(-9.1), fileName: "")
        #expect(guessed.trip.timeline.map(\.time.description) == ["01:15"])
        #expect(guessed.timeZones == ["Europe/Lisbon"] && guessed.timeZoneOrigin == .coordinates)
        let given = try await importTrack(track(-9.2), fileName: "", timeZone: "Asia/Tokyo")
        #expect(given.trip.timeline.map(\.time.description) == ["09:15"])
        #expect(given.timeZones == ["Asia/Tokyo"] && given.timeZoneOrigin == .given)
        await #expect {
            _ = try await importTrack(track(-9.3), fileName: "", timeZone: "Europe/Atlantis")
        } throws: { error in
            if case TravelError.invalid(let violation) = error { violation.field == .timeZone } else { false }
        }
        #expect(await store.trips.count == 2)
    }

    @Test("a mark with a time has the zone of its place, unless the track passes there with times of its own")
    func zonesOfMarks() async throws {
        struct Iberia: TimeZoneDirectory {
            func zone(at coordinate: Coordinate) -> String? {
                coordinate.longitude < -8.65 ? "Europe/Lisbon" : "Europe/Madrid"
            }
            func offset(of zone: String, at date: Date) -> Int? {
                ["Europe/Lisbon": 3_600, "Europe/Madrid": 7_200][zone]
            }
        }
        func point(_ longitude: Double, _ minutes: Double?) throws -> TrackPoint {
            TrackPoint(
                coordinate: try Coordinate(latitude: 42.04, longitude: longitude),
                time: minutes.map { Walk.morning.addingTimeInterval($0 * 60) })
        }
        func mark(_ name: String, _ longitude: Double, _ minutes: Double) throws -> Waypoint {
            let point = try point(longitude, minutes)
            return Waypoint(coordinate: point.coordinate, time: point.time, name: name)
        }
        let users = InMemoryTripRepository()
        try await users.add(author)
        let importTrack = ImportTrack(
            trips: store, users: users, places: FewPlaces(), session: InMemorySession(signedIn: author.id),
            wording: PlainTrackWording(), zones: Iberia(), now: { Walk.now })
        let marks = [try mark("beside the path", -8.651, 1), try mark("across the river", -8.70, 2)]
        let timed = try await importTrack(
            Track(waypoints: marks, segments: [[try point(-8.64, 0), try point(-8.645, 10)]]), fileName: "")
        let times = Dictionary(uniqueKeysWithValues: timed.trip.timeline.map { ($0.title.text, $0.time.description) })
        #expect(times["beside the path"] == "02:16" && times["across the river"] == "01:17")
        #expect(timed.timeZones == ["Europe/Madrid", "Europe/Lisbon"])
        let untimed = try await importTrack(
            Track(waypoints: marks, segments: [[try point(-8.64, nil), try point(-8.645, nil)]]), fileName: "")
        #expect(untimed.trip.timeline.first { $0.title.text == "beside the path" }?.time.description == "01:16")
    }

    @Test("names the marks of a day that has too many, in their order")
    func omittedMarks() async throws {
        let marks = try (0..<60).map { try Walk.mark("mark \($0)", Double($0) * 100, at: Double($0) * 10) }
        let result = try await imported(Track(waypoints: marks))
        #expect(result.trip.timeline.count == 30)
        #expect(result.omittedEntries == 30 && result.omittedMarks.count == 30)
        let kept = result.trip.timeline.map(\.title.text)
        #expect(Set(kept + result.omittedMarks) == Set((0..<60).map { "mark \($0)" }))
        #expect(result.omittedMarks == (0..<60).map { "mark \($0)" }.filter { !kept.contains($0) })
    }

    @Test("keeps the path of the segments, simplified, without jumps, and none of single waypoints")
    func path() async throws {
        let far = TrackPoint(
            coordinate: try Coordinate(latitude: 0, longitude: 0), time: Walk.morning.addingTimeInterval(330))
        let points = try (0...10).map { try Walk.point(Double($0) * 70, at: Double($0)) }
        let track = Track(segments: [points[...5] + [far] + points[6...]])
        let kept = try #require(try await imported(track).trip.track)
        let ends = try TrackGeometry(points: [[points[0], points[10]]])
        #expect(kept == ends && kept.times.map { $0.map { Walk.minutes($0) } } == [[0, 10]])
        let waypoints = Track(waypoints: [try Walk.mark("가", 0, at: 0), try Walk.mark("나", 900, at: 50)])
        #expect(try await imported(waypoints).trip.track == nil)
        let route = Track(routes: [[try Walk.mark("가", 0, at: 0), try Walk.mark("나", 900, at: 50)]])
        #expect(try await imported(route).trip.track?.segments.map(\.count) == [2])
    }

    @Test("keeps the elevations of the path, and has none for a route without")
    func elevations() async throws {
        let recorded = Track(segments: [
            [try Walk.point(0, at: 0, elevation: 38.44), try Walk.point(800, at: 12, elevation: 60)]
        ])
        #expect(try await imported(recorded).trip.track?.elevations == [[38.4, 60]])
        #expect(try await imported(try walk()).trip.track?.elevations == [[]])
    }

    @Test("rejects the same track by the same author, whatever the name of the file")
    func sameTrackTwice() async throws {
        let first = try await imported(try walk(name: "산책"))
        await #expect(throws: TravelError.conflict(.trip(first.trip.id))) {
            try await imported(try walk(name: "산책"), fileName: "copy.gpx", region: .busan)
        }
        #expect(await store.trips.count == 1)
        _ = try await imported(try walk(name: "산책", from: 1))
        #expect(await store.trips.count == 2)
    }

    @Test("stores nothing if the track has no points, the places are unavailable, or the import is cancelled")
    func nothingIsKept() async throws {
        await #expect(throws: TravelError.invalid(.init(.track, .empty))) { try await imported(Track(name: "빈 기록")) }
        let outage = TravelError.unavailable(.init("The places cannot be read.", canRetry: true))
        await #expect(throws: outage) { try await imported(try walk(), places: FewPlaces(outage: outage)) }
        let track = try walk()
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.cancelAll()
                group.addTask { _ = try await imported(track) }
                try await group.waitForAll()
            }
        }
        #expect(await store.trips.isEmpty)
    }

    @Test("rejects a recording of more than a year, with the reason")
    func years() async throws {
        let (year, day): (Double, Double) = (366 * 1_440, 1_440)
        let tracks = [
            Track(segments: [
                [try Walk.point(0, at: -3 * year), try Walk.point(800, at: -3 * year + 12)],
                [try Walk.point(0, at: 0), try Walk.point(800, at: 12)],
            ]),
            Track(segments: [try (0..<90).map { try Walk.point(Double($0), at: Double($0 - 90) * 14 * day) }]),
        ]
        for track in tracks {
            let error = await #expect(throws: TravelError.self) { try await imported(track) }
            #expect(error?.description.contains("takes longer than a year") == true)
        }
        #expect(await store.trips.isEmpty)
    }

    @Test("ignores jumps that no vehicle can make, at the beginning, in the middle and at the end")
    func jumps() async throws {
        let island = try Coordinate(latitude: 0, longitude: 0)
        func points(_ minutes: Range<Int>) throws -> [TrackPoint] {
            try minutes.map { try Walk.point(Double($0) * 70, at: Double($0)) }
        }
        func null(at minute: Double) -> TrackPoint {
            TrackPoint(coordinate: island, time: Walk.morning.addingTimeInterval(minute * 60))
        }
        let tracks = [
            Track(segments: [[null(at: -1)] + (try points(0..<11))]),
            Track(segments: [try points(0..<5) + [null(at: 4.5)] + points(5..<11)]),
            Track(segments: [try points(0..<11) + [null(at: 11), null(at: 12)]]),
        ]
        for track in tracks {
            let texts = try await imported(track).trip.timeline.map(\.text.text)
            #expect(texts == ["departure, 700 m", "arrival, 700 m"])
        }
    }

    @Test("does not describe a mark far from the track as passed")
    func marksFarOff() async throws {
        let track = Track(
            waypoints: [
                try Walk.mark("멀리", 90_000), try Walk.mark("가까이", 500), try Walk.mark("적어 둔 곳", 90_000, at: 5),
                // Nothing was recorded at the time.
                try Walk.mark("저녁", 90_000, at: 600),
            ], segments: try walk().segments)
        let result = try await imported(track)
        let texts = Dictionary(
            result.trip.timeline.map { ($0.title.text, $0.text.text) }, uniquingKeysWith: { first, _ in first })
        #expect(texts["멀리"] == "mark, not passed")
        #expect(texts["가까이"] == "mark")
        #expect(texts["적어 둔 곳"] == "mark, not passed")
        #expect(texts["저녁"] == "mark")
    }

    @Test("importing takes roughly linear time in the number of marks")
    func linearTime() throws {
        /// The processor time of this thread.
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        func time(_ count: Int) throws -> Double {
            let points = try (0..<count).map { try Walk.point(Double($0) * 10, at: Double($0) / 60) }
            let waypoints = try (0..<count).map { try Walk.mark($0.isMultiple(of: 2) ? "샘" : nil, Double($0) * 200) }
            let start = now()
            _ = try TimelineBuilder(TimedTrack(Track(waypoints: waypoints, segments: [points]), now: Walk.now))
            return now() - start
        }
        _ = try time(50)
        let (once, fourTimes) = (try time(150), try time(600))
        #expect(fourTimes < once * 9)
    }

    @Test("stores a valid trip for any track", arguments: 0..<20)
    func anyTrack(seed: Int) async throws {
        var chance = Chance(seed: UInt64(seed))
        let track = chance.track()
        guard !(track.waypoints.isEmpty && track.routes.joined().isEmpty && track.segments.joined().isEmpty) else {
            await #expect(throws: TravelError.invalid(.init(.track, .empty))) { try await imported(track) }
            #expect(await store.trips.isEmpty)
            return
        }
        let result: ImportedTrack
        do {
            result = try await imported(track)
        } catch TravelError.invalid(let violation) {
            // Neither times nor a day.
            if violation == Violation(.date, .empty) { return #expect(await store.trips.isEmpty) }
            guard case .outOfRange = violation.rule else { throw TravelError.invalid(violation) }
            return #expect(await store.trips.isEmpty)
        }
        let (content, timeline) = (result.trip.content, result.trip.timeline)
        #expect(await store.trips == [result.trip])
        #expect(!timeline.isEmpty)
        #expect(timeline.allSatisfy { (1...content.days.count).contains($0.day) && $0.place != nil })
        #expect(timeline.contains { $0.day == 1 } && timeline.contains { $0.day == content.days.count })
        #expect(zip(timeline, timeline.dropFirst()).allSatisfy { ($0.day, $0.time) <= ($1.day, $1.time) })
        #expect(Set(timeline.map(\.id)).count == timeline.count)
        #expect(timeline.allSatisfy { Title.length.contains($0.title.text.count) && !$0.text.text.isEmpty })
        #expect(Dictionary(grouping: timeline, by: \.day).values.allSatisfy { $0.count <= TimelineBuilder.momentsADay })
        let dayAfterNow = CalendarDay(daysSince1970: Int(Walk.now.timeIntervalSince1970) / 86_400 + 2)
        #expect(content.days.first >= (try CalendarDay("1980-01-05")) && content.days.last <= dayAfterNow)
        await #expect(throws: TravelError.conflict(.trip(result.trip.id))) { try await imported(track) }
    }
}

/// Random tracks, deterministic for a seed, with the faults that occur in recordings.
private struct Chance: RandomNumberGenerator {
    private static let names = [nil, "", "샘", "\n이름 없는\u{0} 곳", String(repeating: "길", count: 300)]
    private static let notes = [nil, " ", "쉬었다", String(repeating: "가나다\n", count: 200)]

    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> UInt64 { generator.next() }

    mutating func track() -> Track {
        let start = Walk.now.addingTimeInterval(-.random(in: 0...4_000_000, using: &self))
        var (latitude, longitude) = (
            Double.random(in: -89...89, using: &self), Double.random(in: -180...180, using: &self)
        )
        if Bool.random(using: &self) { (latitude, longitude) = (37.5, 127) }
        var time = start
        func moved(_ chance: inout Chance) -> Coordinate? {
            let step: Double = [0.00001, 0.001, 0.3].randomElement(using: &chance) ?? 0
            latitude = min(max(latitude + .random(in: -step...step, using: &chance), -90), 90)
            longitude = (longitude + .random(in: -step...step, using: &chance)).remainder(dividingBy: 360)
            time += .random(in: 0...3_600, using: &chance)
            return try? Coordinate(latitude: latitude, longitude: longitude)  // Always in range.
        }
        func told(_ chance: inout Chance) -> Date? {
            switch Int.random(in: 0..<12, using: &chance) {
            case 0: nil
            case 1: Date(timeIntervalSince1970: .random(in: -1e10...1e10, using: &chance))
            case 2: time.addingTimeInterval(.random(in: -9e5...9e5, using: &chance))
            default: time
            }
        }
        func waypoints(_ chance: inout Chance) -> [Waypoint] {
            (0..<Int.random(in: 0...60, using: &chance)).compactMap { _ in
                moved(&chance).map { coordinate in
                    Waypoint(
                        coordinate: coordinate, time: told(&chance), elevation: .random(in: -1e9...1e9, using: &chance),
                        name: Self.names.randomElement(using: &chance) ?? nil,
                        description: Self.notes.randomElement(using: &chance) ?? nil)
                }
            }
        }
        let hasTimes = Int.random(in: 0..<4, using: &self) > 0
        let segments = (0..<Int.random(in: 0...4, using: &self)).map { _ in
            (0..<Int.random(in: 0...80, using: &self)).compactMap { _ in
                moved(&self).map { TrackPoint(coordinate: $0, time: hasTimes ? told(&self) : nil) }
            }
        }
        let routes = (0..<Int.random(in: 0...2, using: &self)).map { _ in waypoints(&self) }
        return Track(
            name: Self.names.randomElement(using: &self) ?? nil, time: told(&self), waypoints: waypoints(&self),
            routes: routes, segments: segments.shuffled(using: &self))
    }
}
