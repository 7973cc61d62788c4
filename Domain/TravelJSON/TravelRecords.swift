package import TravelDomain

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A user: `{"id", "nickname", "avatar"?}`.
package struct UserRecord: Codable, Hashable, Sendable {
    package let user: User

    fileprivate enum Key: String, CodingKey { case id, nickname, avatar }

    package init(_ user: User) {
        self.user = user
    }

    package init(from decoder: any Decoder) throws {
        user = try Self.user(in: decoder.container(keyedBy: Key.self), as: .interface)
    }

    fileprivate static func user(in values: KeyedDecodingContainer<Key>, as form: TravelForm) throws -> User {
        User(
            id: try values.id(.id),
            nickname: try values.value(.nickname, as: String.self) { text throws(TravelError) in try Nickname(text) },
            avatar: form == .interface ? try values.optionalID(.avatar) : nil)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(user.id.description, forKey: .id)
        try values.encode(user.nickname.text, forKey: .nickname)
        try values.encodeIfPresent(user.avatar?.description, forKey: .avatar)
    }
}

/// Where a trip is written: a file is for any program and outlives the store from which it comes.
package enum TravelForm: Sendable {
    /// Authors without their pictures, and versions up to 2^53 − 1, which every reader of JSON has exactly (RFC 8259,
    /// section 6): edits after an import never reach the last version.
    case file
    /// All that a store has, between two programs of this package.
    case interface

    fileprivate var largestVersion: Int { self == .file ? 1 << 53 - 1 : 1 << 62 }
}

/// The part of a trip that its author edits. Its keys stand among those of the trip.
package struct ContentRecord: Codable, Hashable, Sendable {
    package let content: TravelContent

    private enum Key: String, CodingKey {
        case title, region, firstDay, lastDay, themes, companions, headcount, budget, transportation, thumbnail
    }

    package init(_ content: TravelContent) {
        self.content = content
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
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

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
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
}

/// A stored trip without its timeline, track and likes:
/// `{"id", "author", "createdAt", "updatedAt"?, "version"?, …}`, with the keys of a ``ContentRecord``.
package struct TravelRecord: Codable, Hashable, Sendable {
    package let id: Travel.ID
    package let author: User
    package let createdAt: Date
    package let updatedAt: Date
    package let version: TravelVersion
    package let content: TravelContent

    private enum Key: String, CodingKey { case id, author, createdAt, updatedAt, version }

    package init(
        id: Travel.ID, author: User, createdAt: Date, updatedAt: Date, version: TravelVersion, content: TravelContent
    ) {
        self.id = id
        self.author = author
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
        self.content = content
    }

    package init(_ travel: RecordedTravel, as form: TravelForm = .interface) {
        let author = travel.author
        self.init(
            id: travel.id, author: form == .file ? User(id: author.id, nickname: author.nickname) : author,
            createdAt: travel.createdAt, updatedAt: travel.updatedAt, version: travel.version, content: travel.content)
    }

    package init(from decoder: any Decoder) throws {
        try self.init(from: decoder, as: .interface)
    }

    package init(from decoder: any Decoder, as form: TravelForm) throws {
        let values = try decoder.container(keyedBy: Key.self)
        id = try values.id(.id)
        author = try UserRecord.user(
            in: values.nestedContainer(keyedBy: UserRecord.Key.self, forKey: .author), as: form)
        createdAt = try values.date(.createdAt)
        updatedAt = try values.has(.updatedAt) ? values.date(.updatedAt) : createdAt
        let number = try values.decodeIfPresent(Int.self, forKey: .version) ?? TravelVersion.first.number
        guard number <= form.largestVersion, let version = TravelVersion(number: number) else {
            throw TravelJSONError(
                .unexpected(expected: "a whole number from 1 to \(form.largestVersion)"), at: values.path(to: .version))
        }
        self.version = version
        content = try ContentRecord(from: decoder).content
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id.description, forKey: .id)
        try values.encode(UserRecord(author), forKey: .author)
        try values.encode(ExactTime.text(for: createdAt), forKey: .createdAt)
        try values.encode(ExactTime.text(for: updatedAt), forKey: .updatedAt)
        try values.encode(version.number, forKey: .version)
        try ContentRecord(content).encode(to: encoder)
    }
}

