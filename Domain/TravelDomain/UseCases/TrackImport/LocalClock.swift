#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The clock that a traveller reads along the way, from places alone.
///
/// Around South Korea it shows Korea Standard Time, UTC+9 without daylight saving time; elsewhere nautical time:
/// a zone of one hour for every 15 degrees of longitude, with no regard to borders or to daylight saving time.
///
/// A clock that has been set keeps its zone until the way leads 3.75 degrees (a quarter of an hour) past the
/// zone's edge, so that a way along an edge does not jump back and forth by an hour.
package struct LocalClock {
    private var hours: Int?

    /// A clock that is not set yet.
    package init() {}

    /// The day and the time of day shown at `date` by someone who has come to `coordinate`.
    package mutating func read(_ date: Date, at coordinate: Coordinate) -> (day: CalendarDay, time: TimeOfDay) {
        let zone = zone(at: coordinate)
        hours = zone
        let minutes = Int((date.timeIntervalSince1970 / 60).rounded(.down)) + zone * 60
        return (
            CalendarDay(daysSince1970: minutes.flooredQuotient(1_440)), TimeOfDay(minutesSinceMidnight: minutes)
        )
    }

    /// The seconds since 1970 at which `day` begins at `coordinate`, on a clock set there.
    package static func midnight(of day: CalendarDay, at coordinate: Coordinate) -> TimeInterval {
        Double(day.daysSince1970) * 86_400 - Double(LocalClock().zone(at: coordinate)) * 3_600
    }

    private func zone(at coordinate: Coordinate) -> Int {
        if coordinate.isAroundKorea { return 9 }
        let exact = coordinate.longitude / 15
        if let hours, abs(exact - Double(hours)) <= 0.75 { return hours }
        return Int(exact.rounded())
    }
}

extension Coordinate {
    /// Whether the point lies in the box around South Korea: 33…39 degrees north, 124…132 degrees east.
    package var isAroundKorea: Bool {
        (33...39).contains(latitude) && (124...132).contains(longitude)
    }
}
