public import Foundation
internal import TravelJSON

/// Reads GeoJSON (RFC 7946): a trip that ``GeoJSONWriter`` wrote, or the points and lines of any other file.
///
/// ```swift
/// switch try GeoJSONReader().contents(at: URL(fileURLWithPath: "부산.geojson")) {
/// case .trip(let trip): print(trip.content.title)
/// case .track(let track): print("\(track.waypoints.count) places")
/// }
/// ```
///
/// A trip is read as a whole or not at all. Of a file by another program, points become waypoints and lines become
/// segments of a track:
///
/// - **Names and notes** are the properties `name` or `title`, and `description`, `desc` or `comment`.
/// - **Times** are the properties `time` or `timestamp` of a point, and `coordTimes` or `coordinateProperties.times` of
///   a line, in ISO 8601, or in seconds or milliseconds since 1970. A time in another form counts as missing.
/// - **A position** that cannot be read is left out, and counted in `Track.omittedPoints`. A file with as many of them as of
///   others is refused with the first.
/// - **Areas** (`Polygon`, `MultiPolygon`) are ignored. Positions may have an elevation in metres; one below −500 or above
///   20,000, such as −9,999, says that there is none.
public struct GeoJSONReader: Sendable {
    /// The maximum size of a file in bytes: 64 MiB.
    public static let maximumSize = 64 << 20

    private let maximumSize: Int

    public enum Contents: Hashable, Sendable {
        /// A trip that ``GeoJSONWriter`` wrote; it has no images.
        case trip(RecordedTrip)
        /// The points and lines of another file, for `ImportTrack`. It may be empty.
        case track(Track)
    }

    public init(maximumSize: Int = Self.maximumSize) {
        self.maximumSize = maximumSize
    }

    /// Returns the contents of the file at `url`.
    ///
    /// - Throws: ``TravelFileError`` with the problem, its place in the file, and the remedy.
    public func contents(at url: URL) throws(TravelFileError) -> Contents {
        try contents(of: FileContents.data(at: url, limit: maximumSize))
    }

    /// Returns the contents of a file that is in memory already.
    ///
    /// - Throws: ``TravelFileError`` with the problem, its place in the file, and the remedy.
    public func contents(of data: Data) throws(TravelFileError) -> Contents {
        try JSONText(data, limit: maximumSize).decode(GeoJSONRoot.self).contents
    }
}

/// The root of a GeoJSON file: a collection, a feature, or a geometry.
struct GeoJSONRoot: Decodable {
    let contents: GeoJSONReader.Contents

    private enum Key: String, CodingKey { case type, traveline, features, name }

    init(from decoder: any Decoder) throws {
        let values: KeyedDecodingContainer<Key>
        do {
            values = try decoder.container(keyedBy: Key.self)
        } catch {
            // The root is not an object, but a list, for example.
            throw TravelFileError(.otherKind(expected: "GeoJSON"))
        }
        // A value that is not a string is an unknown type, which is reported below.
        let type = try? values.decode(String.self, forKey: .type)
        if values.contains(.traveline), type == "FeatureCollection" {
            contents = .trip(try GeoJSONTrip(from: decoder).trip)
            return
        }
        var builder = GeoJSONTrackBuilder()
        switch type {
        case "FeatureCollection":
            // The whole text is parsed already: decoding the features one by one avoids a second copy of all of them.
            var features = try values.nestedUnkeyedContainer(forKey: .features)
            while !features.isAtEnd { builder.add(try features.decode(GeoJSONFeature.self)) }
            // The standard does not define a name: one of another type counts as missing.
            let name = try? values.decode(String.self, forKey: .name)
            contents = .track(try builder.track(name: name))
        case "Feature":
            let feature = try GeoJSONFeature(from: decoder)
            builder.add(feature)
            contents = .track(try builder.track(name: feature.name))
        case let type? where GeoJSONGeometry.types.contains(type):
            builder.add(GeoJSONFeature(geometry: try GeoJSONGeometry(from: decoder)))
            contents = .track(try builder.track(name: nil))
        default: throw TravelFileError(.otherKind(expected: "GeoJSON"))
        }
    }
}

/// A feature that any program has written: its geometry, and the properties that a track can have.
struct GeoJSONFeature: Decodable {
    let geometry: GeoJSONGeometry?
    private(set) var name: String?
    private(set) var note: String?
    private(set) var time: Date?
    /// The times of the positions of its lines.
    private(set) var times: [[Date?]] = []

