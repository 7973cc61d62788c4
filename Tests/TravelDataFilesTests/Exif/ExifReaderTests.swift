import Foundation
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataFiles

@Suite("Dates and positions of photos", .takesTurns)
struct ExifReaderTests {
    private static let original = "2026:10:02 10:30:59"

    private static func text(of date: PhotoDate?) -> String? {
        date.map { "\($0.day) \($0.time)" + ($0.utcOffset.map { " \($0)" } ?? "") }
    }

    @Test(
        "the date of a photo is read in each container and both byte orders", arguments: ExifFile.Container.allCases,
        [true, false])
    func containers(container: ExifFile.Container, littleEndian: Bool) {
        var file = ExifFile(isLittleEndian: littleEndian)
        file.image = [(0x010F, "Camera"), (0x0110, "X")]
        file.exif = [(0x9000, "023"), (0x9003, Self.original)]
        #expect(Self.text(of: ExifReader.photoDate(in: file.data(in: container))) == "2026-10-02 10:30")
    }

    @Test("the time at which a photo was taken comes before those of its scan and of its last change")
    func precedence() {
        var file = ExifFile()
        file.image = [(0x0132, "2026:12:31 23:59:00")]
        #expect(Self.text(of: ExifReader.photoDate(in: file.data(in: .jpeg))) == "2026-12-31 23:59")
        file.exif = [(0x9004, "2026:11:01 08:00:00")]
        #expect(Self.text(of: ExifReader.photoDate(in: file.data(in: .jpeg))) == "2026-11-01 08:00")
        file.exif.append((0x9003, Self.original))
        #expect(Self.text(of: ExifReader.photoDate(in: file.data(in: .jpeg))) == "2026-10-02 10:30")
        // A camera whose clock was not set.
        file.exif[1].text = "    :  :     :  :  "
        #expect(Self.text(of: ExifReader.photoDate(in: file.data(in: .jpeg))) == "2026-11-01 08:00")
    }

    @Test(
        "the position of a photo is read in each container and both byte orders",
        arguments: ExifFile.Container.allCases,
        [true, false])
    func positions(container: ExifFile.Container, littleEndian: Bool) throws {
        var file = ExifFile(isLittleEndian: littleEndian)
        file.exif = [(0x9003, Self.original)]
        file.position = (("S", [(33, 1), (51, 1), (2_448, 100)]), ("E", [(151, 1), (12, 1), (549, 10)]))
        let position = try #require(ExifReader.photoCoordinate(in: file.data(in: container)))
        #expect(abs(position.latitude + 33.8568) < 1e-9)
        #expect(abs(position.longitude - 151.21525) < 1e-9)
        #expect(Self.text(of: ExifReader.photoDate(in: file.data(in: container))) == "2026-10-02 10:30")
    }

    @Test("a photo without a fix, a hemisphere, or degrees on the globe has no position")
    func noPositions() {
        var file = ExifFile()
        #expect(ExifReader.photoCoordinate(in: file.data(in: .jpeg)) == nil)
        let (north, east) = (("N", [(35, 1), (9, 1), (0, 1)]), ("E", [(129, 1), (9, 1), (0, 1)]))
        let zero = [(0, 1), (0, 1), (0, 1)]
        file.position = (north, east)
        #expect(ExifReader.photoCoordinate(in: file.data(in: .jpeg)) != nil)
        for position in [
            (("N", zero), ("E", zero)), (("", north.1), east), (("X", north.1), east), (north, ("N", east.1)),
            (("N", [(35, 0), (9, 1), (0, 1)]), east), (("N", [(35, 1), (60, 1), (0, 1)]), east),
            (("N", [(91, 1), (0, 1), (0, 1)]), east), (("N", [(35, 1), (9, 1)]), east),
            (north, ("E", [(181, 1), (0, 1), (0, 1)])),
        ] {
            file.position = position
            #expect(ExifReader.photoCoordinate(in: file.data(in: .jpeg)) == nil, "\(position)")
        }
    }

    @Test("the offset belongs to the date that is read")
    func offsets() {
        var file = ExifFile()
        file.image = [(0x0132, "2026:12:31 23:59:00")]
        file.exif = [(0x9010, "+01:00"), (0x9011, "+09:00")]
        #expect(Self.text(of: ExifReader.photoDate(in: file.data(in: .jpeg))) == "2026-12-31 23:59 60")
        file.exif.append((0x9003, Self.original))
        #expect(Self.text(of: ExifReader.photoDate(in: file.data(in: .jpeg))) == "2026-10-02 10:30 540")
    }

    @Test(
        "an offset is a sign, hours and minutes",
        arguments: [
            ("+09:00", 540), ("-03:30", -210), ("+14:00", 840), ("+00:00", 0), ("+14:01", nil), ("+09:60", nil),
            ("09:00", nil), ("+9:00", nil), ("   :  ", nil), ("", nil), ("+0a:00", nil), ("+09:00 ", 540),
        ])
    func offset(text: String, minutes: Int?) {
        #expect(ExifReader.utcOffset(text) == minutes)
    }

    @Test(
        "text that is no date is none",
        arguments: [
            "", "0000:00:00 00:00:00", "2026:10:02", "    :  :     :  :  ", "x y", "2026:13:02 10:30:59",
            "2026:10:02 24:30:59", "2026:02:30 10:30:59", "2026-10-02 10:30:59", "２０２６:10:02 10:30:59",
        ])
    func noDate(text: String) {
        #expect(ExifReader.date(text) == nil)
    }

