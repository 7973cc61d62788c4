import Foundation
import TestTurns
import Testing
import TravelDomain
import TravelPresentation

@testable import traveline

@Suite("Photos by their path", .takesTurns(within: .seconds(60)))
struct ImageFileTests {
    /// A JPEG file whose Exif part, in the order of Motorola, has this date.
    private static func jpeg(_ date: String) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }.reversed()
        }
        let text = Array(date.utf8) + [0]
        // The directory, one entry that leads to the directory of Exif, and in that the text.
        var tiff: [UInt8] = [0x4D, 0x4D] + number(42, 2) + number(8, 4)
        tiff += number(1, 2) + number(0x8769, 2) + number(4, 2) + number(1, 4) + number(26, 4) + number(0, 4)
        tiff +=
            number(1, 2) + number(0x9003, 2) + number(2, 2) + number(text.count, 4) + number(44, 4) + number(0, 4)
            + text
        let segment = Array("Exif\0\0".utf8) + tiff
        return [0xFF, 0xD8, 0xFF, 0xE1] + number(segment.count + 2, 2) + segment + [0xFF, 0xD9]
    }

    @Test("a picked photo has the day and time at which it was taken")
    func date() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("photo-\(UUID().uuidString).jpg").path
        try Data(Self.jpeg("2026:10:02 10:30:59")).write(to: URL(fileURLWithPath: path))
        defer { Shell.remove(URL(fileURLWithPath: path)) }
        let picked = try ImageFile(typed: path).picked()
        #expect(picked.day?.description == "2026-10-02" && picked.time?.description == "10:30")
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