    private enum Key: String, CodingKey { case type, geometry, properties }
    private enum PropertyKey: String, CodingKey {
        case name, title, description, desc, comment, time, timestamp, coordTimes, coordinateProperties
    }
    private enum TimesKey: String, CodingKey { case times }

    init(geometry: GeoJSONGeometry) {
        self.geometry = geometry
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        guard try values.decode(String.self, forKey: .type) == "Feature" else {
            throw TravelFileError(.unexpected(expected: "\"Feature\""), at: values.place(of: .type))
        }
        geometry = try values.decodeIfPresent(GeoJSONGeometry.self, forKey: .geometry)
        // A program may store any properties: one that has another type than expected counts as missing.
        guard let properties = try? values.nestedContainer(keyedBy: PropertyKey.self, forKey: .properties) else {
            return
        }
        func text(_ keys: PropertyKey...) -> String? {
            keys.lazy.compactMap { try? properties.decode(String.self, forKey: $0) }.first { !$0.isEmpty }
        }
        name = text(.name, .title)
        note = text(.description, .desc, .comment)
        let known = [PropertyKey.time, .timestamp].lazy.compactMap {
            try? properties.decode(FeatureTime.self, forKey: $0)
        }
        time = known.compactMap(\.date).first
        let nested = try? properties.nestedContainer(keyedBy: TimesKey.self, forKey: .coordinateProperties)
        times = Self.times(properties, .coordTimes) ?? nested.flatMap { Self.times($0, .times) } ?? []
    }

    /// The times in the property with that key; `nil` if there are none.
    static func times<Key>(_ values: KeyedDecodingContainer<Key>, _ key: Key) -> [[Date?]]? {
        let lines =
            (try? values.decode([[FeatureTime?]].self, forKey: key))
            ?? (try? values.decode([FeatureTime?].self, forKey: key)).map { [$0] }
        return lines.map { $0.map { $0.map { $0?.date } } }
    }

    /// The positions of lines with their times; those of a line with another number of times have none.
    static func points(of lines: [[GeoJSONPosition]], times: [[Date?]]) -> [[TrackPoint]] {
        lines.enumerated().map { number, line in
            let times =
                times.indices.contains(number) && times[number].count == line.count
                ? times[number] : Array(repeating: nil, count: line.count)
            return zip(line, times).compactMap { position, time in
                position.point.map { TrackPoint(coordinate: $0.coordinate, time: time, elevation: $0.elevation) }
            }
        }
    }
}

/// A time of a feature by another program: a text in ISO 8601, or the seconds or milliseconds since 1970 as a number or a
/// text; one in another form counts as missing.
private struct FeatureTime: Decodable {
    let date: Date?

    /// In milliseconds, numbers from here on are in 1973 or later; in seconds, they are after the year 5000.
    private static let leastMilliseconds = 1e11

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try? value.decode(String.self)
        if let date = text.flatMap({ ISOTime($0)?.date }) {
            self.date = date
            return
        }
        let number = text.map { Double($0) } ?? (try? value.decode(Double.self))
        date = number.flatMap { number in
            guard number.isFinite else { return nil }
            return Date(timeIntervalSince1970: abs(number) < Self.leastMilliseconds ? number : number / 1_000)
        }
    }
}

struct GeoJSONTrackBuilder {
    private var waypoints: [Waypoint] = []
    private var segments: [[TrackPoint]] = []
    private var lineName: String?
    private var omitted = OmittedPoints()

    mutating func add(_ feature: GeoJSONFeature) {
        if let geometry = feature.geometry { add(geometry, of: feature) }
    }

    private mutating func add(_ geometry: GeoJSONGeometry, of feature: GeoJSONFeature) {
        switch geometry {
        case .points(let positions):
            for position in positions { position.fault.map { omitted.add($0) } }
            waypoints += positions.compactMap(\.point).map {
                Waypoint(
                    coordinate: $0.coordinate, time: feature.time, elevation: $0.elevation?.measured,
                    name: feature.name,
                    description: feature.note)
            }
        case .lines(let lines):
            lineName = lineName ?? feature.name
            for position in lines.joined() { position.fault.map { omitted.add($0) } }
            segments += GeoJSONFeature.points(of: lines, times: feature.times).filter { !$0.isEmpty }.map { points in
                points.map { TrackPoint(coordinate: $0.coordinate, time: $0.time, elevation: $0.elevation?.measured) }
            }
        case .area: break
        case .collection(let geometries): for geometry in geometries { add(geometry, of: feature) }
        }
    }

