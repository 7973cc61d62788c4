import Foundation

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
        let version = try values.decode(Int.self, forKey: .version)
        guard version == Self.version else {
            if version > Self.version {
                throw TravelFileError(
                    .unsupportedVersion(version, supported: Self.version), at: values.place(of: .version))
            }
            throw TravelFileError(.unexpected(expected: "a version from 1"), at: values.place(of: .version))
        }
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

/// A travel with its timeline and images as JSON holds it.
private struct ExportedTravelRecord: Codable {
    let travel: ExportedTravel

    private enum Key: String, CodingKey { case timeline, track, images }

    init(_ travel: ExportedTravel) {
        self.travel = travel
    }

    init(from decoder: any Decoder) throws {
        let record = try TravelRecord(from: decoder)
        let values = try decoder.container(keyedBy: Key.self)
        let timeline = try values.decode([EntryRecord].self, forKey: .timeline).map(\.entry)
        let images = try (values.decodeIfPresent([ImageRecord].self, forKey: .images) ?? []).map(\.image)
        var ids: Set<TimelineEntry.ID> = []
        if let twice = timeline.first(where: { !ids.insert($0.id).inserted }) {
            throw TravelFileError(.duplicate(twice.id.description), at: values.place(of: .timeline))
        }
        let track = try values.decodeIfPresent([[GeoJSONPosition]].self, forKey: .track).map { segments in
            try values.checked(.track) { () throws(TravelError) in try TrackGeometry(segments) }
        }
        let recorded = try values.checked(.timeline) { () throws(TravelError) in
            try record.travel(timeline, track: track)
        }
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
        try TravelRecord(travel.travel, withThumbnail: true).encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(travel.travel.timeline.map(EntryRecord.init), forKey: .timeline)
        try values.encodeIfPresent(travel.travel.track?.positions, forKey: .track)
        try values.encode(travel.images.map(ImageRecord.init), forKey: .images)
    }
}

private struct ImageRecord: Codable {
    let image: TravelImage

    private enum Key: String, CodingKey { case id, bytes }

    init(_ image: TravelImage) {
        self.image = image
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let id: TravelImage.ID = try values.id(.id)
        guard let bytes = Data(base64Encoded: try values.decode(String.self, forKey: .bytes)) else {
            throw TravelFileError(.unexpected(expected: "text in Base64"), at: values.place(of: .bytes))
        }
        image = try values.checked(.bytes) { () throws(TravelError) in try TravelImage(id: id, bytes: bytes) }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(image.id.description, forKey: .id)
        try values.encode(image.bytes.base64EncodedString(), forKey: .bytes)
    }
}

/// A travel without its timeline as JSON holds it.
struct TravelRecord: Codable {
    let id: Travel.ID
    let author: User
    let createdAt: Date
    let updatedAt: Date
    let version: TravelVersion
    let content: TravelContent

    private enum Key: String, CodingKey {
        case id, author, createdAt, updatedAt, version, title, region, firstDay, lastDay, themes, companions, headcount,
            budget
        case transportation, thumbnail
    }

    private enum AuthorKey: String, CodingKey { case id, nickname }

    /// The record of `travel`; a file without images leaves the chosen image out.
    init(_ travel: RecordedTravel, withThumbnail: Bool) {
        id = travel.id
        author = travel.author
        createdAt = travel.createdAt
        updatedAt = travel.updatedAt
        version = travel.version
        var content = travel.content
        if !withThumbnail { content.thumbnail = nil }
        self.content = content
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let author = try values.nestedContainer(keyedBy: AuthorKey.self, forKey: .author)
        id = try values.id(.id)
        self.author = User(
            id: try author.id(.id),
            nickname: try author.value(.nickname, as: String.self) { text throws(TravelError) in try Nickname(text) })
        createdAt = try values.date(.createdAt)
        updatedAt = try values.contains(.updatedAt) ? values.date(.updatedAt) : createdAt
        version = try values.version(.version)
        let first = try values.value(.firstDay, as: String.self) { text throws(TravelError) in try CalendarDay(text) }
        let last = try values.value(.lastDay, as: String.self) { text throws(TravelError) in try CalendarDay(text) }
        content = TravelContent(
            title: try values.value(.title, as: String.self) { text throws(TravelError) in try Title(text) },
            region: try values.choice(.region),
            days: try values.checked(.lastDay) { () throws(TravelError) in try DayRange(first, through: last) },
            themes: try values.choices(.themes), companions: try values.choices(.companions),
            headcount: try values.optionalChoice(.headcount), budget: try values.optionalChoice(.budget),
            transportation: try values.optionalChoice(.transportation), thumbnail: try values.optionalID(.thumbnail))
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        var author = values.nestedContainer(keyedBy: AuthorKey.self, forKey: .author)
        try author.encode(self.author.id.description, forKey: .id)
        try author.encode(self.author.nickname.text, forKey: .nickname)
        try values.encode(id.description, forKey: .id)
        try values.encode(ExactTime.text(for: createdAt), forKey: .createdAt)
        try values.encode(ExactTime.text(for: updatedAt), forKey: .updatedAt)
        try values.encode(version.number, forKey: .version)
        try values.encode(content.title.text, forKey: .title)
        try values.encode(content.region.rawValue, forKey: .region)
        try values.encode(content.days.first.description, forKey: .firstDay)
        try values.encode(content.days.last.description, forKey: .lastDay)
        try values.encode(content.themes.map(\.rawValue).sorted(), forKey: .themes)
        try values.encode(content.companions.map(\.rawValue).sorted(), forKey: .companions)
        try values.encodeIfPresent(content.headcount?.rawValue, forKey: .headcount)
        try values.encodeIfPresent(content.budget?.rawValue, forKey: .budget)
        try values.encodeIfPresent(content.transportation?.rawValue, forKey: .transportation)
        try values.encodeIfPresent(content.thumbnail?.description, forKey: .thumbnail)
    }

