import Foundation
import Testing
import TestConcurrency
@testable import TravelDataFiles
import TravelDomain
import TravelDomainTesting

@Suite("Dates and positions of photos", .limitedConcurrency)
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
        let photo = try TripImage(bytes: file.data(in: .jpeg))
        #expect(Self.text(of: ExifReader().photoDate(of: photo)) == "2026-10-02 10:30")
        #expect(ExifReader().photoDate(of: try TripImage(seed: 1)) == nil)
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
                // Two of the four values for each order of bytes: each is tried at every place in one of them.
                let values: [UInt8] = littleEndian ? [0, .random(in: 0...255, using: &random)] : [1, 0xFF]
                for value in values {
                    var changed = bytes
                    changed[index] = value
                    _ = ExifReader.photoDate(in: changed)
                }
            }
            for _ in 0..<150 {
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
        "the day of a trip is the one on which the photo was taken, if the trip has it",
        arguments: [("2024-05-01", nil), ("2024-05-02", 1), ("2024-05-04", 3), ("2024-05-05", nil)])
    func dayNumbers(day: String, number: Int?) throws {
        let days = try DayRange(CalendarDay("2024-05-02"), through: CalendarDay("2024-05-04"))
        let date = PhotoDate(day: try CalendarDay(day), time: try TimeOfDay("10:00"))
        #expect(date.dayNumber(in: days) == number)
    }
}

/// Builds image files with Exif data, as cameras do.
struct ExifFile {
    enum Container: CaseIterable { case jpeg, png, webP, heic, avif }

    var isLittleEndian = true
    /// The entries of the first directory, and of that of Exif.
    var image: [(tag: Int, text: String)] = []
    var exif: [(tag: Int, text: String)] = []
    /// The position: the hemispheres, and degrees, minutes and seconds as fractions.
    var position: (latitude: (String, [(Int, Int)]), longitude: (String, [(Int, Int)]))?

