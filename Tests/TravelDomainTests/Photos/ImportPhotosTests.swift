import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Importing photos", .limitedConcurrency)
struct ImportPhotosTests {
    private let store = InMemoryTripRepository()
    private let author: User

    init() throws {
        author = User(nickname: try Nickname("은하"))
    }

    private struct Squares: PlaceRepository {
        func search(_ text: String, limit: Int) -> [KnownPlace] { [] }
        func nearest(to coordinate: Coordinate, within meters: Double) throws -> KnownPlace? {
            let square = try KnownPlace(
                place: Place(name: "서울광장", coordinate: Walk.place()), englishName: "Seoul Plaza", region: .seoul)
            return square.coordinate.distance(to: coordinate) <= meters ? square : nil
        }
    }

    /// A photo of a camera with a clock of its own, this many minutes after 09:15 on 1 May 2024, unless it has no time.
    private func photo(
        _ number: Int, at minutes: Int?, day: Int = 0, north: Double? = nil, camera: String? = "D90", zone: Int? = nil
    ) throws -> PhotoFile {
        let total = minutes.map { 9 * 60 + 15 + $0 }
        return PhotoFile(
            name: "\(number).jpg", digest: UInt128(number),
            taken: try total.map {
                PhotoDate(
                    day: try CalendarDay("2024-05-01").adding(days: day + $0 / 1_440),
                    time: TimeOfDay(minutesSinceMidnight: $0), utcOffset: zone)
            },
            coordinate: try north.map { try Walk.place(north: $0) }, camera: camera)
    }

    private func walk(from north: Double = 0, day: Int = 0) throws -> Track {
        // An hour away, half an hour there, and an hour back.
        let points = try (0...150).map { (minute: Int) -> TrackPoint in
            let way = minute <= 60 ? minute : minute <= 90 ? 60 : 150 - minute
            return try Walk.point(north + Double(way * 80), at: Double(day * 1_440 + minute))
        }
        return Track(name: "걷기", segments: [points])
    }

    @discardableResult
    private func imported(
        _ photos: [PhotoFile], tracks: [Track] = [], into trip: Trip.ID? = nil,
        _ choices: ImportPhotos.Choices = .init(), failingAt: Int? = nil,
        unusable: Set<UInt128> = [], progress: @Sendable (Int) -> Void = { _ in },
        willStore: @Sendable (RecordedTrip?, RecordedTrip) async throws -> Void = { _, _ in }
    ) async throws -> ImportedPhotos {
        if try await !store.isTaken(author.nickname, exceptBy: nil) { try await store.add(author) }
        let importPhotos = ImportPhotos(
            trips: store, users: store, places: Squares(), session: InMemorySession(signedIn: author.id),
            wording: PlainTrackWording(), now: { Walk.now })
        return try await importPhotos(
            photos, tracks: tracks, into: trip, choices, progress: progress, willStore: willStore
        ) {
            photo, id in
            if photo.digest == failingAt.map({ UInt128($0) }) {
                throw TravelError.unavailable(.init("It broke off.", canRetry: true))
            }
            if unusable.contains(photo.digest) { return nil }
            return try TripImage(id: id, bytes: Data([0xFF, 0xD8, 0xFF, UInt8(truncatingIfNeeded: photo.digest)]))
        }
    }

    /// What a test compares: day, time and number of pictures of each entry.
    private func outline(_ trip: RecordedTrip?) -> [String] {
        (trip?.timeline ?? []).map { "\($0.day) \($0.time) \($0.pictures.count)" }
    }

