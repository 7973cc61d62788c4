import Foundation
import Testing
import TestConcurrency
import TravelDataFiles
import TravelDomain

@Suite("GPX reader", .limitedConcurrency)
struct GPXReaderTests {
    private func date(_ text: String) throws -> Date {
        try Date.ISO8601FormatStyle().parse(text)
    }

    @Test("a file of Garmin Connect has the name and the points of its track, without its extensions")
    func garminConnect() throws {
        let track = try Fixture.track("garmin-connect.gpx")
        #expect(track.name == "북한산 등산")
        #expect(try track.time == date("2024-05-04T23:30:12Z"))
        #expect(track.segments.map(\.count) == [45])
        let first = try #require(track.segments.first?.first)
        #expect(try first.coordinate == Coordinate(latitude: 37.6613, longitude: 127.011))
        #expect(first.elevation == 160)
        #expect(try first.time == date("2024-05-04T23:30:12Z"))
        #expect(track.waypoints.isEmpty && track.routes.isEmpty)
    }

    @Test("a file of Strava has the name of its track, with emoji")
    func strava() throws {
        let track = try Fixture.track("strava.gpx")
        #expect(track.name == "Morning Ride 🚴 along the Han")
        #expect(try track.time == date("2023-10-14T06:02:41Z"))
        #expect(track.segments.map(\.count) == [41])
        #expect(track.segments[0].allSatisfy { $0.time != nil && $0.elevation != nil })
    }

