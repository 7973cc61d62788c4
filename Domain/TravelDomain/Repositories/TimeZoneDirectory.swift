#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A directory of time zones, by their names in the IANA Time Zone Database, such as `Europe/Lisbon`.
///
/// ```swift
/// zones.zone(at: lisbon)                        // "Europe/Lisbon", or nil without positions of zones
/// zones.offset(of: "Europe/Lisbon", at: may)    // 3600: daylight saving time
/// ```
public protocol TimeZoneDirectory: Sendable {
    /// Returns the zone that probably applies at `coordinate`; `nil` if the directory cannot tell.
    func zone(at coordinate: Coordinate) -> String?

    /// Returns how many seconds the clocks of `zone` are ahead of Coordinated Universal Time at `date`, daylight saving
    /// time included; `nil` if there is no such zone.
    func offset(of zone: String, at date: Date) -> Int?
}

/// A directory without zones: local times then follow the longitude.
public struct NoTimeZones: TimeZoneDirectory {
    /// Creates the empty directory.
    public init() {}

    /// Returns `nil`.
    public func zone(at coordinate: Coordinate) -> String? { nil }

    /// Returns `nil`.
    public func offset(of zone: String, at date: Date) -> Int? { nil }
}
