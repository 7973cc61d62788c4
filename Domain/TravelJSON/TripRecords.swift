package import TravelDomain

extension KeyedDecodingContainer {
    func title(_ key: Key, isStored: Bool) throws -> Title {
        try value(key, as: String.self) { (text) throws(TravelError) in
            try isStored ? Title(stored: text) : Title(text)
        }
    }
}

/// A user: `{"id", "nickname", "avatar"?}`.
package struct UserRecord: Decodable, JSONRecord, Hashable, Sendable {
    package let user: User

    fileprivate enum Key: String, CodingKey { case id, nickname, avatar }

    package init(_ user: User) {
        self.user = user
    }

    package init(from decoder: any Decoder) throws {
        user = try Self.user(in: decoder.container(keyedBy: Key.self), as: .interface, isStored: decoder.isStored)
    }

    fileprivate static func user(
        in values: KeyedDecodingContainer<Key>, as form: TripForm, isStored: Bool
    ) throws -> User {
        User(
            id: try values.id(.id),
            nickname: try values.value(.nickname, as: String.self) { (text) throws(TravelError) in
                try isStored ? Nickname(stored: text) : Nickname(text)
            },
            avatar: form == .interface ? try values.optionalID(.avatar) : nil)
    }

    package func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure) {
        try members.add(Key.avatar, ifPresent: user.avatar)
        try members.add(Key.id, user.id)
        try members.add(Key.nickname, user.nickname.text)
    }
}

/// Where a trip is written: a file is for any program and outlives the store from which it comes.
package enum TripForm: Sendable {
    /// Authors without their pictures, and versions up to 2^53 − 1, which every reader of JSON has exactly (RFC 8259,
    /// section 6): edits after an import never reach the last version. No keys of links, which would open later versions of
    /// the trip to whoever has the file: a trip that is shared by link is written as one that its author alone sees.
    case file
    /// All that a store has, between two programs of this package.
    case interface
    /// What digests compare: as the interface was before audiences, as long as the trip is public, and when an entry had one
    /// picture, as long as it has no more than that, so that the digests that older programs have stored or sent stay valid.
    /// It leaves out positions that only the author sees.
    case digest

    fileprivate var largestVersion: Int { self == .file ? 1 << 53 - 1 : 1 << 62 }
}

/// The keys of a trip in every form, in their order.
private enum TripKey: String, CodingKey {
    case audience, author, budget, companions, cover, createdAt, entry, firstDay, headcount, id, isHidden, isLiked
    case isMine, lastDay, likeCount, region, themes, thumbnail, timeline, title, track, trackTimes, transportation
    case updatedAt, version
}

extension KeyedDecodingContainer<TripKey> {
    /// The part of a trip that its author edits.
    ///
    /// A program that does not know of audiences sends none: its trips are public. From a file without one, its author alone
    /// sees the trip.
    fileprivate func content(isStored: Bool, as form: TripForm) throws -> TripContent {
        let first = try value(.firstDay, as: String.self, CalendarDay.init)
        let last = try value(.lastDay, as: String.self, CalendarDay.init)
        return TripContent(
            title: try title(.title, isStored: isStored),
            region: try choice(.region),
            days: try checked(.lastDay) { () throws(TravelError) in try DayRange(first, through: last) },
            themes: try choices(.themes), companions: try choices(.companions),
            headcount: try optionalChoice(.headcount), budget: try optionalChoice(.budget),
            transportation: try optionalChoice(.transportation), thumbnail: try optionalID(.thumbnail),
            audience: try has(.audience)
                ? value(.audience, as: String.self, Audience.init(text:)) : form == .file ? .onlyMe : .everyone)
    }
}