    func travel(_ timeline: [TimelineEntry], track: TrackGeometry?) throws(TravelError) -> RecordedTravel {
        try RecordedTravel(
            id: id, author: author, createdAt: createdAt, updatedAt: updatedAt, version: version, content: content,
            timeline: timeline, track: track)
    }
}

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

/// Decodes values of the domain, with errors that name the violated rule.
extension KeyedDecodingContainer {
    func place(of key: Key) -> TravelFileError.Place? {
        TravelFileError.Place(codingPath + [key])
    }

    /// The result of `make` for the value with that key; a violated rule is reported with its place.
    func value<Raw: Decodable, Value>(
        _ key: Key, as type: Raw.Type = Raw.self, _ make: (Raw) throws(TravelError) -> Value
    ) throws -> Value {
        let raw = try decode(Raw.self, forKey: key)
        return try checked(key) { () throws(TravelError) in try make(raw) }
    }

    /// Runs `make`, and reports a violated rule with the place of that key.
    func checked<Value>(_ key: Key, _ make: () throws(TravelError) -> Value) throws -> Value {
        do {
            return try make()
        } catch {
            guard case .invalid(let violation) = error else { throw error }
            throw TravelFileError(.invalid(violation), at: place(of: key))
        }
    }

    func id<Entity>(_ key: Key) throws -> Identifier<Entity> {
        guard let id = Identifier<Entity>(try decode(String.self, forKey: key)) else {
            throw TravelFileError(
                .unexpected(expected: "a UUID such as 6f1c2c1e-8d5b-4a53-9c9e-0b1f6a7f3f10"), at: place(of: key))
        }
        return id
    }

    func optionalID<Entity>(_ key: Key) throws -> Identifier<Entity>? {
        try contains(key) && !decodeNil(forKey: key) ? id(key) : nil
    }

    func date(_ key: Key) throws -> Date {
        guard let date = ExactTime.date(try decode(String.self, forKey: key)) else {
            throw TravelFileError(.unexpected(expected: "a time such as 2024-05-01T09:30:00Z"), at: place(of: key))
        }
        return date
    }

    /// The version of a travel; the first when it is missing.
    ///
    /// Up to 2^53 − 1, which every reader of JSON has exactly (RFC 8259, section 6): edits after an import never reach the
    /// last version.
    func version(_ key: Key) throws -> TravelVersion {
        let number = try decodeIfPresent(Int.self, forKey: key) ?? TravelVersion.first.number
        guard number < 1 << 53, let version = TravelVersion(number: number) else {
            throw TravelFileError(
                .unexpected(expected: "a whole number from 1 to 9007199254740991"), at: place(of: key))
        }
        return version
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_ key: Key) throws -> Choice where Choice.RawValue: Decodable {
        let raw = try decode(Choice.RawValue.self, forKey: key)
        return try Self.choice(raw, at: place(of: key))
    }

    func optionalChoice<Choice: RawRepresentable & CaseIterable>(_ key: Key) throws -> Choice?
    where Choice.RawValue: Decodable {
        try decodeIfPresent(Choice.RawValue.self, forKey: key).map { try Self.choice($0, at: place(of: key)) }
    }

    func choices<Choice: RawRepresentable & CaseIterable & Hashable>(_ key: Key) throws -> Set<Choice>
    where Choice.RawValue: Decodable {
        Set(
            try (decodeIfPresent([Choice.RawValue].self, forKey: key) ?? []).map {
                try Self.choice($0, at: place(of: key))
            })
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ raw: Choice.RawValue, at place: TravelFileError.Place?
    ) throws -> Choice {
        if let choice = Choice(rawValue: raw) { return choice }
        let known = Choice.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
        throw TravelFileError(.unexpected(expected: "one of \(known)"), at: place)
    }
}
