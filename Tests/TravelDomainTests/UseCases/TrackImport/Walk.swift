import Foundation
import TravelDomain

/// Points and times for the tests of track import, told from the square before Seoul City Hall.
enum Walk {
    /// A quarter past nine in the morning of 1 May 2024 on Korean clocks.
    static let morning = Date(timeIntervalSince1970: 1_714_522_500)
    /// Noon of 1 June 2024 on Korean clocks: when the tests import.
    static let now = Date(timeIntervalSince1970: 1_717_210_800)

    /// The place that many metres north and east of the square.
    static func place(north: Double = 0, east: Double = 0) throws -> Coordinate {
        try Coordinate(latitude: 37.5655 + north / 111_195, longitude: 126.978 + east / 88_150)
    }

    /// A fix that many metres north, that many minutes after ``morning``.
    static func point(_ north: Double, at minutes: Double?, elevation: Double? = nil) throws -> TrackPoint {
        TrackPoint(
            coordinate: try place(north: north), time: minutes.map { morning.addingTimeInterval($0 * 60) },
            elevation: elevation)
    }

    /// A mark that many metres north, that many minutes after ``morning``.
    static func mark(_ name: String?, _ north: Double, at minutes: Double? = nil, note: String? = nil) throws
        -> Waypoint
    {
        Waypoint(
            coordinate: try place(north: north), time: minutes.map { morning.addingTimeInterval($0 * 60) },
            name: name, description: note)
    }

    /// The minutes after ``morning``.
    static func minutes(_ time: Date) -> Double { time.timeIntervalSince(morning) / 60 }
}