    @Test("a file of OsmAnd has its waypoints, and no name, time, elevation or track of an extension")
    func osmAnd() throws {
        let track = try Fixture.track("osmand.gpx")
        #expect(track.name == "2024-03-30_10-05_Sat")
        #expect(try track.time == date("2024-03-30T01:05:02Z"))
        #expect(
            try track.waypoints == [
                Waypoint(
                    coordinate: Coordinate(latitude: 35.834684, longitude: 129.218987),
                    time: date("2024-03-30T01:42:10Z"), elevation: 48, name: "첨성대", description: "벚꽃이 절반쯤 피었다."),
                Waypoint(
                    coordinate: Coordinate(latitude: 35.8348, longitude: 129.2265), name: "동궁과 월지",
                    description: "야경은 다음에"),
            ])
        #expect(track.segments.map(\.count) == [27])
        let times = track.segments[0].compactMap(\.time)
        #expect(times.count == 27)
        #expect(try times.allSatisfy { try $0 >= date("2024-03-30T01:05:02Z") })
        #expect(track.segments[0].allSatisfy { ($0.elevation ?? 0) < 60 })
    }

    @Test("a file of komoot without times has the name of its track, not that of its author")
    func komoot() throws {
        let track = try Fixture.track("komoot-no-times.gpx")
        #expect(track.name == "해파랑길 1코스")
        #expect(track.time == nil)
        #expect(track.segments[0].allSatisfy { $0.time == nil && $0.elevation != nil })
    }

    @Test("a file of version 1.0 has its name and time in the root, and its own elements are ignored")
    func version10() throws {
        let track = try Fixture.track("gpx-1.0-logger.gpx")
        #expect(track.name == "Seoraksan 2009")
        #expect(try track.time == date("2009-10-17T12:21:03Z"))
        #expect(track.waypoints.map(\.name) == ["DAECHEONGBONG"])
        #expect(track.segments.map(\.count) == [21])
    }

    @Test("a file with only a route has its points, without the shaping points in extensions")
    func routeOnly() throws {
        let track = try Fixture.track("route-only.gpx")
        #expect(track.name == "전주에서 대구까지")
        #expect(track.routes.map { $0.map(\.name) } == [["전주한옥마을", nil, "거창 휴게소", "대구"]])
        #expect(track.routes[0][2].description == "점심")
        #expect(track.segments.isEmpty)
    }

    @Test("a file with only waypoints may contain CDATA, entities of XML, and a time without a zone, which is UTC")
    func waypointsOnly() throws {
        let track = try Fixture.track("waypoints-only.gpx")
        #expect(try track.time == date("2021-06-13T08:00:00Z"))
        #expect(track.waypoints.map(\.name) == ["남산", "경복궁 & 광화문", "북촌"])
        #expect(track.waypoints.map(\.description) == ["계단이 <많다>. 물 & 간식!", nil, nil])
        #expect(try track.waypoints.map(\.time) == [date("2021-06-12T05:30:00Z"), date("2021-06-12T01:00:00Z"), nil])
    }

    @Test(
        "a file may have any declared encoding, a byte order mark and CRLF",
        arguments: [
            ("utf-16-le.gpx", "두물머리", "느티나무"),
            ("utf-16-be.gpx", "두물머리", "느티나무"),
            ("utf-8-bom-crlf.gpx", "두물머리", "느티나무"),
            ("iso-8859-1.gpx", "Forêt été", "Café à côté"),
        ])
    func encodings(file: String, name: String, place: String) throws {
        let track = try Fixture.track(file)
        #expect(track.name == name)
        #expect(track.waypoints.map(\.name) == [place])
    }

    @Test("a file needs no namespace, and an element with an undeclared prefix is ignored")
    func noNamespace() throws {
        let track = try Fixture.track("no-namespace.gpx")
        #expect(track.waypoints.map(\.name) == ["두물머리"])
    }

    @Test("renamed prefixes and dropped declarations do not change the track")
    func mangledPrefixes() throws {
        let track = try Fixture.track("mangled-prefixes.gpx")
        #expect(track.name == "접두어가 바뀐 기록")
        #expect(
            try track.segments.map { $0.map(\.time) } == [[date("2024-05-01T00:00:00Z"), date("2024-05-01T00:30:00Z")]])
    }

    @Test(
        "impossible or empty times and elevations of NaN count as missing")
    func impossibleValues() throws {
        let points = try Fixture.track("glitch-times.gpx").segments[0]
        let times = try [
            date("1970-01-01T00:00:07Z"), nil, date("2024-05-01T00:10:00Z"), nil, date("2024-05-01T00:14:00Z"),
            date("2124-05-01T00:16:00Z"), nil, date("2024-05-01T00:18:30Z").addingTimeInterval(0.25),
        ]
        #expect(points.map(\.time) == times)
        #expect(points.allSatisfy { $0.elevation == nil })
    }

    @Test(
        "an unusual but valid file is read",
        arguments: [
            "<gpx version='1.1' xmlns='relative/uri'><wpt lat='37.5' lon='127'/></gpx>",
            "<?xml version='1.1'?><gpx version='1.1'><wpt lat='37.5' lon='127'/></gpx>",
            "<gpx version='1.1' xml:lang=''><wpt xml:space='odd' lat='37.5' lon='127'/></gpx>",
            "<gpx version=' 1.0 ' xsi:schemaLocation='x'><wpt lat=' 37.5\n' lon='+127.0'/></gpx>",
            "<gpx><wpt lat='3.75E1' lon='127.'/></gpx>",
            "<gpx xmlns='http://www.topografix.com/GPX/1/1/'><wpt lat='37.5' lon='127'/></gpx>\n<!-- end -->\n",
            "<gpx:gpx version='1.1'><gpx:wpt lat='37.5' lon='127'/><wpt lat='1' lon='1'/></gpx:gpx>",
            "<gpx><wpt lat='37.5' lon='127'><wpt lat='1' lon='1'/><trkpt/></wpt><trkseg><trkpt/></trkseg></gpx>",
        ])
    func oddFiles(text: String) throws {
        let track = try GPXReader().track(in: Data(text.utf8))
        #expect(try track.waypoints.map(\.coordinate) == [Coordinate(latitude: 37.5, longitude: 127)])
        #expect(track.segments.isEmpty)
    }

    @Test("the first of several names counts, without the text of nested elements")
    func firstNameCounts() throws {
        let text = """
            <gpx><trk/><trk><name> </name></trk><trk><name>first</name><name>second</name></trk>
            <wpt lat='37.5' lon='127'><name>a<b>not this</b>b</name></wpt></gpx>
            """
        let track = try GPXReader().track(in: Data(text.utf8))
        #expect(track.name == "first")
        #expect(track.waypoints.map(\.name) == ["ab"])
    }

    @Test("a file without points has an empty track")
    func noPoints() throws {
        #expect(try GPXReader().track(in: Data("<gpx version='1.1'/>".utf8)) == Track())
    }

    @Test("values across the chunks of a large file are complete")
    func longFile() throws {
        var text = "<gpx version='1.1'><trk><name>긴 기록</name><trkseg>"
        for number in 0..<5_000 {
            text +=
                "<trkpt lat='37.\(number + 100_000)' lon='127.5'><ele>\(number)</ele><time>2024-05-01T00:00:00Z</time>"
            text += "<extensions><x:y>\(number)</x:y></extensions></trkpt>"
        }
        text += "</trkseg></trk></gpx>"
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).gpx")
        try Data(text.utf8).write(to: url)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: url) } }

        let points = try GPXReader().track(at: url).segments[0]
        let elevations: [Double?] = (0..<5_000).map { Double($0) }
        #expect(points.map(\.elevation) == elevations)
        let latitudes = (0..<5_000).compactMap { Double("37.\($0 + 100_000)") }
        #expect(points.map(\.coordinate.latitude) == latitudes)
    }

    @Test("a name of any length is read, and truncated")
    func longName() throws {
        let text = "<gpx><trk><name>" + String(repeating: "가", count: 1_000_000) + "</name></trk></gpx>"
        let name = try #require(try GPXReader().track(in: Data(text.utf8)).name)
        #expect((5_000...500_000).contains(name.count))
    }
}