    func track(name: String?) throws(TravelFileError) -> Track {
        try omitted.require(beside: waypoints.count + segments.reduce(0) { $0 + $1.count })
        return Track(
            name: name.flatMap { $0.isEmpty ? nil : $0 } ?? lineName, waypoints: waypoints, segments: segments,
            omittedPoints: omitted.count)
    }
}

/// A position, or what is wrong with it.
enum GeoJSONPosition: Codable {
    case point(TrackPoint)
    case unreadable(TravelFileError)

    var point: TrackPoint? { if case .point(let point) = self { point } else { nil } }
    var fault: TravelFileError? { if case .unreadable(let fault) = self { fault } else { nil } }

    init(_ point: TrackPoint) { self = .point(point) }

    init(from decoder: any Decoder) {
        do {
            self = .point(try PositionRecord(from: decoder).point)
        } catch let error as TravelJSONError {
            self = .unreadable(TravelFileError(error))
        } catch let error as DecodingError {
            self = .unreadable(TravelFileError(TravelJSONError(error)))
        } catch {
            self = .unreadable(TravelFileError(.unexpected(expected: "a position"), at: .init(decoder.codingPath)))
        }
    }

    func encode(to encoder: any Encoder) throws {
        if let point { try PositionRecord(point).encode(to: encoder) }
    }
}

/// A geometry of GeoJSON, without its areas.
enum GeoJSONGeometry: Codable {
    case points([GeoJSONPosition])
    case lines([[GeoJSONPosition]])
    /// A polygon, which is ignored.
    case area
    case collection([GeoJSONGeometry])

    enum Key: String, CodingKey { case type, coordinates, geometries }

    /// The names of the types, in the spelling of RFC 7946.
    static let types = [
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
    ]

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        switch try values.decode(String.self, forKey: .type) {
        case "Point": self = .points([try values.decode(GeoJSONPosition.self, forKey: .coordinates)])
        case "MultiPoint": self = .points(try values.decode([GeoJSONPosition].self, forKey: .coordinates))
        case "LineString": self = .lines([try values.decode([GeoJSONPosition].self, forKey: .coordinates)])
        case "MultiLineString": self = .lines(try values.decode([[GeoJSONPosition]].self, forKey: .coordinates))
        case "Polygon", "MultiPolygon": self = .area
        case "GeometryCollection":
            self = .collection(try values.decode([GeoJSONGeometry].self, forKey: .geometries))
        default:
            throw TravelFileError(
                .unexpected(expected: "one of " + Self.types.joined(separator: ", ")), at: values.place(of: .type))
        }
    }

    func encode(to encoder: any Encoder) throws {
        let (type, key, value): (String, Key, any Encodable) =
            switch self {
            case .points(let points) where points.count == 1: ("Point", .coordinates, points[0])
            case .points(let points): ("MultiPoint", .coordinates, points)
            case .lines(let lines) where lines.count == 1: ("LineString", .coordinates, lines[0])
            case .lines(let lines): ("MultiLineString", .coordinates, lines)
            case .area: ("Polygon", .coordinates, [[GeoJSONPosition]]())
            case .collection(let geometries): ("GeometryCollection", .geometries, geometries)
            }
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(type, forKey: .type)
        try values.encode(value, forKey: key)
    }
}

extension GeoJSONGeometry {
    /// Refuses a geometry with a position that cannot be read.
    func requireReadable() throws(TravelFileError) {
        let fault: TravelFileError? =
            switch self {
            case .points(let points): points.lazy.compactMap(\.fault).first
            case .lines(let lines): lines.joined().lazy.compactMap(\.fault).first
            case .area, .collection: nil
            }
        if let fault { throw fault }
    }

    /// The line through `coordinates`, the short way around the earth, cut at the 180th meridian (RFC 7946, section
    /// 3.1.9).
    init(lineThrough coordinates: [Coordinate]) throws(TravelError) {
        var lines: [[Coordinate]] = [[]]
        var last: Coordinate?
        for coordinate in coordinates {
            if let last, abs(coordinate.longitude - last.longitude) > 180 {
                let edge = last.longitude > 0 ? 180.0 : -180.0
                let width = 360 - abs(coordinate.longitude - last.longitude)
                let share = width > 0 ? (180 - abs(last.longitude)) / width : 0
                let latitude = last.latitude + (coordinate.latitude - last.latitude) * share
                lines[lines.count - 1].append(try Coordinate(latitude: latitude, longitude: edge))
                lines.append([try Coordinate(latitude: latitude, longitude: -edge)])
            }
            lines[lines.count - 1].append(coordinate)
            last = coordinate
        }
        self = .lines(lines.map { $0.map { GeoJSONPosition(TrackPoint(coordinate: $0)) } })
    }
}
