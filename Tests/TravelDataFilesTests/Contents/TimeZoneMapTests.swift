import Foundation
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataFiles

@Suite("Time zones by their boundaries")
struct TimeZoneMapTests {
    private func zone(_ latitude: Double, _ longitude: Double) throws -> String? {
        try TimeZoneMap.shared.zone(at: Coordinate(latitude: latitude, longitude: longitude))
    }

    @Test(
        "a position has the zone of its place, also beside a border and where the clock is far from the sun",
        arguments: [
            ("Porto", 41.15, -8.61, "Europe/Lisbon"), ("Sevilla", 37.39, -5.99, "Europe/Madrid"),
            ("Tui, across the river from Valença", 42.047, -8.644, "Europe/Madrid"),
            ("Valença", 42.027, -8.640, "Europe/Lisbon"), ("Delhi", 28.61, 77.21, "Asia/Kolkata"),
            ("Kathmandu", 27.72, 85.32, "Asia/Kathmandu"),
            ("Raxaul, at the border of Nepal", 26.97, 84.84, "Asia/Kolkata"),
            ("Boston", 42.36, -71.06, "America/New_York"), ("Phoenix", 33.45, -112.07, "America/Phoenix"),
            ("Tuba City, in the Navajo Nation", 36.13, -111.24, "America/Denver"),
            ("Beijing", 39.90, 116.40, "Asia/Shanghai"),
            ("Broken Hill", -31.95, 141.47, "Australia/Broken_Hill"), ("Suva", -18.12, 178.45, "Pacific/Fiji"),
            ("Taveuni, past the date line", -16.85, -179.97, "Pacific/Fiji"), ("Anadyr", 64.73, 177.50, "Asia/Anadyr"),
            ("Bariloche", -41.13, -71.31, "America/Argentina/Salta"), ("Sapporo", 43.06, 141.35, "Asia/Tokyo"),
            ("the south pole", -90, 0, "Antarctica/McMurdo"),
        ])
    func places(name: String, latitude: Double, longitude: Double, zone expected: String) throws {
        #expect(try zone(latitude, longitude) == expected)
    }

    @Test("the sea has no zone, and the coast that of the land")
    func sea() throws {
        #expect(try zone(0, -30) == nil && zone(-50, 180) == nil && zone(90, 0) == nil && zone(45, -180) == nil)
        #expect(try zone(38.68, -9.45) == "Europe/Lisbon")
    }

    @Test("every position has a zone of Foundation, or none, and is read without a trap")
    func everyPosition() throws {
        var random = SeededGenerator(seed: 1)
        var names: Set<String> = []
        for _ in 0..<20_000 {
            let found = try zone(.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
            if let found { names.insert(found) }
        }
        for latitude in stride(from: -90.0, through: 90, by: 15) {
            for longitude in [-180, -179.999, 0, 179.999, 180] { _ = try zone(latitude, longitude) }
        }
        #expect(names.count > 150)
        for name in names { #expect(TimeZone(identifier: name) != nil, "\(name)") }
    }

    @Test(
        "cells that end early are read without a trap",
        arguments: ["", "A/B", "A/B\n", "A/B\n?", "A/B\n?A@", "A/B\n?B?@~~", "A/B\nA~"])
    func damage(text: String) throws {
        let map = TimeZoneMap(text)
        for (latitude, longitude) in [(-89.5, -179.5), (0.0, 0.0), (90.0, 180.0)] {
            let found = try map.zone(at: Coordinate(latitude: latitude, longitude: longitude))
            #expect(found == nil || found == "A/B")
        }
    }

    @Test("offsets include daylight saving time, and an unknown name has none")
    func offsets() throws {
        let zones = TimeZoneMap.shared
        let (winter, summer) = (Date(timeIntervalSince1970: 1_704_067_200), Date(timeIntervalSince1970: 1_719_792_000))
        #expect(zones.offset(of: "Europe/Lisbon", at: winter) == 0)
        #expect(zones.offset(of: "Europe/Lisbon", at: summer) == 3_600)
        #expect(zones.offset(of: "Asia/Kathmandu", at: winter) == 20_700)
        #expect(zones.offset(of: "Europe/Nowhere", at: winter) == nil)
        #expect(zones.names(like: "lisb") == ["Europe/Lisbon"])
        #expect(zones.names(like: "new york") == ["America/New_York"])
    }
}
