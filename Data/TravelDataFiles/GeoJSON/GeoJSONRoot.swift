import Foundation

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
            contents = .travel(try GeoJSONTravel(from: decoder).travel)
            return
        }
        var builder = GeoJSONTrackBuilder()
        switch type {
        case "FeatureCollection":
            // The whole text is parsed already: decoding the features one by one avoids a second copy of all of them.
            var features = try values.nestedUnkeyedContainer(forKey: .features)
            while !features.isAtEnd { try builder.add(features.decode(GeoJSONFeature.self)) }
            // The standard does not define a name: one of another type counts as missing.
            let name = try? values.decode(String.self, forKey: .name)
            contents = .track(builder.track(name: name))
        case "Feature":
            let feature = try GeoJSONFeature(from: decoder)
            try builder.add(feature)
            contents = .track(builder.track(name: feature.name))
        case let type? where GeoJSONGeometry.types.contains(type):
            try builder.add(GeoJSONFeature(geometry: GeoJSONGeometry(from: decoder)))
            contents = .track(builder.track(name: nil))
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
        time = text(.time, .timestamp).flatMap { GPXTime($0)?.date }
        let nested = try? properties.nestedContainer(keyedBy: TimesKey.self, forKey: .coordinateProperties)
        times = Self.times(properties, .coordTimes) ?? nested.flatMap { Self.times($0, .times) } ?? []
    }

    private static func times<Key>(_ values: KeyedDecodingContainer<Key>, _ key: Key) -> [[Date?]]? {
        let lines =
            (try? values.decode([[String?]].self, forKey: key))
            ?? (try? values.decode([String?].self, forKey: key)).map { [$0] }
        return lines.map { $0.map { $0.map { $0.flatMap { GPXTime($0)?.date } } } }
    }
}

/// Collects a track from features.
struct GeoJSONTrackBuilder {
    private var waypoints: [Waypoint] = []
    private var segments: [[TrackPoint]] = []
    private var lineName: String?

    mutating func add(_ feature: GeoJSONFeature) throws(TravelError) {
        if let geometry = feature.geometry { try add(geometry, of: feature) }
    }

    private mutating func add(_ geometry: GeoJSONGeometry, of feature: GeoJSONFeature) throws(TravelError) {
        switch geometry {
        case .points(let points):
            for point in points {
                waypoints.append(
                    Waypoint(
                        coordinate: try point.coordinate, time: feature.time, elevation: point.elevation,
                        name: feature.name, description: feature.note))
            }
        case .lines(let lines):
            lineName = lineName ?? feature.name
            for (number, line) in lines.enumerated() where !line.isEmpty {
                let times =
                    number < feature.times.count && feature.times[number].count == line.count
                    ? feature.times[number] : Array(repeating: nil, count: line.count)
                var segment: [TrackPoint] = []
                for (position, time) in zip(line, times) {
                    segment.append(
                        TrackPoint(coordinate: try position.coordinate, time: time, elevation: position.elevation))
                }
                segments.append(segment)
            }
        case .area: break
        case .collection(let geometries): for geometry in geometries { try add(geometry, of: feature) }
        }
    }

    func track(name: String?) -> Track {
        Track(name: name.flatMap { $0.isEmpty ? nil : $0 } ?? lineName, waypoints: waypoints, segments: segments)
    }
}
