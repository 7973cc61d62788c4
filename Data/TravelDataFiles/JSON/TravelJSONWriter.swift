public import Foundation

/// Writes trips in the JSON format of traveline, which is lossless: ``TravelJSONReader`` reads equal trips
/// from it.
///
/// ```swift
/// let file = try TravelJSONWriter().data(for: [exported])
/// try TravelJSONReader().trips(in: file)    // [exported]
/// ```
///
/// The file is UTF-8 with sorted keys: the same trips always have the same bytes. Version 1 of the format:
///
/// ```json
/// {
///   "format": "traveline",
///   "version": 1,
///   "trips": [
///     {
///       "id": "6f1c2c1e-8d5b-4a53-9c9e-0b1f6a7f3f10",
///       "author": { "id": "0a52…", "nickname": "민지" },
///       "createdAt": "2025-03-01T09:30:00.25Z",
///       "updatedAt": "2025-03-02T08:00:00Z",
///       "version": 2,
///       "title": "부산 밤바다",
///       "region": "busan",
///       "firstDay": "2025-02-27",
///       "lastDay": "2025-02-28",
///       "themes": ["food", "nature"],
///       "companions": ["friends"],
///       "headcount": 2,
///       "budget": "from10to50",
///       "transportation": "publicTransport",
///       "thumbnail": "77aa…",
///       "timeline": [
///         {
///           "id": "c3d1…",
///           "day": 1,
///           "time": "09:30",
///           "title": "해운대",
///           "text": "파도가 높았다.",
///           "place": {
///             "name": "해운대해수욕장", "address": "부산 해운대구", "latitude": 35.1587, "longitude": 129.1604
///           },
///           "image": "77aa…"
///         }
///       ],
///       "track": [[[129.1604, 35.1587], [129.1617, 35.1601]]],
///       "trackTimes": [[1740616200, 12.5]],
///       "images": [{ "id": "77aa…", "bytes": "iVBORw0KGgo…" }]
///     }
///   ]
/// }
/// ```
///
/// - **Required** are all keys of a trip and an entry but `updatedAt`, `version`, `themes`, `companions`,
///   `headcount`, `budget`, `transportation`, `thumbnail`, `place`, its `address`, `latitude` and `longitude`, `image`,
///   `track`, `trackTimes` and `images`. Unknown keys are ignored.
/// - **IDs** are UUIDs. Values with a fixed set of choices are the raw values of the types in `TravelDomain`.
/// - **Times**: `createdAt` and `updatedAt`, the time of the last change, are ISO 8601 in UTC with as many digits as
///   necessary, or, outside of the years 1 to 9999, `@` and the seconds since 2001; `time` is the local time of day.
///   `trackTimes` are, for each segment, the seconds from 1970 to its first position and from each position to the next, or
///   nothing. `day` is 1-based. `version` counts the changes of the trip.
/// - **Coordinates** are WGS 84 degrees. The segments of a recorded `track` are those of a `MultiLineString` of GeoJSON,
///   longitudes first. The `bytes` of an image are Base64 (RFC 4648, section 4).
public struct TravelJSONWriter: Sendable {
    /// The maximum size of a file in bytes, which is also the default limit of ``TravelJSONReader``: 512 MiB.
    public static let maximumSize = 512 << 20

    public init() {}

    /// Returns a file with those trips, in their order.
    ///
    /// - Throws: ``TravelFileError`` with ``TravelFileError/Problem/tooLarge(maximumBytes:)`` when the file would be
    ///   larger than ``maximumSize``.
    public func data(for trips: [ExportedTrip]) throws(TravelFileError) -> Data {
        // Estimated first, so that too many images do not have to fit into memory a second time. Base64 needs four
        // bytes for three.
        let images = trips.lazy.flatMap(\.images).reduce(0) { $0 + $1.bytes.count / 3 * 4 }
        guard images <= Self.maximumSize else { throw TravelFileError(.tooLarge(maximumBytes: Self.maximumSize)) }
        let data = try JSONEncoder.sorted.encoded(TripDocument(trips))
        guard data.count <= Self.maximumSize else { throw TravelFileError(.tooLarge(maximumBytes: Self.maximumSize)) }
        return data
    }
}

extension JSONEncoder {
    /// An encoder whose output has a fixed order, lines, and a line feed at its end.
    static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// The encoded value.
    ///
    /// - Throws: ``TravelFileError`` for a number that JSON does not have, which no value of the domain contains.
    func encoded(_ value: some Encodable) throws(TravelFileError) -> Data {
        do {
            return try encode(value) + Data("\n".utf8)
        } catch {
            throw TravelFileError(.malformedJSON("a value cannot be written"))
        }
    }
}
