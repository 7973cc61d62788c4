#if !canImport(ImageIO)
import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelFileSamples

@testable import TravelDataFiles

@Suite("The smaller pictures of pages", .limitedConcurrency)
struct SmallerPicturesTests {
    private let folder = TestFolder()

    /// A PNG file whose header says that it has those pixels, and whose data is `seed` many times.
    private func image(
        _ seed: UInt8, width: Int = 2_000, height: Int = 2_000, id: TripImage.ID = TripImage.ID()
    ) throws -> TripImage {
        func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            big(content.count) + Array(type.utf8) + content + [0, 0, 0, 0]
        }
        let header = chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0])
        let data = chunk("IDAT", Array(repeating: seed, count: 4_096)) + chunk("IEND", [])
        return try TripImage(id: id, bytes: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + data))
    }

    /// A converter that notes each start and gives the same small picture, after `script`.
    private func converter(_ script: String = "") throws -> PictureConverter {
        try Data(PictureFile().jpeg).write(to: folder.url("made.jpg"))
        let text = """
            #!/bin/sh
            echo start >> '\(folder.url("starts").path)'
            \(script)
            cp '\(folder.url("made.jpg").path)' "${3%%\\[*}"
            """
        try Data(text.utf8).write(to: folder.url("vips"))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url("vips").path)
        return try #require(PictureConverter(searchPath: folder.path))
    }

    private var starts: Int {
        ((try? String(contentsOf: folder.url("starts"), encoding: .utf8)) ?? "").split(separator: "\n").count
    }

    @Test("a picture is made once in each size, and is then in memory")
    func once() async throws {
        let smaller = try SmallerPictures(by: converter())
        let image = try image(1)
        #expect(smaller.conversion(of: image, longestSide: nil) == nil && starts == 0)
        for (index, longestSide) in [320, 1_280].enumerated() {
            for _ in 1...3 {
                let made = await smaller.conversion(of: image, longestSide: longestSide)?()
                #expect(made.flatMap { ImageFormat(of: $0) } == .jpeg && starts == index + 1)
            }
        }
    }

    @Test("another picture with the same ID is another picture")
    func otherBytes() async throws {
        let smaller = try SmallerPictures(by: converter())
        let id = TripImage.ID()
        for seed in 1...2 as ClosedRange<UInt8> {
            _ = try await smaller.conversion(of: image(seed, id: id), longestSide: 320)?()
        }
        #expect(starts == 2)
    }

    @Test(
        "a picture that cannot be converted is tried once, and has no conversion then",
        arguments: ["exit 1", "kill -9 $$"])
    func failure(script: String) async throws {
        let smaller = try SmallerPictures(by: converter(script))
        let image = try image(1)
        let conversion = try #require(smaller.conversion(of: image, longestSide: 320))
        #expect(await conversion() == nil && smaller.conversion(of: image, longestSide: 320) == nil)
        #expect(smaller.conversion(of: image, longestSide: 1_280) != nil && starts == 1)
    }

    @Test("one whose file would not become smaller is shown as it is")
    func larger() async throws {
        let smaller = try SmallerPictures(by: converter("head -c 9000 /dev/zero >> '\(folder.url("made.jpg").path)'"))
        let small = try TripImage(bytes: image(1).bytes.prefix(33) + image(1).bytes.suffix(4_000).suffix(60))
        _ = await smaller.conversion(of: small, longestSide: 320)?()
        #expect(smaller.conversion(of: small, longestSide: 320) == nil)
    }

    @Test("a cancelled conversion ends its process, and is tried again")
    func cancellation() async throws {
        let smaller = try SmallerPictures(by: converter("sleep 1000"))
        let image = try image(1)
        let conversion = try #require(smaller.conversion(of: image, longestSide: 320))
        let task = Task { await conversion() }
        while starts == 0 { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        #expect(await task.value == nil && smaller.conversion(of: image, longestSide: 320) != nil)
    }

    @Test("what is in memory stays below its limit")
    func limit() async throws {
        let made = try #require(try await SharedPicture(image(1), longestSide: 320, by: converter()))
        let smaller = try SmallerPictures(by: converter(), limit: 3 * (made.bytes.count + 128))
        let before = starts
        let images = try (1...4).map { try image($0) }
        for _ in 1...2 {
            for image in images { #expect(await smaller.conversion(of: image, longestSide: 320)?() == made.bytes) }
        }
        // Each that finds no room takes that of all others.
        #expect(starts - before == 4 + 4)
    }

    @Test("small pictures, animations and damaged ones have no conversion, and nothing has without a converter")
    func none() async throws {
        let smaller = try SmallerPictures(by: converter())
        for image in [try image(1, width: 320, height: 200), try TripImage(bytes: Data(PictureFile().gif))] {
            #expect(smaller.conversion(of: image, longestSide: 320) == nil)
        }
        #expect(try smaller.conversion(of: TripImage(bytes: Data(PictureFile().webP)), longestSide: 1) == nil)
        #expect(try smaller.conversion(of: image(1, width: 0, height: 20_000), longestSide: 320) == nil)
        #expect(try smaller.conversion(of: image(1, width: 1, height: 20_000), longestSide: 320) != nil)
        // Its headers are refused before a process begins.
        let huge = try image(1, width: 100_000, height: 100_000)
        #expect(await smaller.conversion(of: huge, longestSide: 320)?() == nil && starts == 0)
        #expect(smaller.conversion(of: huge, longestSide: 320) == nil)
        #expect(try SmallerPictures(by: nil).conversion(of: image(1), longestSide: 320) == nil)
    }
}
#endif
