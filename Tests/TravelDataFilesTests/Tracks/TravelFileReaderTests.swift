import Foundation
import TestConcurrency
import TestReporting
import Testing
import TravelDomain
import TravelFileSamples

@testable import TravelDataFiles

/// Files that Python's `zipfile` and `gzip` have written, with a map of one place named "a" in a document named "Zip".
private enum Packed {
    static let stored = data(
        "UEsDBBQAAAAAAAAAoViPay2s1AAAANQAAAAHAAAAZG9jLmttbDw/eG1sIHZlcnNpb249IjEuMCIgZW5jb2Rpbmc9IlVURi04Ij8+PGttbCB4bWxucz0i"
            + "aHR0cDovL3d3dy5vcGVuZ2lzLm5ldC9rbWwvMi4yIj48RG9jdW1lbnQ+PG5hbWU+WmlwPC9uYW1lPjxQbGFjZW1hcms+PG5hbWU+YTwvbmFtZT48"
            + "UG9pbnQ+PGNvb3JkaW5hdGVzPjEyNywzNy41PC9jb29yZGluYXRlcz48L1BvaW50PjwvUGxhY2VtYXJrPjwvRG9jdW1lbnQ+PC9rbWw+UEsBAhQD"
            + "FAAAAAAAAAChWI9rLazUAAAA1AAAAAcAAAAAAAAAAAAAAIABAAAAAGRvYy5rbWxQSwUGAAAAAAEAAQA1AAAA+QAAAAAA")
    /// With a picture and `../other.KML`, which is no map, before it.
    static let deflated = data(
        "UEsDBBQAAAAIAAAAoVjwcRrEBgAAACgAAAAMAAAAaW1hZ2VzL2EucG5nq6ggDgAAUEsDBBQAAAAIAAAAoVjwcRrEBgAAACgAAAAMAAAALi4vb3Ro"
            + "ZXIuS01Mq6ggDgAAUEsDBBQAAAAIAAAAoViPay2slgAAANQAAAAHAAAAZG9jLmttbE3OwQ6CMAwG4FchO+sqGIMxZVyMZw968bbMBhdYR9gUH99h"
            + "iHJr+n/pX6zfrsteNATruRK53IiM2Pi75aYS18tpvRe1wjahBDlU4hFjfwAYx1H6nrixQTJFSAIKWQiFR2+ejjgqZO1I3WyP8J3w3GlDTg/tHOlf"
            + "4O3kjfdDKtaRgsqLcrUt5Q5huUWYKSxuwb9xekN9AFBLAQIUAxQAAAAIAAAAoVjwcRrEBgAAACgAAAAMAAAAAAAAAAAAAACAAQAAAABpbWFnZXMv"
            + "YS5wbmdQSwECFAMUAAAACAAAAKFY8HEaxAYAAAAoAAAADAAAAAAAAAAAAAAAgAEwAAAALi4vb3RoZXIuS01MUEsBAhQDFAAAAAgAAAChWI9rLayW"
            + "AAAA1AAAAAcAAAAAAAAAAAAAAIABYAAAAGRvYy5rbWxQSwUGAAAAAAMAAwCpAAAAGwEAAAAA")
    static let withoutMap = data(
        "UEsDBBQAAAAIAAAAoVjwcRrEBgAAACgAAAAFAAAAYS50eHSrqCAOAABQSwECFAMUAAAACAAAAKFY8HEaxAYAAAAoAAAABQAAAAAAAAAAAAAAgAEA"
            + "AAAAYS50eHRQSwUGAAAAAAEAAQAzAAAAKQAAAAAA")
    static let gzip = data(
        "H4sIAAAAAAACA03OwQ6CMAwG4FchO+sqGIMxZVyMZw968bbMBhdYR9gUH99hiHJr+n/pX6zfrsteNATruRK53IiM2Pi75aYS18tpvRe1wjahBDlU4hFj"
            + "fwAYx1H6nrixQTJFSAIKWQiFR2+ejjgqZO1I3WyP8J3w3GlDTg/tHOlf4O3kjfdDKtaRgsqLcrUt5Q5huUWYKSxuwb9xekN9AI9rLazUAAAA"
    )

    private static func data(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
}

@Suite("Files of any format", .limitedConcurrency)
struct TravelFileReaderTests {
    private func track(_ data: Data, as format: TravelFileReader.Format? = nil) throws -> Track {
        guard case .track(let track) = try TravelFileReader().contents(of: data, as: format) else {
            throw CancellationError()
        }
        return track
    }

    @Test("the content tells the format, and a file that ends in .gz or .kmz is unpacked")
    func formats() throws {
        for packed in [Packed.stored, Packed.deflated, Packed.gzip] {
            let track = try track(packed)
            #expect(track.name == "Zip" && track.waypoints.map(\.name) == ["a"])
            #expect(try KMLReader().track(in: packed) == track)
        }
        #expect(try track(Data("\n <!-- a --><gpx><wpt lat='1' lon='2'/></gpx>".utf8)).waypoints.count == 1)
        #expect(try track(Data("<TrainingCenterDatabase/>".utf8)).isEmpty)
        #expect(try track(Data(#"{"type":"Point","coordinates":[1,2]}"#.utf8)).waypoints.count == 1)
        var generated = GeneratedTrips(seed: 3)
        let trip = try generated.exported()
        #expect(try TravelFileReader().contents(of: TravelJSONWriter().data(for: [trip])) == .trips([trip]))
        let bare = try trip.trip.showing([])
        #expect(
            try TravelFileReader().contents(of: GeoJSONWriter().data(for: bare))
                == .trips([ExportedTrip(bare, images: [])]))
    }