/// A stored trip without its timeline, track and likes:
/// `{"id", "author", "createdAt", "updatedAt"?, "version"?, "title", "region", "firstDay", "lastDay", "themes",
/// "companions", "headcount"?, "budget"?, "transportation"?, "thumbnail"?, "audience"?}`.
package struct TripRecord: Decodable, JSONRecord, Hashable, Sendable {
    package let id: Trip.ID
    package let author: User
    package let createdAt: Date
    package let updatedAt: Date
    package let version: TripVersion
    package let content: TripContent
    /// Whether whoever has written the record knows of audiences.
    package let hasAudience: Bool
    private let form: TripForm

    package init(
        id: Trip.ID, author: User, createdAt: Date, updatedAt: Date, version: TripVersion, content: TripContent,
        as form: TripForm = .interface
    ) {
        self.id = id
        self.author = author
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
        self.content = content
        (self.form, hasAudience) = (form, true)
    }

    package init(_ trip: RecordedTrip, as form: TripForm = .interface) {
        let author = trip.author
        self.init(
            id: trip.id, author: form == .file ? User(id: author.id, nickname: author.nickname) : author,
            createdAt: trip.createdAt, updatedAt: trip.updatedAt, version: trip.version, content: trip.content,
            as: form)
    }

    /// The audience as the form says it; `nil` for none.
    private var audience: String? {
        switch form {
        case .file where content.audience != .everyone: Audience.onlyMe.text
        case .digest where content.audience == .everyone: nil
        case .file, .interface, .digest: content.audience.text
        }
    }

    package init(from decoder: any Decoder) throws {
        try self.init(from: decoder, as: .interface)
    }

    package init(from decoder: any Decoder, as form: TripForm) throws {
        let values = try decoder.container(keyedBy: TripKey.self)
        id = try values.id(.id)
        author = try UserRecord.user(
            in: values.nestedContainer(keyedBy: UserRecord.Key.self, forKey: .author), as: form,
            isStored: decoder.isStored)
        createdAt = try values.date(.createdAt)
        updatedAt = try values.has(.updatedAt) ? values.date(.updatedAt) : createdAt
        let number = try values.decodeIfPresent(Int.self, forKey: .version) ?? TripVersion.first.number
        guard number <= form.largestVersion, let version = TripVersion(number: number) else {
            throw TravelJSONError(
                .unexpected(expected: "a whole number from 1 to \(form.largestVersion)"), at: values.path(to: .version))
        }
        self.version = version
        (self.form, hasAudience) = (form, try values.has(.audience))
        content = try values.content(isStored: decoder.isStored, as: form)
    }

    package func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure) {
        try add(to: &members, nil)
    }

    /// Adds the members with those of a complete trip, or of one that somebody sees.
    fileprivate func add<Members: JSONMembers>(
        to members: inout Members, recorded: RecordedTrip? = nil, as form: TripForm = .interface, _ seen: Trip?,
        foundBy entry: MatchedEntry? = nil
    ) throws(Members.Failure) {
        try members.add(TripKey.audience, ifPresent: audience)
        try members.add(TripKey.author, UserRecord(author))
        try members.add(TripKey.budget, ifPresent: content.budget?.rawValue)
        try members.add(TripKey.companions, content.companions.map(\.rawValue).sorted())
        try members.add(TripKey.cover, ifPresent: seen?.thumbnail)
        try members.add(TripKey.createdAt, createdAt)
        try members.add(TripKey.entry, ifPresent: entry.map(MatchedEntryRecord.init))
        try members.add(TripKey.firstDay, content.days.first)
        try members.add(TripKey.headcount, ifPresent: content.headcount?.rawValue)
        try members.add(TripKey.id, id)
        try members.add(TripKey.isHidden, ifPresent: seen?.isHidden == true ? true : nil)
        try members.add(TripKey.isLiked, ifPresent: seen?.isLiked)
        try members.add(TripKey.isMine, ifPresent: seen?.isMine)
        try members.add(TripKey.lastDay, content.days.last)
        try members.add(TripKey.likeCount, ifPresent: seen?.likeCount)
        try members.add(TripKey.region, content.region.rawValue)
        try members.add(TripKey.themes, content.themes.map(\.rawValue).sorted())
        try members.add(TripKey.thumbnail, ifPresent: content.thumbnail)
        try members.add(TripKey.timeline, ifPresent: recorded?.timeline.map { EntryRecord($0, as: form) })
        try members.add(TripKey.title, content.title.text)
        try members.add(TripKey.track, ifPresent: recorded?.track.map(TrackRecord.init))
        try members.add(TripKey.trackTimes, ifPresent: recorded?.track.flatMap(TrackTimesRecord.init))
        try members.add(TripKey.transportation, ifPresent: content.transportation?.rawValue)
        try members.add(TripKey.updatedAt, updatedAt)
        try members.add(TripKey.version, version.number)
    }
}

