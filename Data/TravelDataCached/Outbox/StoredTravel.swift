#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import TravelDomain

/// A recorded travel in the file format of the outbox.
struct StoredTravel: Codable {
    let id: UUID
    let author: StoredUser
    /// The bits of the seconds since 2001, so that every time is exact.
    let createdAt: UInt64
    let updatedAt: UInt64
    let version: Int
    let content: StoredContent
    let timeline: [StoredEntry]
    /// The stored form of the way; files of earlier versions have none.
    let track: Data?

    init(_ travel: RecordedTravel) {
        id = travel.id.rawValue
        author = StoredUser(travel.author)
        createdAt = travel.createdAt.timeIntervalSinceReferenceDate.bitPattern
        updatedAt = travel.updatedAt.timeIntervalSinceReferenceDate.bitPattern
        version = travel.version.number
        content = StoredContent(travel.content)
        timeline = travel.timeline.map { StoredEntry($0) }
        track = travel.track.map { Data($0.bytes) }
    }

    func travel() throws -> RecordedTravel {
        try RecordedTravel(
            id: Travel.ID(id), author: author.user(),
            createdAt: Date(timeIntervalSinceReferenceDate: Double(bitPattern: createdAt)),
            updatedAt: Date(timeIntervalSinceReferenceDate: Double(bitPattern: updatedAt)),
            version: required(TravelVersion(number: version)), content: content.content(),
            timeline: timeline.map { try $0.entry() }, track: track.map { try TrackGeometry(bytes: Array($0)) })
    }
}

/// A person in the file format of the outbox.
struct StoredUser: Codable {
    let id: UUID
    let nickname: String

    init(_ user: User) { (id, nickname) = (user.id.rawValue, user.nickname.text) }

    func user() throws -> User { try User(id: User.ID(id), nickname: Nickname(nickname)) }
}

/// An image in the file format of the outbox.
struct StoredImage: Codable {
    let id: UUID
    let bytes: Data

    init(_ image: TravelImage) { (id, bytes) = (image.id.rawValue, image.bytes) }

    func image() throws -> TravelImage { try TravelImage(id: TravelImage.ID(id), bytes: bytes) }
}

/// The content of a travel in the file format of the outbox.
struct StoredContent: Codable {
    let title: String
    let region: String
    let firstDay: Int
    let days: Int
    let themes: [String]
    let companions: [String]
    let headcount: Int?
    let budget: String?
    let transportation: String?
    let thumbnail: UUID?

    init(_ content: TravelContent) {
        title = content.title.text
        region = content.region.rawValue
        (firstDay, days) = (content.days.first.daysSince1970, content.days.count)
        themes = content.themes.map(\.rawValue).sorted()
        companions = content.companions.map(\.rawValue).sorted()
        headcount = content.headcount?.rawValue
        budget = content.budget?.rawValue
        transportation = content.transportation?.rawValue
        thumbnail = content.thumbnail?.rawValue
    }

    func content() throws -> TravelContent {
        try TravelContent(
            title: Title(title), region: required(Region(rawValue: region)),
            days: DayRange(CalendarDay(daysSince1970: firstDay), days: days),
            themes: Set(themes.map { try required(Theme(rawValue: $0)) }),
            companions: Set(companions.map { try required(Companion(rawValue: $0)) }),
            headcount: headcount.map { try required(Headcount(rawValue: $0)) },
            budget: budget.map { try required(Budget(rawValue: $0)) },
            transportation: transportation.map { try required(Transportation(rawValue: $0)) },
            thumbnail: thumbnail.map { TravelImage.ID($0) })
    }
}

/// A timeline entry in the file format of the outbox.
struct StoredEntry: Codable {
    let id: UUID
    let day: Int
    let minutes: Int
    let title: String
    let text: String
    let place: StoredPlace?
    let image: UUID?

    struct StoredPlace: Codable {
        let name: String
        let address: String
        let latitude: Double?
        let longitude: Double?
    }

    init(_ entry: TimelineEntry) {
        id = entry.id.rawValue
        (day, minutes) = (entry.day, entry.time.minutes)
        (title, text) = (entry.title.text, entry.text.text)
        place = entry.place.map {
            StoredPlace(
                name: $0.name, address: $0.address, latitude: $0.coordinate?.latitude,
                longitude: $0.coordinate?.longitude)
        }
        image = entry.image?.rawValue
    }

    func entry() throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(id), day: day, time: TimeOfDay(minutesSinceMidnight: minutes), title: Title(title),
            text: EntryText(text),
            place: place.map { place in
                var coordinate: Coordinate?
                if place.latitude != nil || place.longitude != nil {
                    coordinate = try Coordinate(
                        latitude: required(place.latitude), longitude: required(place.longitude))
                }
                return try Place(name: place.name, address: place.address, coordinate: coordinate)
            },
            image: image.map { TravelImage.ID($0) })
    }
}

/// A value of the outbox that this version does not know.
struct UnknownValue: Error {}

/// The value of an item that this version must know.
func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw UnknownValue() }
    return value
}
