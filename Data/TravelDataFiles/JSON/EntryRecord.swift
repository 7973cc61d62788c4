import Foundation

/// An entry of a timeline as JSON holds it.
struct EntryRecord: Codable {
    let entry: TimelineEntry

    private enum Key: String, CodingKey { case id, day, time, title, text, place, image }
    private enum PlaceKey: String, CodingKey { case name, address, latitude, longitude }

    init(_ entry: TimelineEntry) {
        self.entry = entry
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let day = try values.decode(Int.self, forKey: .day)
        let id: TimelineEntry.ID = try values.id(.id)
        let time = try values.value(.time, as: String.self) { text throws(TravelError) in try TimeOfDay(text) }
        let title = try values.value(.title, as: String.self) { text throws(TravelError) in try Title(text) }
        let text = try values.value(.text, as: String.self) { text throws(TravelError) in try EntryText(text) }
        let place = try Self.place(in: values)
        let image: TravelImage.ID? = try values.optionalID(.image)
        entry = try values.checked(.day) { () throws(TravelError) in
            try TimelineEntry(id: id, day: day, time: time, title: title, text: text, place: place, image: image)
        }
    }

    private static func place(in values: KeyedDecodingContainer<Key>) throws -> Place? {
        guard values.contains(.place), try !values.decodeNil(forKey: .place) else { return nil }
        let place = try values.nestedContainer(keyedBy: PlaceKey.self, forKey: .place)
        // Both or neither.
        let isLocated = place.has(.latitude) || place.has(.longitude)
        let latitude = isLocated ? try place.decode(Double.self, forKey: .latitude) : nil
        let longitude = isLocated ? try place.decode(Double.self, forKey: .longitude) : nil
        let name = try place.decode(String.self, forKey: .name)
        let address = try place.decodeIfPresent(String.self, forKey: .address) ?? ""
        return try values.checked(.place) { () throws(TravelError) in
            guard let latitude, let longitude else { return try Place(name: name, address: address) }
            return try Place(
                name: name, address: address, coordinate: Coordinate(latitude: latitude, longitude: longitude))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(entry.id.description, forKey: .id)
        try values.encode(entry.day, forKey: .day)
        try values.encode(entry.time.description, forKey: .time)
        try values.encode(entry.title.text, forKey: .title)
        try values.encode(entry.text.text, forKey: .text)
        try values.encodeIfPresent(entry.image?.description, forKey: .image)
        guard let place = entry.place else { return }
        var parts = values.nestedContainer(keyedBy: PlaceKey.self, forKey: .place)
        try parts.encode(place.name, forKey: .name)
        try parts.encode(place.address, forKey: .address)
        try parts.encodeIfPresent(place.coordinate?.latitude, forKey: .latitude)
        try parts.encodeIfPresent(place.coordinate?.longitude, forKey: .longitude)
    }
}

extension KeyedDecodingContainer {
    /// Whether there is a value for `key` that is not null.
    fileprivate func has(_ key: Key) -> Bool { contains(key) && (try? decodeNil(forKey: key)) == false }
}
