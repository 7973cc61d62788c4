import Foundation
import TestConcurrency
import Testing
import TravelDataFiles
import TravelDomain
import TravelDomainTesting

@Suite("Trip JSON errors", .limitedConcurrency)
struct TravelJSONErrorTests {
    /// A file with one trip, in which one text was replaced by another.
    private func file(_ text: String, _ replacement: String) throws -> Data {
        let photo = try TripImage(seed: 9)
        let trip = try TripBuilder(seed: 1).with {
            $0.numberOfDays = 2
            $0.timeline = [
                try TimelineEntry(
                    seed: 1, day: 2, title: "해운대", text: "파도",
                    place: Place(name: "바다", coordinate: Coordinate(latitude: 35.5, longitude: 129)), image: photo.id)
            ]
        }.build()
        let file = try TravelJSONWriter().data(for: [ExportedTrip(trip, images: [photo])])
        let changed = String(decoding: file, as: UTF8.self).replacingOccurrences(of: text, with: replacement)
        try #require(changed != String(decoding: file, as: UTF8.self))
        return Data(changed.utf8)
    }

    @Test(
        "an invalid value throws with its path, the problem and the remedy",
        arguments: [
            (
                "\"day\" : 2", "\"day\" : 3",
                "trips[0].timeline: The day is out of range: a day of the trip, 1…2. Correct it."
            ),
            (
                "\"day\" : 2", "\"day\" : 0",
                "trips[0].timeline[0].day: The day is out of range: a day of the trip, starting at 1. Correct it."
            ),
            (
                "\"day\" : 2", "\"day\" : \"2\"",
                "trips[0].timeline[0].day: The value is not a whole number. Correct it."
            ),
            (
                "\"day\" : 2,", "",
                "trips[0].timeline[0]: The value \"day\" is missing. Add it or export the file again."
            ),
            (
                "\"09:00\"", "\"9\"",
                "trips[0].timeline[0].time: The time of day is not a time such as 09:30. Correct it."
            ),
            ("\"해운대\"", "7", "trips[0].timeline[0].title: The value is not text in quotation marks. Correct it."),
            (
                "35.5", "95",
                "trips[0].timeline[0].place: The coordinate is out of range: latitude -90…90, longitude -180…180. "
                    + "Correct it."
            ),
            ("35.5", "null", "trips[0].timeline[0].place.latitude: The value is not a number. Correct it."),
            (
                "\"firstDay\" : \"2024-05-01\"", "\"firstDay\" : \"2024-05-09\"",
                "trips[0].lastDay: The dates are in the wrong order: the last day is before the first. Correct it."
            ),
            (
                "\"region\" : \"seoul\"", "\"region\" : \"atlantis\"",
                "trips[0].region: The value is not one of seoul, busan, daegu, incheon, gwangju, daejeon, ulsan, "
                    + "sejong, gyeonggi, gangwon, chungbuk, chungnam, jeonbuk, jeonnam, gyeongbuk, gyeongnam, jeju, "
                    + "abroad. Correct it."
            ),
            (
                "\"bytes\" : \"", "\"bytes\" : \"*",
                "trips[0].images[0].bytes: The value is not text in Base64. Correct it."
            ),
            (
                "\"bytes\" : \"iVBO", "\"bytes\" : \"AAAA",
                "trips[0].images[0].bytes: The image is not a JPEG, PNG, GIF, WebP, HEIC or AVIF picture. Correct it."
            ),
            (
                "\"version\" : 1", "\"version\" : 2",
                "version: The file has version 2, and at most version 1 is supported. Update traveline."
            ),
            ("\"version\" : 1", "\"version\" : -1", "version: The value is not a version from 1. Correct it."),
            (
                "\"version\" : 1\n    }", "\"version\" : 0\n    }",
                "trips[0].version: The value is not a whole number from 1 to 9007199254740991. Correct it."
            ),
            (
                "\"version\" : 1\n    }", "\"version\" : 9223372036854775807\n    }",
                "trips[0].version: The value is not a whole number from 1 to 9007199254740991. Correct it."
            ),
            ("\"traveline\"", "\"other\"", "This JSON file is not an export of traveline. Choose another file."),
            (
                "\"themes\" : [", "\"themes\" : [true",
                "trips[0].themes[0]: The value is not text in quotation marks. Correct it."
            ),
            (
                "\"createdAt\" : \"20", "\"createdAt\" : \"on 20",
                "trips[0].createdAt: The value is not a time such as 2024-05-01T09:30:00Z. Correct it."
            ),
        ])
    func wrongValue(text: String, replacement: String, description: String) throws {
        let file = try file(text, replacement)
        let error = #expect(throws: TravelFileError.self) { try TravelJSONReader().trips(in: file) }
        #expect(error?.description == description)
    }