    @Test("a photo is an image of the domain, and one without Exif data has no date")
    func images() throws {
        var file = ExifFile()
        file.exif = [(0x9003, Self.original)]
        let photo = try TravelImage(bytes: file.data(in: .jpeg))
        #expect(Self.text(of: ExifReader().photoDate(of: photo)) == "2026-10-02 10:30")
        #expect(ExifReader().photoDate(of: try TravelImage(seed: 1)) == nil)
        #expect(ExifReader.photoDate(in: Data()) == nil)
    }

    @Test("a slice of a larger buffer is read by its own offsets")
    func slices() {
        var file = ExifFile()
        file.exif = [(0x9003, Self.original)]
        let bytes = file.data(in: .png)
        let slice = (Data([1, 2, 3]) + bytes)[3...]
        #expect(Self.text(of: ExifReader.photoDate(in: slice)) == "2026-10-02 10:30")
    }

    @Test("a file that is cut anywhere has the date or none", arguments: ExifFile.Container.allCases)
    func truncations(container: ExifFile.Container) {
        var file = ExifFile(isLittleEndian: false)
        file.exif = [(0x9003, Self.original), (0x9011, "+09:00")]
        let bytes = file.data(in: container)
        for end in bytes.indices {
            let date = Self.text(of: ExifReader.photoDate(in: bytes[..<end]))
            #expect(date == nil || date == "2026-10-02 10:30" || date == "2026-10-02 10:30 540")
        }
        #expect(ExifReader.photoDate(in: bytes.prefix(20)) == nil)
    }

    @Test("a file with any changed bytes is read without a crash", arguments: ExifFile.Container.allCases)
    func changes(container: ExifFile.Container) {
        var random = SeededGenerator(seed: 7)
        for littleEndian in [true, false] {
            var file = ExifFile(isLittleEndian: littleEndian)
            file.image = [(0x0132, "2026:12:31 23:59:00")]
            file.exif = [(0x9003, Self.original), (0x9011, "+09:00")]
            let bytes = file.data(in: container)
            for index in bytes.indices {
                for value in [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)] as [UInt8] {
                    var changed = bytes
                    changed[index] = value
                    _ = ExifReader.photoDate(in: changed)
                }
            }
            for _ in 0..<500 {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    changed[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                _ = ExifReader.photoDate(in: changed.prefix(Int.random(in: 0...changed.count, using: &random)))
            }
        }
    }

    @Test("random bytes behind each signature are read without a crash, and have no date")
    func randomBytes() {
        var random = SeededGenerator(seed: 11)
        let signatures: [[UInt8]] = [
            [], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xE1, 0, 200] + Array("Exif\0\0II".utf8) + [0x2A, 0],
            [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF] + Array("Exif\0\0MM".utf8) + [0, 0x2A, 0, 0, 0, 8],
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("RIFF\u{1}\u{1}\u{1}\u{1}WEBPEXIF".utf8),
            Array("\0\0\0\u{8}ftyp\0\0\0\0meta\0\0\0\0".utf8),
            // One item, and places that are random.
            Array(
                """
                \0\0\0\u{8}ftyp\0\0\0\0meta\0\0\0\0\0\0\0\u{22}iinf\0\0\0\0\0\u{1}\
                \0\0\0\u{14}infe\u{2}\0\0\0\0\u{1}\0\0Exif\0\0\0\0iloc\0\0\0\0\u{44}\0
                """.utf8),
        ]
        for round in 0..<600 {
            let bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(ExifReader.photoDate(in: Data(signatures[round % signatures.count] + bytes)) == nil)
        }
    }

    @Test("a HEIF file whose numbers are as large as possible is read without overflow")
    func largestNumbers() {
        var file = ExifFile()
        file.exif = [(0x9003, Self.original)]
        let bytes = file.data(in: .avif)
        for start in bytes.indices.dropLast(8) {
            for number in [[0x7F] + Array(repeating: 0xFF, count: 7), Array(repeating: 0xFF, count: 8)] as [[UInt8]] {
                var changed = bytes
                changed.replaceSubrange(start..<start + 8, with: number)
                _ = ExifReader.photoDate(in: changed)
            }
        }
    }

    @Test("an item that is divided, or in another file, has no date")
    func unreadablePlaces() throws {
        var file = ExifFile()
        file.exif = [(0x9003, Self.original)]
        let bytes = file.data(in: .heic)
        let places = try #require(bytes.range(of: Data("iloc".utf8))).upperBound
        // The second place: an ID, the file, the number of parts, an offset and a length.
        for (offset, value) in [(8 + 14 + 3, 1), (8 + 14 + 5, 2), (8 + 14 + 5, 0)] as [(Int, UInt8)] {
            var changed = bytes
            changed[places + offset] = value
            #expect(ExifReader.photoDate(in: changed) == nil)
        }
        #expect(Self.text(of: ExifReader.photoDate(in: bytes)) == "2026-10-02 10:30")
    }

    @Test("a directory that leads back to itself is read once")
    func circle() {
        // The directory of Exif is the first directory again.
        let tiff: [UInt8] =
            Array("II".utf8) + [0x2A, 0, 8, 0, 0, 0, 1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0]
        let segment = Array("Exif\0\0".utf8) + tiff
        let bytes = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment
        #expect(ExifReader.photoDate(in: Data(bytes)) == nil)
    }

    @Test(
        "the day of a travel is the one on which the photo was taken, if the travel has it",
        arguments: [("2024-05-01", nil), ("2024-05-02", 1), ("2024-05-04", 3), ("2024-05-05", nil)])
    func dayNumbers(day: String, number: Int?) throws {
        let days = try DayRange(CalendarDay("2024-05-02"), through: CalendarDay("2024-05-04"))
        let date = PhotoDate(day: try CalendarDay(day), time: try TimeOfDay("10:00"))
        #expect(date.dayNumber(in: days) == number)
    }
}