/// A complete trip: the keys of a ``TripRecord``, `"timeline"`, `"track"?` and `"trackTimes"?`.
package struct RecordedTripRecord: Decodable, JSONRecord, Hashable, Sendable {
    package let trip: RecordedTrip
    /// Whether whoever has written the record knows of audiences.
    package let hasAudience: Bool
    /// Whether whoever has written the record knows that an entry may have several pictures. Of an entry without any, nobody
    /// writes them: it is known by the audience, of which no such program knew either.
    package let hasPictures: Bool
    private let form: TripForm

    package init(_ trip: RecordedTrip, as form: TripForm = .interface) {
        self.trip = trip
        self.form = form
        (hasAudience, hasPictures) = (true, true)
    }

    package init(from decoder: any Decoder) throws {
        try self.init(from: decoder, as: .interface)
    }

    package init(from decoder: any Decoder, as form: TripForm) throws {
        let record = try TripRecord(from: decoder, as: form)
        let values = try decoder.container(keyedBy: TripKey.self)
        // First, because a body of some MB has room for many small entries.
        let count = try values.nestedUnkeyedContainer(forKey: .timeline).count ?? 0
        guard count <= RecordedTrip.maximumEntryCount else {
            throw TravelJSONError(
                .invalid(.init(.timeline, .tooMany(maximum: RecordedTrip.maximumEntryCount))),
                at: values.path(to: .timeline))
        }
        let entries = try values.decode([EntryRecord].self, forKey: .timeline)
        let timeline = entries.map(\.entry)
        var ids: Set<TimelineEntry.ID> = []
        if let twice = timeline.first(where: { !ids.insert($0.id).inserted }) {
            throw TravelJSONError(.duplicate(twice.id.description), at: values.path(to: .timeline))
        }
        let track = try values.track(.track, times: .trackTimes)
        trip = try values.checked(.timeline) { () throws(TravelError) in
            try RecordedTrip(
                id: record.id, author: record.author, createdAt: record.createdAt, updatedAt: record.updatedAt,
                version: record.version, content: record.content, timeline: timeline, track: track)
        }
        self.form = form
        hasAudience = record.hasAudience
        hasPictures = hasAudience || entries.contains(where: \.hasPictures)
    }

    package func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure) {
        try TripRecord(trip, as: form).add(to: &members, recorded: trip, as: form, nil)
    }
}

/// A trip as one viewer sees it: the keys of a ``TripRecord``, `"likeCount"`, `"isLiked"`, `"isMine"`, `"isHidden"?`, which
/// is there when it is true, and `"cover"?`, the image that represents it; `"thumbnail"` is the one that its author chose.
package struct ViewedTripRecord: Decodable, JSONRecord, Hashable, Sendable {
    package let trip: Trip

    package init(_ trip: Trip) {
        self.trip = trip
    }

    package init(from decoder: any Decoder) throws {
        let record = try TripRecord(from: decoder)
        let values = try decoder.container(keyedBy: TripKey.self)
        let isLiked = try values.decode(Bool.self, forKey: .isLiked)
        let isMine = try values.decode(Bool.self, forKey: .isMine)
        let isHidden = try values.decodeIfPresent(Bool.self, forKey: .isHidden) ?? false
        let cover: TripImage.ID? = try values.optionalID(.cover)
        trip = try values.value(.likeCount, as: Int.self) { count throws(TravelError) in
            try Trip(
                id: record.id, author: record.author, content: record.content, createdAt: record.createdAt,
                updatedAt: record.updatedAt, version: record.version, likeCount: count, isLiked: isLiked,
                isMine: isMine, thumbnail: cover, isHidden: isHidden)
        }
    }

    package func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure) {
        try add(to: &members, foundBy: nil)
    }

    fileprivate func add<Members: JSONMembers>(
        to members: inout Members, foundBy entry: MatchedEntry?
    ) throws(Members.Failure) {
        try TripRecord(
            id: trip.id, author: trip.author, createdAt: trip.createdAt, updatedAt: trip.updatedAt,
            version: trip.version, content: trip.content
        ).add(to: &members, trip, foundBy: entry)
    }
}

/// A trip of a page: the keys of a ``ViewedTripRecord``, and `"entry"?`, the one by which a search found it.
private struct FoundTripRecord: Decodable, JSONRecord {
    let trip: Trip
    let entry: MatchedEntry?

    init(_ trip: Trip, foundBy entry: MatchedEntry?) { (self.trip, self.entry) = (trip, entry) }

    init(from decoder: any Decoder) throws {
        trip = try ViewedTripRecord(from: decoder).trip
        entry = try decoder.container(keyedBy: TripKey.self).decodeIfPresent(MatchedEntryRecord.self, forKey: .entry)?
            .entry
    }

    func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure) {
        try ViewedTripRecord(trip).add(to: &members, foundBy: entry)
    }
}

/// An entry by which a search found a trip: `{"id", "day", "title", "place"?}`, where `place` is the name of its place.
package struct MatchedEntryRecord: Decodable, JSONRecord, Hashable, Sendable {
    package let entry: MatchedEntry

    private enum Key: String, CodingKey { case day, id, place, title }

    package init(_ entry: MatchedEntry) {
        self.entry = entry
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        entry = MatchedEntry(
            id: try values.id(.id), day: try values.decode(Int.self, forKey: .day),
            title: try values.title(.title, isStored: decoder.isStored),
            placeName: try values.decodeIfPresent(String.self, forKey: .place))
    }

    package func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure) {
        try members.add(Key.day, entry.day)
        try members.add(Key.id, entry.id)
        try members.add(Key.place, ifPresent: entry.placeName)
        try members.add(Key.title, entry.title.text)
    }
}