@Suite("GPX times")
struct GPXTimeTests {
    private func time(_ text: String) throws -> Date? {
        let file = "<gpx><wpt lat='37.5' lon='127'><time>\(text)</time></wpt></gpx>"
        return try GPXReader().track(in: Data(file.utf8)).waypoints[0].time
    }

    @Test(
        "a time may have a fraction, an offset or a space; without a zone it is UTC",
        arguments: [
            ("2024-05-01T00:30:00Z", 1_714_523_400),
            (" 2024-05-01T00:30:00Z\n", 1_714_523_400),
            ("2024-05-01T00:30:00", 1_714_523_400),
            ("2024-05-01t00:30:00z", 1_714_523_400),
            ("2024-05-01 00:30:00", 1_714_523_400),
            ("2024-05-01T00:30Z", 1_714_523_400),
            ("2024-05-01T00:30:00.000Z", 1_714_523_400),
            ("2024-05-01T00:30:00.25Z", 1_714_523_400.25),
            ("2024-05-01T00:30:00,5Z", 1_714_523_400.5),
            ("2024-05-01T00:30:00.123456789012345Z", 1_714_523_400.123456789),
            ("2024-05-01T09:30:00+09:00", 1_714_523_400),
            ("2024-05-01T09:30:00+0900", 1_714_523_400),
            ("2024-05-01T09:30:00+09", 1_714_523_400),
            ("2024-04-30T19:00:00.0-05:30", 1_714_523_400),
            ("2024-02-29T23:59:60Z", 1_709_251_200),
            ("2024-04-30T24:00:00Z", 1_714_521_600),
            ("1969-12-31T23:59:59Z", -1),
        ])
    func goodTimes(text: String, seconds: Double) throws {
        #expect(try time(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "a time that no calendar or clock has counts as missing",
        arguments: [
            "", " ", "0000-00-00T00:00:00Z", "2024-02-30T10:00:00Z", "2023-02-29T10:00:00Z", "2024-13-01T10:00:00Z",
            "2024-05-01T25:00:00Z", "2024-05-01T24:00:01Z", "2024-05-01T10:60:00Z", "2024-05-01T10:00:61Z",
            "2024-05-01T10:00:00+99:00", "2024-05-01",
        ])
    func impossibleTimes(text: String) throws {
        #expect(try time(text) == nil)
    }

