import Foundation
import Testing
import TestConcurrency
import TravelDomain
@testable import traveline
import TravelPresentation
import TravelTerminal

@Suite("Printed text", .limitedConcurrency)
struct PageTests {
    private func trip(_ title: String, days: Int = 2, author: String = "민지") throws -> Trip {
        try Trip(
            id: Trip.ID(), author: User(nickname: Nickname(author)),
            content: TripContent(
                title: Title(title), region: .gyeongbuk,
                days: DayRange(CalendarDay(year: 2024, month: 12, day: 30), days: days), themes: [.food],
                headcount: .two, budget: .from50to100),
            createdAt: Date(timeIntervalSince1970: 0), likeCount: 12, isLiked: true, isMine: false)
    }

    @Test("fits its width from 20 to 120 columns, in either language", arguments: [20, 40, 60, 80, 120])
    func width(width: Int) throws {
        let trips = [
            try trip("울릉도 바다 일주 끝", days: 400, author: "열글자나되는별명이다"), try trip("a"),
            try trip("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧"),
        ]
        for page in [Page(width: width, isUnicode: true), Page(width: width, isUnicode: false)] {
            let entry = try TimelineEntry(
                day: 2, time: TimeOfDay(hour: 9), title: Title("제목"),
                text: EntryText(String(repeating: "가나 ", count: 60)),
                place: Place(
                    name: String(repeating: "a", count: 100), address: "부산",
                    coordinate: Coordinate(latitude: 35, longitude: 129)))
            for language in Language.allCases {
                let list = TripList(
                    trips: trips, entries: [trips[1].id: MatchedEntry(entry)], ids: [:], language: language, page: page
                ).text
                let trip = TripText(trip: trips[0], timeline: [entry], all: [entry], language: language, page: page)
                    .text
                for line in (list + trip).split(separator: "\n") where !line.contains(trips[0].id.description) {
                    #expect(String(line).displayWidth <= width, "\(line)")
                }
            }
        }
    }

    @Test("has no ornament other than ASCII where the locale has no UTF-8")
    func ascii() throws {
        let page = Page(width: 80, isUnicode: false)
        let trip = try trip("a", author: "mina")
        let text =
            TripList(
                trips: [trip],
                entries: [
                    trip.id: MatchedEntry(
                        id: TimelineEntry.ID(), day: 2, title: try Title("lunch"), placeName: "lighthouse")
                ],
                ids: [:], language: .english, page: page
            ).text
            + TripText(trip: trip, timeline: [], all: [], language: .english, page: page).text
        #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
        #expect(text.contains("\n    Day 2 - lunch - lighthouse\n"))
        let places = try [(35.0, 129.0), (35.1, 129.1)].map { try Coordinate(latitude: $0, longitude: $1) }
        let map = MapCommand.drawing(places, on: page)
        #expect(map.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
        #expect(map.contains { $0.contains("1") } && map.contains { $0.contains(".") })
    }

