public import Foundation
internal import TravelJSON

/// Writes a trip as GeoJSON (RFC 7946), which maps and geographic information systems read.
///
/// ```swift
/// let file = try GeoJSONWriter().data(for: trip)
/// try GeoJSONReader().contents(of: file) == .trip(trip)    // true for a trip without images
/// ```
///
/// The file is a `FeatureCollection`:
///
/// - **Entries** are features in the order of the timeline. An entry with a place on the map is a `Point`; any other
///   has no geometry. Their properties are `kind` (`"entry"`), `id`, `day`, `date`, `clock` (the local time of day), `name`
///   (the title), `description` (the text), and `place` and `address`.
/// - **The recorded track**, if the trip was imported from one, is a feature with a `LineString` or a `MultiLineString`
///   and the property `kind` (`"track"`), and, if it has times, the property `coordTimes` with one for each position.
/// - **Days** with at least two places are features with a `LineString` from place to place; one that crosses the 180th
///   meridian is cut there into a `MultiLineString`. Their properties are `kind` (`"day"`), `day` and `date`.
/// - **The rest** of the trip is in the member `traveline` of the collection, so that ``GeoJSONReader`` returns the
///   same trip again. Other programs ignore it.
///
/// Images are left out: ``TravelJSONWriter`` keeps them.
public struct GeoJSONWriter: Sendable {
    public init() {}

    /// Returns a file with `trip`, in UTF-8 with sorted keys: the same trip always has the same bytes.
    ///
    /// - Throws: Nothing in practice; ``TravelFileError`` if a value cannot be written.
    public func data(for trip: RecordedTrip) throws(TravelFileError) -> Data {
        try JSONEncoder.sorted.encoded(GeoJSONTrip(trip))
    }
}

struct GeoJSONTrip: Codable {
    static let version = 1

    let trip: RecordedTrip

    enum Key: String, CodingKey { case type, traveline, features }
    private enum HeaderKey: String, CodingKey { case version, trip }

    init(_ trip: RecordedTrip) {
        self.trip = trip
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let header = try values.nestedContainer(keyedBy: HeaderKey.self, forKey: .traveline)
        try header.requireVersion(Self.version, at: .version)
        let record = try header.decode(Header.self, forKey: .trip).record
        let features = try values.decode([GeoJSONEntry].self, forKey: .features)
        let entries = features.compactMap(\.entry)
        let track = features.lazy.compactMap(\.track).first
        var ids: Set<TimelineEntry.ID> = []
        if let twice = entries.first(where: { !ids.insert($0.id).inserted }) {
            throw TravelFileError(.duplicate(twice.id.description), at: values.place(of: .features))
        }
        trip = try values.checked(.features) { () throws(TravelError) in
            try RecordedTrip(
                id: record.id, author: record.author, createdAt: record.createdAt, updatedAt: record.updatedAt,
                version: record.version, content: record.content, timeline: entries, track: track)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode("FeatureCollection", forKey: .type)
        var header = values.nestedContainer(keyedBy: HeaderKey.self, forKey: .traveline)
        try header.encode(Self.version, forKey: .version)
        try header.encode(Header(record: TripRecord(trip, as: .file)), forKey: .trip)
        var features = values.nestedUnkeyedContainer(forKey: .features)
        let days = trip.content.days.first
        for entry in trip.timeline {
            try features.encode(GeoJSONEntry(entry, date: days.adding(days: entry.day - 1)))
        }
        if let track = trip.track {
            try features.encode(
                GeoJSONLine(
                    kind: "track", times: track.times,
                    geometry: .lines(track.points.map { $0.map(GeoJSONPosition.init) })))
        }
        for day in trip.daysWithPlaces where day.entries.count > 1 {
            let geometry = try GeoJSONGeometry(lineThrough: day.entries.compactMap(\.coordinate))
            try features.encode(
                GeoJSONLine(kind: "day", day: day.number, date: day.date.description, geometry: geometry))
        }
    }
}

/// What is not in the features; without the chosen image, because the file has none.
private struct Header: Codable {
    let record: TripRecord

    init(record: TripRecord) {
        self.record = record
    }

    init(from decoder: any Decoder) throws {
        record = try TripRecord(from: decoder, as: .file)
    }

    func encode(to encoder: any Encoder) throws {
        var content = record.content
        content.thumbnail = nil
        try TripRecord(
            id: record.id, author: record.author, createdAt: record.createdAt, updatedAt: record.updatedAt,
            version: record.version, content: content
        ).encode(to: encoder)
    }
}

/// An entry as a feature; `nil` for the line of a day, and for a recorded track.
private struct GeoJSONEntry: Codable {
    let entry: TimelineEntry?
    private(set) var track: TrackGeometry?
    private var date: CalendarDay?

    private enum Key: String, CodingKey { case type, id, geometry, properties }
    private enum PropertyKey: String, CodingKey {
        case kind, id, day, date, clock, name, description, place, address, coordTimes
    }