    @Test("photos become entries by time and place, on the days on which they were taken")
    func stops() async throws {
        let photos = try [
            photo(1, at: 0, north: 0), photo(2, at: 40, north: 250), photo(3, at: 41, north: 310),
            photo(4, at: 102), photo(5, at: 163), photo(6, at: 0, day: 1, north: 20_000),
        ]
        let result = try await imported(photos, .init())
        let trip = try #require(result.trip)
        // The third is too far from the first, and the last two each came more than an hour later.
        #expect(outline(trip) == ["1 09:15 2", "1 09:56 1", "1 10:57 1", "1 11:58 1", "2 09:15 1"])
        #expect(trip.content.days == DayRange(try CalendarDay("2024-05-01"), days: 2))
        #expect(trip.content.region == .seoul && trip.content.title.text == "a track")
        #expect(trip.timeline.map(\.title.text) == ["서울광장", "서울광장", "photos", "photos", "photos"])
        #expect(trip.timeline[0].text.text == "2 photos")
        // Where they were taken is the author's alone.
        #expect(trip.timeline.allSatisfy { $0.place == nil })
        #expect(
            trip.timeline[0].pictures.map(\.position) == [
                .mineOnly(try Walk.place()), .mineOnly(try Walk.place(north: 250)),
            ])
        #expect(trip.timeline[0].pictures[1].taken == photos[1].taken)
        #expect((result.added, result.alreadyThere, result.before, result.outside) == (6, 0, nil, []))
        #expect(trip.content.audience == .onlyMe && trip.timeline.seen(byAuthor: false)[0].coordinate == nil)
    }

    @Test("photos that were taken at a stop of a track are the pictures of its entry")
    func onTrack() async throws {
        let photos = try [
            photo(1, at: 65), photo(2, at: 80), photo(3, at: 30), photo(4, at: 75, north: 200), photo(5, at: 400),
        ]
        let trip = try #require(try await imported(photos, tracks: [walk()]).trip)
        #expect(trip.timeline.map(\.title.text) == ["서울광장", "photos", "stay", "서울광장", "서울광장", "photos"])
        // The fourth was elsewhere at that time, by its own position; the last long after the track.
        #expect(trip.timeline.map(\.pictures.count) == [0, 1, 2, 1, 0, 1])
        #expect(trip.track != nil)
    }

    @Test("a clock that is given is corrected: of one camera, or of all that do not say their zone")
    func givenClocks() async throws {
        let photos = try [
            photo(1, at: 0), photo(2, at: 0, camera: "X100"), photo(3, at: 0, camera: nil),
            photo(4, at: 0, camera: "phone", zone: 540),
        ]
        var choices = ImportPhotos.Choices()
        choices.cameraOffsets = ["D90": -75, nil: 120]
        let result = try await imported(photos, choices)
        #expect(outline(result.trip) == ["1 08:00 1", "1 09:15 1", "1 11:15 2"])
        #expect(
            result.clocks == [
                CameraClock(camera: nil, offset: 120, isEstimated: false, photos: 1),
                CameraClock(camera: "D90", offset: -75, isEstimated: false, photos: 1),
                CameraClock(camera: "X100", offset: 120, isEstimated: false, photos: 1),
            ])
        #expect(result.uncertain.isEmpty)
        #expect(try await imported([photo(5, at: 9), photo(6, at: 9, zone: 540)]).uncertain == ["D90": 1])
        // What is stored is the corrected time.
        #expect(result.trip?.timeline[0].pictures[0].taken?.time.description == "08:00")
    }

    @Test("a time with a zone is corrected only for a camera that was named, also when others of the camera have none")
    func givenClockOfSomeZones() async throws {
        let photos = try [photo(1, at: 0), photo(2, at: 0, zone: 540)]
        var choices = ImportPhotos.Choices()
        choices.cameraOffsets = [nil: 120]
        let result = try await imported(photos, choices)
        #expect(outline(result.trip) == ["1 09:15 1", "1 11:15 1"])
        #expect(result.clocks.map(\.photos) == [1])
        choices.cameraOffsets = ["D90": -75]
        let named = try await imported([photo(3, at: 200), photo(4, at: 200, zone: 540)], choices)
        #expect(named.trip?.timeline.flatMap(\.pictures).compactMap(\.taken?.time.description) == ["11:20", "11:20"])
        #expect(named.clocks.map(\.photos) == [2])
    }

    @Test("a clock is corrected by the positions of its photos on the track, if most agree")
    func estimatedClocks() async throws {
        // An hour and two minutes behind: taken at 10, 20 and 30 minutes of the track, one elsewhere.
        let behind =
            try [1: 10, 2: 20, 3: 30].map { number, minute in
                try photo(number, at: minute - 62, north: Double(minute) * 80)
            } + [photo(4, at: 0, north: 50_000)]
        let result = try await imported(behind.sorted { $0.name < $1.name }, tracks: [walk()])
        #expect(result.clocks == [CameraClock(camera: "D90", offset: 62, isEstimated: true, photos: 4)])
        let times = result.trip?.timeline.flatMap(\.pictures).compactMap(\.taken?.time.description)
        #expect(times?.sorted() == ["09:25", "09:35", "09:45", "10:17"])
    }

    @Test("photos whose clock says a day far from the others are left out and named, never filed under another day")
    func outside() async throws {
        let photos = try [
            photo(1, at: 0), photo(2, at: 0, day: 6), photo(3, at: 0, day: -8), photo(4, at: 0, day: 14),
            photo(5, at: 0, day: 2),
        ]
        let result = try await imported(photos)
        #expect(result.outside.map(\.name) == ["3.jpg", "4.jpg"])
        #expect(outline(result.trip) == ["1 09:15 1", "3 09:15 1", "7 09:15 1"])
        // Around a track, however many others there are.
        let others = try (10..<20).map { try photo($0, at: $0, day: -100) }
        let second = try await imported(others + [photo(50, at: 0, day: 20)], tracks: [walk(day: 20)])
        #expect(second.outside.count == 10 && second.trip?.timeline.flatMap(\.pictures).count == 1)
    }

    @Test("photos without a time are with the one before them, and alone they are refused")
    func undated() async throws {
        let result = try await imported([photo(1, at: nil), photo(2, at: 0), photo(3, at: nil), photo(4, at: 300)])
        #expect(result.undated == 2)
        #expect(outline(result.trip) == ["1 09:15 3", "1 14:15 1"])
        #expect(result.trip?.timeline[0].pictures.map(\.taken?.time.description) == [nil, "09:15", nil])
        let photo = try photo(1, at: nil)
        await #expect(throws: TravelError.invalid(.init(.image, .empty))) { try await imported([photo]) }
        await #expect(throws: TravelError.invalid(.init(.image, .empty))) { try await imported([]) }
    }

    @Test("importing again adds only what is new, also earlier days and another track")
    func repeated() async throws {
        let first = try [photo(1, at: 0), photo(2, at: 5)]
        let trip = try #require(try await imported(first, tracks: [walk()]).trip)
        let id = trip.id
        let again = try await imported(first, tracks: [walk()])
        #expect((again.added, again.alreadyThere, again.before?.id) == (0, 2, id))
        #expect(again.trip == trip && trip.version == .first)

        let more = try first + [photo(3, at: 7), photo(4, at: 0, day: -1), photo(1, at: 0)]
        let next = try await imported(more, tracks: [walk(), walk(from: 30_000, day: 1)])
        #expect(next.trip?.id == id && next.added == 2 && next.alreadyThere == 2)
        let extended = try #require(next.trip)
        #expect(extended.content.days == DayRange(try CalendarDay("2024-04-30"), days: 3))
        #expect(extended.timeline.map(\.day) == [1, 2, 2, 2, 2, 3, 3, 3])
        #expect(extended.timeline.map(\.pictures.count) == [1, 1, 2, 0, 0, 0, 0, 0])
        #expect(extended.track?.segments.count == 2)
        #expect(try await store.search(TripQuery(TripCriteria(), viewer: author.id)).trips.count == 1)
    }

    @Test("an import that breaks off keeps what it has stored, and the next one adds the rest")
    func brokenOff() async throws {
        let photos = try (1...60).map { try photo($0, at: $0 * 61 % 700) }
        await #expect(throws: TravelError.self) { try await imported(photos, failingAt: 50) }
        let seen = Mutex<[Int]>([])
        let result = try await imported(photos) { count in seen.withLock { $0.append(count) } }
        let counts = seen.withLock { $0 }
        #expect(result.before != nil && result.added + result.alreadyThere == 60 && result.alreadyThere >= 24)
        #expect(counts.last == result.added && counts == counts.sorted())
        let pictures = result.trip?.timeline.flatMap(\.pictures) ?? []
        #expect(pictures.count == 60 && Set(pictures.map(\.id)).count == 60)
    }

    @Test(
        "each write is announced, with the trip as it is stored and as it becomes, and does not happen after an error")
    func announcedWrites() async throws {
        let photos = try (1...60).map { try photo($0, at: $0 * 61 % 700) }
        let writes = Mutex<[(stored: RecordedTrip?, planned: RecordedTrip)]>([])
        await #expect(throws: CancellationError.self) {
            try await imported(
                photos,
                willStore: { [store] stored, planned in
                    if let stored {
                        #expect(try await store.details(of: stored.id, viewer: author.id).recorded == stored)
                    }
                    if writes.withLock({ $0.count }) == 2 { throw CancellationError() }
                    writes.withLock { $0.append((stored, planned)) }
                })
        }
        let first = writes.withLock { $0 }
        #expect(first.map { $0.stored?.images.count } == [nil, 24] && first.map(\.planned.images.count) == [24, 48])
        let id = try #require(first.first?.planned.id)
        let stored = try await store.details(of: id, viewer: author.id).recorded
        #expect(stored.images.count == 48 && stored.timeline == first.last?.planned.timeline)
        writes.withLock { $0 = [] }
        // A day more, and a track, before the rest of the photos.
        try await imported(
            photos, tracks: [walk(from: 30_000, day: 1)],
            willStore: { stored, planned in writes.withLock { $0.append((stored, planned)) } })
        let second = writes.withLock { $0 }
        #expect(second.map { $0.stored?.version } == [stored.version, stored.version.next])
        #expect(second.map(\.planned.images.count) == [48, 60] && second.first?.planned.content.days.count == 2)
        #expect(try await store.details(of: id, viewer: author.id).recorded.timeline == second.last?.planned.timeline)
    }

    @Test("photos that cannot be stored are named, and alone make no trip")
    func unusable() async throws {
        let photos = try (1...3).map { try photo($0, at: $0) }
        let none = try await imported(photos, unusable: [1, 2, 3])
        #expect(none.trip == nil && none.unusable == photos && none.added == 0)
        #expect(try await store.search(TripQuery(TripCriteria(), viewer: author.id)).trips.isEmpty)
        let some = try await imported(photos, unusable: [1, 3])
        #expect(some.unusable.map(\.name) == ["1.jpg", "3.jpg"] && some.added == 1)
        #expect(outline(some.trip) == ["1 09:16 1"] && some.before == nil)
        let track = try await imported([photo(9, at: 65, day: 20)], tracks: [walk(day: 20)], unusable: [9])
        #expect(track.trip?.track != nil && track.trip?.images == [])
        #expect(track.tracks.map(\.trip.id) == [track.trip?.id])
    }

    @Test(
        "photos that were removed come back by importing them again; the track, which is still there, is not added twice"
    )
    func removed() async throws {
        let photos = try [photo(1, at: 65), photo(2, at: 400)]
        let trip = try #require(try await imported(photos, tracks: [walk()]).trip)
        try await store.update(trip.id, by: author.id) { trip throws(TravelError) in
            var rest = trip
            for entry in trip.timeline { rest = try rest.removing(entry.id) }
            return rest
        }
        let again = try await imported(photos, tracks: [walk()])
        #expect(again.trip?.id == trip.id && again.added == 2)
        #expect(again.trip?.track == trip.track)
        #expect(outline(again.trip) == ["1 10:20 1", "1 15:55 1"])
    }

    @Test("more photos of one stop than an entry has room for are several entries", arguments: [30, 31, 101])
    func manyPhotos(count: Int) async throws {
        let trip = try await imported((1...count).map { try photo($0, at: 0) }).trip
        #expect(trip?.timeline.map(\.pictures.count).reduce(0, +) == count)
        #expect(trip?.timeline.count == (count + 29) / 30)
    }

    @Test("photos that the trip has by a corrected clock are there, whatever their own clock says")
    func correctedBefore() async throws {
        let photos = try [photo(1, at: 0), photo(2, at: 0, day: -30, camera: "old"), photo(3, at: 7)]
        var choices = ImportPhotos.Choices()
        choices.cameraOffsets = ["old": 30 * 1_440 + 60]
        #expect(try await imported(photos, choices).added == 3)
        let again = try await imported(photos)
        #expect((again.added, again.alreadyThere, again.outside) == (0, 3, []))
    }

    @Test("photos of a trip that was imported by other clocks name that trip, and change nothing")
    func otherClocks() async throws {
        let photos = try [photo(1, at: 0), photo(2, at: 5)]
        let id = try #require(try await imported(photos).trip?.id)
        var choices = ImportPhotos.Choices()
        choices.cameraOffsets = [nil: 30 * 1_440]
        let more = try photos + [photo(3, at: 7)]
        await #expect(throws: TravelError.conflict(.trip(id))) { try await imported(more, choices) }
        #expect(try await store.search(TripQuery(TripCriteria(), viewer: author.id)).trips.map(\.id) == [id])
    }

    @Test("a trip of others is never added to")
    func otherTrips() async throws {
        let result = try await imported([photo(1, at: 0)])
        let stranger = User(nickname: try Nickname("지우"))
        try await store.add(stranger)
        let importPhotos = ImportPhotos(
            trips: store, users: store, places: Squares(), session: InMemorySession(signedIn: stranger.id),
            wording: PlainTrackWording(), now: { Walk.now })
        let theirs = try await importPhotos([photo(1, at: 0)]) {
            try TripImage(id: $1, bytes: Data([0xFF, 0xD8, 0xFF]))
        }
        #expect(theirs.before == nil && theirs.trip?.id != result.trip?.id)
        #expect(theirs.trip?.author.id == stranger.id)
    }

    // MARK: Into a trip

    /// A trip of three days from 1 May 2024 that was written by hand, with these entries, by their days and times.
    private func writtenTrip(
        _ entries: [(day: Int, time: String)] = [(1, "10:20"), (2, "09:00")], from first: String = "2024-05-01"
    ) async throws -> RecordedTrip {
        let trip = try RecordedTrip(
            author: author, createdAt: Walk.now,
            content: TripContent(
                title: Title("By hand"), region: .busan, days: DayRange(CalendarDay(first), days: 3)),
            timeline: entries.map {
                try TimelineEntry(day: $0.day, time: TimeOfDay($0.time), title: Title("Lunch"), text: EntryText("…"))
            })
        try await store.add([trip])
        return trip
    }

    private func tripCount() async throws -> Int {
        try await store.search(TripQuery(TripCriteria(), viewer: author.id)).trips.count
    }

    @Test(
        "photos join the entries of a trip that was written by hand, or become entries of the days on which they were taken"
    )
    func joined() async throws {
        let trip = try await writtenTrip()
        let photos = try [photo(1, at: 70), photo(2, at: 0, day: 1), photo(3, at: 300), photo(4, at: 0, day: 4)]
        let result = try await imported(photos, into: trip.id)
        let joined = try #require(result.trip)
        #expect((result.added, result.before, joined.id) == (4, trip, trip.id))
        #expect(outline(joined) == ["1 10:20 1", "1 14:15 1", "2 09:00 1", "5 09:15 1"])
        #expect(joined.timeline.map(\.title.text) == ["Lunch", "photos", "Lunch", "photos"])
        #expect((joined.content.title.text, joined.content.region) == ("By hand", .busan))
        #expect(joined.content.days == DayRange(try CalendarDay("2024-05-01"), days: 5))
        let again = try await imported(photos, into: trip.id)
        #expect((again.added, again.alreadyThere, again.trip) == (0, 4, joined))
        // Also where no trip is named.
        #expect(try await imported(photos).trip == joined)
        #expect(try await tripCount() == 1)
    }

    @Test("a track adds its entries, its line and its days to a trip that was written by hand, once")
    func joinedTrack() async throws {
        let trip = try await writtenTrip()
        let photos = try [photo(1, at: 65, day: -1)]
        let result = try await imported(photos, tracks: [walk(day: -1)], into: trip.id)
        let joined = try #require(result.trip)
        #expect((result.addedTracks, result.tracks.count, result.elsewhere.count) == (1, 1, 0))
        #expect(joined.content.days == DayRange(try CalendarDay("2024-04-30"), days: 4))
        // What was written stays on its dates.
        let written = joined.timeline.filter { $0.title.text == "Lunch" }
        #expect(written.map { "\($0.day) \($0.time)" } == ["2 10:20", "3 09:00"])
        #expect(joined.timeline.filter { $0.day == 1 }.map(\.pictures.count) == [0, 1, 0])
        #expect(joined.track?.segments.count == 1)
        let again = try await imported(photos, tracks: [walk(day: -1)], into: trip.id)
        #expect((again.addedTracks, again.trip) == (0, joined))
        let more = try await imported([], tracks: [walk(from: 30_000, day: 1)], into: trip.id)
        #expect(more.trip?.track?.segments.count == 2 && more.addedTracks == 1)
        #expect(try await tripCount() == 1)
    }

    @Test("files of days more than a week from the trip are left out and named, and change nothing")
    func farFromTrip() async throws {
        let trip = try await writtenTrip()
        let photos = try [photo(1, at: 0, day: 10), photo(2, at: 0, day: -8), photo(3, at: nil)]
        let result = try await imported(photos, tracks: [walk(day: 20), walk(day: -20)], into: trip.id)
        #expect(result.outside == photos && result.outsideTracks == [0, 1])
        #expect((result.added, result.addedTracks, result.trip) == (0, 0, trip))
        // A week is near, and so is a week from what is near.
        let near = try [photo(4, at: 0, day: 9), photo(5, at: 0, day: -7), photo(6, at: 0, day: 16)]
        let joined = try await imported(near + photos, tracks: [walk(day: -40), walk(day: 20)], into: trip.id)
        #expect(joined.outside.isEmpty && joined.outsideTracks == [0])
        #expect(joined.trip?.content.days == DayRange(try CalendarDay("2024-04-23"), days: 29))
        #expect(joined.trip?.timeline.filter { $0.title.text == "Lunch" }.map(\.day) == [9, 10])
    }

    @Test("photos without a time alone are refused, also for a trip")
    func undatedIntoTrip() async throws {
        let trip = try await writtenTrip()
        let photo = try photo(1, at: nil)
        await #expect(throws: TravelError.invalid(.init(.image, .empty))) { try await imported([photo], into: trip.id) }
        await #expect(throws: TravelError.invalid(.init(.image, .empty))) { try await imported([], into: trip.id) }
    }

    @Test("what another trip has is named with that trip, and is not stored twice")
    func elsewhere() async throws {
        let other = try #require(try await imported([photo(1, at: 0)], tracks: [walk()]).trip)
        let trip = try await writtenTrip()
        let all = try await imported([photo(1, at: 0)], tracks: [walk()], into: trip.id)
        #expect(all.elsewhere.map(\.trip.id) == [other.id] && all.elsewhere.map(\.count) == [2])
        #expect(all.trip == trip && all.tracks.isEmpty)
        let some = try await imported(
            [photo(1, at: 0), photo(2, at: 70)], tracks: [walk(), walk(from: 30_000, day: 1)], into: trip.id)
        #expect(some.elsewhere.map(\.count) == [2] && some.added == 1 && some.addedTracks == 1)
        #expect(some.trip?.id == trip.id && some.trip?.track?.segments.count == 1)
        #expect(try await store.details(of: other.id, viewer: author.id).recorded == other)
        // Those that were moved to other days by another clock.
        var choices = ImportPhotos.Choices()
        choices.cameraOffsets = [nil: 90 * 1_440]
        let moved = try #require(try await imported([photo(9, at: 0)], choices).trip)
        let result = try await imported([photo(9, at: 0)], into: trip.id)
        #expect(result.elsewhere.map(\.trip.id) == [moved.id] && result.added == 0)
    }

    @Test("files of several trips are added to none of them twice, and what is new comes to one of them")
    func ofSeveralTrips() async throws {
        let one = try #require(try await imported([photo(1, at: 0)], tracks: [walk()]).trip)
        let other = try #require(try await imported([photo(2, at: 5)], into: writtenTrip().id).trip)
        let files = try [photo(1, at: 0), photo(2, at: 5), photo(3, at: 10)]
        let result = try await imported(files, tracks: [walk()])
        let (trip, rest) = result.trip?.id == one.id ? (one, other) : (other, one)
        #expect(result.before == trip && result.added == 1 && result.elsewhere.map(\.trip.id) == [rest.id])
        #expect(try await store.details(of: rest.id, viewer: author.id).recorded == rest)
        let again = try await imported(files, tracks: [walk()])
        #expect(again.trip == result.trip && again.added == 0)
        #expect(try await tripCount() == 2)
    }

    @Test("somebody else's trip accepts nothing, and neither does one that the user does not see")
    func othersTrip() async throws {
        try await store.add(author)
        let stranger = User(nickname: try Nickname("지우"))
        func theirs(_ audience: Audience) throws -> RecordedTrip {
            try RecordedTrip(
                author: stranger, createdAt: Walk.now,
                content: TripContent(
                    title: Title("Theirs"), region: .busan, days: DayRange(CalendarDay("2024-05-01"), days: 3),
                    audience: audience), timeline: [])
        }
        let (seen, hidden) = (try theirs(.everyone), try theirs(.onlyMe))
        try await store.add([seen, hidden])
        let photos = try [photo(1, at: 0)]
        await #expect(throws: TravelError.forbidden(.trip(seen.id))) {
            try await imported(photos, tracks: [walk()], into: seen.id)
        }
        await #expect(throws: TravelError.notFound(.trip(hidden.id))) { try await imported(photos, into: hidden.id) }
        #expect(try await store.timeline(of: seen.id, viewer: nil).isEmpty)
    }

    @Test(
        "photos that join a trip in two halves are the pictures of the same entries as at once", arguments: 0..<40)
    func halves(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        // Stops of at most a quarter of an hour, which are more than an hour and a half from each other.
        var photos: [PhotoFile] = []
        for day in -2...4 {
            for stop in 0..<Int.random(in: 0...4, using: &random) {
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    let minute = stop * 110 + Int.random(in: 0...15, using: &random)
                    photos.append(try photo(photos.count + 1, at: minute, day: day))
                }
            }
        }
        let halves = Dictionary(grouping: photos) { _ in Bool.random(using: &random) }
        let both = [halves[true] ?? [], halves[false] ?? []].filter { !$0.isEmpty }
        func entries(_ trip: RecordedTrip) -> Set<Set<TripImage.ID>> {
            Set(trip.timeline.map { Set($0.pictures.map(\.id)) }.filter { !$0.isEmpty })
        }
        func days(_ trip: RecordedTrip) -> [TripImage.ID: CalendarDay] {
            Dictionary(
                trip.timeline.flatMap { entry in
                    entry.pictures.map { ($0.id, trip.content.days.first.adding(days: entry.day - 1)) }
                }, uniquingKeysWith: { first, _ in first })
        }
        let trip = try await writtenTrip([(2, "15:00"), (3, "23:00")])
        if photos.isEmpty { return }
        var whole = try #require(try await imported(photos, into: trip.id).trip)
        #expect(whole.images.count == photos.count)
        let (wanted, wantedDays, range) = (entries(whole), days(whole), whole.content.days)
        for order in [both, both.reversed()] {
            try await store.update(trip.id, by: author.id) { _ throws(TravelError) in trip }
            for half in order { whole = try #require(try await imported(half, into: trip.id).trip) }
            #expect(entries(whole) == wanted && days(whole) == wantedDays && whole.content.days == range)
        }
    }

    @Test("tracks of days more than a week from the others are left out of a new trip and named")
    func farTracks() async throws {
        let tracks = try [walk(day: -40), walk(), walk(from: 30_000, day: 1)]
        let result = try await imported([photo(1, at: 65)], tracks: tracks)
        #expect(result.outsideTracks == [0] && result.addedTracks == 2 && result.tracks.count == 2)
        #expect(result.trip?.content.days == DayRange(try CalendarDay("2024-05-01"), days: 2))
        let alone = try await imported([], tracks: [tracks[0]])
        #expect(alone.outsideTracks.isEmpty && alone.trip?.id != result.trip?.id)
        let again = try await imported([], tracks: tracks)
        #expect(again.trip?.id == result.trip?.id && again.addedTracks == 0)
    }
}
