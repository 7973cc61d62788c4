import Foundation
import TravelDomain

/// Builds a track from the elements of a GPX file.
///
/// It uses an element only at a position where GPX allows it, in the namespace of the root, and ignores any other with
/// its content.
struct GPXDocument {
    private var xml: XMLReader
    private var space = ""
    private var open: [GPXElement] = []
    private var point: GPXPoint?

    private var fileName: String?
    private var trackName: String?
    private var routeName: String?
    private var time: Date?
    private var waypoints: [Waypoint] = []
    private var routes: [[Waypoint]] = []
    private var segments: [[TrackPoint]] = []

    /// Creates a document of the bytes that `read` returns piece by piece, until it returns `nil` or nothing.
    init(read: @escaping () throws(XMLDecoder.Failure) -> Data?) throws(GPXError) {
        do throws(XMLReader.Fault) {
            xml = try XMLReader(read: read)
        } catch {
            throw GPXError(error)
        }
    }

    /// Reads the file to its end.
    mutating func track() throws(GPXError) -> Track {
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
        return Track(
            name: fileName ?? trackName ?? routeName, time: time, waypoints: waypoints, routes: routes,
            segments: segments)
    }

    private mutating func next() throws(GPXError) -> XMLReader.Event? {
        do throws(XMLReader.Fault) {
            return try xml.next()
        } catch {
            throw GPXError(error, root: xml.root, head: xml.head)
        }
    }

    /// The element as one of GPX; `nil` for one that is ignored.
    private mutating func known(_ element: XMLReader.Element) throws(GPXError) -> GPXElement? {
        if let parent = open.last { return element.space == space ? parent.child(element.name) : nil }
        if let form = GPXError.foreignForm(ofRoot: element.name) { throw GPXError(.notGPX(form)) }
        space = element.space
        if let version = Self.unsupportedVersion(element.attribute("version"), space) {
            throw fault(.unsupportedVersion(version))
        }
        return .gpx
    }

    private mutating func begin(_ element: GPXElement, _ start: XMLReader.Element) throws(GPXError) {
        switch element {
        case .waypoint, .routePoint, .trackPoint: point = GPXPoint(try coordinate(of: start))
        case .route: routes.append([])
        case .segment: segments.append([])
        case .name, .time, .elevation, .comment, .note: xml.text.removeAll(keepingCapacity: true)
        case .gpx, .metadata, .track: break
        }
    }

    private mutating func end(_ element: GPXElement) throws(GPXError) {
        switch element {
        case .waypoint: if let point { waypoints.append(point.waypoint) }
        case .routePoint: if let point { routes[routes.count - 1].append(point.waypoint) }
        case .trackPoint: if let point { segments[segments.count - 1].append(point.trackPoint) }
        case .gpx, .metadata, .track, .route, .segment: break
        case .name, .time, .elevation, .comment, .note:
            let text = String(decoding: xml.text, as: UTF8.self).trimmed
            if !text.isEmpty { try set(element, text) }
        }
    }

    /// Stores the text of an element, unless there was one of the same kind before.
    private mutating func set(_ element: GPXElement, _ text: String) throws(GPXError) {
        switch (element, open[open.count - 1]) {
        case (.name, .gpx), (.name, .metadata): fileName = fileName ?? text
        case (.name, .track): trackName = trackName ?? text
        case (.name, .route): routeName = routeName ?? text
        case (.time, .gpx), (.time, .metadata):
            guard let read = GPXTime(text) else { throw fault(.time(text)) }
            time = time ?? read.date
        default:
            if let problem = point?.set(element, text) { throw fault(problem) }
        }
    }

    private func coordinate(of point: XMLReader.Element) throws(GPXError) -> Coordinate? {
        func degrees(_ axis: GPXError.Axis, _ range: ClosedRange<Double>) throws(GPXError) -> Double {
            let text = point.attribute(axis.attribute)?.trimmed
            if let text, case .number(let degrees) = GPXNumber(text), range.contains(degrees) { return degrees }
            throw fault(.coordinate(axis, text))
        }
        let latitude = try degrees(.latitude, -90...90)
        let longitude = try degrees(.longitude, -180...180)
        return try? Coordinate(latitude: latitude, longitude: longitude)  // Both are in range.
    }

    private func fault(_ problem: GPXError.Problem) -> GPXError { GPXError(problem, line: xml.line) }

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

extension GPXError {
    /// The fault of a file as an error.
    ///
    /// - Parameters:
    ///   - root: The name of the first element, if it was read.
    ///   - head: The first bytes of the file.
    fileprivate init(_ fault: XMLReader.Fault, root: String? = nil, head: Data = Data()) {
        if let form = Self.foreignForm(ofBytes: head) ?? root.flatMap(Self.foreignForm(ofRoot:)) {
            self.init(.notGPX(form))
            return
        }
        switch fault.problem {
        case .unreadable(let reason): self.init(.unreadable(reason))
        case .empty: self.init(.empty)
        case .notXML: self.init(.notGPX("something other than XML"))
        case .documentType(let name):
            self.init(name.lowercased() == "html" ? .notGPX("a web page") : .documentType)
        case .truncated: self.init(.truncated, line: fault.line)
        case .limit(let limit): self.init(.limit(limit), line: fault.line)
        case .malformed(let words): self.init(.malformedXML(words), line: fault.line, column: fault.column)
        }
    }

    /// The name of another format, if the first bytes are its signature.
    private static func foreignForm(ofBytes head: Data) -> String? {
        if head.starts(with: [0x1F, 0x8B]) { return "a gzip archive" }
        if head.starts(with: "PK".utf8) { return "a zip archive" }
        if head.dropFirst(8).starts(with: ".FIT".utf8) { return "a FIT file" }
        return nil
    }

    /// The name of another format, if the first element has that name.
    fileprivate static func foreignForm(ofRoot name: String) -> String? {
        switch name {
        case "gpx": nil
        case "html", "HTML": "a web page"
        case "kml": "a KML file"
        case "TrainingCenterDatabase": "a TCX file"
        default: "XML of another kind"
        }
    }
}
