import Foundation
import Testing
import TravelDataFiles
import TravelDomain

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
        let error = try #require(throws: GPXError.self) { try time(text) }
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
        let error = try #require(throws: GPXError.self) { try point(latitude: text) }
        #expect(error.problem == .coordinate(.latitude, text))
    }

    @Test(
        "an elevation that is empty, NaN or infinite counts as missing",
        arguments: [
            "", " ", "NaN", "nan", "-nan", "INF", "-Infinity",
        ])
    func missingElevations(text: String) throws {
        #expect(try point(latitude: "0", elevation: text).elevation == nil)
    }

    @Test("an elevation in another format throws", arguments: ["12,5", "12 m", "high", "1_000"])
    func badElevations(text: String) throws {
        let error = try #require(throws: GPXError.self) { try point(latitude: "0", elevation: text) }
        #expect(error.problem == .elevation(text))
    }
}