    @Test(
        "is in UTF-8 by the first locale variable that is set",
        arguments: [
            (["LANG": "ko_KR.UTF-8"], true), (["LANG": "en_US.utf8"], true), (["LANG": "C"], false), ([:], false),
            (["LC_ALL": "C", "LANG": "ko_KR.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "C.UTF-8"], true),
            (["LANG": "ko_KR.eucKR"], false), (["LANG": "de_DE.UTF-8@euro"], true),
        ])
    func locales(environment: [String: String], isUnicode: Bool) {
        #expect(Page.isUnicode(in: environment) == isUnicode)
    }

    @Test("is in the encoding of the locale where that is neither UTF-8 nor unknown")
    func charset() throws {
        let charset = try #require(Charset(environment: ["LC_CTYPE": "ko_KR.eucKR"]))
        #expect(charset.encoded("부산 1") == [0xBA, 0xCE, 0xBB, 0xEA, 0x20, 0x31])
        #expect(charset.decoded([0xBA, 0xCE, 0xBB, 0xEA]) == "부산")
        #expect(charset.encoded("🏝") == Array("?".utf8))
        #expect(charset.decoded([0x61, 0xFF, 0x62, 0xBA]) == "a\u{FFFD}b\u{FFFD}")
        let long = String(repeating: "가나다라", count: 3_000)
        #expect(charset.decoded(charset.encoded(long)) == long)
        for locale in ["C", "ko_KR.UTF-8", "", "xx_YY.no-such-encoding", "ko_KR"] {
            #expect(Charset(environment: ["LANG": locale]) == nil)
        }
    }

    @Test("wraps at words, divides words that are too wide, and keeps the lines of a text")
    func wrapping() {
        let page = Page(width: 20, isUnicode: true)
        #expect(page.lines("first line\nthe second line is longer") == ["first line", "the second line is", "longer"])
        #expect(page.lines(String(repeating: "가", count: 12), indentation: 4) == ["    가가가가가가가가", "    가가가가"])
        #expect(page.lines("a\u{1B}[31mb").allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test(
        "shows a bar of the work that is done",
        arguments: [
            (0, 79, "[----------------]   0%"), (40, 80, "[########--------]  50%"),
            (79, 79, "[################] 100%"),
            (0, 0, "[################] 100%"),
        ])
    func bar(done: Int, total: Int, text: String) {
        #expect(ProgressLine.bar(done: done, of: total) == text)
    }
}

@Suite("Photos by their path", .limitedConcurrency)
struct ImageFileTests {
    /// A JPEG file whose Exif part, in the order of Motorola, has this date.
    static func jpeg(_ date: String) -> [UInt8] {
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
        // A scan of no components, which makes it a picture.
        let scan: [UInt8] = [0xFF, 0xDA, 0, 6, 0, 0, 63, 0]
        return [0xFF, 0xD8, 0xFF, 0xE1] + number(segment.count + 2, 2) + segment + scan + [0xFF, 0xD9]
    }

    @Test("a picked photo has the day and time at which it was taken")
    func date() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("photo-\(UUID().uuidString).jpg").path
        try Data(Self.jpeg("2026:10:02 10:30:59")).write(to: URL(fileURLWithPath: path))
        defer { Shell.remove(URL(fileURLWithPath: path)) }
        let picked = try await ImageFile(typed: path).picked()
        #expect(picked.taken?.day.description == "2026-10-02" && picked.taken?.time.description == "10:30")
        // Others would learn where and when it was taken.
        #expect(picked.image.bytes.range(of: Data("Exif".utf8)) == nil)
        let named = try #require(try await ImageFile.picked(at: path))
        #expect(named.taken == picked.taken && named.image.bytes == picked.image.bytes)
    }

    @Test(
        "a path is understood as terminals type a dropped file",
        arguments: ["/a b.jpg", " '/a b.jpg' ", "\"/a b.jpg\"", "/a\\ b.jpg "])
    func paths(path: String) {
        #expect(ImageFile(typed: path).path == "/a b.jpg")
    }

    @Test("a file that is missing, and one that is no image, say so")
    func errors() async throws {
        let missing = ImageFile(typed: "/nowhere/at/all.jpg")
        await #expect(
            throws: TravelError.unavailable(
                .init(
                    "/nowhere/at/all.jpg: the file cannot be read; check the path", cause: .inaccessible,
                    canRetry: false))
        ) {
            try await missing.picked()
        }
        await #expect(throws: TravelError.self) { try await ImageFile(typed: "/dev/null").picked() }
    }

    @Test(
        "a drawing or a document is no picture, whatever its name says",
        arguments: [
            "<svg xmlns='http://www.w3.org/2000/svg'/>", "<?xml version='1.0'?><svg/>", "%PDF-1.7", "\u{1F}\u{8B}",
        ])
    func drawings(content: String) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("photo-\(UUID().uuidString).jpg").path
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        defer { Shell.remove(URL(fileURLWithPath: path)) }
        let error = await #expect(throws: TravelError.self) { try await ImageFile(typed: path).picked() }
        #expect(error?.description.contains("not a JPEG, PNG, GIF, WebP, HEIC or AVIF picture") == true)
    }

    @Test("HEIC is refused without a converter, and a damaged or enormous picture with one")
    func refusals() async throws {
        let heic = try TripImage(bytes: Data("\0\0\0\u{18}ftypheic\0\0\0\0".utf8))
        await #expect(throws: TravelError.invalid(.init(.image, .keepsMetadata))) {
            try await ImageFile.picked(heic, by: nil)
        }
        guard let converter = App.pictures else { return }
        await #expect(throws: TravelError.invalid(.init(.image, .malformed(expected: "a complete picture")))) {
            try await ImageFile.picked(heic, by: converter)
        }
        // A frame of 65,535 × 65,535 pixels with four components.
        let frame: [UInt8] = [0xFF, 0xC0, 0, 20, 8, 0xFF, 0xFF, 0xFF, 0xFF, 4] + Array(repeating: 0, count: 12)
        let enormous = try TripImage(bytes: Data([0xFF, 0xD8] + frame + [0xFF, 0xDA, 0, 2, 0xFF, 0xD9]))
        await #expect(throws: TravelError.invalid(.init(.image, .outOfRange("at most 100000000 pixels")))) {
            try await ImageFile.picked(enormous, by: converter)
        }
    }
}
