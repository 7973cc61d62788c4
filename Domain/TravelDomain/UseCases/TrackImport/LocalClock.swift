#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The local time along a route.
///
/// A zone that is given applies everywhere. Otherwise it is Korea Standard Time around South Korea, UTC+9 without
/// daylight saving time; elsewhere the zone that a directory names for the coordinate; and where it names none,
/// nautical time: one-hour zones of 15 degrees of longitude, without regard to borders or daylight saving time.
///
/// The directory is asked again after 20 kilometres, and a nautical zone changes only when the route is 3.75 degrees (a
/// quarter of an hour) past its edge, so that a route along an edge does not switch back and forth.
package struct LocalClock: Sendable {
    /// A zone, in the order of certainty.
    package enum Zone: Hashable, Sendable {
        case given(String)
        case korea
        case named(String)
        case nautical(Int)
    }

    private let zones: any TimeZoneDirectory
    private let given: String?
    private var current: (zone: Zone, place: Coordinate)?
    /// The zones that readings have used, in order.
    package private(set) var used: [Zone] = []

    /// The distance in metres after which the directory is asked again.
    private static let reach = 20_000.0

    /// Creates a clock, whose first reading determines the zone; `given` is a zone of the directory that always applies.
    package init(_ zones: any TimeZoneDirectory = NoTimeZones(), given: String? = nil) {
        (self.zones, self.given) = (zones, given)
    }

    /// The local day and time at `date` for a traveller who has reached `coordinate`.
    package mutating func read(_ date: Date, at coordinate: Coordinate) -> (day: CalendarDay, time: TimeOfDay) {
        let zone = zone(at: coordinate, date)
        if current?.zone != zone { current = (zone, coordinate) }
        if !used.contains(zone) { used.append(zone) }
        let minutes = Int(((date.timeIntervalSince1970 + offset(of: zone, at: date)) / 60).rounded(.down))
        return (
            CalendarDay(daysSince1970: minutes.flooredQuotient(1_440)), TimeOfDay(minutesSinceMidnight: minutes)
        )
    }

    /// The seconds since 1970 at which a clock at `coordinate` shows `seconds` after midnight on `day`, in the zone of a
    /// new clock. A time that the clocks skip is that before the change.
    package func instant(_ day: CalendarDay, _ seconds: Double = 0, at coordinate: Coordinate) -> TimeInterval {
        let local = Double(day.daysSince1970) * 86_400 + seconds
        let date = Date(timeIntervalSince1970: local)
        let zone = LocalClock(zones, given: given).zone(at: coordinate, date)
        let near = local - offset(of: zone, at: date)
        return local - offset(of: zone, at: Date(timeIntervalSince1970: near))
    }

    private func zone(at coordinate: Coordinate, _ date: Date) -> Zone {
        if let given { return .given(given) }
        if coordinate.isAroundKorea { return .korea }
        if case .named? = current?.zone, let current, current.place.distance(to: coordinate) <= Self.reach {
            return current.zone
        }
        if let name = zones.zone(at: coordinate), zones.offset(of: name, at: date) != nil { return .named(name) }
        let exact = coordinate.longitude / 15
        switch current?.zone {
        case .nautical(let hours)? where abs(exact - Double(hours)) <= 0.75: return .nautical(hours)
        case .korea? where abs(exact - 9) <= 0.75: return .korea
        default: return .nautical(Int(exact.rounded()))
        }
    }

    private func offset(of zone: Zone, at date: Date) -> Double {
        switch zone {
        case .korea: 9 * 3_600
        case .nautical(let hours): Double(hours) * 3_600
        // A zone is used only if the directory has it.
        case .given(let name), .named(let name): Double(zones.offset(of: name, at: date) ?? 0)
        }
    }
}

extension Coordinate {
    /// Whether the point lies in the bounding box of South Korea: 33…39 degrees north, 124…132 degrees east. All clocks
    /// in it show UTC+9.
    package var isAroundKorea: Bool {
        (33...39).contains(latitude) && (124...132).contains(longitude)
    }
}