    func data(in container: Container) -> Data {
        let tiff = self.tiff
        switch container {
        case .jpeg:
            let segment = Array("Exif\0\0".utf8) + tiff
            let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 0x61, 0x62]
            return Data(
                [0xFF, 0xD8] + comment + [0xFF, 0xFF, 0xE1] + big(segment.count + 2, 2) + segment + [0xFF, 0xD9])
        case .png:
            let header = big(13, 4) + Array("IHDR".utf8) + Array(repeating: 0, count: 17)
            let chunk = big(tiff.count, 4) + Array("eXIf".utf8) + tiff + [0, 0, 0, 0]
            return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + chunk)
        case .webP:
            let picture = Array("VP8 ".utf8) + little(3, 4) + [1, 2, 3, 0]
            let chunk = Array("EXIF".utf8) + little(tiff.count, 4) + tiff
            let content = Array("WEBP".utf8) + picture + chunk
            return Data(Array("RIFF".utf8) + little(content.count, 4) + content)
        case .heic: return heic
        case .avif: return avif
        }
    }

    /// The item is at the end of the file, in versions with short numbers.
    private var heic: Data {
        let start = box("ftyp", [bytes("heic"), big(0, 4), bytes("mif1")])
        let picture = [UInt8](repeating: 7, count: 9)
        let exif: [UInt8] = [big(6, 4), bytes("Exif\0\0"), tiff].flatMap { $0 }
        func place(_ item: Int, _ offset: Int, _ count: Int) -> [UInt8] {
            [big(item, 2), big(0, 2), big(1, 2), big(offset, 4), big(count, 4)].flatMap { $0 }
        }
        func meta(_ first: Int) -> [UInt8] {
            let main = box("infe", [big(0x0200_0000, 4), big(1, 2), big(0, 2), bytes("hvc1\0")])
            let item = box("infe", [big(0x0200_0001, 4), big(2, 2), big(0, 2), bytes("Exif\0")])
            let items = box("iinf", [big(0, 4), big(2, 2), main, item])
            let places = [place(1, first, picture.count), place(2, first + picture.count, exif.count)]
            let iloc = box("iloc", [big(0, 4), big(0x4400, 2), big(2, 2)] + places)
            return box("meta", [big(0, 4), box("hdlr", [big(0, 8), bytes("pict")]), items, iloc])
        }
        let first = start.count + meta(0).count + 8
        return Data(start + meta(first) + box("mdat", [picture, exif]))
    }

    /// The item is within `meta`, in versions with long numbers, and the box of the pictures is first, with a long
    /// size.
    private var avif: Data {
        let start = box("ftyp", [bytes("avif"), big(0, 4), bytes("mif1")])
        let exif: [UInt8] = big(0, 4) + tiff
        let item = box("infe", [big(0x0300_0000, 4), big(70_000, 4), big(0, 2), bytes("Exif\0")])
        let items = box("iinf", [big(0x0100_0000, 4), big(1, 4), item])
        let place = [
            big(70_000, 4), big(1, 2), big(0, 2), big(2, 8), big(1, 2), big(1, 4), big(3, 8), big(exif.count, 8),
        ]
        let iloc = box("iloc", [big(0x0200_0000, 4), big(0x8884, 2), big(1, 4)] + place)
        let idat = box("idat", [[9, 9, 9, 9, 9], exif])
        let pictures: [UInt8] = [big(1, 4), bytes("mdat"), big(20, 8), [1, 2, 3, 4]].flatMap { $0 }
        return Data(start + pictures + box("meta", [big(0, 4), iloc, items, idat]))
    }

    /// A header, the first directory with the ways to those of Exif and of the position as its last entries, these two,
    /// and the texts.
    private var tiff: [UInt8] {
        let exifOffset = 8 + 2 + 12 * (image.count + (position == nil ? 1 : 2)) + 4
        let positionOffset = exifOffset + 2 + 12 * exif.count + 4
        var textOffset = positionOffset + (position == nil ? 0 : 2 + 12 * 4 + 4)
        var texts: [UInt8] = []
        func entry(_ tag: Int, _ text: String) -> [UInt8] {
            let bytes = Array(text.utf8) + [0]
            let start = number(tag, 2) + number(2, 2) + number(bytes.count, 4)
            if bytes.count <= 4 { return start + bytes + Array(repeating: 0, count: 4 - bytes.count) }
            defer {
                texts += bytes
                textOffset += bytes.count
            }
            return start + number(textOffset, 4)
        }
        var tiff: [UInt8] = (isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, 2) + number(8, 4)
        func fractions(_ tag: Int, _ values: [(Int, Int)]) -> [UInt8] {
            defer {
                for (numerator, denominator) in values { texts += number(numerator, 4) + number(denominator, 4) }
                textOffset += 8 * values.count
            }
            return number(tag, 2) + number(5, 2) + number(values.count, 4) + number(textOffset, 4)
        }
        tiff += number(image.count + (position == nil ? 1 : 2), 2)
        for (tag, text) in image { tiff += entry(tag, text) }
        tiff += number(0x8769, 2) + number(4, 2) + number(1, 4) + number(exifOffset, 4)
        if position != nil { tiff += number(0x8825, 2) + number(4, 2) + number(1, 4) + number(positionOffset, 4) }
        tiff += number(0, 4) + number(exif.count, 2)
        for (tag, text) in exif { tiff += entry(tag, text) }
        tiff += number(0, 4)
        if let position {
            tiff += number(4, 2) + entry(1, position.latitude.0) + fractions(2, position.latitude.1)
            tiff += entry(3, position.longitude.0) + fractions(4, position.longitude.1) + number(0, 4)
        }
        return tiff + texts
    }

    /// A box of ISO/IEC 14496-12.
    private func box(_ type: String, _ parts: [[UInt8]]) -> [UInt8] {
        let content: [UInt8] = parts.flatMap { $0 }
        return big(8 + content.count, 4) + bytes(type) + content
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func number(_ value: Int, _ size: Int) -> [UInt8] {
        isLittleEndian ? little(value, size) : big(value, size)
    }

    private func little(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func big(_ value: Int, _ size: Int) -> [UInt8] { little(value, size).reversed() }
}
