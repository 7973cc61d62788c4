import SQLiteStore
import TestConcurrency
import Testing
import TravelDataShared
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Lists of pictures", .limitedConcurrency)
struct PictureListTests {
    /// Every combination of what is known of a picture, in one list.
    private static func pictures() throws -> [Picture] {
        let texts = [nil, try PictureText("a"), try PictureText(String(repeating: "등대 🌊", count: 60))]
        let minute = TimeOfDay(minutesSinceMidnight: 1_439)
        let times = [
            nil, PhotoDate(day: CalendarDay(daysSince1970: .max), time: minute),
            PhotoDate(day: CalendarDay(daysSince1970: .min), time: minute, utcOffset: -840),
            PhotoDate(day: CalendarDay(daysSince1970: 0), time: TimeOfDay(minutesSinceMidnight: 0), utcOffset: 840),
        ]
        let (south, east) = (
            try Coordinate(latitude: -90, longitude: 0.1), try Coordinate(latitude: 35.1587, longitude: 180)
        )
        let positions: [PicturePosition?] = [nil, .mineOnly(south), .shown(east), .withheld]
        return texts.flatMap { text in
            times.flatMap { taken in positions.map { Picture(TripImage.ID(), text: text, taken: taken, position: $0) } }
        }
    }

    private static func read(_ bytes: some Sequence<UInt8>) throws -> [Picture] {
        try Array(bytes).withUnsafeBytes { try PictureList.pictures($0) }
    }

    @Test("pictures are read as they were written, with all that is known of each")
    func roundTrip() throws {
        let pictures = try Self.pictures()
        #expect(PictureList.bytes(of: [] as [Picture]) == nil)
        #expect(try Self.read([]) == [])
        #expect(try Self.read(#require(PictureList.bytes(of: pictures))) == pictures)
        for picture in pictures {
            #expect(try Self.read(#require(PictureList.bytes(of: [picture]))) == [picture])
        }
    }

    @Test("a picture without details takes 17 bytes")
    func size() {
        #expect(PictureList.bytes(of: [Picture(TripImage.ID()), Picture(TripImage.ID())])?.count == 34)
    }

    @Test("the form does not change")
    func form() throws {
        let picture = Picture(
            TripImage.ID(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))),
            text: try PictureText("섬"),
            taken: PhotoDate(
                day: CalendarDay(daysSince1970: -2), time: TimeOfDay(minutesSinceMidnight: 258), utcOffset: -3),
            position: .shown(try Coordinate(latitude: 2, longitude: -2)))
        #expect(
            PictureList.bytes(of: [picture]) == [
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0b1_0111, 3, 0, 0, 0, 0xEC, 0x84, 0xAC, 0xFE,
                0xFF,
                0xFF, 0xFF, 2, 1, 0xFD, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0xC0,
            ])
        let withheld = Picture(picture.id, position: .withheld)
        #expect(PictureList.bytes(of: [withheld])?.last == 0b1_1000)
    }

    @Test("a list that ends within a picture, or has unknown flags or values that break a rule, is unavailable")
    func damage() throws {
        let pictures = try Self.pictures()
        for picture in pictures {
            let bytes = try #require(PictureList.bytes(of: [picture]))
            for count in 1..<bytes.count {
                #expect(throws: TravelError.unavailable(.invalidValues)) { try Self.read(bytes.prefix(count)) }
            }
        }
        var bytes = try #require(PictureList.bytes(of: [Picture(TripImage.ID())]))
        bytes[16] = 32
        #expect(throws: TravelError.unavailable(.invalidValues)) { try Self.read(bytes) }
        let place = Picture(TripImage.ID(), position: .shown(try Coordinate(latitude: 90, longitude: 0)))
        bytes = try #require(PictureList.bytes(of: [place]))
        // The highest byte of the latitude.
        bytes[24] = 0x7F
        #expect(throws: TravelError.unavailable(.invalidValues)) { try Self.read(bytes) }
    }

    @Test("numbers of a damaged row that no picture can have are written, and found when they are read")
    func damagedRows() {
        for number in [Int.min, Int.max, -100_000, 100_000] {
            var items = [PictureList.Item](repeating: .init(image: TripImage.ID()), count: 2)
            items[0].utcOffset = number
            items[0].taken = (number, number)
            items[1].positionKind = number
            for item in items where item.utcOffset != nil || number > 0 {
                #expect(throws: TravelError.unavailable(.invalidValues)) {
                    try Self.read(PictureList.bytes(of: [item]))
                }
            }
            #expect(!PictureList.bytes(of: items).isEmpty)
        }
    }

    @Test("a timeline with a damaged list of pictures is unavailable, and the list of trips is not")
    func damagedFiles() async throws {
        let database = try await TravelDatabase.copied()
        let trip = try TripBuilder(seed: 1).with {
            $0.timeline = [try TimelineEntry(seed: 1, day: 1, image: TripImage.ID(seed: 9))]
        }.build()
        try await database.trips.add([trip], images: [TripImage(seed: 9)])
        try await database.database.write { db in
            try db.execute("UPDATE entry SET pictures = CAST(pictures || pictures AS BLOB)")
        }
        await #expect(throws: TravelError.unavailable(.invalidValues)) {
            try await database.trips.timeline(of: trip.id, viewer: nil)
        }
        #expect(try await database.trips.search(TripQuery(TripCriteria(), viewer: nil)).trips.count == 1)
        await database.close()
    }
}
