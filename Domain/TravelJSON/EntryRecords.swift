package import TravelDomain

/// An entry of a timeline: `{"id", "day", "time", "title", "text", "place"?, "image"?, "pictures"?}`.
///
/// `"image"` is the image of the first picture, all that a program knows that was written before entries had several: what
/// it writes has no `"pictures"`.
package struct EntryRecord: Decodable, JSONRecord, Hashable, Sendable {
    package let entry: TimelineEntry
    /// Whether the record says which pictures the entry has, and not only the first.
    let hasPictures: Bool
    private let form: TripForm

    private enum Key: String, CodingKey { case id, day, time, title, text, place, image, pictures }
    private enum PlaceKey: String, CodingKey { case name, address, latitude, longitude }

    package init(_ entry: TimelineEntry) {
        self.init(entry, as: .interface)
    }

    init(_ entry: TimelineEntry, as form: TripForm) {
        self.entry = entry
        self.form = form
        hasPictures = true
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let day = try values.decode(Int.self, forKey: .day)
        let id: TimelineEntry.ID = try values.id(.id)
        let time = try values.value(.time, as: String.self, TimeOfDay.init)
        let title = try values.title(.title, isStored: decoder.isStored)
        let text = try values.value(.text, as: String.self) { (text) throws(TravelError) in
            try decoder.isStored ? EntryText(stored: text) : EntryText(text)
        }
        let place = try Self.place(in: values, isStored: decoder.isStored)
        let pictures: [Picture]
        hasPictures = try values.has(.pictures)
        if hasPictures {
            // First, because a body of some MB has room for many small pictures.
            let count = try values.nestedUnkeyedContainer(forKey: .pictures).count ?? 0
            guard count <= TimelineEntry.maximumPictureCount else {
                throw TravelJSONError(
                    .invalid(.init(.pictures, .tooMany(maximum: TimelineEntry.maximumPictureCount))),
                    at: values.path(to: .pictures))
            }
            pictures = try values.decode([PictureRecord].self, forKey: .pictures).map(\.picture)
        } else {
            pictures = try values.optionalID(.image).map { [Picture($0)] } ?? []
        }
        entry = try values.checked(.day) { () throws(TravelError) in
            try TimelineEntry(
                id: id, day: day, time: time, title: title, text: text, place: place, pictures: pictures)
        }
        form = .interface
    }

    private static func place(in values: KeyedDecodingContainer<Key>, isStored: Bool) throws -> Place? {
        guard try values.has(.place) else { return nil }
        let place = try values.nestedContainer(keyedBy: PlaceKey.self, forKey: .place)
        // Both or neither.
        let isLocated = try place.has(.latitude) || place.has(.longitude)
        let latitude = isLocated ? try place.decode(Double.self, forKey: .latitude) : nil
        let longitude = isLocated ? try place.decode(Double.self, forKey: .longitude) : nil
        let name = try place.decode(String.self, forKey: .name)
        let address = try place.decodeIfPresent(String.self, forKey: .address) ?? ""
        return try values.checked(.place) { () throws(TravelError) in
            var coordinate: Coordinate?
            if let latitude, let longitude { coordinate = try Coordinate(latitude: latitude, longitude: longitude) }
            return isStored
                ? try Place(storedName: name, address: address, coordinate: coordinate)
                : try Place(name: name, address: address, coordinate: coordinate)
        }
    }

    package func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure) {
        try members.add(Key.day, entry.day)
        try members.add(Key.id, entry.id)
        try members.add(Key.image, ifPresent: entry.image)
        try members.add(Key.pictures, ifPresent: writtenPictures)
        try members.add(Key.place, ifPresent: entry.place.map(PlaceRecord.init))
        try members.add(Key.text, entry.text.text)
        try members.add(Key.time, entry.time)
        try members.add(Key.title, entry.title.text)
    }

    private var writtenPictures: [PictureRecord]? {
        if entry.pictures.isEmpty { return nil }
        guard form == .digest else { return entry.pictures.map { PictureRecord(picture: $0) } }
        let pictures = entry.pictures.map { picture in
            var picture = picture
            if picture.position?.isOfAuthor == true { picture.position = nil }
            return picture
        }
        return pictures == entry.image.map { [Picture($0)] } ? nil : pictures.map { PictureRecord(picture: $0) }
    }

    private struct PlaceRecord: JSONRecord {
        let place: Place

        func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure) {
            try members.add(PlaceKey.address, place.address)
            try members.add(PlaceKey.latitude, ifPresent: place.coordinate?.latitude)
            try members.add(PlaceKey.longitude, ifPresent: place.coordinate?.longitude)
            try members.add(PlaceKey.name, place.name)
        }
    }
}

