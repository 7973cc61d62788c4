#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The local time along a route, derived from coordinates alone.
///
/// Around South Korea it is Korea Standard Time, UTC+9 without daylight saving time; elsewhere it is nautical time:
/// one-hour zones of 15 degrees of longitude, without regard to borders or daylight saving time.
///
/// The zone changes only when the route is 3.75 degrees (a quarter of an hour) past its edge, so that a route along an
/// edge does not switch back and forth.
package struct LocalClock {
    private var hours: Int?

    /// Creates a clock without a zone; the first reading sets it.
    package init() {}

    /// The local day and time at `date` for a traveller who has reached `coordinate`.
    package mutating func read(_ date: Date, at coordinate: Coordinate) -> (day: CalendarDay, time: TimeOfDay) {
        let zone = zone(at: coordinate)
        hours = zone
        let minutes = Int((date.timeIntervalSince1970 / 60).rounded(.down)) + zone * 60
        return (
            CalendarDay(daysSince1970: minutes.flooredQuotient(1_440)), TimeOfDay(minutesSinceMidnight: minutes)
        )
    }

    /// The seconds since 1970 at which `day` begins at `coordinate`, in the zone of a new clock.
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
    /// Whether the point lies in the bounding box of South Korea: 33…39 degrees north, 124…132 degrees east.
    package var isAroundKorea: Bool {
        (33...39).contains(latitude) && (124...132).contains(longitude)
    }
}
