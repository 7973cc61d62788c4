import Foundation
import TestConcurrency
import Testing
import TravelDomain

@testable import TravelDataFiles

@Suite("Time zones of the system", .limitedConcurrency)
struct SystemTimeZonesTests {
    private static let list = """
        # A comment\twith\ttabs
        PT\t+3843-00908\tEurope/Lisbon\tPortugal (mainland)
        ES\t+4024-00341\tEurope/Madrid\tSpain (mainland)
        US\t+404251-0740023\tAmerica/New_York\tEastern (most areas)
        CN\t+3114+12128\tAsia/Shanghai\tBeijing Time
        KP\t+3901+12545\tAsia/Pyongyang
        FJ\t-1808+17825\tPacific/Fiji
        XX\t+9900+00000\tEurope/Paris
        XX\tnonsense\tEurope/Paris
        XX\t+4852+00220\tEurope/Nowhere
        """

    private func zones() throws -> SystemTimeZones {
        let file = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID().uuidString).tab")
        try Data(Self.list.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return SystemTimeZones(lists: ["/nowhere/zone.tab", file.path])
    }

    @Test(
        "a coordinate has the zone of the nearest city whose clock agrees with the sun",
        arguments: [
            ("Porto", 41.15, -8.61, "Europe/Lisbon"), ("Sevilla", 37.39, -5.99, "Europe/Lisbon"),
            ("Valencia", 39.47, -0.38, "Europe/Madrid"), ("Boston", 42.36, -71.06, "America/New_York"),
            ("Beijing", 39.9, 116.4, "Asia/Shanghai"), ("Suva, past the date line", -18, -179.5, "Pacific/Fiji"),
        ])
    func nearest(name: String, latitude: Double, longitude: Double, zone: String) throws {
        #expect(try zones().zone(at: Coordinate(latitude: latitude, longitude: longitude)) == zone)
    }

    @Test("offsets include daylight saving time, and an unknown name has none")
    func offsets() throws {
        let zones = try zones()
        let (winter, summer) = (Date(timeIntervalSince1970: 1_704_067_200), Date(timeIntervalSince1970: 1_719_792_000))
        #expect(zones.offset(of: "Europe/Lisbon", at: winter) == 0)
        #expect(zones.offset(of: "Europe/Lisbon", at: summer) == 3_600)
        #expect(zones.offset(of: "Asia/Kathmandu", at: winter) == 20_700)
        #expect(zones.offset(of: "Europe/Nowhere", at: winter) == nil)
        #expect(zones.names(like: "lisb") == ["Europe/Lisbon"])
        #expect(zones.names(like: "new york") == ["America/New_York"])
    }

    @Test("without a list, a directory names no zone")
    func noList() throws {
        let zones = SystemTimeZones(lists: ["/nowhere/zone.tab"])
        #expect(try zones.zone(at: Coordinate(latitude: 38.7, longitude: -9.1)) == nil)
        #expect(zones.offset(of: "Europe/Lisbon", at: Date(timeIntervalSince1970: 1_719_792_000)) == 3_600)
    }
}