/// A complete trip: the keys of a ``TravelRecord``, `"timeline"` and `"track"?`.
package struct RecordedTravelRecord: Codable, Hashable, Sendable {
    package let travel: RecordedTravel
    private let form: TravelForm

    private enum Key: String, CodingKey { case timeline, track }

    package init(_ travel: RecordedTravel, as form: TravelForm = .interface) {
        self.travel = travel
        self.form = form
    }

    package init(from decoder: any Decoder) throws {
        try self.init(from: decoder, as: .interface)
    }

    package init(from decoder: any Decoder, as form: TravelForm) throws {
        let record = try TravelRecord(from: decoder, as: form)
        let values = try decoder.container(keyedBy: Key.self)
        let timeline = try values.decode([EntryRecord].self, forKey: .timeline).map(\.entry)
        var ids: Set<TimelineEntry.ID> = []
        if let twice = timeline.first(where: { !ids.insert($0.id).inserted }) {
            throw TravelJSONError(.duplicate(twice.id.description), at: values.path(to: .timeline))
        }
        let track = try values.decodeIfPresent(TrackRecord.self, forKey: .track)?.track
        travel = try values.checked(.timeline) { () throws(TravelError) in
            try RecordedTravel(
                id: record.id, author: record.author, createdAt: record.createdAt, updatedAt: record.updatedAt,
                version: record.version, content: record.content, timeline: timeline, track: track)
        }
        self.form = form
    }

    package func encode(to encoder: any Encoder) throws {
        try TravelRecord(travel, as: form).encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(travel.timeline.map(EntryRecord.init), forKey: .timeline)
        try values.encodeIfPresent(travel.track.map(TrackRecord.init), forKey: .track)
    }
}

