#if !canImport(ImageIO)
import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelFileSamples

@testable import TravelDataFiles

/// What Debian's `libvips-tools` installs, if it is there.
private let installed = PictureConverter()

@Suite("Pictures that vips decodes", .limitedConcurrency, .enabled(if: installed != nil, "install libvips-tools"))
struct VipsTests {
    private let folder = TestFolder()
    private var converter: PictureConverter { get throws { try #require(installed) } }

    /// A picture of 60 × 40 pixels, the left half red, the right half blue, in the format of a file name's extension.
    private func picture(_ name: String, scaledBy scale: Int = 1, options: String = "") throws -> Data {
        let row =
            Array(repeating: [200, 30, 30] as [UInt8], count: 30 * scale)
            + Array(repeating: [30, 30, 200], count: 30 * scale)
        let pixels = Array(repeating: row, count: 40 * scale).flatMap { $0.flatMap { $0 } }
        let source = folder.url("source.ppm")
        try (Data("P6 \(60 * scale) \(40 * scale) 255\n".utf8) + pixels).write(to: source)
        return try vips(["copy", source.path, folder.url(name).path + options], gives: name)
    }

    private func vips(_ arguments: [String], gives name: String) throws -> Data {
        _ = try output(of: arguments)
        return try Data(contentsOf: folder.url(name))
    }

    /// What `vips` prints, without a limit and with every loader: it makes the pictures of the tests.
    private func output(of arguments: [String]) throws -> String {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["vips"] + arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "vips \(arguments)")
        return String(decoding: output, as: UTF8.self)
    }

    /// Red, green and blue of a pixel of a JPEG file.
    private func color(_ x: Int, _ y: Int, of jpeg: Data) throws -> [Int] {
        let file = folder.url("\(UUID().uuidString).jpg")
        try jpeg.write(to: file)
        return try output(of: ["getpoint", file.path, "\(x)", "\(y)"]).split(separator: " ").compactMap { Double($0) }
            .map { Int($0) }
    }

    private func isRed(_ color: [Int]) -> Bool { color.count == 3 && color[0] > 120 && color[2] < 100 }
    private func isBlue(_ color: [Int]) -> Bool { color.count == 3 && color[2] > 120 && color[0] < 100 }

    /// A JPEG file with the metadata that phones and editors write: Exif with an orientation and a place, XMP, IPTC.
    private func withMetadata(_ jpeg: Data, orientation: Int = 6) -> Data {
        let source = ByteReader(Data(PictureFile(orientation: orientation).jpeg))
        let metadata = source.jpegSegments.filter { [0xE1, 0xED, 0xFE, 0xEB].contains($0.code) }
        return jpeg.prefix(2) + metadata.reduce(Data()) { $0 + $1.segment.bytes } + jpeg.dropFirst(2)
    }

    private func tellsNothing(_ jpeg: Data) -> Bool {
        let codes = ByteReader(jpeg).jpegSegments.map(\.code)
        return !codes.contains { (0xE1...0xED).contains($0) || $0 == 0xFE }
            && jpeg.range(of: Data(PictureFile.secret.utf8)) == nil
    }

    @Test(
        "each format becomes an upright JPEG with the size that was asked for and the same colours",
        arguments: ["a.jpg", "a.png", "a.webp", "a.heic", "a.avif", "a.gif"])
    func formats(name: String) async throws {
        let image = try TripImage(bytes: picture(name))
        // HEIC is stored in blocks, of which what is shown is a part.
        let stored = try #require(ByteReader(image.bytes).pixelSize(image.format))
        #expect(image.format == .heic ? stored.longestSide == 64 : stored == PixelSize(width: 60, height: 40))
        let small = try await converter.jpeg(of: image, longestSide: 30)
        #expect(ByteReader(small).pixelSize(.jpeg) == PixelSize(width: 30, height: 20))
        #expect(try isRed(color(4, 10, of: small)) && isBlue(color(25, 10, of: small)))
        let whole = try await converter.jpeg(of: image, longestSide: 4_096)
        #expect(ByteReader(whole).pixelSize(.jpeg) == PixelSize(width: 60, height: 40), "never enlarged")
        #expect(tellsNothing(small) && tellsNothing(whole))
    }

    @Test("a photo that was taken with the camera turned is turned, and keeps no metadata")
    func orientation() async throws {
        let photo = try withMetadata(picture("a.jpg"))
        #expect(!tellsNothing(photo))
        let image = try TripImage(bytes: photo)
        let upright = try await converter.jpeg(of: image, longestSide: 30)
        #expect(ByteReader(upright).pixelSize(.jpeg) == PixelSize(width: 20, height: 30))
        #expect(try isRed(color(10, 4, of: upright)) && isBlue(color(10, 25, of: upright)))
        #expect(tellsNothing(upright))
        // Without a smaller size, a JPEG file is stripped, and not decoded.
        let shared = try await SharedPicture(image, by: converter)
        #expect(shared?.bytes == SharedPicture(image)?.bytes)
    }

    @Test(
        "HEIC with a place becomes JPEG without it, and JPEG in the colours of print becomes JPEG in those of screens")
    func mustConvert() async throws {
        try withMetadata(picture("a.jpg"), orientation: 1).write(to: folder.url("b.jpg"))
        let heic = try vips(["heifsave", folder.url("b.jpg").path, folder.url("b.heic").path], gives: "b.heic")
        #expect(heic.range(of: Data(PictureFile.secret.utf8)) != nil)
        _ = try vips(
            ["icc_transform", folder.url("source.ppm").path, folder.url("c.v").path, "cmyk"], gives: "c.v")
        let cmyk = try vips(["jpegsave", folder.url("c.v").path, folder.url("c.jpg").path], gives: "c.jpg")
        #expect(ByteReader(cmyk).isCMYK)
        for bytes in [heic, cmyk] {
            let picture = try #require(try await SharedPicture(TripImage(bytes: bytes), by: converter))
            #expect(picture.mediaType == "image/jpeg" && tellsNothing(picture.bytes))
            #expect(!ByteReader(picture.bytes).isCMYK)
            #expect(try isRed(color(8, 20, of: picture.bytes)) && isBlue(color(50, 20, of: picture.bytes)))
        }
    }

    @Test("grey, transparent, indexed and 16-bit pictures become JPEG; what is transparent becomes white")
    func kinds() async throws {
        let source = folder.url("source.ppm").path
        _ = try picture("a.png")
        _ = try vips(["colourspace", source, folder.url("grey.png").path, "b-w"], gives: "grey.png")
        _ = try vips(["colourspace", source, folder.url("deep.png").path, "rgb16"], gives: "deep.png")
        _ = try vips(["copy", source, folder.url("indexed.png").path + "[palette]"], gives: "indexed.png")
        _ = try vips(["bandjoin_const", source, folder.url("clear.png").path, "0"], gives: "clear.png")
        for name in ["grey", "deep", "indexed", "clear"] {
            let image = try TripImage(bytes: Data(contentsOf: folder.url("\(name).png")))
            let jpeg = try await converter.jpeg(of: image, longestSide: 30)
            #expect(ByteReader(jpeg).pixelSize(.jpeg) == PixelSize(width: 30, height: 20), "\(name)")
            if name == "clear" { #expect(try color(4, 4, of: jpeg).allSatisfy { $0 > 250 }) }
        }
    }

    @Test("a smaller size is taken if its file is smaller; small pictures and animations stay as they are")
    func smallerSizes() async throws {
        let large = try TripImage(bytes: picture("a.png", scaledBy: 8, options: "[compression=0]"))
        let middle = try #require(try await SharedPicture(large, longestSide: 320, by: converter))
        #expect(middle.mediaType == "image/jpeg" && middle.bytes.count < large.bytes.count)
        #expect(ByteReader(middle.bytes).pixelSize(.jpeg) == PixelSize(width: 320, height: 213))
        let whole = try await SharedPicture(large, longestSide: 480, by: converter)
        #expect(whole?.mediaType == "image/png")
        let gif = try await SharedPicture(
            TripImage(bytes: picture("a.gif", scaledBy: 8)), longestSide: 30, by: converter)
        #expect(gif?.mediaType == "image/gif")
        let moving = try TripImage(bytes: Data(PictureFile().webP))
        #expect(try await SharedPicture(moving, longestSide: 30, by: converter)?.mediaType == "image/webp")
        // A picture whose data is damaged is shown as far as it goes, by the browser.
        let damaged = try TripImage(bytes: Data(PictureFile().jpeg))
        #expect(try await SharedPicture(damaged, longestSide: 1, by: nil) != nil)
    }

    @Test("a HEIC file that is cut off or changed anywhere gives a picture or an error, and no metadata")
    func damage() async throws {
        let heic = try picture("a.heic")
        for index in 1...16 {
            var bytes = heic
            let place = 12 + index * 7_919 % (heic.count - 12)
            if index.isMultiple(of: 2) {
                bytes = bytes.prefix(place)
            } else {
                bytes[place] ^= 0xFF
                bytes[12 + index * 104_729 % (heic.count - 12)] ^= 0x11
            }
            do {
                let jpeg = try await converter.jpeg(of: TripImage(bytes: bytes), longestSide: 60)
                #expect(tellsNothing(jpeg))
            } catch is PictureConversionError {
                // As it should be.
            }
        }
    }
}

@Suite("Decoders that fail", .limitedConcurrency)
struct FailingDecoderTests {
    private let folder = TestFolder()
    private let image: TripImage

    init() throws {
        image = try TripImage(bytes: Data(PictureFile().png))
    }

    /// A converter whose `vips` is a script; it notes its number, those of its children and its files in `started`.
    private func converter(_ script: String, _ change: (inout PictureConverter.Limits) -> Void = { _ in })
        async throws -> PictureConverter
    {
        let program = folder.url("vips")
        let text = """
            #!/bin/sh
            [ "$1" = ready ] && exit 0
            input=$2 output=${3%%\\[*}
            note() { printf '%s\\n' "$@" >> '\(folder.url("started").path)'; }
            note "$$" "$input"
            \(script)
            """
        try Data(text.utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
        // A program that another thread starts may hold the file open for writing until it has begun, and an open file is
        // not run.
        let check = LimitedProcess(
            program: program.path, arguments: ["ready"], environment: [:], memory: 1 << 30, processorTime: 30,
            fileSize: 1 << 20, time: .seconds(60))
        while try await !check.succeeds() {}
        var limits = PictureConverter.Limits()
        change(&limits)
        return try #require(PictureConverter(searchPath: "relative:/nowhere:\(folder.path)", limits: limits))
    }

    private var notes: [String] {
        ((try? String(contentsOf: folder.url("started"), encoding: .utf8)) ?? "").split(separator: "\n").map(
            String.init)
    }

    /// Whether the script has run, and nothing remains of it: no file at once, and no process when those that are killed
    /// have ended.
    private func nothingRemains() async throws -> Bool {
        let notes = notes
        let processes = notes.compactMap { pid_t($0) }
        let files = notes.filter { $0.hasPrefix("/") }
        // A killed child that its new parent has not waited for yet is a zombie, which runs no more.
        func runs(_ process: pid_t) -> Bool {
            guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
            return !stat.contains(") Z ")
        }
        let hasFiles = files.contains {
            FileManager.default.fileExists(atPath: ($0 as NSString).deletingLastPathComponent)
        }
        guard !processes.isEmpty, !files.isEmpty, !hasFiles else { return false }
        for _ in 0..<400 where processes.contains(where: runs) { try await Task.sleep(for: .milliseconds(5)) }
        return !processes.contains(where: runs)
    }

    @Test(
        "a decoder that crashes, fails, or writes nothing, no JPEG, a larger picture or too much is an error",
        arguments: [
            "kill -SEGV $$", "exit 1", "exit 0", "cp \"$input\" \"$output\"", "echo '<svg/>' > \"$output\"",
            "mkdir \"$output\"", "head -c 1000000000 /dev/zero > \"$output\"",
            "printf '\\377\\330\\377\\300\\000\\013\\010\\040\\000\\040\\000\\001\\001\\021\\000\\377\\332\\000\\002x\\377\\331' > \"$output\"",
        ])
    func failures(script: String) async throws {
        let converter = try await converter(script) { $0.outputSize = 1 << 20 }
        await #expect(throws: PictureConversionError.undecodable) {
            try await converter.jpeg(of: image, longestSide: 320)
        }
        #expect(try await nothingRemains())
    }

    @Test("what a decoder writes is stripped, even if it was asked to strip it")
    func stripped() async throws {
        let secret = Data(PictureFile().jpeg)
        try secret.write(to: folder.url("made.jpg"))
        let jpeg = try await converter("cp '\(folder.url("made.jpg").path)' \"$output\"").jpeg(
            of: image, longestSide: 320)
        #expect(jpeg.range(of: Data(PictureFile.secret.utf8)) == nil && ImageFormat(of: jpeg) == .jpeg)
        #expect(try await nothingRemains())
    }

    @Test("a decoder that takes all memory or processor time ends at its limit")
    func limits() async throws {
        let memory = try await converter("x=aaaaaaaa; while :; do x=$x$x; done") { $0.memory = 64 << 20 }
        await #expect(throws: PictureConversionError.undecodable) {
            try await memory.jpeg(of: image, longestSide: 320)
        }
        let time = try await converter("while :; do :; done") { $0.processorTime = 1 }
        await #expect(throws: PictureConversionError.undecodable) {
            try await time.jpeg(of: image, longestSide: 320)
        }
        #expect(try await nothingRemains())
    }

