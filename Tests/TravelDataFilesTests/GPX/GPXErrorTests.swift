import Foundation
import TestTurns
import Testing
import TravelDataFiles
import TravelDomain

@Suite("GPX errors", .takesTurns)
struct GPXErrorTests {
    @Test(
        "an invalid file throws an error of one line with the position, the problem and the remedy",
        arguments: [
            ("empty.gpx", "The file is empty; record or export it again."),
            ("blank.gpx", "The file is empty; record or export it again."),
            ("web-page.gpx", "This is not a GPX file but a web page; export the track as GPX."),
            ("places.kml.gpx", "This is not a GPX file but a KML file; export the track as GPX."),
            ("json.gpx", "This is not a GPX file but something other than XML; export the track as GPX."),
            ("gzip.gpx", "This is not a GPX file but a gzip archive; unpack it or export the track as GPX."),
            ("version-2.gpx", "Line 2: GPX version \"2.0\" is not supported; export the track as GPX 1.1 or 1.0."),
            (
                "mismatched-tags.gpx",
                "Line 4, column 31: the XML is malformed: an end tag does not match its start tag; correct it "
                    + "or export the track again."
            ),
            (
                "bare-ampersand.gpx",
                "Line 3, column 39: the XML is malformed: an & or a < stands for itself, where &amp; or &lt; is "
                    + "meant; correct it or export the track again."
            ),
            ("truncated.gpx", "Line 254: the file ends too early; copy or export it again."),
            ("truncated-in-tag.gpx", "Line 3: the file ends too early; copy or export it again."),
            (
                "huge-latitude.gpx",
                "Line 5: the latitude \"1e300\" is not a number of degrees from -90 to 90; correct it."
            ),
            (
                "longitude-off-globe.gpx",
                "Line 3: the longitude \"180.5\" is not a number of degrees from -180 to 180; correct "
                    + "it."
            ),
            ("missing-latitude.gpx", "Line 3: a point has no latitude; add the attribute lat."),
            ("nan-latitude.gpx", "Line 3: the latitude \"NaN\" is not a number of degrees from -90 to 90; correct it."),
            ("decimal-comma.gpx", "Line 3: the latitude \"37,5665\" has a decimal comma; write it with a point."),
            ("elevation-comma.gpx", "Line 3: the elevation \"38,5\" has a decimal comma; write it with a point."),
            (
                "time-in-words.gpx",
                "Line 5: the time \"yesterday at noon, by t…\" is not in the form 2024-05-01T09:30:00Z; "
                    + "correct it or leave it out."
            ),
            (
                "entity-expansion.gpx",
                "A document type is declared, which GPX does not have; remove the <!DOCTYPE …> "
                    + "part."
            ),
            (
                "external-entity.gpx",
                "A document type is declared, which GPX does not have; remove the <!DOCTYPE …> part."
            ),
            (
                "wrong-encoding.gpx",
                "Line 3, column 10: the XML is malformed: a character is not allowed, or not in the "
                    + "encoding that the file declares; correct it or export the track again."
            ),
            (
                "unknown-encoding.gpx",
                "Line 1, column 30: the XML is malformed: the encoding that the file declares is not "
                    + "known; correct it or export the track again."
            ),
            (
                "second-document.gpx",
                "Line 3, column 1: the XML is malformed: something comes after the last element; correct it "
                    + "or export the track again."
            ),
        ])
    func brokenFileIsRefused(name: String, description: String) throws {
        let error = try #require(throws: GPXError.self) { try Fixture.track("Broken/\(name)") }
        #expect(error.description == description)
        #expect(error.description.allSatisfy { !$0.isNewline })
    }

    @Test(
        "a file that cannot be opened throws unreadable, with the reason but without its name",
        arguments: [
            ("no-such-file.gpx", "The file cannot be read: there is no such file."),
            ("Broken", "The file cannot be read: it is a directory."),
            ("Broken/json.gpx/inside", "The file cannot be read: there is no such file."),
        ])
    func unreadableFileIsToldApart(name: String, description: String) throws {
        let error = try #require(throws: GPXError.self) { try Fixture.track(name) }
        #expect(error.description == description)
        #expect(error.problem.isUnreadable, "\(error.problem)")
    }

    @Test(
        "the error for a file in another format names the format",
        arguments: [
            ("PK\u{3}\u{4}xxxxxxxx", "a zip archive"),
            ("\u{E}\u{10}d\u{0}aaaa.FIT", "a FIT file"),
            ("<TrainingCenterDatabase xmlns='x'/>", "a TCX file"),
            ("<x:html>", "a web page"),
            ("<!-- <gpx> --><?pi <gpx>?><svg>", "XML of another kind"),
        ])
    func foreignFormIsNamed(text: String, form: String) throws {
        let error = try #require(throws: GPXError.self) { try GPXReader().track(in: Data(text.utf8)) }
        #expect(error.problem == .notGPX(form))
    }

    @Test(
        "a document type throws in any encoding, even after a comment",
        arguments: [
            String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
        ])
    func documentTypeIsRefused(encoding: String.Encoding) throws {
        // In UTF-16 these two characters have the bytes of "-->" among theirs.
        let text = "<!-- \u{2D2D}\u{3E00}\u{2D2D}\u{003E}<gpx> --><!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx>&a;</gpx>"
        let data = try #require(text.data(using: encoding))
        let error = try #require(throws: GPXError.self) { try GPXReader().track(in: data) }
        #expect(error == GPXError(.documentType))
    }

    @Test("a comment of any length may come before the first element")
    func longBeginning() throws {
        let file = "<!--" + String(repeating: " ", count: 100_000) + "--><gpx/>"
        #expect(try GPXReader().track(in: Data(file.utf8)) == Track())
    }

    @Test("a file that is cut at any byte throws truncated")
    func everyBeginningOfAFileIsTruncated() throws {
        let whole = try Data(contentsOf: Fixture.url("waypoints-only.gpx"))
        let end = try #require(whole.lastIndex(of: UInt8(ascii: ">")))
        for length in 1...end {
            let error = #expect(throws: GPXError.self) { try GPXReader().track(in: whole.prefix(length)) }
            #expect(error?.problem == .truncated, "after \(length) bytes")
        }
    }

    @Test("the description of an invalid value is one short line without control characters")
    func valueIsShownOnOneLine() throws {
        let value = "1\u{1B}[31m\u{2028}\u{85}" + String(repeating: "9", count: 1_000_000)
        let error = GPXError(.time(value), line: 7)
        #expect(error.description.count < 140)
        #expect(error.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
}