/// A trip as one viewer sees it: the keys of a ``TravelRecord``, `"likeCount"`, `"isLiked"`, `"isMine"` and `"cover"?`,
/// the image that represents it; `"thumbnail"` is the one that its author chose.
package struct ViewedTravelRecord: Codable, Hashable, Sendable {
    package let travel: Travel

    private enum Key: String, CodingKey { case likeCount, isLiked, isMine, cover }

    package init(_ travel: Travel) {
        self.travel = travel
    }

    package init(from decoder: any Decoder) throws {
        let record = try TravelRecord(from: decoder)
        let values = try decoder.container(keyedBy: Key.self)
        let isLiked = try values.decode(Bool.self, forKey: .isLiked)
        let isMine = try values.decode(Bool.self, forKey: .isMine)
        let cover: TravelImage.ID? = try values.optionalID(.cover)
        travel = try values.value(.likeCount, as: Int.self) { count throws(TravelError) in
            try Travel(
                id: record.id, author: record.author, content: record.content, createdAt: record.createdAt,
                updatedAt: record.updatedAt, version: record.version, likeCount: count, isLiked: isLiked,
                isMine: isMine, thumbnail: cover)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try TravelRecord(
            id: travel.id, author: travel.author, createdAt: travel.createdAt, updatedAt: travel.updatedAt,
            version: travel.version, content: travel.content
        ).encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(travel.likeCount, forKey: .likeCount)
        try values.encode(travel.isLiked, forKey: .isLiked)
        try values.encode(travel.isMine, forKey: .isMine)
        try values.encodeIfPresent(travel.thumbnail?.description, forKey: .cover)
    }
}

/// A trip with its timeline and track as one viewer sees them: `{"trip", "timeline", "track"?}`.
package struct DetailsRecord: Codable, Hashable, Sendable {
    package let details: TravelDetails

    private enum Key: String, CodingKey { case trip, timeline, track }

    package init(_ details: TravelDetails) {
        self.details = details
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        details = TravelDetails(
            travel: try values.decode(ViewedTravelRecord.self, forKey: .trip).travel,
            timeline: try values.decode([EntryRecord].self, forKey: .timeline).map(\.entry),
            track: try values.decodeIfPresent(TrackRecord.self, forKey: .track)?.track)
        // The parts are those of one trip.
        _ = try values.checked(.timeline) { () throws(TravelError) in try details.recorded }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(ViewedTravelRecord(details.travel), forKey: .trip)
        try values.encode(details.timeline.map(EntryRecord.init), forKey: .timeline)
        try values.encodeIfPresent(details.track.map(TrackRecord.init), forKey: .track)
    }
}

/// One page of search results: `{"travels", "next"?}`, where `next` is the text of a cursor.
package struct PageRecord: Codable, Hashable, Sendable {
    package let page: TravelPage

    private enum Key: String, CodingKey { case travels, next }

    package init(_ page: TravelPage) {
        self.page = page
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let next = try values.decodeIfPresent(String.self, forKey: .next).map { text in
            try values.checked(.next) { () throws(TravelError) in
                guard let cursor = TravelCursor(text: text) else {
                    throw .invalid(.init(.cursor, .malformed(expected: "the cursor of a page")))
                }
                return cursor
            }
        }
        page = TravelPage(
            travels: try values.decode([ViewedTravelRecord].self, forKey: .travels).map(\.travel), next: next)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(page.travels.map(ViewedTravelRecord.init), forKey: .travels)
        try values.encodeIfPresent(page.next?.text, forKey: .next)
    }
}

/// An entry of a timeline: `{"id", "day", "time", "title", "text", "place"?, "image"?}`.
package struct EntryRecord: Codable, Hashable, Sendable {
    package let entry: TimelineEntry

    private enum Key: String, CodingKey { case id, day, time, title, text, place, image }
    private enum PlaceKey: String, CodingKey { case name, address, latitude, longitude }

    package init(_ entry: TimelineEntry) {
        self.entry = entry
    }

    package init(from decoder: any Decoder) throws {
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
        guard try values.has(.place) else { return nil }
        let place = try values.nestedContainer(keyedBy: PlaceKey.self, forKey: .place)
        // Both or neither.
        let isLocated = try place.has(.latitude) || place.has(.longitude)
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

    package func encode(to encoder: any Encoder) throws {
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

/// The way of a recorded track: its segments as the coordinates of a `MultiLineString` of GeoJSON,
/// `[[[129.1604, 35.1587], [129.1617, 35.1601]]]`, longitudes first.
package struct TrackRecord: Codable, Hashable, Sendable {
    package let track: TrackGeometry

    package init(_ track: TrackGeometry) {
        self.track = track
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.singleValueContainer()
        let segments = try values.decode([[Position]].self).map { $0.map(\.coordinate) }
        do {
            track = try TrackGeometry(segments)
        } catch {
            guard case TravelError.invalid(let violation) = error else { throw error }
            throw TravelJSONError(.invalid(violation), at: decoder.codingPath)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.singleValueContainer()
        try values.encode(track.segments.map { $0.map(Position.init) })
    }

    private struct Position: Codable {
        let coordinate: Coordinate

        init(_ coordinate: Coordinate) {
            self.coordinate = coordinate
        }

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let longitude = try values.decode(Double.self)
            let latitude = try values.decode(Double.self)
            // An elevation, as in GeoJSON.
            if !values.isAtEnd { _ = try values.decode(Double.self) }
            do {
                coordinate = try Coordinate(latitude: latitude, longitude: longitude)
            } catch {
                guard case TravelError.invalid(let violation) = error else { throw error }
                throw TravelJSONError(.invalid(violation), at: decoder.codingPath)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(coordinate.longitude)
            try values.encode(coordinate.latitude)
        }
    }
}

/// An image with its bytes in Base64 (RFC 4648, section 4): `{"id", "bytes"}`.
package struct ImageRecord: Codable, Hashable, Sendable {
    package let image: TravelImage

    private enum Key: String, CodingKey { case id, bytes }

    package init(_ image: TravelImage) {
        self.image = image
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let id: TravelImage.ID = try values.id(.id)
        guard let bytes = Data(base64Encoded: try values.decode(String.self, forKey: .bytes)) else {
            throw TravelJSONError(.unexpected(expected: "text in Base64"), at: values.path(to: .bytes))
        }
        image = try values.checked(.bytes) { () throws(TravelError) in try TravelImage(id: id, bytes: bytes) }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(image.id.description, forKey: .id)
        try values.encode(image.bytes.base64EncodedString(), forKey: .bytes)
    }
}
