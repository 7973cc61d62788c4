import Foundation
internal import TravelJSON

/// The root of a JSON file of trips. ``TravelJSONWriter`` describes the format.
struct TripDocument: Codable {
    static let format = "traveline"
    static let version = 1

    let trips: [ExportedTrip]

    private enum Key: String, CodingKey {
        case format, version, trips
        /// The key of the trips in files that were written before version 0.1.
        case travels
    }

    init(_ trips: [ExportedTrip]) {
        self.trips = trips
    }

    init(from decoder: any Decoder) throws {
        // The version comes before all else, because another version may have other keys. A list has no keys at all.
        guard
            let values = try? decoder.container(keyedBy: Key.self),
            (try? values.decode(String.self, forKey: .format)) == Self.format
        else { throw TravelFileError(.otherKind(expected: "an export of traveline")) }
        try values.requireVersion(Self.version, at: .version)
        let key: Key = values.contains(.travels) ? .travels : .trips
        trips = try values.decode([ExportedTripRecord].self, forKey: key).map(\.trip)
        var ids: Set<Trip.ID> = []
        if let twice = trips.first(where: { !ids.insert($0.trip.id).inserted }) {
            throw TravelFileError(.duplicate(twice.trip.id.description), at: values.place(of: key))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(Self.format, forKey: .format)
        try values.encode(Self.version, forKey: .version)
        try values.encode(trips.map(ExportedTripRecord.init), forKey: .trips)
    }
}

/// A trip with its images as JSON holds it.
private struct ExportedTripRecord: Codable {
    let trip: ExportedTrip

    private enum Key: String, CodingKey { case images }

    init(_ trip: ExportedTrip) {
        self.trip = trip
    }

    init(from decoder: any Decoder) throws {
        let recorded = try RecordedTripRecord(from: decoder, as: .file).trip
        let values = try decoder.container(keyedBy: Key.self)
        let images = try (values.decodeIfPresent([ImageRecord].self, forKey: .images) ?? []).map(\.image)
        do {
            trip = try ExportedTrip(recorded, images: images)
        } catch {
            switch error {
            case .notFound(.image(let id)): throw TravelFileError(.missingImage(id), at: .init(decoder.codingPath))
            case .conflict(.image(let id)):
                throw TravelFileError(.duplicate(id.description), at: values.place(of: .images))
            default: throw error
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        try RecordedTripRecord(trip.trip, as: .file).encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(trip.images.map(ImageRecord.init), forKey: .images)
    }
}
