package import TravelDomain

/// The path of a recorded track: its segments as the coordinates of a `MultiLineString` of GeoJSON,
/// `[[[129.1604, 35.1587], [129.1617, 35.1601]]]`, longitudes first, with elevations in metres as third numbers if there
/// are any.
package struct TrackRecord: Codable, JSONValue, Hashable, Sendable {
    package let track: TrackGeometry

    package init(_ track: TrackGeometry) {
        self.track = track
    }

    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var segments: [[TrackPoint]] = []
        // Stops behind a segment that is refused below: a request has room for hundreds of thousands.
        while !list.isAtEnd, segments.last.map({ $0.count >= 2 }) ?? true {
            segments.append(try list.decode([PositionRecord].self).map(\.point))
        }
        do {
            track = try TrackGeometry(points: segments)
        } catch {
            guard case TravelError.invalid(let violation) = error else { throw error }
            throw TravelJSONError(.invalid(violation), at: decoder.codingPath)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.singleValueContainer()
        try values.encode(track.points.map { $0.map(PositionRecord.init) })
    }

    package func write(to text: inout JSONText) {
        text.appendList(zip(track.segments, track.elevations)) { text, path in
            let (segment, elevations) = path
            text.appendList(segment.indices) { text, index in
                text.appendVerbatim("[")
                text.append(Int((segment[index].longitude * 1e6).rounded()), places: 6)
                text.appendVerbatim(",")
                text.append(Int((segment[index].latitude * 1e6).rounded()), places: 6)
                if !elevations.isEmpty {
                    text.appendVerbatim(",")
                    text.append(Int((elevations[index] * 10).rounded()), places: 1)
                }
                text.appendVerbatim("]")
            }
        }
    }
}

/// A position of GeoJSON: longitude, latitude, and perhaps an elevation in metres.
package struct PositionRecord: Codable, Hashable, Sendable {
    /// Without a time.
    package let point: TrackPoint

    package init(_ point: TrackPoint) {
        self.point = point
    }

    package init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        let longitude = try values.decode(Double.self)
        let latitude = try values.decode(Double.self)
        let elevation = values.isAtEnd ? nil : try values.decode(Double.self)
        do {
            point = TrackPoint(
                coordinate: try Coordinate(latitude: latitude, longitude: longitude), elevation: elevation)
        } catch {
            guard case TravelError.invalid(let violation) = error else { throw error }
            throw TravelJSONError(.invalid(violation), at: decoder.codingPath)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(point.coordinate.longitude)
        try values.encode(point.coordinate.latitude)
        if let elevation = point.elevation { try values.encode(elevation) }
    }
}
