import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelPresentation

@testable import traveline

@Suite("Files that are picked in the app", .limitedConcurrency)
struct PickedFilesTests {
    private let store = InMemoryTripRepository()
    private let author: User

    init() async throws {
        author = User(nickname: try Nickname("나그네"))
        try await store.add(author)
    }

    private typealias File = (name: String, bytes: [UInt8])

    private func imported(_ files: [File], into trip: Trip.ID? = nil) async throws -> ImportedTrip {
        try await imported(PickedFiles(files.map { PickedFile(name: $0.name, bytes: Data($0.bytes)) }, into: trip))
    }

    private func imported(_ files: PickedFiles) async throws -> ImportedTrip {
        let importPhotos = ImportPhotos(
            trips: store, users: store, places: KoreanPlaces(), session: InMemorySession(signedIn: author.id),
            wording: LocalizedTrackWording(in: .english), now: { Date() })
        return try await importPhotos.trip(of: files)
    }

    private func stored(_ id: Trip.ID) async throws -> RecordedTrip {
        try await store.details(of: id, viewer: author.id).recorded
    }

    private func photo(_ name: String, _ date: String) -> File { (name, ImageFileTests.jpeg(date)) }

    /// A track of 09:00 to 10:40 in Korea, on that day of May 2024; without times, if there is no day.
    private func track(_ name: String, day: Int?) -> File {
        let points = (0...100).map { minute in
            let (hour, rest) = (minute / 60, minute % 60)
            let time = day.map { "<time>2024-05-0\($0)T0\(hour):\(rest < 10 ? "0" : "")\(rest):00Z</time>" } ?? ""
            return "<trkpt lat=\"\(35.1 + Double(min(minute, 50)) * 0.001)\" lon=\"129.1\">\(time)</trkpt>"
        }
        let text = "<gpx version=\"1.1\"><trk><name>걷기</name><trkseg>\(points.joined())</trkseg></trk></gpx>"
        return (name, Array(text.utf8))
    }

    @Test("photos and a track become a trip, and it is said what was guessed and left out")
    func mixed() async throws {
        let files = [
            photo("a10.jpg", "2024:05:02 12:00:00"), photo("a9.jpg", "2024:05:01 09:55:00"),
            track("walk.gpx", day: 1), photo("old.jpg", "2010:01:01 00:00:00"), ("notes.txt", Array("note".utf8)),
            ("large.jpg", ImageFileTests.jpeg("2024:05:01 09:56:00") + [UInt8](repeating: 0, count: 10 << 20)),
        ]
        let result = try await imported(files)
        let trip = try await stored(result.trip)
        #expect(result.outcome == .made && trip.content.title.text == "걷기" && trip.images.count == 2)
        #expect(trip.content.days == DayRange(try CalendarDay("2024-05-01"), days: 2))
        #expect(result.leftOut.map(\.name) == ["large.jpg", "notes.txt", "old.jpg"])
        #expect(result.leftOut[0].problem.english == "the photo is larger than 10 MiB")
        #expect(result.leftOut[2].problem.english.hasPrefix("left out, because it is of days more than a week"))
        let notes = result.notes.map(\.english)
        #expect(notes.contains("2 photos added.") && notes.contains("The times of 3 photos count as local ones."))
        // Once more, also only a part.
        #expect(try await imported(files).outcome == .unchanged)
        #expect(try await imported([files[2]]) == ImportedTrip(result.trip, .unchanged))
        #expect(try await stored(result.trip) == trip)
    }

    @Test("files are added to the trip that is named, unless they are of other days or another trip has them")
    func intoTrip() async throws {
        let trip = try RecordedTrip(
            author: author, createdAt: Date(),
            content: TripContent(
                title: Title("By hand"), region: .busan, days: DayRange(CalendarDay("2024-05-01"), days: 3)),
            timeline: [])
        try await store.add([trip])
        let files = [photo("a.jpg", "2024:05:02 12:00:00"), track("walk.gpx", day: 1)]
        #expect(try await imported(files, into: trip.id).outcome == .extended)
        let joined = try await stored(trip.id)
        #expect(joined.images.count == 1 && joined.track?.segments.count == 1 && joined.content.title.text == "By hand")
        #expect(try await imported(files, into: trip.id) == ImportedTrip(trip.id, .unchanged))

        let july = photo("july.jpg", "2024:07:02 12:00:00")
        let otherDays = Text(
            "left out, because it is of days more than a week from the others", "날짜가 일주일 넘게 떨어져 있어 뺐습니다")
        await #expect(throws: ScreenFailure.file("july.jpg", otherDays)) {
            try await imported([july], into: trip.id)
        }
        let some = try await imported([july, photo("b.jpg", "2024:05:03 12:00:00")], into: trip.id)
        #expect(some.outcome == .extended && some.leftOut.map(\.name) == ["july.jpg"])
        let other = try await imported([july, photo("j.jpg", "2024:07:03 08:00:00")])
        let elsewhere = try await imported([july], into: trip.id)
        #expect((elsewhere.trip, elsewhere.outcome) == (other.trip, .unchanged))
        #expect(elsewhere.notes.map(\.english) == ["1 of them is in another trip, “Trip of 2 July 2024”."])
        #expect(try await stored(trip.id).images.count == 2)
    }

    @Test("files of which none can be used are named with their reasons, and make no trip")
    func unusable() async throws {
        let undated = ("a.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0] as [UInt8])
        let files = [undated, ("b.txt", Array("b".utf8)), track("c.gpx", day: nil)]
        for file in files {
            do {
                _ = try await imported([file])
                Issue.record("\(file.0) has become a trip")
            } catch ScreenFailure.file(let name, _) {
                #expect(name == file.0)
            }
        }
        do {
            _ = try await imported(files)
            Issue.record("they have become a trip")
        } catch let failure as ScreenFailure {
            let text = failure.text.english
            #expect(["a.png: ", "b.txt: ", "c.gpx: "].allSatisfy(text.contains), "\(text)")
        }
        // Beside one that can, they are left out.
        let result = try await imported(files + [track("d.gpx", day: 1)])
        #expect(result.outcome == .made && result.leftOut.map(\.name).contains("c.gpx"))
        #expect(try await store.search(TripQuery(TripCriteria(), viewer: author.id)).trips.count == 1)
    }

    @Test("a file that cannot be read is left out with the reason, and no more than one photo is read at a time")
    func reading() async throws {
        let reads = Mutex<[String]>([])
        let files = (1...5).map { number in
            PickedFile(name: "\(number).jpg") {
                reads.withLock { $0.append("\(number)") }
                if number == 3 { throw ScreenFailure.file("3.jpg", Text("gone", "없음")) }
                return Data(ImageFileTests.jpeg("2024:05:0\(number) 12:00:00"))
            }
        }
        let result = try await imported(PickedFiles(files))
        #expect(result.leftOut == [LeftOutFile("3.jpg", Text("gone", "없음"))])
        #expect(try await stored(result.trip).images.count == 4)
        // Once for what they say, and once for the picture.
        #expect(reads.withLock { $0 } == ["1", "2", "3", "4", "5", "1", "2", "4", "5"])
    }
}