    @Test("a file at an address is read like its bytes", arguments: ["a.gpx", "a.kmz", "a.KML.gz", "a"])
    func files(name: String) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + name)
        defer { try? FileManager.default.removeItem(at: url) }  // The folder is a temporary one.
        let long = "<gpx>" + String(repeating: "<wpt lat='1' lon='2'/>", count: 9_000) + "</gpx>"
        for data in [Packed.deflated, Packed.gzip, Data(long.utf8)] {
            try data.write(to: url)
            #expect(try TravelFileReader().contents(at: url) == .track(track(data)))
        }
        let missing = url.appendingPathExtension("gz")
        #expect(throws: TravelFileError(.unreadable("there is no such file"))) {
            try TravelFileReader().contents(at: missing)
        }
    }

    @Test(
        "the extension of a name tells the format, before .gz",
        arguments: [
            ("a.gpx", .gpx), ("b.c.KMZ", .kml), ("x.tcx.gz", .tcx), ("x.geojson", .geojson), ("x.json.gz", .json),
            ("gpx", nil),
            ("x.gz", nil), ("x.txt", nil), ("", nil),
        ] as [(String, TravelFileReader.Format?)])
    func names(name: String, format: TravelFileReader.Format?) {
        #expect(TravelFileReader.Format(ofFileNamed: name) == format)
    }

    @Test("a damaged archive is refused with the remedy")
    func damagedArchives() {
        func description(_ data: Data) -> String {
            let error = #expect(throws: TravelFileError.self) { try TravelFileReader().contents(of: data) }
            return error?.description ?? ""
        }
        func changed(_ data: Data, _ index: Int) -> Data {
            var data = data
            data[index] ^= 0x55
            return data
        }
        #expect(
            description(Packed.withoutMap)
                == "This is not a KML file but a zip archive without a file of that kind. Export the track as KML or GPX."
        )
        #expect(description(Packed.gzip.dropLast(20)) == "The file ends too early. Copy or export it again.")
        let damaged = "The file cannot be unpacked: its data is not as it was written. Copy or export it again."
        #expect(description(changed(Packed.gzip, Packed.gzip.count - 6)) == damaged)
        #expect(
            description(changed(Packed.stored, 100))
                == "The file cannot be unpacked: a checksum does not match. Copy or export it again.")
        #expect(description(Packed.stored.dropLast(30)) == "The file ends too early. Copy or export it again.")
    }

    @Test("unpacking stops at the limit")
    func bombs() throws {
        #expect(throws: TravelFileError(.tooLarge(maximumBytes: 100))) { try Inflate.gzip(Packed.gzip, limit: 100) }
        #expect(try Inflate.gzip(Packed.gzip, limit: 212).count == 212)
        #expect(try Inflate.gzip(Packed.gzip + Packed.gzip, limit: 424).count == 424)
        #expect(try Inflate.gzip(Packed.gzip + [0, 0, 0], limit: 424).count == 212)
        #expect(Inflate.checksum(of: Data("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test("a damaged file of any format is read or refused with a line", arguments: 0..<60 as Range<UInt64>)
    func damage(seed: UInt64) throws {
        var generated = GeneratedTrips(seed: seed)
        let files = [Packed.stored, Packed.deflated, Packed.gzip, Data(Self.kml.utf8), Data(Self.tcx.utf8)]
        for index in 0..<60 {
            let file = generated.damaged(files[index % files.count])
            do {
                _ = try TravelFileReader().contents(of: file)
            } catch {
                #expect(error.description.count < 250 && error.description.allSatisfy { !$0.isNewline })
            }
            // Damage behind the checksum's back.
            _ = try? Inflate.raw(file, limit: 100_000)
            _ = try? KMLReader().track(in: file)
            _ = try? TCXReader().track(in: file)
        }
    }

    private static let kml = """
        <?xml version="1.0"?><kml xmlns:gx="urn:gx"><Document><name>a</name><Folder><Placemark><name>b</name><description>
        <![CDATA[<b>c</b>&amp;]]></description><gx:Track><when>2024-05-01T00:00:00Z</when><gx:coord>1 2 3</gx:coord></gx:Track>
        <MultiGeometry><LineString><coordinates>1,2,3 4,5,6</coordinates></LineString><Point><coordinates>7,8</coordinates></Point>
        </MultiGeometry><TimeSpan><begin>2024-05-01</begin><end>2024-05-02</end></TimeSpan></Placemark></Folder></Document></kml>
        """
    private static let tcx = """
        <TrainingCenterDatabase><Activities><Activity><Lap><Track><Trackpoint><Time>2024-05-01T00:00:00Z</Time><Position>
        <LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position><AltitudeMeters>3</AltitudeMeters>
        </Trackpoint></Track></Lap></Activity></Activities><Courses><Course><Name>a</Name><CoursePoint><Notes>b</Notes>
        </CoursePoint></Course></Courses></TrainingCenterDatabase>
        """
}
