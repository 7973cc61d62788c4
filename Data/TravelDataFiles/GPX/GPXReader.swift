public import Foundation
public import TravelDomain
internal import TravelJSON

/// Reads recorded tracks in GPX, the GPS Exchange Format, versions 1.0 and 1.1 (topografix.com/gpx.asp).
///
/// ```swift
/// let track = try GPXReader().track(at: URL(fileURLWithPath: "북한산.gpx"))
/// track.segments.count    // the number of continuously recorded segments
/// ```
///
/// The reader reads waypoints, routes and tracks with their names, notes, times and elevations. If a point has a note
/// (`desc`) and a comment (`cmt`), it reads the note. It ignores all other elements with their content, such as the
/// extensions of vendors. The file may be with or without the namespace of GPX, in UTF-8, UTF-16, UTF-32, or an encoding
/// that it declares: those of ISO 8859 and Windows, EUC-KR, Shift_JIS, GB 18030, Big5, and KOI8-R.
///
/// - A **time** without a zone is UTC, as GPX specifies. A time in the right format that does not exist, such as the
///   zeros of a receiver without a fix, counts as missing. One in another format cannot be read, and is an error if it is
///   that of the file.
/// - **Numbers** have a decimal point. An elevation of `NaN` or `INF` counts as missing, and so does one below −500 or above
///   20,000 metres, such as −9,999 and −32,768, by which recorders say that they have none.
/// - A **point** whose position, time or elevation cannot be read is left out, and counted in `Track.omittedPoints`. A file
///   with as many of them as of others is refused with the first.
/// - A file by ``GPXWriter`` is an export of a trip (`Track.isExported`), with the places of its entries.
/// - The reader accesses nothing outside the file, and rejects a document type, which could declare entities.
/// - **Limits**: 256 elements in each other, 128 attributes of one, 64 namespaces at a time, 1,000 bytes of a name, and
///   1 MiB of a tag. The number of points is not limited.
public struct GPXReader: Sendable {
    public init() {}

    /// Reads the track in the file at `url`, which may be a pipe. The file is parsed in chunks, never held in memory as
    /// a whole.
    ///
    /// Blocks the calling thread until the file is read: about two seconds for 100 MB.
    ///
    /// - Throws: ``TravelFileError``, with ``TravelFileError/Problem/unreadable(_:)`` when the file does not exist or cannot be
    ///   opened.
    public func track(at url: URL) throws(TravelFileError) -> Track {
        try Self.track(read: FileContents.chunks(of: url))
    }

    /// Reads the track in the bytes of a file.
    ///
    /// - Throws: ``TravelFileError``.
    public func track(in data: Data) throws(TravelFileError) -> Track {
        try Self.track(in: data, inChunksOf: FileContents.headSize)
    }

    static func track(in data: Data, inChunksOf size: Int) throws(TravelFileError) -> Track {
        try track(read: FileContents.chunks(of: data, size: size))
    }

    static func track(read: @escaping () throws(XMLDecoder.Failure) -> Data?) throws(TravelFileError) -> Track {
        var document = try GPXDocument(read: read)
        return try document.track()
    }
}

/// Builds a track from the elements of a GPX file.
///
/// It uses an element only at a position where GPX allows it, in the namespace of the root, and ignores any other with
/// its content.
struct GPXDocument {
    private var xml: XMLReader
    private var space = ""
    private var open: [GPXElement] = []
    private var point: GPXPoint?

    private var isExported = false
    private var fileName: String?
    private var trackName: String?
    private var routeName: String?
    private var time: Date?
    private var waypoints: [Waypoint] = []
    private var routes: [[Waypoint]] = []
    private var segments: [[TrackPoint]] = []
    private var omittedPoints = 0
    /// What is wrong with the first point that is left out.
    private var firstFault: TravelFileError?

    /// Creates a document of the bytes that `read` returns piece by piece, until it returns `nil` or nothing.
    init(read: @escaping () throws(XMLDecoder.Failure) -> Data?) throws(TravelFileError) {
        xml = try XMLReader(read: read)
    }

