import Foundation
import Testing
import TestReporting
import TestConcurrency
@testable import TravelDataFiles
import TravelDomain
import TravelDomainTesting

#if canImport(CryptoKit)
import CryptoKit
#endif

@Suite("Page writer", .limitedConcurrency)
struct PageWriterTests {
    @Test(
        "a page is well-formed, self-contained and complete, whatever the traveller wrote",
        arguments: 0..<4 as Range<UInt64>)
    func generated(seed: UInt64) throws {
        var generated = GeneratedTrips(seed: seed)
        let exported = try generated.exported()
        let language: PageLanguage = seed.isMultiple(of: 2) ? .korean : .english
        let file = PageWriter(language: language).data(for: exported, facts: ["\"><script>", "부산"])
        let page = CheckedXML(file)
        #expect(page.defects == [])
        #expect(!CheckedXML.containsAddress(file))
        #expect(page.all("html").first?.attributes["lang"] == language.rawValue)
        #expect(page.all("h1").map(\.text) == [xmlText(exported.trip.content.title.text)])
        #expect(page.all("h3").map(\.text) == exported.trip.timeline.map { xmlText($0.title.text) })
        #expect(page.all("li").map(\.text) == ["\"><script>", "부산"])
        let texts = exported.trip.timeline.map { entry in
            xmlText(entry.text.text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined()
        }
        #expect(page.all("p", class: "text").map(\.text) == texts)
    }

    @Test("a page embeds each image with its media type and title")
    func images() throws {
        let (cover, photo) = try (
            TripImage(bytes: Data(PictureFile().png)), TripImage(bytes: Data(PictureFile().jpeg))
        )
        let trip = try TripBuilder(seed: 1).with {
            $0.thumbnail = cover.id
            $0.timeline = [try TimelineEntry(seed: 1, title: "a", text: "b", image: photo.id)]
        }.build()
        let page = CheckedXML(PageWriter().data(for: try ExportedTrip(trip, images: [photo, cover])))
        let sources = page.all("img").compactMap { $0.attributes["src"] }
        let shared = [cover, photo].compactMap { SharedPicture($0)?.bytes.base64EncodedString() }
        #expect(sources == ["data:image/png;base64,\(shared[0])", "data:image/jpeg;base64,\(shared[1])"])
        #expect(page.all("img").map { $0.attributes["alt"] } == ["Picture: Trip 1", "Picture: a"])
    }

    @Test("a page shows a chosen image of the timeline only once")
    func chosenImage() throws {
        let photo = try TripImage(bytes: Data(PictureFile().jpeg))
        let trip = try TripBuilder(seed: 1).with {
            $0.thumbnail = photo.id
            $0.timeline = [try TimelineEntry(seed: 1, title: "a", text: "b", image: photo.id)]
        }.build()
        let page = CheckedXML(PageWriter().data(for: try ExportedTrip(trip, images: [photo])))
        #expect(page.all("img").count == 1)
    }

    @Test("a page has headings for the days in its language, with links to them and to the stops")
    func days() throws {
        let place = try Place(name: "바다", address: "부산", coordinate: Coordinate(latitude: 35, longitude: 129))
        let trip = try TripBuilder(seed: 1).with { builder in
            builder.numberOfDays = 400
            builder.timeline = try [1, 2, 2, 365].map {
                try TimelineEntry(
                    day: $0, time: TimeOfDay(hour: 9), title: Title("a"), text: EntryText("b"), place: place)
            }
        }.build()
        let exported = try ExportedTrip(trip, images: [])
        let korean = CheckedXML(PageWriter(language: .korean).data(for: exported))
        #expect(
            korean.all("h2").map(\.text)
                == ["지도", "1일차 2024년 5월 1일 (수)", "2일차 2024년 5월 2일 (목)", "365일차 2025년 4월 30일 (수)"])
        let english = CheckedXML(PageWriter().data(for: exported))
        #expect(english.all("h2").map(\.text)[1] == "Day 1 Wed, 1 May 2024")
        #expect(
            english.all("a").compactMap { $0.attributes["href"] } == ["#day-1", "#day-2", "#day-365", "#stop-1"])
        #expect(english.defects == [])
        #expect(english.all("p", class: "place").first?.text == "바다 부산")
    }

    @Test("a page numbers all entries, and its map those with a place by the same numbers")
    func numbers() throws {
        let place = try Place(name: "바다", coordinate: Coordinate(latitude: 35, longitude: 129))
        let trip = try TripBuilder(seed: 1).with { builder in
            builder.timeline = try [nil, place, nil].enumerated().map { index, place in
                try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: 9 + index), title: Title("a"), text: EntryText("b"), place: place)
            }
        }.build()
        let page = CheckedXML(PageWriter().data(for: try ExportedTrip(trip, images: [])))
        #expect(page.all("span", class: "stop").map(\.text) == ["1", "2", "3"])
        #expect(page.all("text", class: "num").map(\.text) == ["2"])
        #expect(page.all("a").compactMap { $0.attributes["href"] } == ["#stop-2"])
        #expect(page.all("article").compactMap { $0.attributes["id"] } == ["stop-1", "stop-2", "stop-3"])
    }

    @Test("a page without entries says so, and has no map")
    func empty() throws {
        let trip = try ExportedTrip(TripBuilder(seed: 1).build(), images: [])
        let page = CheckedXML(PageWriter().data(for: trip))
        #expect(page.defects == [])
        #expect(page.all("svg").isEmpty && page.all("nav").isEmpty)
        #expect(page.all("main").map { $0.text.trimmed } == ["There are no entries yet."])
    }

    @Test("a page forbids scripts, the network and other styles by its content security policy, and adapts to a phone")
    func policy() throws {
        let trip = try ExportedTrip(TripBuilder(seed: 1).build(), images: [])
        let page = CheckedXML(PageWriter().data(for: trip))
        let metas = page.all("meta").map(\.attributes)
        let policy = metas.first { $0["http-equiv"] == "Content-Security-Policy" }?["content"]
        #expect(
            policy == "default-src 'none'; img-src data:; style-src 'sha256-\(PageStyle.digest)'; base-uri 'none'; "
                + "form-action 'none'")
        #expect(metas.contains { $0["name"] == "viewport" && $0["content"] == "width=device-width, initial-scale=1" })
        let style = try #require(page.all("style").first?.text)
        #expect(style.contains("prefers-color-scheme:dark") && style.contains("@media print"))
        #expect(page.all("style").count == 1)
        #expect(style == PageStyle.content)
        let digest = try Self.digest(of: style)
        #expect(digest == PageStyle.digest)
    }

    @Test("a page of a site links to the list, refers to its pictures, and allows no others")
    func site() throws {
        let image = TripImage.ID(seed: 5)
        let trip = try TripBuilder(seed: 1).with {
            $0.thumbnail = TripImage.ID(seed: 4)
            $0.timeline = [try TimelineEntry(seed: 1, title: "a", text: "b", image: image)]
        }.build()
        let page = CheckedXML(PageWriter().data(for: trip, on: PageSite(base: "/log")))
        #expect(page.defects { $0.hasPrefix("/log/") } == [])
        #expect(
            page.all("img").map { $0.attributes["src"] }
                == ["/log/images/\(TripImage.ID(seed: 4))", "/log/images/\(image)"])
        #expect(page.all("a").first?.attributes["href"] == "/log/")
        let policy = page.all("meta").first { $0.attributes["http-equiv"] != nil }?.attributes["content"]
        #expect("\(policy ?? ""); frame-ancestors 'none'" == PageSite.contentSecurityPolicy)
        #expect(PageSite.contentSecurityPolicy.contains("img-src 'self';"))
        #expect(!PageSite.contentSecurityPolicy.contains("unsafe") && page.all("svg").isEmpty)
    }

    @Test("a page has the length of the track and the source of the coast below its map")
    func note() throws {
        let path = try [37.0, 37.1].map { try Coordinate(latitude: $0, longitude: 127) }
        let trip = try TripBuilder(seed: 1).with { $0.track = try TrackGeometry([path]) }.build()
        let page = CheckedXML(PageWriter().data(for: trip, on: PageSite()))
        #expect(page.all("p", class: "note").map(\.text) == ["Recorded track 11.1 km · Coastline: Natural Earth"])
        let climb = zip(path, [1_947.4, 907]).map { TrackPoint(coordinate: $0, elevation: $1) }
        let steep = try TripBuilder(seed: 1).with { $0.track = try TrackGeometry(points: [climb]) }.build()
        #expect(
            CheckedXML(PageWriter().data(for: steep, on: PageSite())).all("p", class: "note").map(\.text) == [
                "Recorded track 11.1 km · ↑ 0 m ↓ 1,040 m, highest 1,947 m · Coastline: Natural Earth"
            ])
        let profile = TrackGeometry.Profile(ascent: 640.2, descent: 999.5, highest: -12.6)
        #expect(PageLanguage.korean.profile(profile) == "↑ 640m ↓ 1,000m, 최고 −13m")
        #expect(PageLanguage.korean.track(ofLength: 999.4) == "기록한 경로 999m")
        #expect(PageLanguage.english.track(ofLength: 999.6) == "Recorded track 1 km")
        #expect(PageLanguage.english.track(ofLength: 123_456) == "Recorded track 123 km")
    }

    /// The SHA-256 of a text in base 64, by another program than ours.
    private static func digest(of text: String) throws -> String {
        #if canImport(CryptoKit)
        return Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
        #else
        let file = FileManager.default.temporaryDirectory.appending(path: "style-\(UUID().uuidString).css")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }  // in a temporary folder
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sha256sum")
        process.arguments = [file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let digits = String(decoding: output.fileHandleForReading.readDataToEndOfFile().prefix(64), as: UTF8.self)
        process.waitUntilExit()
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
        return Data(bytes).base64EncodedString()
        #endif
    }
}