extension PicturePosition {
    /// Whether there is a position that only the author sees.
    fileprivate var isOfAuthor: Bool {
        switch self {
        case .mineOnly, .withheld: true
        case .shown: false
        }
    }
}

/// A picture of an entry: `{"image", "text"?, "takenOn"?, "takenAt"?, "utcOffset"?, "latitude"?, "longitude"?,
/// "position"?}`. `"takenOn"` is a day and `"takenAt"` a time on the clock of the camera, whose difference from Coordinated
/// Universal Time is `"utcOffset"`, in minutes; `"position"` is `"shown"`, `"mineOnly"` or `"withheld"`, the last without
/// coordinates.
private struct PictureRecord: Decodable, JSONRecord {
    let picture: Picture

    private enum Key: String, CodingKey {
        case image, latitude, longitude, position, takenAt, takenOn, text, utcOffset
    }

    private enum Position: String, CaseIterable { case shown, mineOnly, withheld }

    init(picture: Picture) {
        self.picture = picture
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        var picture = Picture(try values.id(.image))
        if try values.has(.text) {
            picture.text = try values.value(.text, as: String.self) { (text) throws(TravelError) in
                try decoder.isStored ? PictureText(stored: text) : PictureText(text)
            }
        }
        if try values.has(.takenOn) {
            let day = try values.value(.takenOn, as: String.self, CalendarDay.init)
            let time = try values.value(.takenAt, as: String.self, TimeOfDay.init)
            let offset = try values.decodeIfPresent(Int.self, forKey: .utcOffset)
            guard PhotoDate.utcOffsets.contains(offset ?? 0) else {
                throw TravelJSONError(
                    .unexpected(expected: "a number of minutes from -840 to 840"), at: values.path(to: .utcOffset))
            }
            picture.taken = PhotoDate(day: day, time: time, utcOffset: offset)
        }
        if let position: Position = try values.optionalChoice(.position) {
            picture.position = try Self.position(position, in: values)
        }
        self.picture = picture
    }

    private static func position(
        _ position: Position, in values: KeyedDecodingContainer<Key>
    ) throws -> PicturePosition {
        if position == .withheld { return .withheld }
        let latitude = try values.decode(Double.self, forKey: .latitude)
        let longitude = try values.decode(Double.self, forKey: .longitude)
        let coordinate = try values.checked(.latitude) { () throws(TravelError) in
            try Coordinate(latitude: latitude, longitude: longitude)
        }
        return position == .shown ? .shown(coordinate) : .mineOnly(coordinate)
    }

    func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure) {
        let position: Position? =
            switch picture.position {
            case .shown: .shown
            case .mineOnly: .mineOnly
            case .withheld: .withheld
            case nil: nil
            }
        try members.add(Key.image, picture.id)
        try members.add(Key.latitude, ifPresent: picture.position?.coordinate?.latitude)
        try members.add(Key.longitude, ifPresent: picture.position?.coordinate?.longitude)
        try members.add(Key.position, ifPresent: position?.rawValue)
        try members.add(Key.takenAt, ifPresent: picture.taken?.time)
        try members.add(Key.takenOn, ifPresent: picture.taken?.day)
        try members.add(Key.text, ifPresent: picture.text?.text)
        try members.add(Key.utcOffset, ifPresent: picture.taken?.utcOffset)
    }
}