    @Test("a decoder that hangs is ended after its time, with what it has started")
    func hang() async throws {
        let converter = try await converter("sleep 1000 & note $!; wait") { $0.time = .seconds(2) }
        await #expect(throws: PictureConversionError.undecodable) {
            try await converter.jpeg(of: image, longestSide: 320)
        }
        #expect(try await nothingRemains())
    }

    @Test("a decoder that ends leaves no process behind")
    func leftBehind() async throws {
        let converter = try await converter("sleep 1000 & note $!") { $0.time = .seconds(2) }
        await #expect(throws: PictureConversionError.undecodable) {
            try await converter.jpeg(of: image, longestSide: 320)
        }
        #expect(try await nothingRemains())
    }

    @Test("cancelling ends the decoder and removes its files before the error is thrown")
    func cancellation() async throws {
        let converter = try await converter("sleep 1000 & note $!; wait")
        let task = Task { [image] in try await converter.jpeg(of: image, longestSide: 320) }
        // Until it runs: its number, its file and the number of its child are there.
        for _ in 0..<2_000 where notes.count < 3 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(notes.count == 3)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await nothingRemains())
    }

    @Test("a task that is cancelled already starts no decoder")
    func cancelledBefore() async throws {
        let converter = try await converter("exit 0")
        let task = Task { [image] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await converter.jpeg(of: image, longestSide: 320)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(notes.isEmpty)
    }

    @Test("a decoder gets no variable of this process, and reads and writes a folder that only this user sees")
    func environment() async throws {
        let (variables, rights) = (folder.url("variables"), folder.url("rights"))
        let converter = try await converter("env > '\(variables.path)'; ls -ld \"${input%/*}\" > '\(rights.path)'")
        await #expect(throws: PictureConversionError.undecodable) {
            try await converter.jpeg(of: image, longestSide: 320)
        }
        let names = try String(contentsOf: variables, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.split(separator: "=").first.map(String.init) }
        #expect(
            Set(names).subtracting(["PWD", "OLDPWD", "SHLVL", "_"])
                == ["PATH", "HOME", "TMPDIR", "LC_ALL", "VIPS_BLOCK_UNTRUSTED", "VIPS_CONCURRENCY"])
        #expect(try String(contentsOf: rights, encoding: .utf8).hasPrefix("drwx------"))
    }

    @Test("a picture whose headers say that it has too many pixels, or nothing, is not given to a decoder")
    func pixels() async throws {
        let converter = try await converter("exit 0")
        var bomb = PictureFile().png
        for (offset, byte) in [(18, 0xEA), (19, 0x60), (22, 0xEA), (23, 0x60)] { bomb[offset] = UInt8(byte) }
        let image = try TripImage(bytes: Data(bomb))
        #expect(ByteReader(image.bytes).pixelSize(.png) == PixelSize(width: 60_000, height: 60_000))
        await #expect(throws: PictureConversionError.tooManyPixels(maximum: 100_000_000)) {
            try await converter.jpeg(of: image, longestSide: 320)
        }
        for format in ImageFormat.allCases {
            let start = try #require(PictureFile.signatures[format])
            await #expect(throws: PictureConversionError.undecodable, "\(format)") {
                try await converter.jpeg(of: TripImage(bytes: Data(start)), longestSide: 320)
            }
        }
        #expect(notes.isEmpty)
    }

    @Test("without vips on the path there is no converter")
    func absent() {
        #expect(PictureConverter(searchPath: "") == nil && PictureConverter(searchPath: nil) == nil)
        #expect(PictureConverter(searchPath: folder.path) == nil)
    }
}

/// A folder that is removed with the test.
final class TestFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID().uuidString)").path
        // A test whose folder is missing fails at its first file.
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func url(_ name: String) -> URL { URL(fileURLWithPath: path).appendingPathComponent(name) }
}

extension PictureFile {
    /// The first bytes of a file in each format, and nothing else.
    fileprivate static let signatures: [ImageFormat: [UInt8]] = [
        .jpeg: [0xFF, 0xD8, 0xFF], .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .gif: Array("GIF89a".utf8),
        .webP: Array("RIFF\0\0\0\0WEBP".utf8), .heic: Array("\0\0\0\u{18}ftypheic".utf8),
        .avif: Array("\0\0\0\u{18}ftypavif".utf8),
    ]
}
#endif
