import Foundation
import TestConcurrency
import Testing
import TravelDataFiles
import TravelDomain
import TravelDomainTesting
import TravelFileSamples
import TravelTexts

@testable import TravelPages

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
        let language: Language = seed.isMultiple(of: 2) ? .korean : .english
        let file = PageWriter(language: language).data(for: exported)
        let page = CheckedXML(file)
        #expect(page.defects == [])
        #expect(!CheckedXML.containsAddress(file))
        #expect(page.all("html").first?.attributes["lang"] == language.rawValue)
        #expect(page.all("h1").map(\.text) == [xmlText(exported.trip.content.title.text)])
        #expect(page.all("h3").map(\.text) == exported.trip.timeline.map { xmlText($0.title.text) })
        #expect(page.all("li").map(\.text) == exported.trip.content.traits(in: language))
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
        let korean = CheckedXML(PageWriter(language: .korean).data(for: trip) { _ in nil })
        #expect(
            korean.all("h2").map(\.text)
                == ["지도", "1일차 2024년 5월 1일 (수)", "2일차 2024년 5월 2일 (목)", "365일차 2025년 4월 30일 (수)"])
        let english = CheckedXML(PageWriter().data(for: trip) { _ in nil })
        #expect(english.all("h2").map(\.text)[1] == "Day 1 Wed, 1 May 2024")
        #expect(
            english.all("a").compactMap { $0.attributes["href"] }
                == ["#day-1", "#day-2", "#day-365", "#stop-1", "#stop-2", "#stop-4"])
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
        let page = CheckedXML(PageWriter().data(for: trip) { _ in nil })
        #expect(page.all("span", class: "stop").map(\.text) == ["1", "2", "3"])
        #expect(page.all("text", class: "num").map(\.text) == ["2"])
        #expect(page.all("a").compactMap { $0.attributes["href"] } == ["#stop-2"])
        #expect(page.all("article").compactMap { $0.attributes["id"] } == ["stop-1", "stop-2", "stop-3"])
    }

    @Test("a page without entries says so, and has no map")
    func empty() throws {
        let page = CheckedXML(PageWriter().data(for: try TripBuilder(seed: 1).build()) { _ in nil })
        #expect(page.defects == [])
        #expect(page.all("svg").isEmpty && page.all("nav").isEmpty)
        #expect(
            page.all("main").map { $0.text.trimmingCharacters(in: .whitespacesAndNewlines) } == [
                "There are no entries yet."
            ])
    }

    @Test("a page forbids scripts, the network and other styles by its content security policy, and adapts to a phone")
    func policy() throws {
        let page = CheckedXML(PageWriter().data(for: try TripBuilder(seed: 1).build()) { _ in nil })
        let metas = page.all("meta").map(\.attributes)
        let policy = metas.first { $0["http-equiv"] == "Content-Security-Policy" }?["content"]
        #expect(
            policy == "default-src 'none'; img-src data:; style-src 'sha256-\(PageStyle.digest)'; base-uri 'none'; "
                + "form-action 'none'")
        #expect(metas.contains { $0["name"] == "viewport" && $0["content"] == "width=device-width, initial-scale=1" })
        let style = try #require(page.all("style").first?.text)
        #expect(style.contains("prefers-color-scheme:dark") && style.contains("@media print"))
        #expect(page.all("style").count == 1)
        #expect(style == PageStyle.content.text)
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
                == ["/log/images/\(TripImage.ID(seed: 4))?size=middle", "/log/images/\(image)?size=middle"])
        #expect(page.all("a").first?.attributes["href"] == "/log/")
        let policy = page.all("meta").first { $0.attributes["http-equiv"] != nil }?.attributes["content"]
        #expect("\(policy ?? ""); frame-ancestors 'none'" == PageSite.contentSecurityPolicy)
        #expect(PageSite.contentSecurityPolicy.contains("img-src 'self';"))
        #expect(!PageSite.contentSecurityPolicy.contains("unsafe") && page.all("svg").isEmpty)
    }

    /// What the metadata of a page say, by `property` or `name`; the first of several.
    private static func metadata(_ page: CheckedXML) -> [String: String] {
        Dictionary(pairs(page), uniquingKeysWith: { first, _ in first })
    }

    private static func pairs(_ page: CheckedXML) -> [(String, String)] {
        page.all("meta").map(\.attributes).compactMap { attributes in
            (attributes["property"] ?? attributes["name"]).map { ($0, attributes["content"] ?? "") }
        }
    }

    /// What the metadata say of the pictures of a page, in their order.
    private static func pictures(_ page: CheckedXML) -> [String] {
        pairs(page).filter { $0.0.hasPrefix("og:image") }.map { "\($0.0.dropFirst(3)) \($0.1)" }
    }

    @Test(
        "the preview of a page with places has its map after its cover, or alone, for a network that asks where it is")
    func previewOfMap() throws {
        let key = try #require(LinkKey(String(repeating: "A", count: 22)))
        let site = PageSite(base: "/log", origin: SiteOrigin("https://trips.example.org"))
        let place = try Place(name: "x", coordinate: Coordinate(latitude: 35, longitude: 129))
        for (cover, audience) in [(TripImage.ID(seed: 4), Audience.everyone), (nil, .byLink(key))] {
            let trip = try TripBuilder(seed: 1).with {
                $0.thumbnail = cover
                $0.timeline = [
                    try TimelineEntry(
                        id: TimelineEntry.ID(seed: 1), day: 1, time: TimeOfDay("09:30"), title: Title("a"),
                        text: EntryText("b"), place: place)
                ]
                $0.audience = audience
            }.build()
            let page = CheckedXML(PageWriter(language: .korean).data(for: trip, on: site))
            let query = audience == .everyone ? "" : "?key=\(key.text)"
            let origin = "https://trips.example.org/log"
            let ofCover = cover.map { ["image \(origin)/images/\($0)?size=middle", "image:alt 사진: Trip 1"] } ?? []
            #expect(
                Self.pictures(page) == ofCover + [
                    "image \(origin)/trips/\(trip.id)/map.png\(query)", "image:type image/png", "image:width 1200",
                    "image:height 630", "image:alt 지도: Trip 1",
                ])
            #expect(Self.metadata(page)["twitter:card"] == "summary_large_image")
            #expect(Self.pictures(CheckedXML(PageWriter().data(for: trip, on: PageSite()))) == [])
        }
    }

    @Test("the preview of a page has its title, its facts in the language of the page, and its cover")
    func preview() throws {
        let cover = TripImage.ID(seed: 4)
        let path = try [37.0, 37.1].map { try Coordinate(latitude: $0, longitude: 127) }
        let trip = try TripBuilder(seed: 1).with {
            $0.title = "\"부산\" <밤> & 🌊"
            $0.thumbnail = cover
            $0.track = try TrackGeometry([path])
            $0.timeline = [try TimelineEntry(seed: 1, title: "a", text: "b", image: TripImage.ID(seed: 5))]
            $0.audience = .everyone
        }.build()
        let site = PageSite(base: "/log", origin: SiteOrigin("https://trips.example.org"))
        let page = CheckedXML(PageWriter(language: .korean).data(for: trip, on: site))
        #expect(page.defects { $0.hasPrefix("/log/") } == [])
        let metadata = Self.metadata(page)
        #expect(metadata["og:title"] == "\"부산\" <밤> & 🌊" && metadata["og:type"] == "article")
        #expect(metadata["og:locale"] == "ko_KR" && metadata["og:site_name"] == "Traveline")
        let description = try #require(metadata["og:description"])
        #expect(description.hasPrefix("2024년 5월 1일 (수)") && description.hasSuffix(" · 기록 1개 · 11.1km"))
        #expect(metadata["description"] == description)
        #expect(metadata["og:url"] == "https://trips.example.org/log/trips/\(trip.id)")
        #expect(metadata["og:image"] == "https://trips.example.org/log/images/\(cover)?size=middle")
        #expect(Self.pictures(page).contains("image https://trips.example.org/log/trips/\(trip.id)/map.png"))
        #expect(metadata["og:image:alt"] == "사진: \"부산\" <밤> & 🌊")
        #expect(metadata["twitter:card"] == "summary_large_image" && metadata["robots"] == nil)
        #expect(page.all("link").map(\.attributes["href"]) == ["/log/icon.svg"])
    }

    @Test("the preview of a page without a cover has the first picture of an entry")
    func previewOfEntry() throws {
        let image = TripImage.ID(seed: 5)
        let trip = try TripBuilder(seed: 1).with {
            $0.timeline = [
                try TimelineEntry(seed: 1, title: "a", text: "b"),
                try TimelineEntry(seed: 2, title: "a", text: "b", image: image),
            ]
            $0.audience = .everyone
        }.build()
        let site = PageSite(origin: SiteOrigin("https://trips.example.org"))
        let metadata = Self.metadata(CheckedXML(PageWriter().data(for: trip, on: site)))
        #expect(metadata["og:image"] == "https://trips.example.org/images/\(image)?size=middle")
        let plain = Self.metadata(CheckedXML(PageWriter().data(for: trip, on: PageSite())))
        #expect(plain["og:image"] == nil && plain["og:url"] == nil && plain["twitter:card"] == "summary")
        #expect(plain["og:title"] == "Trip 1")
    }

    @Test(
        "the page of a trip that is shared by link asks not to be listed, and has its key in addresses of pictures only"
    )
    func previewByLink() throws {
        let key = try #require(LinkKey(String(repeating: "A", count: 22)))
        let trip = try TripBuilder(seed: 1).with {
            $0.thumbnail = TripImage.ID(seed: 4)
            $0.audience = .byLink(key)
        }.build()
        let site = PageSite(origin: SiteOrigin("https://trips.example.org"))
        let page = CheckedXML(PageWriter().data(for: trip, on: site))
        let metadata = Self.metadata(page)
        #expect(metadata["robots"] == "noindex" && metadata["og:url"] == nil)
        let withKey = page.elements.flatMap(\.attributes.values).filter { $0.contains(key.text) }
        #expect(!withKey.isEmpty && withKey.allSatisfy { $0.contains("/images/") })
        #expect(metadata["og:image"]?.hasSuffix("?size=middle&key=\(key.text)") == true)
    }

    @Test("a page of a site with an app leads to the trip there, with the key of its link if it has one")
    func wayIntoTheApp() throws {
        let key = try #require(LinkKey(String(repeating: "A", count: 22)))
        for (audience, query) in [(Audience.everyone, ""), (.byLink(key), "?key=\(key.text)")] {
            let trip = try TripBuilder(seed: 1).with { $0.audience = audience }.build()
            func links(_ site: PageSite) -> [String] {
                CheckedXML(PageWriter(language: .korean).data(for: trip, on: site)).all("a")
                    .filter { $0.text == "앱에서 열기" }.compactMap { $0.attributes["href"] }
            }
            #expect(links(PageSite(app: "/app")) == ["/app/trips/\(trip.id)\(query)"])
            #expect(links(PageSite()) == [])
        }
    }

    @Test("a file has no preview and no icon, which it could not contain")
    func previewOfFile() throws {
        let page = CheckedXML(PageWriter().data(for: try TripBuilder(seed: 1).build()) { _ in nil })
        #expect(Self.metadata(page).keys.allSatisfy { !$0.hasPrefix("og:") && $0 != "robots" && $0 != "description" })
        #expect(page.all("link").isEmpty)
    }

    @Test(
        "an origin is an https URL without more, or an http URL of this machine",
        arguments: [
            ("https://trips.example.org", "https://trips.example.org"),
            ("HTTPS://Trips.Example.org/", "https://trips.example.org"),
            ("https://trips.example.org:443", "https://trips.example.org"),
            ("https://a.example:8443", "https://a.example:8443"),
            ("http://localhost:8080", "http://localhost:8080"), ("http://[::1]:8080/", "http://[::1]:8080"),
            ("https://여행.example", "https://xn--9i5bo9z.example"),
            ("http://trips.example.org", nil), ("https://trips.example.org/log", nil), ("https://a.example?x=1", nil),
            ("https://a.example#x", nil), ("https://user@a.example", nil), ("javascript:alert(1)", nil),
            ("//a.example", nil), ("a.example", nil), ("", nil), ("https://", nil), ("https://a.example:0", nil),
            ("https://a.example:70000", nil), ("https://a.example\n", nil),
        ])
    func origin(text: String, expected: String?) {
        #expect(SiteOrigin(text)?.text == expected)
    }

    @Test("a page has the length of the track and the sources of the map below its map")
    func note() throws {
        let path = try [37.0, 37.1].map { try Coordinate(latitude: $0, longitude: 127) }
        let trip = try TripBuilder(seed: 1).with { $0.track = try TrackGeometry([path]) }.build()
        let page = CheckedXML(PageWriter().data(for: trip, on: PageSite()))
        #expect(page.all("p", class: "note").map(\.text) == ["Recorded track 11.1 km · Map: Natural Earth"])
        let climb = zip(path, [1_947.4, 907]).map { TrackPoint(coordinate: $0, elevation: $1) }
        let steep = try TripBuilder(seed: 1).with { $0.track = try TrackGeometry(points: [climb]) }.build()
        #expect(
            CheckedXML(PageWriter().data(for: steep, on: PageSite())).all("p", class: "note").map(\.text) == [
                "Recorded track 11.1 km · ↑ 0 m ↓ 1,040 m, highest 1,947 m · Map: Natural Earth"
            ])
        let profile = TrackGeometry.Profile(ascent: 640.2, descent: 999.5, highest: -12.6)
        #expect(Text.profile(profile).korean == "↑ 640m ↓ 1,000m, 최고 −13m")
        #expect(Text.track(ofLength: 999.4).korean == "기록한 경로 999m")
        #expect(Text.track(ofLength: 999.6).english == "Recorded track 1 km")
        #expect(Text.track(ofLength: 123_456).english == "Recorded track 123 km")
    }

    @Test("no page and no map has the place, XMP, comments or trailing data of a picture")
    func metadata() throws {
        let exported = try Self.trip(PictureFile().formats.map(\.bytes))
        let file = PageWriter().data(for: exported)
        let pictures = Self.pictures(in: file)
        #expect(pictures.map(\.type) == ["image/jpeg", "image/png", "image/webp", "image/gif"])
        let files = pictures.map(\.bytes) + [file, MapWriter().data(for: exported.trip)]
        for secret in [Data(PictureFile.secret.utf8), Data(PictureFile.latitude)] {
            for file in files {
                let (gives, givesEncoded) = (
                    file.range(of: secret) != nil, file.range(of: Data(secret.base64EncodedString().utf8)) != nil
                )
                #expect(!gives && !givesEncoded)
            }
        }
    }

    @Test("a page leaves out a picture that cannot be shared, and asks for each that it shows once")
    func omitted() throws {
        let exported = try Self.trip([Array(PictureFile().png.prefix(40)), PictureFile().jpeg])
        var asked: [TripImage.ID] = []
        let page = PageWriter().data(for: exported.trip) { id in
            asked.append(id)
            return exported.picture(id)
        }
        #expect(asked == exported.images.map(\.id))
        #expect(CheckedXML(page).defects == [])
        #expect(Self.pictures(in: page).map(\.type) == ["image/jpeg"])
    }

    /// A trip that shows pictures, one an entry, and the first one as its own.
    private static func trip(_ pictures: [[UInt8]]) throws -> ExportedTrip {
        let images = try pictures.map { try TripImage(bytes: Data($0)) }
        let trip = try TripBuilder(seed: 1).with {
            $0.thumbnail = images.first?.id
            $0.timeline = try images.enumerated().map {
                try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: $0), title: Title("a"), text: EntryText("b"),
                    pictures: [Picture($1.id)])
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

extension PageWriter {
    /// The page as the command line makes it.
    fileprivate func data(for exported: ExportedTrip) -> Data { data(for: exported.trip, picture: exported.picture) }
}

extension ExportedTrip {
    fileprivate func picture(_ id: TripImage.ID) -> PagePicture? {
        images.first { $0.id == id }.flatMap(SharedPicture.init)
            .map { PagePicture(mediaType: $0.mediaType, bytes: $0.bytes) }
    }
}