    mutating func track() throws(TravelFileError) -> Track {
        var depthPassedOver = 0
        while let event = try next() {
            switch event {
            case .start(let element):
                if depthPassedOver == 0, let known = try known(element) {
                    try begin(known, element)
                    open.append(known)
                } else {
                    depthPassedOver += 1
                }
            case .end:
                if depthPassedOver > 0 {
                    depthPassedOver -= 1
                } else if let element = open.popLast() {
                    try end(element)
                }
            }
            xml.collectsText = depthPassedOver == 0 && open.last?.isText == true
        }
        let count = waypoints.count + (routes.map(\.count) + segments.map(\.count)).reduce(0, +)
        if let firstFault, omittedPoints >= count { throw firstFault }
        return Track(
            name: fileName ?? trackName ?? routeName, time: time, waypoints: waypoints, routes: routes,
            segments: segments, omittedPoints: omittedPoints, isExported: isExported)
    }

    /// Leaves the open point out.
    private mutating func omitPoint(_ fault: TravelFileError) {
        firstFault = firstFault ?? fault
        omittedPoints += 1
        point = nil
    }

    private mutating func next() throws(TravelFileError) -> XMLReader.Event? {
        do throws(TravelFileError) {
            return try xml.next()
        } catch {
            let form = Self.foreignForm(ofBytes: xml.head) ?? xml.root.flatMap(Self.foreignForm(ofRoot:))
            throw form.map { TravelFileError(.notGPX($0)) } ?? error
        }
    }

    /// The element as one of GPX; `nil` for one that is ignored.
    private mutating func known(_ element: XMLReader.Element) throws(TravelFileError) -> GPXElement? {
        if let parent = open.last {
            if parent == .extensions {
                return (element.space, element.name) == (GPXWriter.space, "place") ? .place : nil
            }
            return element.space == space ? parent.child(element.name) : nil
        }
        if let form = Self.foreignForm(ofRoot: element.name) { throw TravelFileError(.notGPX(form)) }
        space = element.space
        isExported = element.attribute("creator") == GPXWriter.creator
        if let version = Self.unsupportedVersion(element.attribute("version"), space) {
            throw fault(.unsupportedGPX(version: version))
        }
        return .gpx
    }

    private mutating func begin(_ element: GPXElement, _ start: XMLReader.Element) throws(TravelFileError) {
        switch element {
        case .place:
            guard let name = start.attribute("name") else { break }
            // One that breaks a rule is none.
            point?.place = try? Place(name: name, address: start.attribute("address") ?? "")
        case .waypoint, .routePoint, .trackPoint:
            do throws(TravelFileError) { point = GPXPoint(try coordinate(of: start)) } catch { omitPoint(error) }
        case .route: routes.append([])
        case .segment: segments.append([])
        case .name, .time, .elevation, .comment, .note: xml.text.removeAll(keepingCapacity: true)
        case .gpx, .metadata, .track, .extensions: break
        }
    }

    private mutating func end(_ element: GPXElement) throws(TravelFileError) {
        switch element {
        case .waypoint: if let point { waypoints.append(point.waypoint) }
        case .routePoint: if let point { routes[routes.count - 1].append(point.waypoint) }
        case .trackPoint: if let point { segments[segments.count - 1].append(point.trackPoint) }
        case .gpx, .metadata, .track, .route, .segment, .extensions, .place: break
        case .name, .time, .elevation, .comment, .note:
            let text = String(decoding: xml.text, as: UTF8.self).trimmed
            if !text.isEmpty { try set(element, text) }
        }
    }

    /// Stores the text of an element, unless there was one of the same kind before.
    private mutating func set(_ element: GPXElement, _ text: String) throws(TravelFileError) {
        switch (element, open[open.count - 1]) {
        case (.name, .gpx), (.name, .metadata): fileName = fileName ?? text
        case (.name, .track): trackName = trackName ?? text
        case (.name, .route): routeName = routeName ?? text
        case (.time, .gpx), (.time, .metadata):
            guard let read = ISOTime(text) else { throw fault(.time(text)) }
            time = time ?? read.date
        default:
            if let problem = point?.set(element, text) { omitPoint(fault(problem)) }
        }
    }

    private func coordinate(of point: XMLReader.Element) throws(TravelFileError) -> Coordinate? {
        func degrees(_ axis: TravelFileError.Axis) throws(TravelFileError) -> Double {
            let text = point.attribute(axis.attribute)?.trimmed
            if let text, case .number(let degrees) = GPXNumber(text), axis.range.contains(degrees) { return degrees }
            throw fault(.coordinate(axis, text))
        }
        let latitude = try degrees(.latitude)
        let longitude = try degrees(.longitude)
        return try? Coordinate(latitude: latitude, longitude: longitude)  // Both are in range.
    }

