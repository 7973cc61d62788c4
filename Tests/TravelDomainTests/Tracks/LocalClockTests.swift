import Foundation
import Testing
import TravelDomain

@Suite("The local clock")
struct LocalClockTests {
    private let midnight = Date(timeIntervalSince1970: 1_714_521_600)  // 2024-05-01T00:00:00Z

    private func read(_ date: Date, _ latitude: Double, _ longitude: Double) throws -> String {
        var clock = LocalClock()
        let (day, time) = clock.read(date, at: try Coordinate(latitude: latitude, longitude: longitude))
        return "\(day) \(time)"
    }

    @Test(
        "local time is UTC+9 throughout Korea, and changes by an hour per 15 degrees elsewhere",
        arguments: [
            ("Seoul", 37.5665, 126.978, "2024-05-01 09:00"),
            ("Baengnyeong, nautically UTC+8", 37.97, 124.63, "2024-05-01 09:00"),
            ("Dokdo", 37.24, 131.87, "2024-05-01 09:00"),
            ("Marado", 33.12, 126.27, "2024-05-01 09:00"),
            ("Tokyo", 35.68, 139.76, "2024-05-01 09:00"),
            ("Taipei", 25.03, 121.56, "2024-05-01 08:00"),
            ("Greenwich", 51.48, 0, "2024-05-01 00:00"),
            ("Lisbon", 38.71, -9.14, "2024-04-30 23:00"),
            ("New York", 40.71, -74.0, "2024-04-30 19:00"),
            ("the date line from the west", 0, 180, "2024-05-01 12:00"),
            ("the date line from the east", 0, -180, "2024-04-30 12:00"),
            ("a zone's edge", 0, 7.5, "2024-05-01 01:00"),
        ])
    func zones(name: String, latitude: Double, longitude: Double, shown: String) throws {
        #expect(try read(midnight, latitude, longitude) == shown)
    }

    @Test(
        "local time is rounded down to the minute, also before 1970",
        arguments: [
            (59.9, "2024-05-01 09:00"), (-0.1, "2024-05-01 08:59"), (54_000, "2024-05-02 00:00"),
            (-1_714_554_001, "1969-12-31 23:59"),
        ])
    func minutes(seconds: Double, shown: String) throws {
        #expect(try read(midnight.addingTimeInterval(seconds), 37.5665, 126.978) == shown)
    }

    @Test("local time keeps its zone along an edge, and changes it a quarter of an hour beyond")
    func zoneIsKeptAlongAnEdge() throws {
        var clock = LocalClock()
        let times = try [7.4, 7.6, 7.4, 11.2, 11.3, 7.6, 3.8, 3.7].map { longitude in
            clock.read(midnight, at: try Coordinate(latitude: 47.5, longitude: longitude)).time.hour
        }
        #expect(times == [0, 0, 0, 0, 1, 1, 1, 0])
    }

    @Test("local time changes its zone on entering and on leaving Korea")
    func korea() throws {
        var clock = LocalClock()
        let times = try [121.5, 124.5, 123.9, 121.5].map { longitude in
            clock.read(midnight, at: try Coordinate(latitude: 37, longitude: longitude)).time.hour
        }
        #expect(times == [8, 9, 9, 8])
    }

    @Test("a local day begins at midnight in its zone")
    func midnightOfADay() throws {
        let day = try CalendarDay("2024-05-01")
        let seoul = try Coordinate(latitude: 37.5665, longitude: 126.978)
        #expect(LocalClock().instant(day, at: seoul) == midnight.timeIntervalSince1970 - 9 * 3_600)
    }

    /// Zones with daylight saving time in May; the position decides by its longitude.
    private struct Iberia: TimeZoneDirectory {
        func zone(at coordinate: Coordinate) -> String? {
            coordinate.longitude > 60 ? nil : coordinate.longitude < -7 ? "Europe/Lisbon" : "Europe/Madrid"
        }
        func offset(of zone: String, at date: Date) -> Int? {
            let isSummer = (1_711_846_800...1_729_990_800).contains(date.timeIntervalSince1970)
            return ["Europe/Lisbon": 0, "Europe/Madrid": 3_600][zone].map { $0 + (isSummer ? 3_600 : 0) }
        }
    }

    @Test(
        "local time is that of the directory's zone, with daylight saving time, and of the longitude where it has none")
    func directory() throws {
        var clock = LocalClock(Iberia())
        let times = try [(38.71, -9.14), (40.4, -3.7), (37.5665, 126.978), (19.08, 72.88)].map { latitude, longitude in
            clock.read(midnight, at: try Coordinate(latitude: latitude, longitude: longitude)).time.hour
        }
        #expect(times == [1, 2, 9, 5])
        #expect(clock.used == [.named("Europe/Lisbon"), .named("Europe/Madrid"), .korea, .nautical(5)])
    }

    @Test("a zone stays within 20 kilometres of where it began, and a given zone everywhere")
    func reach() throws {
        let border = try [-7.05, -6.95, -6.80].map { try Coordinate(latitude: 38.9, longitude: $0) }
        var clock = LocalClock(Iberia())
        #expect(border.map { clock.read(midnight, at: $0).time.hour } == [1, 1, 2])
        var given = LocalClock(Iberia(), given: "Europe/Madrid")
        #expect(border.map { given.read(midnight, at: $0).time.hour } == [2, 2, 2])
        #expect(given.used == [.given("Europe/Madrid")])
    }

    @Test("an instant is that of the local time on both sides of a change of clocks")
    func changes() throws {
        let lisbon = try Coordinate(latitude: 38.71, longitude: -9.14)
        let day = try CalendarDay("2024-03-31")
        let start = Double(day.daysSince1970) * 86_400
        let clock = LocalClock(Iberia())
        #expect(clock.instant(day, 0, at: lisbon) == start)
        #expect(clock.instant(day, 12 * 3_600, at: lisbon) == start + 11 * 3_600)
    }
}
