import Foundation
import TravelDomain

/// A point while its element is open.
struct GPXPoint {
    private let coordinate: Coordinate
    private var time: Date?
    private var elevation: Double?
    private var name: String?
    private var comment: String?
    private var note: String?

    /// Creates a point at `coordinate`; `nil` without one.
    init?(_ coordinate: Coordinate?) {
        guard let coordinate else { return nil }
        self.coordinate = coordinate
    }

    /// Stores the text of a child element, unless there was one of the same kind before. Returns the problem of an
    /// invalid text.
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

    /// The point as a point of a track.
    var trackPoint: TrackPoint { TrackPoint(coordinate: coordinate, time: time, elevation: elevation) }

    /// The point as a waypoint, with the note or else the comment.
    var waypoint: Waypoint {
        Waypoint(
            coordinate: coordinate, time: time, elevation: elevation, name: name, description: note ?? comment)
    }
}
