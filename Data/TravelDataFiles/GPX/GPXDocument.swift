import Foundation
import TravelDomain

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Builds a track from the elements of a GPX file, as the delegate of the parser.
///
/// It uses an element only at a position where GPX allows it, in the namespace of the root, and ignores any other with
/// its content.
final class GPXDocument: NSObject, XMLParserDelegate {
    /// The first problem of the file that was noticed.
    private var failure: GPXError?
    /// Whether the problem was noticed only at the end of the file.
    private var isFailureAtEnd = false
    /// Whether the root element was closed.
    private var isComplete = false

    private let source: GPXSource
    private var space: String?
    private var open: [GPXElement] = []
    /// The number of open elements that are ignored.
    private var depthPassedOver = 0
    private var text = ""
    private var point: GPXPoint?

    private var fileName: String?
    private var trackName: String?
    private var routeName: String?
    private var time: Date?
    private var waypoints: [Waypoint] = []
    private var routes: [[Waypoint]] = []
    private var segments: [[TrackPoint]] = []

    /// Creates a document whose bytes come from `source`.
    init(_ source: GPXSource) {
        self.source = source
    }

    /// Returns the track after the parser has finished.
    ///
    /// A problem that was noticed only at the end of the file, while the root element is open, counts as truncation:
    /// the rest of the file is missing.
    func track(after parser: XMLParser) throws(GPXError) -> Track {
        if let failure, isComplete || !isFailureAtEnd { throw failure }
        if !isComplete { throw GPXError(.truncated, line: parser.lineNumber) }
        return Track(
            name: fileName ?? trackName ?? routeName, time: time, waypoints: waypoints, routes: routes,
            segments: segments)
    }

    // MARK: XMLParserDelegate

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        let space = Self.space(namespaceURI, qualifiedName)
        if depthPassedOver > 0 {
            depthPassedOver += 1
        } else if open.isEmpty {
            self.space = space
            if let version = Self.unsupportedVersion(attributes["version"], space) {
                fail(.unsupportedVersion(version), parser)
            }
            open.append(.gpx)
        } else if space == self.space, let element = open[open.count - 1].child(name) {
            begin(element, attributes, parser)
            open.append(element)
        } else {
            depthPassedOver = 1
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        if depthPassedOver > 0 {
            depthPassedOver -= 1
        } else if let element = open.popLast() {
            end(element, parser)
            isComplete = open.isEmpty
        }
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
        guard depthPassedOver == 0, open.last?.isText == true, text.utf8.count < Self.longestText else { return }
        text += characters
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    func parser(_ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?) {
        fail(.documentType, parser)
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        let code = (error as NSError).code
        if Self.harmless.contains(code) { return }
        if source.isAtEnd, code == GPXFault.tagNotClosed {
            note(GPXError(.truncated, line: parser.lineNumber))
        } else {
            let words = GPXFault.words(for: code)
            note(GPXError(.malformedXML(words), line: parser.lineNumber, column: parser.columnNumber))
        }
    }

    // MARK: Elements

    /// The number of bytes after which the rest of a text is ignored; no value of the domain is as long.
    private static let longestText = 16_384

    /// The error codes of libxml2 after which parsing continues: namespaces that are undeclared or have an invalid name
    /// (200…205), invalid values of `xml:lang`, `xml:space` and `xmlns`, and a version of XML after 1.0.
    private static let harmless: Set<Int> = Set(200...205).union([97, 98, 99, 100, 102, 106])

    private func begin(_ element: GPXElement, _ attributes: [String: String], _ parser: XMLParser) {
        switch element {
        case .waypoint, .routePoint, .trackPoint: point = GPXPoint(coordinate(attributes, parser))
        case .route: routes.append([])
        case .segment: segments.append([])
        case .name, .time, .elevation, .comment, .note: text = ""
        case .gpx, .metadata, .track: break
        }
    }

    private func end(_ element: GPXElement, _ parser: XMLParser) {
        let text = element.isText ? text.trimmed : ""
        switch element {
        case .waypoint: if let point { waypoints.append(point.waypoint) }
        case .routePoint: if let point { routes[routes.count - 1].append(point.waypoint) }
        case .trackPoint: if let point { segments[segments.count - 1].append(point.trackPoint) }
        case .gpx, .metadata, .track, .route, .segment: return
        case .name, .time, .elevation, .comment, .note: if !text.isEmpty { set(element, text, parser) }
        }
    }

    /// Stores the text of an element, unless there was one of the same kind before.
    private func set(_ element: GPXElement, _ text: String, _ parser: XMLParser) {
        switch (element, open[open.count - 1]) {
        case (.name, .gpx), (.name, .metadata): fileName = fileName ?? text
        case (.name, .track): trackName = trackName ?? text
        case (.name, .route): routeName = routeName ?? text
        case (.time, .gpx), (.time, .metadata):
            guard let read = GPXTime(text) else { return fail(.time(text), parser) }
            time = time ?? read.date
        default:
            if let problem = point?.set(element, text) { fail(problem, parser) }
        }
    }

    private func coordinate(_ attributes: [String: String], _ parser: XMLParser) -> Coordinate? {
        func degrees(_ axis: GPXError.Axis, _ range: ClosedRange<Double>) -> Double? {
            let text = attributes[axis.attribute]?.trimmed
            if let text, case .number(let degrees) = GPXNumber(text), range.contains(degrees) { return degrees }
            fail(.coordinate(axis, text), parser)
            return nil
        }
        guard let latitude = degrees(.latitude, -90...90), let longitude = degrees(.longitude, -180...180) else {
            return nil
        }
        return try? Coordinate(latitude: latitude, longitude: longitude)  // Both are in range.
    }

    private func fail(_ problem: GPXError.Problem, _ parser: XMLParser) {
        note(GPXError(problem, line: parser.lineNumber))
        if !source.isAtEnd { parser.abortParsing() }
    }

    private func note(_ error: GPXError) {
        if failure != nil { return }
        failure = error
        isFailureAtEnd = source.isAtEnd
    }

    /// The vocabulary of an element: its namespace, or its prefix if that is not declared.
    private static func space(_ namespaceURI: String?, _ qualifiedName: String?) -> String {
        if let namespaceURI, !namespaceURI.isEmpty { return namespaceURI }
        return qualifiedName?.split(separator: ":").dropLast().joined(separator: ":") ?? ""
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