    @Test("a missing image or a duplicate ID throws with the ID")
    func identities() throws {
        let image = TripImage.ID(seed: 9)
        let file = try file("\"id\" : \"\(image)\"", "\"id\" : \"\(TripImage.ID(seed: 10))\"")
        #expect(throws: TravelFileError(.missingImage(image), at: .path("trips[0]"))) {
            try TravelJSONReader().trips(in: file)
        }
        let trip = try ExportedTrip(TripBuilder(seed: 1).build(), images: [])
        let twice = try TravelJSONWriter().data(for: [trip, trip])
        #expect(throws: TravelFileError(.duplicate("\(trip.trip.id)"), at: .path("trips"))) {
            try TravelJSONReader().trips(in: twice)
        }
    }

    @Test(
        "malformed JSON throws with the line and the column",
        arguments: [
            ("{\n\"format\": \"traveline\",\n}", 3, 1, "a key in \" is missing"),
            (
                "{\n\"format\": \"가나\nb\"}", 2, 14,
                "text contains a line break or another control character; escape it, as in \\n"
            ),
            ("{\"a\": traveline}", 1, 9, "a value is neither text in \" nor a number, true, false or null"),
            ("{\"a\": 1} x", 1, 10, "there is content after the end of the value"),
            ("{\"a\": 01}", 1, 9, "a number begins with 0"), ("{\"a\": -}", 1, 8, "a number has no digits"),
            ("{\"a\": 1.}", 1, 9, "a number has no digits after the point"),
            ("{\"a\": 1e+}", 1, 10, "a number has no digits in its exponent"),
            ("{\"a\": \"\\x\"}", 1, 9, "text contains a \\ that begins no escape sequence; write it as \\\\"),
            ("{\"a\": \"\\u12g\"}", 1, 12, "\\u is not followed by four hexadecimal digits"),
            ("{\"a\": [1, 2}]", 1, 12, "a comma or ] is missing"), ("{\"a\": [,]}", 1, 8, "a value is missing"),
            ("{\"a\": [1,]}", 1, 10, "a value is missing before a bracket"),
            ("{\"a\" 1}", 1, 6, "a colon is missing after a key"), ("{'a': 1}", 1, 2, "a key in \" is missing"),
            ("{\"a\": 'b'}", 1, 7, "text has quotation marks other than \""),
        ])
    func syntax(text: String, line: Int, column: Int, fault: String) {
        #expect(throws: TravelFileError(.malformedJSON(fault), at: .line(line, column: column))) {
            try TravelJSONReader().trips(in: Data(text.utf8))
        }
    }

    @Test("bytes that are not UTF-8 throw")
    func encoding() throws {
        var file = try file("\"해운대\"", "\"#\"")
        file[try #require(file.firstIndex(of: UInt8(ascii: "#")))] = 0xFF
        let error = #expect(throws: TravelFileError.self) { try TravelJSONReader().trips(in: file) }
        if case .unexpected = error?.problem {} else { Issue.record("\(error?.description ?? "no error")") }
    }

    @Test(
        "the error for another kind of file names the kind",
        arguments: [
            ("", "The file is empty. Record or export it again."),
            ("  \n", "The file is empty. Record or export it again."),
            ("<gpx/>", "This is not a JSON file but XML or a web page. Choose another file or export it as JSON."),
            ("PK\u{3}\u{4}", "This is not a JSON file but a zip archive. Choose another file or export it as JSON."),
            ("hello", "This is not a JSON file but something else. Choose another file or export it as JSON."),
            ("[]", "This JSON file is not an export of traveline. Choose another file."),
            ("{}", "This JSON file is not an export of traveline. Choose another file."),
            ("{\"format\": \"traveline\"}", "The value \"version\" is missing. Add it or export the file again."),
        ])
    func otherFiles(text: String, description: String) {
        let error = #expect(throws: TravelFileError.self) { try TravelJSONReader().trips(in: Data(text.utf8)) }
        #expect(error?.description == description)
    }

    @Test(
        "the error for a file in UTF-16 names the encoding",
        arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
    func encodings(encoding: String.Encoding) throws {
        let data = try #require("{\"format\": 1}".data(using: encoding))
        #expect(throws: TravelFileError(.notJSON("text in UTF-16 or UTF-32"))) {
            try TravelJSONReader().trips(in: data)
        }
    }

    @Test(
        "JSON that is nested too deeply throws at the excessive level, at any depth", arguments: [33, 600, 1_000_000])
    func depth(depth: Int) {
        let data = Data(("{\"trips\":\n" + String(repeating: "[", count: depth)).utf8)
        #expect(throws: TravelFileError(.tooDeep(maximumDepth: 32), at: .line(2, column: 32))) {
            try TravelJSONReader().trips(in: data)
        }
    }
}
