public import Foundation
public import TravelDomain
internal import TravelJSON

/// Reads recorded tracks in KML (OGC 12-007), of any version, and in KMZ, a zip archive with a KML file.
///
/// ```swift
/// let track = try KMLReader().track(at: URL(fileURLWithPath: "trip.kmz"))
/// track.waypoints.map(\.name)    // the names of the placemarks with a point
/// ```
///
/// - **Tracks** (`gx:Track`, `gx:MultiTrack`) become segments with times and elevations.
/// - **Lines** (`LineString`) become segments. The `TimeSpan` of the placemark is that of its ends, and a `TimeStamp` that of its
///   beginning. A folder of points with times at the positions of a line, as GPSBabel writes it, has the times of the line,
///   and its points are no waypoints.
/// - **Points** (`Point`) become waypoints with names, times and notes, whose markup is left out.
/// - **Altitudes** that are all 0 in one geometry, as in files that lie on the ground, are none.
/// - **Areas**, overlays, models and links to other files are ignored.
/// - **KMZ**: the file `doc.kml`, or else the first one whose name ends in `.kml`. Nothing is written to a disk. A file is at most
///   ``TravelFileReader/maximumSize`` bytes when it is unpacked.
///
/// A `when` that is a year or a month only counts as missing. Otherwise the rules of ``GPXReader`` apply: for times,
/// elevations, points that cannot be read, and limits.
public struct KMLReader: Sendable {
    public init() {}

    /// Reads the track in the file at `url`, which may be a pipe.
    ///
    /// - Throws: ``TravelFileError``.
    public func track(at url: URL) throws(TravelFileError) -> Track {
        try track(in: FileContents.data(at: url, limit: TravelFileReader.maximumSize))
    }

    /// Reads the track in the bytes of a file, KML or KMZ.
    ///
    /// - Throws: ``TravelFileError``.
    public func track(in data: Data) throws(TravelFileError) -> Track {
        try Self.track(read: FileContents.chunks(of: FileContents.unpacked(data)))
    }

    static func track(read: @escaping () throws(XMLDecoder.Failure) -> Data?) throws(TravelFileError) -> Track {
        var document = try KMLDocument(read: read)
        return try document.track()
    }
}

struct KMLDocument {
    enum Element {
        case root, folder, placemark, multiGeometry, point, line, multiTrack, track, timeStamp, timeSpan
        case name, description, coordinates, when, coord, begin, end

        static func child(of parent: Element?, _ name: String) -> Element? {
            switch (parent, name) {
            case (nil, "kml"): .root
            // Files without the element around them were allowed until version 2.0.
            case (nil, "Document"), (.root, "Document"), (.root, "Folder"), (.folder, "Document"), (.folder, "Folder"):
                .folder
            case (.root, "Placemark"), (.folder, "Placemark"): .placemark
            case (.folder, "name"), (.placemark, "name"): .name
            case (.placemark, "description"): .description
            case (.placemark, "TimeStamp"): .timeStamp
            case (.placemark, "TimeSpan"): .timeSpan
            case (.timeStamp, "when"), (.track, "when"): .when
            case (.timeSpan, "begin"): .begin
            case (.timeSpan, "end"): .end
            case (.placemark, "MultiGeometry"), (.multiGeometry, "MultiGeometry"): .multiGeometry
            case (.placemark, "Point"), (.multiGeometry, "Point"): .point
            case (.placemark, "LineString"), (.multiGeometry, "LineString"): .line
            case (.placemark, "MultiTrack"), (.multiGeometry, "MultiTrack"): .multiTrack
            case (.placemark, "Track"), (.multiGeometry, "Track"), (.multiTrack, "Track"): .track
            case (.point, "coordinates"), (.line, "coordinates"): .coordinates
            case (.track, "coord"): .coord
            default: nil
            }
        }

        var isText: Bool {
            switch self {
            case .name, .description, .coordinates, .when, .coord, .begin, .end: true
            default: false
            }
        }
    }