    @Test(
        "a time in another format throws",
        arguments: [
            "now", "1714523400", "01/05/2024 09:30", "2024-5-1T9:30:00Z", "2024-05-01T", "2024-05-01T09",
            "2024-05-01T09:30:00X",
            "2024-05-01T09:30:00.Z", "2024-05-01T09:30:00+9", "2024-05-01T09:30:00Z+09:00", "+2024-05-01T09:30:00Z",
            "2024-05-01T09:30:0٣Z", "24-05-01T09:30:00Z", "2024-05-01T09:30:00+09:00:00",
        ])
    func otherForms(text: String) throws {
        let error = try #require(throws: TravelFileError.self) { try time(text) }
        #expect(error.problem == .time(text))
    }
}

@Suite("GPX numbers")
struct GPXNumberTests {
    private func point(latitude: String, elevation: String = "0") throws -> Waypoint {
        let file = "<gpx><wpt lat='\(latitude)' lon='0'><ele>\(elevation)</ele></wpt></gpx>"
        return try GPXReader().track(in: Data(file.utf8)).waypoints[0]
    }

    @Test(
        "a number is decimal, and may have a sign, a point and an exponent",
        arguments: [
            ("37.5", 37.5), ("-37.5", -37.5), ("+37.5", 37.5), ("037.50", 37.5), (".5", 0.5), ("90", 90),
            ("-90.0", -90),
            ("1.0E-5", 0.00001), ("-0", 0),
        ])
    func goodNumbers(text: String, degrees: Double) throws {
        #expect(try point(latitude: text).coordinate.latitude == degrees)
    }

    @Test(
        "a coordinate in another format or out of range throws",
        arguments: [
            "", "37,5", "37.5N", "37°30′", "0x25", "inf", "nan", "--1", "1.2.3", "90.0000001",
            "-91", "1e999", "٣٧", "37 .5",
        ])
    func badCoordinates(text: String) throws {
        let error = try #require(throws: TravelFileError.self) { try point(latitude: text) }
        #expect(error.problem == .coordinate(.latitude, text))
    }

    @Test(
        "an elevation that is empty, NaN, infinite or impossible counts as missing",
        arguments: [
            "", " ", "NaN", "nan", "-nan", "INF", "-Infinity", "-9999", "-32768.0", "-500.1", "20000.5", "1e30",
        ])
    func missingElevations(text: String) throws {
        #expect(try point(latitude: "0", elevation: text).elevation == nil)
    }

    @Test(
        "a point that cannot be read is left out and counted, and a file with as many of them as of others is refused",
        arguments: [
            #"<trkpt lat="91" lon="0"/>"#, #"<trkpt lon="0"/>"#,
            #"<trkpt lat="1" lon="0"><ele>high</ele><time>soon</time></trkpt>"#,
            #"<trkpt lat="1" lon="0"><time>soon</time></trkpt>"#,
        ])
    func unreadablePoints(bad: String) throws {
        let good = #"<trkpt lat="1" lon="2"><time>2024-05-01T00:00:00Z</time></trkpt>"#
        func read(_ points: String...) throws -> Track {
            let text = #"<gpx version="1.1"><wpt lat="x" lon="2"/><wpt lat="3" lon="2"/><trk><trkseg>"# + "\n"
            return try GPXReader().track(
                in: Data((text + points.joined(separator: "\n") + "</trkseg></trk></gpx>").utf8))
        }
        let track = try read(good, bad, good)
        #expect(track.segments.map(\.count) == [2] && track.waypoints.count == 1)
        #expect(track.omittedPoints == 2)
        let error = try #require(throws: TravelFileError.self) { try read(good, bad) }
        #expect(error.description.contains("Line 1"))
    }

    @Test("an elevation in another format throws", arguments: ["12,5", "12 m", "high", "1_000"])
    func badElevations(text: String) throws {
        let error = try #require(throws: TravelFileError.self) { try point(latitude: "0", elevation: text) }
        #expect(error.problem == .elevation(text))
    }
}

/// The files in `Fixtures`, by their names.
enum Fixture {
    static func url(_ name: String) -> URL {
        Bundle.module.bundleURL.appendingPathComponent("Fixtures").appendingPathComponent(name)
    }

    static func track(_ name: String) throws -> Track {
        try GPXReader().track(at: url(name))
    }
}