@Suite("Pictures in shared files", .limitedConcurrency)
struct SharedPictureTests {
    /// A trip that shows pictures, one an entry, and the first one as its own.
    private static func trip(_ pictures: [[UInt8]]) throws -> ExportedTrip {
        let images = try pictures.map { try TripImage(bytes: Data($0)) }
        let trip = try TripBuilder(seed: 1).with {
            $0.thumbnail = images.first?.id
            $0.timeline = try images.enumerated().map {
                try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: $0), title: Title("a"), text: EntryText("b"),
                    place: Place(name: "c", coordinate: Coordinate(latitude: 1, longitude: 2)), image: $1.id)
            }
        }.build()
        return try ExportedTrip(trip, images: images)
    }

    /// The pictures of a page, by their media types.
    private static func pictures(in page: Data) -> [(type: String, bytes: Data)] {
        CheckedXML(page).all("img").compactMap { image in
            let parts = image.attributes["src"]?.dropFirst("data:".count).components(separatedBy: ";base64,") ?? []
            return parts.count == 2 ? Data(base64Encoded: parts[1]).map { (parts[0], $0) } : nil
        }
    }

    private static func gives(_ file: Data, _ secret: [UInt8]) -> Bool { file.range(of: Data(secret)) != nil }

    @Test("no file that is made for sharing has the place, XMP, comments or trailing data of a picture; JSON has them")
    func sharedFiles() throws {
        let built = PictureFile().formats
        let exported = try Self.trip(built.map(\.bytes))
        let secrets = [Array(PictureFile.secret.utf8), PictureFile.latitude]
        let pictures = Self.pictures(in: PageWriter().data(for: exported))
        #expect(pictures.map(\.type) == ["image/jpeg", "image/png", "image/webp", "image/gif"])
        let files =
            pictures.map(\.bytes) + [
                PageWriter().data(for: exported), MapWriter().data(for: exported.trip),
                GPXWriter().data(for: exported.trip), try GeoJSONWriter().data(for: exported.trip),
            ]
        for (file, secret) in files.flatMap({ file in secrets.map { (file, $0) } }) {
            #expect(!Self.gives(file, secret))
            #expect(!Self.gives(file, Array(Data(secret).base64EncodedString().utf8)))
        }
        let backup = try TravelJSONReader().trips(in: TravelJSONWriter().data(for: [exported]))
        #expect(backup == [exported])
        #expect(built.allSatisfy { Self.gives(Data($0.bytes), secrets[0]) })
    }

    @Test("a picture keeps its data, colour profile and orientation", arguments: 1...8)
    func kept(orientation: Int) throws {
        for (format, bytes) in PictureFile(orientation: orientation).formats {
            let image = try TripImage(bytes: Data(bytes))
            let shared = try #require(SharedPicture(image)).bytes
            #expect(ImageFormat(of: shared) == format)
            let hasPicture = Self.gives(shared, PictureFile.picture)
            #expect(hasPicture, "\(format)")
            let again = try #require(SharedPicture(try TripImage(bytes: shared))).bytes
            #expect(again == shared, "\(format)")
            if format == .gif { continue }
            let hasProfile = Self.gives(shared, PictureFile.profile)
            #expect(hasProfile, "\(format)")
            let file = ByteReader(shared).exifBlock.flatMap(TIFFFile.init)
            let tag = file?.short(.orientation, in: file?.firstDirectory ?? [:])
            #expect(tag == (orientation == 1 ? nil : orientation))
        }
    }

    @Test("the parts of a shared JPEG file are those that a decoder needs, in their order")
    func partsOfJPEG() throws {
        let shared = try #require(SharedPicture(try TripImage(bytes: Data(PictureFile(orientation: 1).jpeg)))).bytes
        var markers: [UInt8] = []
        for (index, byte) in shared.enumerated().dropLast() where byte == 0xFF && shared[index + 1] >= 0xC0 {
            markers.append(shared[index + 1])
        }
        #expect(
            markers == [0xD8, 0xE0, 0xE2, 0xEE, 0xDB, 0xC2, 0xC4, 0xDA, 0xD0, 0xDA, 0xD0, 0xD9])
    }

    @Test("a shared PNG file is exact: signature, header, Exif with a checksum, profile, data, end")
    func partsOfPNG() throws {
        let shared = try #require(SharedPicture(try TripImage(bytes: Data(PictureFile().png)))).bytes
        let tail = Data([0, 0, 0, 0]) + Data("IEND".utf8) + Data([0xAE, 0x42, 0x60, 0x82])
        #expect(shared.suffix(12) == tail)
        let types = ["IHDR", "eXIf", "iCCP", "IDAT", "IEND"].map { shared.range(of: Data($0.utf8))?.lowerBound ?? -1 }
        #expect(types == types.sorted() && types[0] == 12)
    }

    @Test("a damaged picture is shared without its metadata, or not at all, and never traps")
    func damaged() throws {
        for (format, bytes) in PictureFile().formats {
            for length in 12..<bytes.count {
                let shared = SharedPicture(try TripImage(bytes: Data(bytes.prefix(length))))
                let gives = shared.map { Self.gives($0.bytes, Array(PictureFile.secret.utf8)) } ?? false
                #expect(!gives, "\(format), \(length) bytes")
            }
            var random = SeededGenerator(seed: 1)
            for _ in 0..<2_000 {
                var changed = bytes
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    changed[Int.random(in: 12..<changed.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                let shared = SharedPicture(try TripImage(bytes: Data(changed)))
                #expect(shared.map { ImageFormat(of: $0.bytes) == format } ?? true)
            }
        }
    }

    @Test("a page leaves out a damaged picture, and HEIC where it cannot be converted, and names them")
    func omitted() throws {
        var heic = ExifFile()
        heic.image = [(0x013B, PictureFile.secret)]
        let files = [Array(heic.data(in: .heic)), Array(heic.data(in: .avif)), Array(PictureFile().png.prefix(40))]
        let exported = try Self.trip(files + [PictureFile().jpeg])
        var omitted: [TripImage.ID] = []
        let page = PageWriter().data(for: exported) { omitted.append($0.id) }
        #expect(omitted == exported.images.prefix(3).map(\.id))
        #expect(CheckedXML(page).defects == [])
        #expect(Self.pictures(in: page).map(\.type) == ["image/jpeg"])
        #expect(!Self.gives(page, Array(Data(PictureFile.secret.utf8).base64EncodedString().utf8)))
    }
}

/// Builds pictures as phones and editors write them: with the metadata around the picture.
///
/// ``secret`` is in each of those parts: in the tags of the place, in XMP, IPTC, comments, thumbnails, and behind the end.
struct PictureFile {
    static let secret = "37.56650N-126.97800E"
    /// Data that stands for a decodable picture, and a colour profile.
    static let (picture, profile) = (Array("PICTURE-DATA".utf8), Array("COLOUR-PROFILE".utf8))

    var orientation = 6

    var formats: [(format: ImageFormat, bytes: [UInt8])] {
        [(.jpeg, jpeg), (.png, png), (.webP, webP), (.gif, gif)]
    }

    var jpeg: [UInt8] {
        func segment(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, code] + big(content.count + 2, 2) + content
        }
        let jfif = segment(0xE0, bytes("JFIF\0") + [1, 2, 0, 0, 1, 0, 1, 8, 8] + secret)
        let metadata = [
            segment(0xE0, bytes("JFXX\0") + secret), segment(0xE1, bytes("Exif\0\0") + exif),
            segment(0xE1, bytes("http://ns.adobe.com/xap/1.0/\0") + secret),
            segment(0xED, bytes("Photoshop 3.0\08BIM") + secret), segment(0xFE, secret),
            segment(0xE2, bytes("MPF\0") + secret), segment(0xEB, secret),
        ]
        let kept = [
            segment(0xE2, bytes("ICC_PROFILE\0") + [1, 1] + Self.profile),
            segment(0xEE, bytes("Adobe") + [0, 100, 0, 0, 0, 0, 1]), segment(0xDB, [0, 1, 2]),
            segment(0xC2, [8, 0, 1, 0, 1, 1, 1, 17, 0]), segment(0xC4, [0, 3]),
        ]
        let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + Self.picture + [0xFF, 0, 0xFF, 0xD0, 1]
        let film = [0xFF, 0xD8] + bytes("ftypmp42") + secret
        return [[0xFF, 0xD8], jfif, metadata.flatMap { $0 }, kept.flatMap { $0 }, scan, scan, [0xFF, 0xD9], film]
            .flatMap { $0 }
    }

    var png: [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            big(content.count, 4) + bytes(type) + content + [9, 9, 9, 9]
        }
        return [
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], chunk("IHDR", big(1, 4) + big(1, 4) + [8, 2, 0, 0, 0]),
            chunk("tEXt", secret), chunk("zTXt", secret), chunk("iTXt", bytes("XML:com.adobe.xmp\0") + secret),
            chunk("tIME", [7, 230, 1, 1, 1, 1, 1]), chunk("iCCP", Self.profile), chunk("prVt", secret),
            chunk("IDAT", Self.picture), chunk("IDAT", Self.picture), chunk("eXIf", exif), chunk("IEND", []), secret,
        ].flatMap { $0 }
    }

    var webP: [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            bytes(type) + big(content.count, 4).reversed() + content + (content.count % 2 == 0 ? [] : [0])
        }
        let frame = chunk("VP8 ", Self.picture) + chunk("ABCD", secret)
        let content = [
            bytes("WEBP"), chunk("VP8X", [0x2E, 0, 0, 0, 0, 0, 0, 0, 0, 0]), chunk("ICCP", Self.profile),
            chunk("ANIM", [0, 0, 0, 0, 0, 0]), chunk("ANMF", Array(repeating: 0, count: 16) + frame),
            chunk("EXIF", exif), chunk("XMP ", secret), chunk("WXYZ", secret),
        ].flatMap { $0 }
        return bytes("RIFF") + big(content.count, 4).reversed() + content + secret
    }

    var gif: [UInt8] {
        func blocks(_ content: [UInt8]) -> [UInt8] { [UInt8(content.count)] + content + [0] }
        let comment = [0x21, 0xFE] + blocks(secret)
        return [
            bytes("GIF89a"), [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
            [0x21, 0xFF, 11] + bytes("NETSCAPE2.0") + [3, 1, 0, 0] + [UInt8(secret.count)] + secret + [0],
            [0x21, 0xFF, 11] + bytes("XMP DataXMP") + blocks(secret), comment,
            [0x21, 0xF9, 4, 0, 10, 0, 0, 0], [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2], blocks(Self.picture), comment,
            [0x21, 0x01] + blocks(secret), [0x3B], secret,
        ].flatMap { $0 }
    }

    /// Exif data with an orientation, the place in the directory of GPS, and the secret as the name of the author.
    private var exif: [UInt8] {
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            big(tag, 2) + big(type, 2) + big(count, 4) + value
        }
        let gps = big(1, 2) + entry(2, 5, 3, big(68, 4)) + big(0, 4)
        let directory =
            big(3, 2) + entry(0x0112, 3, 1, big(orientation, 2) + [0, 0]) + entry(0x013B, 2, secret.count, big(92, 4))
            + entry(0x8825, 4, 1, big(50, 4)) + big(0, 4)
        return bytes("MM") + big(42, 2) + big(8, 4) + directory + gps + Self.latitude + secret
    }

    /// 37° 33′ 59.40″ as three fractions.
    static let latitude: [UInt8] = [37, 1, 33, 1, 5_940, 100].flatMap { big($0, 4) }

    private var secret: [UInt8] { bytes(Self.secret) }
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func big(_ value: Int, _ size: Int) -> [UInt8] { Self.big(value, size) }
    private static func big(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }.reversed()
    }
}