    private func fault(_ problem: TravelFileError.Problem) -> TravelFileError {
        TravelFileError(problem, at: .line(xml.line))
    }

    /// The version of the file if it is not supported: its `version`, or that of its namespace.
    private static func unsupportedVersion(_ version: String?, _ space: String) -> String? {
        let namespace = "http://www.topografix.com/GPX/"
        let told =
            space.hasPrefix(namespace)
            ? space.dropFirst(namespace.count).split(separator: "/").joined(separator: ".") : nil
        let version = version?.trimmed ?? told
        return version.flatMap { ["1.0", "1.1"].contains($0) ? nil : $0 }
    }
}

extension GPXDocument {
    /// The name of another format, if the first bytes are its signature.
    static func foreignForm(ofBytes head: Data) -> String? {
        if head.starts(with: [0x1F, 0x8B]) { return "a gzip archive" }
        if head.starts(with: "PK".utf8) { return "a zip archive" }
        if head.dropFirst(8).starts(with: ".FIT".utf8) { return "a FIT file" }
        return nil
    }

    /// The name of another format, if the first element has that name.
    static func foreignForm(ofRoot name: String) -> String? {
        switch name {
        case "gpx": nil
        case "html", "HTML": "a web page"
        case "kml": "a KML file"
        case "TrainingCenterDatabase": "a TCX file"
        default: "XML of another kind"
        }
    }
}

enum GPXElement {
    case gpx, metadata
    case waypoint, route, routePoint, track, segment, trackPoint
    case name, time, elevation, comment, note
    /// What ``GPXWriter`` adds to a waypoint.
    case extensions, place

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
        case (.waypoint, "extensions"): .extensions
        default: nil
        }
    }

    var isPoint: Bool {
        switch self {
        case .waypoint, .routePoint, .trackPoint: true
        default: false
        }
    }

    var isText: Bool {
        switch self {
        case .name, .time, .elevation, .comment, .note: true
        default: false
        }
    }
}

/// A point while its element is open.
struct GPXPoint {
    private let coordinate: Coordinate
    private var time: Date?
    private var elevation: Double?
    private var name: String?
    private var comment: String?
    private var note: String?
    var place: Place?

    /// Creates a point at `coordinate`; `nil` without one.
    init?(_ coordinate: Coordinate?) {
        guard let coordinate else { return nil }
        self.coordinate = coordinate
    }

    /// Stores the text of a child element, unless there was one of the same kind before. Returns the problem of an
    /// invalid text.
    mutating func set(_ element: GPXElement, _ text: String) -> TravelFileError.Problem? {
        switch element {
        case .name: name = name ?? text
        case .comment: comment = comment ?? text
        case .note: note = note ?? text
        case .elevation:
            switch GPXNumber(text) {
            case .number(let metres): elevation = elevation ?? metres.measured
            case .none: break
            case .malformed: return .elevation(text)
            }
        case .time:
            guard let read = ISOTime(text) else { return .time(text) }
            time = time ?? read.date
        default: break
        }
        return nil
    }

    var trackPoint: TrackPoint { TrackPoint(coordinate: coordinate, time: time, elevation: elevation) }

    /// The point as a waypoint, with the note or else the comment.
    var waypoint: Waypoint {
        Waypoint(
            coordinate: coordinate, time: time, elevation: elevation, name: name, description: note ?? comment,
            place: place)
    }
}

/// A decimal number of XML Schema, or one with an exponent, as some recorders write.
enum GPXNumber: Hashable {
    case number(Double)
    case none
    case malformed

    init(_ text: String) {
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        if isDecimal, let number = Double(text), number.isFinite {
            self = .number(number)
        } else if ["nan", "inf", "infinity"].contains(text.drop { "+-".contains($0) }.lowercased()) {
            self = .none
        } else {
            self = .malformed
        }
    }
}

extension Double {
    /// The elevation in metres that another program wrote; `nil` for a number by which it says that it has none. Stores keep
    /// what they have, in the wider `TrackGeometry.elevationRange`.
    var measured: Double? { (-500...20_000).contains(self) ? self : nil }
}