/// A trip with its timeline and track as one viewer sees them: `{"trip", "timeline", "track"?, "trackTimes"?}`.
package struct DetailsRecord: Decodable, JSONRecord, Hashable, Sendable {
    package let details: TripDetails

    private enum Key: String, CodingKey { case trip, timeline, track, trackTimes }

    package init(_ details: TripDetails) {
        self.details = details
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        details = TripDetails(
            trip: try values.decode(ViewedTripRecord.self, forKey: .trip).trip,
            timeline: try values.decode([EntryRecord].self, forKey: .timeline).map(\.entry),
            track: try values.track(.track, times: .trackTimes))
        // The parts are those of one trip.
        _ = try values.checked(.timeline) { () throws(TravelError) in try details.recorded }
    }

    package func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure) {
        try members.add(Key.timeline, details.timeline.map(EntryRecord.init))
        try members.add(Key.track, ifPresent: details.track.map(TrackRecord.init))
        try members.add(Key.trackTimes, ifPresent: details.track.flatMap(TrackTimesRecord.init))
        try members.add(Key.trip, ViewedTripRecord(details.trip))
    }
}

/// One page of search results: `{"trips", "next"?, "nextEntry"?}`, where `next` is the text of a cursor after a trip that was
/// found by its title, and `nextEntry` of one after a trip that was found by an entry: for a reader of earlier versions, which
/// knows no such cursor, the results end there.
package struct PageRecord: Decodable, JSONRecord, Hashable, Sendable {
    package let page: TripPage

    private enum Key: String, CodingKey { case trips, next, nextEntry }

    package init(_ page: TripPage) {
        self.page = page
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func cursor(_ key: Key) throws -> TripCursor? {
            try values.decodeIfPresent(String.self, forKey: key).map { text in
                try values.checked(key) { () throws(TravelError) in
                    guard let cursor = TripCursor(text: text) else {
                        throw .invalid(.init(.cursor, .malformed(expected: "the cursor of a page")))
                    }
                    return cursor
                }
            }
        }
        let found = try values.decode([FoundTripRecord].self, forKey: .trips)
        let entries = found.compactMap { found in found.entry.map { (found.trip.id, $0) } }
        page = TripPage(
            trips: found.map(\.trip), matchedEntries: Dictionary(entries) { first, _ in first },
            next: try cursor(.nextEntry) ?? cursor(.next))
    }

    package func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure) {
        let next = page.next
        try members.add(Key.next, ifPresent: next?.rank == .title ? next?.text : nil)
        try members.add(Key.nextEntry, ifPresent: next?.rank == .entry ? next?.text : nil)
        try members.add(Key.trips, page.trips.map { FoundTripRecord($0, foundBy: page.matchedEntries[$0.id]) })
    }
}

/// An image with its bytes in Base64 (RFC 4648, section 4): `{"id", "bytes"}`.
package struct ImageRecord: Codable, Hashable, Sendable {
    package let image: TripImage

    private enum Key: String, CodingKey { case id, bytes }

    package init(_ image: TripImage) {
        self.image = image
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let id: TripImage.ID = try values.id(.id)
        guard let bytes = Data(base64Encoded: try values.decode(String.self, forKey: .bytes)) else {
            throw TravelJSONError(.unexpected(expected: "text in Base64"), at: values.path(to: .bytes))
        }
        image = try values.checked(.bytes) { () throws(TravelError) in try TripImage(id: id, bytes: bytes) }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(image.id.description, forKey: .id)
        try values.encode(image.bytes.base64EncodedString(), forKey: .bytes)
    }
}

extension RecordedTrip {
    /// A digest of the content, the timeline and the track: not of the version, the times, the likes and the name of the
    /// author, and not of the times of the track, which an older version of a device does not know. Equal ones have equal
    /// digests on every device and server.
    ///
    /// It tells contents apart, and protects nothing: it is the 128-bit FNV-1a hash of the JSON, as 32 hexadecimal digits.
    package var contentDigest: String {
        var text = JSONText()
        RecordedTripRecord(withoutHistory, as: .digest).write(to: &text)
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in text.bytes { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// A trip with the same content, of an author and of times that all have.
    private var withoutHistory: RecordedTrip {
        do {
            let author = try User(id: author.id, nickname: Nickname("author"))
            let time = Date(timeIntervalSinceReferenceDate: 0)
            return try RecordedTrip(
                id: id, author: author, createdAt: time, updatedAt: time, content: content, timeline: timeline,
                track: track?.withoutTimes)
        } catch {
            // The parts are those of a valid trip.
            return self
        }
    }
}
