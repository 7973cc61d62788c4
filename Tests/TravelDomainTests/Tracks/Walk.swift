import Foundation
import TravelDomain

/// Points and times for the tests of track import, relative to the square in front of Seoul City Hall.
enum Walk {
    /// 09:15 on 1 May 2024 in Korea Standard Time.
    static let morning = Date(timeIntervalSince1970: 1_714_522_500)
    /// 12:00 on 1 June 2024 in Korea Standard Time: the time of import in the tests.
    static let now = Date(timeIntervalSince1970: 1_717_210_800)

    /// The coordinate at these distances north and east of the square, in metres.
    static func place(north: Double = 0, east: Double = 0) throws -> Coordinate {
        try Coordinate(latitude: 37.5655 + north / 111_195, longitude: 126.978 + east / 88_150)
    }

    /// A track point at this distance north in metres, this many minutes after ``morning``.
    static func point(_ north: Double, at minutes: Double?, elevation: Double? = nil) throws -> TrackPoint {
        TrackPoint(
            coordinate: try place(north: north), time: minutes.map { morning.addingTimeInterval($0 * 60) },
            elevation: elevation)
    }

    /// A mark at this distance north in metres, this many minutes after ``morning``.
    static func mark(_ name: String?, _ north: Double, at minutes: Double? = nil, note: String? = nil) throws
        -> Waypoint
    {
        Waypoint(
            coordinate: try place(north: north), time: minutes.map { morning.addingTimeInterval($0 * 60) },
            name: name, description: note)
    }

    /// The minutes since ``morning``.
    static func minutes(_ time: Date) -> Double { time.timeIntervalSince(morning) / 60 }
}
