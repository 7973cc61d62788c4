public import Foundation
public import TravelDomain
internal import TravelJSON

/// Reads recorded tracks in TCX, the Training Center XML of Garmin, version 2.
///
/// ```swift
/// let track = try TCXReader().track(at: URL(fileURLWithPath: "ride.tcx"))
/// track.segments.count    // the number of parts between which the recording was paused
/// ```
///
/// - **Activities** become segments with times and elevations. A lap continues the one before it; another `Track` of the
///   same lap, or a gap of more than a minute between laps, is a pause, after which a new segment begins.
/// - **Courses** become segments as well, and their course points waypoints with names and notes. The name of the track is
///   that of its first course.
/// - **Points** without a position, which devices write indoors and in tunnels, are no points of a track.
///
/// Otherwise the rules of ``GPXReader`` apply: for times, elevations, points that cannot be read, and limits.
public struct TCXReader: Sendable {
    public init() {}

    /// Reads the track in the file at `url`, which may be a pipe, in chunks.
    ///
    /// - Throws: ``TravelFileError``.
    public func track(at url: URL) throws(TravelFileError) -> Track {
        try Self.track(read: FileContents.chunks(of: url))
    }

    /// Reads the track in the bytes of a file.
    ///
    /// - Throws: ``TravelFileError``.
    public func track(in data: Data) throws(TravelFileError) -> Track {
        try Self.track(read: FileContents.chunks(of: data))
    }

    static func track(read: @escaping () throws(XMLDecoder.Failure) -> Data?) throws(TravelFileError) -> Track {
        var document = try TCXDocument(read: read)
        return try document.track()
    }
}

struct TCXDocument {
    enum Element {
        case root, group, activity, lap, course, coursePoint, track, point, position
        case name, notes, time, latitude, longitude, elevation

        static func child(of parent: Element?, _ name: String) -> Element? {
            switch (parent, name) {
            case (nil, "TrainingCenterDatabase"): .root
            case (.root, "Activities"), (.root, "Courses"), (.group, "MultiSportSession"), (.group, "FirstSport"),
                (.group, "NextSport"):
                .group
            case (.group, "Activity"): .activity
            case (.activity, "Lap"): .lap
            case (.group, "Course"): .course
            case (.lap, "Track"), (.course, "Track"): .track
            case (.course, "CoursePoint"): .coursePoint
            case (.track, "Trackpoint"): .point
            case (.point, "Position"), (.coursePoint, "Position"): .position
            case (.course, "Name"), (.coursePoint, "Name"): .name
            case (.coursePoint, "Notes"): .notes
            case (.point, "Time"), (.coursePoint, "Time"): .time
            case (.point, "AltitudeMeters"), (.coursePoint, "AltitudeMeters"): .elevation
            case (.position, "LatitudeDegrees"): .latitude
            case (.position, "LongitudeDegrees"): .longitude
            default: nil
            }
        }

        var isText: Bool {
            switch self {
            case .name, .notes, .time, .latitude, .longitude, .elevation: true
            default: false
            }
        }
    }

    /// A point while its element is open.
    private struct Point {
        var latitude, longitude, elevation: Double?
        var time: Date?
        var name, notes: String?
        var hasPosition = false
        var fault: TravelFileError?
    }

    private var xml: TrackXML<Element>
    private var point = Point()
    private var name: String?
    private var waypoints: [Waypoint] = []
    private var segments: [[TrackPoint]] = []
    private var omitted = OmittedPoints()
    /// Whether the next track may continue the last segment.
    private var mayContinue = false

    /// The longest time in seconds between laps of a recording that went on.
    private static let longestGap = 60.0

    init(read: @escaping () throws(XMLDecoder.Failure) -> Data?) throws(TravelFileError) {
        xml = try TrackXML(
            longestText: 16_384, child: Element.child, isText: \.isText, refusal: { .notTCX($0) }, read: read)
    }

    mutating func track() throws(TravelFileError) -> Track {
        while let event = try xml.next() {
            switch event {
            case .start(let element, _): begin(element)
            case .end(let element, let text): end(element, text)
            }
        }
        try omitted.require(beside: waypoints.count + segments.reduce(0) { $0 + $1.count })
        return Track(
            name: name, waypoints: waypoints, segments: segments.filter { !$0.isEmpty }, omittedPoints: omitted.count)
    }

    private mutating func begin(_ element: Element) {
        switch element {
        case .activity, .course: mayContinue = false
        case .lap: mayContinue = !segments.isEmpty && mayContinue
        case .track: segments.append([])
        case .point, .coursePoint: point = Point()
        case .position: point.hasPosition = true
        default: break
        }
    }

    private mutating func end(_ element: Element, _ text: String) {
        switch element {
        case .name:
            if case .coursePoint? = xml.open.last {
                point.name = text
            } else if name == nil, !text.isEmpty {
                name = text
            }
        case .notes: point.notes = text.isEmpty ? nil : text
        case .time, .latitude, .longitude, .elevation: if !text.isEmpty { set(element, text) }
        case .point:
            guard let place = coordinate() else { break }
            segments[segments.count - 1].append(
                TrackPoint(coordinate: place, time: point.time, elevation: point.elevation))
        case .coursePoint:
            guard let place = coordinate() else { break }
            waypoints.append(
                Waypoint(
                    coordinate: place, time: point.time, elevation: point.elevation, name: point.name,
                    description: point.notes))
        case .track:
            joinLaps()
            mayContinue = false
        case .lap: mayContinue = true
        default: break
        }
    }

    /// Appends the last segment to the one before it, if that is of the lap before and the recording went on.
    private mutating func joinLaps() {
        guard mayContinue, segments.count > 1, let start = segments[segments.count - 1].first?.time,
            let end = segments[segments.count - 2].last?.time,
            (0...Self.longestGap).contains(start.timeIntervalSince(end))
        else { return }
        segments[segments.count - 2] += segments.removeLast()
    }

    private mutating func set(_ element: Element, _ text: String) {
        func degrees(_ axis: TravelFileError.Axis) -> Double? {
            if case .number(let degrees) = GPXNumber(text), axis.range.contains(degrees) { return degrees }
            point.fault = point.fault ?? xml.fault(.coordinate(axis, text))
            return nil
        }
        switch element {
        case .latitude: point.latitude = degrees(.latitude)
        case .longitude: point.longitude = degrees(.longitude)
        case .elevation:
            switch GPXNumber(text) {
            case .number(let metres): point.elevation = metres.measured
            case .none: break
            case .malformed: point.fault = point.fault ?? xml.fault(.elevation(text))
            }
        default:
            if let read = ISOTime(text) {
                point.time = read.date
            } else {
                point.fault = point.fault ?? xml.fault(.time(text))
            }
        }
    }

    /// The place of the point that ends; `nil` without one, or if the point is left out.
    private mutating func coordinate() -> Coordinate? {
        guard point.hasPosition else { return nil }
        if point.fault == nil {
            for (axis, value) in [(.latitude, point.latitude), (.longitude, point.longitude)]
                as [(TravelFileError.Axis, Double?)] where value == nil
            {
                point.fault = point.fault ?? xml.fault(.position(axis.rawValue))
            }
        }
        if let fault = point.fault {
            omitted.add(fault)
            return nil
        }
        guard let latitude = point.latitude, let longitude = point.longitude else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)  // Both are in range.
    }
}
