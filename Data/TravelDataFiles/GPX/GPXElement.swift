/// The elements of GPX that the reader uses.
enum GPXElement {
    case gpx, metadata
    case waypoint, route, routePoint, track, segment, trackPoint
    case name, time, elevation, comment, note

    /// Returns the child element with that name, if GPX 1.0 or 1.1 allows it in this element.
    func child(_ name: String) -> GPXElement? {
        switch (self, name) {
        case (.gpx, "metadata"): .metadata
        case (.gpx, "wpt"): .waypoint
        case (.gpx, "rte"): .route
        case (.gpx, "trk"): .track
        case (.route, "rtept"): .routePoint
        case (.track, "trkseg"): .segment
        case (.segment, "trkpt"): .trackPoint
        case (.gpx, "name"), (.metadata, "name"), (.track, "name"), (.route, "name"): .name
        case (.gpx, "time"), (.metadata, "time"): .time
        case (_, "name") where isPoint: .name
        case (_, "time") where isPoint: .time
        case (_, "ele") where isPoint: .elevation
        case (_, "cmt") where isPoint: .comment
        case (_, "desc") where isPoint: .note
        default: nil
        }
    }

    /// Whether the element is a point of any kind.
    var isPoint: Bool {
        switch self {
        case .waypoint, .routePoint, .trackPoint: true
        default: false
        }
    }

    /// Whether the element contains text.
    var isText: Bool {
        switch self {
        case .name, .time, .elevation, .comment, .note: true
        default: false
        }
    }
}
