import Foundation
internal import TravelJSON

/// The root of a JSON file of travels. ``TravelJSONWriter`` describes the format.
struct TravelDocument: Codable {
    static let format = "traveline"
    static let version = 1

    let travels: [ExportedTravel]

    private enum Key: String, CodingKey { case format, version, travels }

    init(_ travels: [ExportedTravel]) {
        self.travels = travels
    }

    init(from decoder: any Decoder) throws {
        // The version comes before all else, because another version may have other keys. A list has no keys at all.
        guard
            let values = try? decoder.container(keyedBy: Key.self),
            (try? values.decode(String.self, forKey: .format)) == Self.format
        else { throw TravelFileError(.otherKind(expected: "an export of traveline")) }
        try values.requireVersion(Self.version, at: .version)
        travels = try values.decode([ExportedTravelRecord].self, forKey: .travels).map(\.travel)
        var ids: Set<Travel.ID> = []
        if let twice = travels.first(where: { !ids.insert($0.travel.id).inserted }) {
            throw TravelFileError(.duplicate(twice.travel.id.description), at: values.place(of: .travels))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(Self.format, forKey: .format)
        try values.encode(Self.version, forKey: .version)
        try values.encode(travels.map(ExportedTravelRecord.init), forKey: .travels)
    }
}

/// A travel with its images as JSON holds it.
private struct ExportedTravelRecord: Codable {
    let travel: ExportedTravel

    private enum Key: String, CodingKey { case images }

    init(_ travel: ExportedTravel) {
        self.travel = travel
    }

    init(from decoder: any Decoder) throws {
        let recorded = try RecordedTravelRecord(from: decoder, as: .file).travel
        let values = try decoder.container(keyedBy: Key.self)
        let images = try (values.decodeIfPresent([ImageRecord].self, forKey: .images) ?? []).map(\.image)
        do {
            travel = try ExportedTravel(recorded, images: images)
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
        try RecordedTravelRecord(travel.travel, as: .file).encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(travel.images.map(ImageRecord.init), forKey: .images)
    }
}