    /// The text of a line of millions of positions fits.
    private static let longestText = 256 << 20

    private var xml: TrackXML<Element>
    private var fileName, lineName: String?
    private var omitted = OmittedPoints()
    /// What belongs to the open placemark.
    private var name, note: String?
    private var begin, end: Date?
    private var points: [TrackPoint] = []
    private var lines: [[TrackPoint]] = []
    /// What belongs to the open track.
    private var whens: [Date?] = []
    private var coords: [TrackPoint?] = []
    private var tracks: [[TrackPoint]] = []

    private var segments: [[TrackPoint]] = []
    /// The waypoints with the numbers of the folders in which they are.
    private var waypoints: [(waypoint: Waypoint, folder: Int)] = []
    private var folders: [Int] = []
    private var folderCount = 0

    init(read: @escaping () throws(XMLDecoder.Failure) -> Data?) throws(TravelFileError) {
        xml = try TrackXML(
            longestText: Self.longestText, child: Element.child, isText: \.isText, refusal: { .notKML($0) }, read: read)
    }

    mutating func track() throws(TravelFileError) -> Track {
        while let event = try xml.next() {
            switch event {
            case .start(let element, _): begin(element)
            case .end(let element, let text): end(element, text)
            }
        }
        timeLines()
        try omitted.require(beside: waypoints.count + segments.reduce(0) { $0 + $1.count })
        return Track(
            name: lineName ?? fileName, waypoints: waypoints.map(\.waypoint), segments: segments,
            omittedPoints: omitted.count)
    }

    private mutating func begin(_ element: Element) {
        switch element {
        case .folder:
            folderCount += 1
            folders.append(folderCount)
        case .placemark: (name, note, begin, end, points, lines, tracks) = (nil, nil, nil, nil, [], [], [])
        case .track: (whens, coords) = ([], [])
        default: break
        }
    }

    private mutating func end(_ element: Element, _ text: String) {
        let parent = xml.open.last
        switch element {
        case .folder: folders.removeLast()
        case .name where !text.isEmpty:
            if case .placemark? = parent { name = text } else if folders.count == 1 { fileName = fileName ?? text }
        case .description: note = text.isEmpty ? nil : Self.withoutMarkup(text)
        case .begin: begin = time(text)
        case .end: end = time(text)
        case .when:
            if case .track? = parent { whens.append(time(text)) } else { begin = time(text) }
        case .coord: coords.append(text.isEmpty ? nil : positions(text).first)
        case .coordinates:
            if case .point? = parent {
                points += measured(positions(text))
            } else {
                lines.append(measured(positions(text)))
            }
        case .track: endTrack()
        case .placemark: endPlacemark()
        default: break
        }
    }

    private mutating func endTrack() {
        // Both lists belong together by their order; a time without a position is of no use.
        let track = coords.enumerated().compactMap { number, point in
            point.map {
                TrackPoint(
                    coordinate: $0.coordinate, time: whens.indices.contains(number) ? whens[number] : nil,
                    elevation: $0.elevation)
            }
        }
        tracks.append(measured(track))
    }

    private mutating func endPlacemark() {
        let folder = folders.last ?? 0
        waypoints += points.map { point in
            let waypoint = Waypoint(
                coordinate: point.coordinate, time: begin, elevation: point.elevation, name: name, description: note)
            return (waypoint, folder)
        }
        if !(lines + tracks).joined().isEmpty { lineName = lineName ?? name }
        if let first = lines.indices.first, let last = lines[lines.count - 1].indices.last {
            if let begin, !lines[first].isEmpty { lines[first][0] = lines[first][0].with(time: begin) }
            if let end, end != begin { lines[lines.count - 1][last] = lines[lines.count - 1][last].with(time: end) }
        }
        segments += (lines + tracks).filter { !$0.isEmpty }
    }

