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
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .points(let points) where points.count == 1:
            try values.encode("Point", forKey: .type)
            try values.encode(points[0], forKey: .coordinates)
        case .points(let points):
            try values.encode("MultiPoint", forKey: .type)
            try values.encode(points, forKey: .coordinates)
        case .lines(let lines) where lines.count == 1:
            try values.encode("LineString", forKey: .type)
            try values.encode(lines[0], forKey: .coordinates)
        case .lines(let lines):
            try values.encode("MultiLineString", forKey: .type)
            try values.encode(lines, forKey: .coordinates)
        case .collection(let geometries):
            try values.encode("GeometryCollection", forKey: .type)
            try values.encode(geometries, forKey: .geometries)
        case .area:
            try values.encode("Polygon", forKey: .type)
            try values.encode([[GeoJSONPosition]](), forKey: .coordinates)
        }
    }
}

extension GeoJSONGeometry {
    /// The line through `coordinates`, the short way around the earth, cut at the 180th meridian (RFC 7946, section
    /// 3.1.9).
    init(lineThrough coordinates: [Coordinate]) {
        var lines: [[GeoJSONPosition]] = [[]]
        var last: Coordinate?
        for coordinate in coordinates {
            if let last, abs(coordinate.longitude - last.longitude) > 180 {
                let edge = last.longitude > 0 ? 180.0 : -180.0
                let width = 360 - abs(coordinate.longitude - last.longitude)
                let share = width > 0 ? (180 - abs(last.longitude)) / width : 0
                let latitude = last.latitude + (coordinate.latitude - last.latitude) * share
                lines[lines.count - 1].append(GeoJSONPosition(longitude: edge, latitude: latitude))
                lines.append([GeoJSONPosition(longitude: -edge, latitude: latitude)])
            }
            lines[lines.count - 1].append(GeoJSONPosition(coordinate))
            last = coordinate
        }
        self = .lines(lines)
    }
}

/// A position of GeoJSON: longitude, latitude, and perhaps an elevation.
struct GeoJSONPosition: Codable, Hashable {
    let longitude: Double
    let latitude: Double
    private(set) var elevation: Double?

    init(longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }

    init(_ coordinate: Coordinate) {
        self.init(longitude: coordinate.longitude, latitude: coordinate.latitude)
    }

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        longitude = try values.decode(Double.self)
        latitude = try values.decode(Double.self)
        elevation = values.isAtEnd ? nil : try values.decode(Double.self)
        do {
            _ = try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            guard case .invalid(let violation) = error else { throw error }
            throw TravelFileError(.invalid(violation), at: .init(decoder.codingPath))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(longitude)
        try values.encode(latitude)
        if let elevation { try values.encode(elevation) }
    }

    /// The coordinate, which was checked when the position was created.
    var coordinate: Coordinate {
        get throws(TravelError) { try Coordinate(latitude: latitude, longitude: longitude) }
    }
}

extension TrackGeometry {
    /// The segments as the coordinates of a `MultiLineString`, exact.
    var positions: [[GeoJSONPosition]] { segments.map { $0.map { GeoJSONPosition($0) } } }

    /// The way of the lines of a file.
    init(_ lines: [[GeoJSONPosition]]) throws(TravelError) {
        var segments: [[Coordinate]] = []
        for line in lines {
            var segment: [Coordinate] = []
            for position in line { segment.append(try position.coordinate) }
            segments.append(segment)
        }
        try self.init(segments)
    }
}
