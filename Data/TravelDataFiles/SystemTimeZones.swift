public import Foundation
public import TravelDomain

/// The time zones of Foundation, with the positions that the list of the operating system has (`zone.tab` or
/// `zone1970.tab` of the IANA Time Zone Database).
///
/// ```swift
/// SystemTimeZones.shared.zone(at: lisbon)                          // "Europe/Lisbon"
/// SystemTimeZones.shared.offset(of: "Europe/Lisbon", at: now)      // 3600 in summer
/// ```
///
/// The list has one city for each zone of a country, so that the zone at a coordinate is a guess: that of the nearest
/// city. An hour by which its clock is off the sun's counts as 500 kilometres, which keeps Beijing with Shanghai, not
/// Pyongyang. Without a list, as on iOS, the directory names no zone.
public struct SystemTimeZones: TimeZoneDirectory {
    /// The directory of this system, read when it is first used.
    public static let shared = SystemTimeZones(
        lists: ["/usr/share/zoneinfo/", "/var/db/timezone/zoneinfo/"].flatMap { folder in
            ["zone.tab", "zone1970.tab"].map { folder + $0 }
        })

    private struct City {
        let place: Coordinate
        let zone: String
        /// How many hours its clocks are ahead of the sun, at most half an hour of which is usual.
        let advance: Double
    }

    private let cities: [City]

    init(lists: [String]) {
        // A list that cannot be read counts as missing: the import then follows the longitude and says so.
        let text = lists.lazy.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first ?? ""
        cities = text.split(whereSeparator: \.isNewline).compactMap { Self.city($0) }
    }

    /// Returns the zone of the nearest city; `nil` without a list.
    public func zone(at coordinate: Coordinate) -> String? {
        let sun = coordinate.longitude / 15
        return cities.min { distance($0) < distance($1) }?.zone

        func distance(_ city: City) -> Double {
            let hours = abs((city.place.longitude / 15 + city.advance - sun).remainder(dividingBy: 24))
            return city.place.distance(to: coordinate) + max(0, hours - 0.5) * 500_000
        }
    }

    /// Returns the difference from UTC with daylight saving time; `nil` for a name that Foundation does not know.
    public func offset(of zone: String, at date: Date) -> Int? {
        TimeZone(identifier: zone)?.secondsFromGMT(for: date)
    }

    /// The names of zones that contain `text`, in any letter case, or whose last part begins with it: what a user may
    /// have meant.
    public func names(like text: String) -> [String] {
        let text = text.lowercased().replacingOccurrences(of: " ", with: "_")
        return TimeZone.knownTimeZoneIdentifiers.filter { $0.lowercased().contains(text) }.sorted()
    }

    /// A line of the list: countries, position, zone and comments, separated by tabs.
    private static func city(_ line: Substring) -> City? {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard !line.hasPrefix("#"), fields.count >= 3, let place = position(fields[1]),
            let zone = TimeZone(identifier: String(fields[2]))
        else { return nil }
        // In January, with the standard time of the northern half.
        let hours = Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: 1_704_067_200))) / 3_600
        return City(place: place, zone: String(fields[2]), advance: hours - place.longitude / 15)
    }

    /// A position of ISO 6709: `+3843-00908` or `+404251-0740023`, in degrees, minutes and seconds.
    private static func position(_ text: Substring) -> Coordinate? {
        guard let split = text.dropFirst().firstIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
        func degrees(_ part: Substring, _ digits: Int) -> Double? {
            let numbers = part.dropFirst()
            guard numbers.count == digits + 2 || numbers.count == digits + 4, numbers.allSatisfy(\.isNumber),
                let whole = Double(numbers.prefix(digits)),
                let minutes = Double(numbers.dropFirst(digits).prefix(2)),
                let seconds = Double("0" + numbers.dropFirst(digits + 2))
            else { return nil }
            return (whole + minutes / 60 + seconds / 3_600) * (part.hasPrefix("-") ? -1 : 1)
        }
        guard let latitude = degrees(text[..<split], 2), let longitude = degrees(text[split...], 3) else { return nil }
        // A position off the globe is none.
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }
}
