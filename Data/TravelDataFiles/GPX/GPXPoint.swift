import Foundation
import TravelDomain

/// A point that is being read.
struct GPXPoint {
    private let coordinate: Coordinate
    private var time: Date?
    private var elevation: Double?
    private var name: String?
    private var comment: String?
    private var note: String?

    /// A point at `coordinate`, if there is one.
    init?(_ coordinate: Coordinate?) {
        guard let coordinate else { return nil }
        self.coordinate = coordinate
    }

    /// Takes the text of one of its elements; of several alike the first. What is wrong with it, if anything is.
    mutating func set(_ element: GPXElement, _ text: String) -> GPXError.Problem? {
        switch element {
        case .name: name = name ?? text
        case .comment: comment = comment ?? text
        case .note: note = note ?? text
        case .elevation:
            switch GPXNumber(text) {
            case .number(let metres): elevation = elevation ?? metres
            case .none: break
            case .malformed: return .elevation(text)
            }
        case .time:
            guard let read = GPXTime(text) else { return .time(text) }
            time = time ?? read.date
        default: break
        }
        return nil
    }

    /// The point as a fix of a track.
    var trackPoint: TrackPoint { TrackPoint(coordinate: coordinate, time: time, elevation: elevation) }

    /// The point as a marked place.
    var waypoint: Waypoint {
        Waypoint(
            coordinate: coordinate, time: time, elevation: elevation, name: name, description: note ?? comment)
    }
}