    init(_ entry: TimelineEntry, date: CalendarDay) {
        self.entry = entry
        self.date = date
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let properties = try values.nestedContainer(keyedBy: PropertyKey.self, forKey: .properties)
        switch try properties.decodeIfPresent(String.self, forKey: .kind) {
        case "entry": entry = try Self.entry(values, properties)
        case "day": entry = nil
        case "track":
            entry = nil
            guard case .lines(let lines)? = try values.decodeIfPresent(GeoJSONGeometry.self, forKey: .geometry) else {
                throw TravelFileError(
                    .unexpected(expected: "a LineString or a MultiLineString"), at: values.place(of: .geometry))
            }
            try GeoJSONGeometry.lines(lines).requireReadable()
            let times = GeoJSONFeature.times(properties, .coordTimes) ?? []
            track = try values.checked(.geometry) { () throws(TravelError) in
                try TrackGeometry(points: GeoJSONFeature.points(of: lines, times: times))
            }
        default:
            throw TravelFileError(
                .unexpected(
                    expected:
                        "\"entry\", \"track\" or \"day\"; without the member \"traveline\", the file is read as a track"
                ),
                at: properties.place(of: .kind))
        }
    }

    private static func entry(
        _ values: KeyedDecodingContainer<Key>, _ properties: KeyedDecodingContainer<PropertyKey>
    ) throws -> TimelineEntry {
        let id: TimelineEntry.ID = try properties.id(.id)
        let day = try properties.decode(Int.self, forKey: .day)
        let time = try properties.value(.clock, as: String.self, TimeOfDay.init)
        let title = try properties.value(.name, as: String.self, Title.init)
        let text = try properties.value(.description, as: String.self, EntryText.init)
        var place: Place?
        let geometry = try values.decodeIfPresent(GeoJSONGeometry.self, forKey: .geometry)
        try geometry?.requireReadable()
        switch geometry {
        case nil:
            // The name of a place is enough.
            if let name = try properties.decodeIfPresent(String.self, forKey: .place) {
                let address = try properties.decodeIfPresent(String.self, forKey: .address) ?? ""
                place = try properties.checked(.place) { () throws(TravelError) in
                    try Place(name: name, address: address)
                }
            }
        case .points(let points) where points.count == 1:
            let coordinate = points[0].point?.coordinate
            let address = try properties.decodeIfPresent(String.self, forKey: .address) ?? ""
            // Without a name, it is where a picture was taken, which the file lacks: the entry stays on the map.
            let name = try properties.decodeIfPresent(String.self, forKey: .place) ?? title.text
            place = try properties.checked(.place) { () throws(TravelError) in
                try Place(name: name, address: address, coordinate: coordinate)
            }
        default: throw TravelFileError(.unexpected(expected: "a Point or null"), at: values.place(of: .geometry))
        }
        let located = place
        return try properties.checked(.day) { () throws(TravelError) in
            try TimelineEntry(id: id, day: day, time: time, title: title, text: text, place: located)
        }
    }

    func encode(to encoder: any Encoder) throws {
        guard let entry else { return }
        var values = encoder.container(keyedBy: Key.self)
        try values.encode("Feature", forKey: .type)
        try values.encode(entry.id.description, forKey: .id)
        if let coordinate = entry.coordinate {
            try values.encode(
                GeoJSONGeometry.points([GeoJSONPosition(TrackPoint(coordinate: coordinate))]), forKey: .geometry)
        } else {
            // RFC 7946, section 3.2: an unlocated feature has a geometry, which is null.
            try values.encodeNil(forKey: .geometry)
        }
        var properties = values.nestedContainer(keyedBy: PropertyKey.self, forKey: .properties)
        try properties.encode("entry", forKey: .kind)
        try properties.encode(entry.id.description, forKey: .id)
        try properties.encode(entry.day, forKey: .day)
        try properties.encodeIfPresent(date?.description, forKey: .date)
        try properties.encode(entry.time.description, forKey: .clock)
        try properties.encode(entry.title.text, forKey: .name)
        try properties.encode(entry.text.text, forKey: .description)
        try properties.encodeIfPresent(entry.place?.name, forKey: .place)
        try properties.encodeIfPresent(entry.place?.address, forKey: .address)
    }
}

/// The feature of a recorded track, or of the line of a day.
private struct GeoJSONLine: Encodable {
    let kind: String
    var day: Int?
    var date: String?
    /// The times of the positions of each line of a track.
    var times: [[Date]] = []
    let geometry: GeoJSONGeometry

    private enum Key: String, CodingKey { case type, geometry, properties }
    private enum PropertyKey: String, CodingKey { case kind, day, date, coordTimes }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode("Feature", forKey: .type)
        try values.encode(geometry, forKey: .geometry)
        var properties = values.nestedContainer(keyedBy: PropertyKey.self, forKey: .properties)
        try properties.encode(kind, forKey: .kind)
        try properties.encodeIfPresent(day, forKey: .day)
        try properties.encodeIfPresent(date, forKey: .date)
        if times.allSatisfy(\.isEmpty) { return }
        let texts = times.map { $0.map { ExactTime.text(for: $0) } }
        // A list for a LineString, and a list of lists for a MultiLineString.
        if texts.count == 1 {
            try properties.encode(texts[0], forKey: .coordTimes)
        } else {
            try properties.encode(texts, forKey: .coordTimes)
        }
    }
}
