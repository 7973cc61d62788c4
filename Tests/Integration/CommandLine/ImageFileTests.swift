import Foundation
import TestTurns
import Testing
import TravelDomain

@testable import traveline

@Suite("Photos by their path", .takesTurns(within: .seconds(60)))
struct ImageFileTests {
    /// A JPEG file whose Exif part has this date, in one of the byte orders.
    private static func jpeg(_ date: String, tag: Int, littleEndian: Bool) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return littleEndian ? bytes : bytes.reversed()
        }
        let text = Array(date.utf8) + [0]
        // The directory, one entry that leads to the directory of Exif, and in that the text.
        var tiff: [UInt8] = (littleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, 2) + number(8, 4)
        tiff += number(1, 2) + number(0x8769, 2) + number(4, 2) + number(1, 4) + number(26, 4) + number(0, 4)
        tiff +=
            number(1, 2) + number(tag, 2) + number(2, 2) + number(text.count, 4) + number(44, 4) + number(0, 4) + text
        let segment = Array("Exif\0\0".utf8) + tiff
        let length = segment.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + segment + [0xFF, 0xD9]
    }

    @Test("the date is read in both byte orders", arguments: [true, false])
    func date(littleEndian: Bool) throws {
        let bytes = Self.jpeg("2026:10:02 10:30:59", tag: 0x9003, littleEndian: littleEndian)
        let date = try #require(ExifDate(jpeg: Data(bytes)))
        #expect(date.day.description == "2026-10-02" && date.time.description == "10:30")
    }

    @Test(
        "text that is no date is none",
        arguments: ["", "0000:00:00 00:00:00", "2026:10:02", "    :  :     :  :  ", "x y"])
    func noDate(text: String) {
        #expect(ExifDate(text) == nil)
    }

    @Test("files that are cut or changed anywhere are read without a crash")
    func broken() {
        let bytes = Self.jpeg("2026:10:02 10:30:59", tag: 0x9003, littleEndian: false)
        for end in bytes.indices { _ = ExifDate(jpeg: Data(bytes[..<end])) }
        for index in bytes.indices {
            for value in [0, 0x7F, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                _ = ExifDate(jpeg: Data(changed))
            }
        }
        #expect(ExifDate(jpeg: Data()) == nil)
    }

    @Test(
        "a path is understood as terminals type a dropped file",
        arguments: ["/a b.jpg", " '/a b.jpg' ", "\"/a b.jpg\"", "/a\\ b.jpg "])
    func paths(path: String) {
        #expect(ImageFile(typed: path).path == "/a b.jpg")
    }

    @Test("a file that is missing, and one that is no image, say so")
    func errors() throws {
        let missing = ImageFile(typed: "/nowhere/at/all.jpg")
        #expect(
            throws: TravelError.unavailable(
                .init(
                    "/nowhere/at/all.jpg: the file cannot be read; check the path", cause: .inaccessible,
                    canRetry: false))
        ) {
            try missing.picked()
        }
        #expect(throws: TravelError.self) { try ImageFile(typed: "/dev/null").picked() }
    }
}
