package import TravelDomain

/// The path of a recorded track: its segments as the coordinates of a `MultiLineString` of GeoJSON,
/// `[[[129.1604, 35.1587], [129.1617, 35.1601]]]`, longitudes first, with elevations in metres as third numbers if there
/// are any. Times are in a ``TrackTimesRecord``.
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

/// The times of a recorded track: for each segment, the seconds from 1970 to its first position and from each position to
/// the next, `[[1714521600, 7, 8.25], []]`; nothing for a segment without times.
package struct TrackTimesRecord: Codable, JSONValue, Hashable, Sendable {
    private let differences: [[Int]]

    /// Creates the times of a track; `nil` if it has none.
    package init?(_ track: TrackGeometry) {
        if track.times.allSatisfy(\.isEmpty) { return nil }
        differences = track.times.map { times in
            var last = 0
            return times.map { time in
                let next = time.millisecondsSince1970
                defer { last = next }
                return next - last
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        let seconds = try decoder.singleValueContainer().decode([[Double]].self)
        differences = try seconds.map { segment in
            try segment.map { seconds in
                // Sums of a million of them do not overflow.
                guard seconds.magnitude < 1e12 else {
                    throw TravelJSONError(.unexpected(expected: "a number of seconds"), at: decoder.codingPath)
                }
                return Int((seconds * 1_000).rounded())
            }
        }
    }

    /// The same path with these times.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when it has other numbers of positions, or a time is out of range.
    package func times(of track: TrackGeometry) throws(TravelError) -> TrackGeometry {
        var times: [[Date]] = []
        for segment in differences {
            var last = 0
            times.append(
                segment.map { difference in
                    last += difference
                    return Date(millisecondsSince1970: last)
                })
        }
        return try track.with(times: times)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.singleValueContainer()
        try values.encode(differences.map { $0.map { Double($0) / 1_000 } })
    }

    package func write(to text: inout JSONText) {
        text.appendList(differences) { text, segment in
            text.appendList(segment) { $0.append($1, places: 3) }
        }
    }
}

extension KeyedDecodingContainer {
    /// The track in the member `track` with the times in the member `times`; `nil` without a track.
    func track(_ track: Key, times: Key) throws -> TrackGeometry? {
        guard let path = try decodeIfPresent(TrackRecord.self, forKey: track)?.track else { return nil }
        guard let record = try decodeIfPresent(TrackTimesRecord.self, forKey: times) else { return path }
        return try checked(times) { () throws(TravelError) in try record.times(of: path) }
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