    /// Gives lines without times those of the points of a folder at the same positions, which are no waypoints then.
    private mutating func timeLines() {
        let groups = Dictionary(grouping: waypoints.indices) { waypoints[$0].folder }
        let timed = groups.values.filter { group in
            group.count > 1 && group.allSatisfy { waypoints[$0].waypoint.time != nil }
        }
        guard !timed.isEmpty else { return }
        let known = Dictionary(timed.map { ($0.map { waypoints[$0].waypoint.coordinate }, $0) }) { first, _ in first }
        var used: Set<Int> = []
        for (number, segment) in segments.enumerated() where segment.allSatisfy({ $0.time == nil }) {
            guard let group = known[segment.map(\.coordinate)] else { continue }
            used.formUnion(group)
            segments[number] = zip(segment, group).map { $0.with(time: waypoints[$1].waypoint.time) }
        }
        waypoints = waypoints.indices.filter { !used.contains($0) }.map { waypoints[$0] }
    }

    /// The moment of a text of XML Schema; `nil` for a year or a month only, and for a text that is none.
    private func time(_ text: String) -> Date? { ISOTime(text)?.date }

    /// The points as they are measured: altitudes that are all 0 are none.
    private func measured(_ points: [TrackPoint]) -> [TrackPoint] {
        guard points.allSatisfy({ $0.elevation ?? 0 == 0 }) else { return points }
        return points.map { TrackPoint(coordinate: $0.coordinate, time: $0.time) }
    }

    /// The positions of a text: two or three numbers with commas between them, or spaces in a `gx:coord`. Those that cannot
    /// be read are left out.
    private mutating func positions(_ text: String) -> [TrackPoint] {
        let isList = text.utf8.contains(UInt8(ascii: ","))
        var points: [TrackPoint] = []
        var numbers: [Substring] = []
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let bytes = text.utf8
        var index = bytes.startIndex
        /// Whether a comma came since the last number, so that the next one belongs to the same position.
        var continues = false
        while index < bytes.endIndex {
            if isSpace(bytes[index]) || bytes[index] == UInt8(ascii: ",") {
                continues = continues || bytes[index] == UInt8(ascii: ",")
                index = bytes.index(after: index)
                continue
            }
            let end = bytes[index...].firstIndex { isSpace($0) || $0 == UInt8(ascii: ",") } ?? bytes.endIndex
            if isList, !continues, !numbers.isEmpty {
                if let point = position(numbers) { points.append(point) }
                numbers = []
            }
            numbers.append(text[index..<end])
            continues = false
            index = end
        }
        if !numbers.isEmpty, let point = position(numbers) { points.append(point) }
        return points
    }

    private mutating func position(_ numbers: [Substring]) -> TrackPoint? {
        func number(_ index: Int) -> Double? {
            if numbers.indices.contains(index), case .number(let number) = GPXNumber(String(numbers[index])) {
                return number
            }
            return nil
        }
        guard (2...3).contains(numbers.count), let longitude = number(0), let latitude = number(1),
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
        else {
            omitted.add(xml.fault(.position(numbers.joined(separator: ","))))
            return nil
        }
        return TrackPoint(coordinate: coordinate, elevation: number(2)?.measured)
    }

    /// The text of a note, which may be HTML: without tags, with a line for each paragraph.
    private static func withoutMarkup(_ text: String) -> String {
        guard text.contains("<"), text.contains(">") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            result += rest[..<start]
            let tag = rest[rest.index(after: start)..<end].lowercased().drop { $0 == "/" }
            if ["br", "p", "div", "tr", "li"].contains(where: { $0 == tag.prefix(while: \.isLetter) }) {
                result += "\n"
            }
            rest = rest[rest.index(after: end)...]
        }
        result += rest
        for (name, character) in [("nbsp", " "), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("#39", "'"), ("amp", "&")] {
            result = result.replacingOccurrences(of: "&\(name);", with: character)
        }
        let lines = result.split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { !$0.isEmpty }
        return lines.joined(separator: "\n")
    }
}

extension TrackPoint {
    fileprivate func with(time: Date?) -> TrackPoint {
        TrackPoint(coordinate: coordinate, time: time, elevation: elevation)
    }
}
