package import TravelDomain

// Values of the domain from the columns of a store, in which times are seconds since 2001. A value that breaks a rule of
// the domain, or that this version does not know, throws `TravelError.unavailable`.

extension Trip {
    /// `cover` is the image that represents the trip; `reports` is the number by which searches decide whether it is shown.
    package init(
        id: ID, author: User, content: TripContent, cover: TripImage.ID?, createdAt: Double, updatedAt: Double?,
        version: Int, likeCount: Int, isLiked: Bool, isMine: Bool, reports: Int
    ) throws {
        self = try readingValues {
            try Trip(
                id: id, author: author, content: content, createdAt: Date(timeIntervalSinceReferenceDate: createdAt),
                updatedAt: updatedAt.map { Date(timeIntervalSinceReferenceDate: $0) },
                version: TripVersion(number: version) ?? .first, likeCount: likeCount, isLiked: isLiked,
                isMine: isMine, thumbnail: cover, isHidden: isMine && reports > Visibility.toleratedReports)
        }
    }
}

extension User {
    package init(id: ID, nickname: String, avatar: TripImage.ID?) throws {
        self = try readingValues { User(id: id, nickname: try Nickname(stored: nickname), avatar: avatar) }
    }
}

extension Account {
    package init(user: User, password: String) throws {
        guard let password = PasswordHash(password) else { throw TravelError.unavailable(.invalidValues) }
        self.init(user: user, password: password)
    }
}

extension SignedInDevice {
    package init(
        id: ID, user: User.ID, access: [UInt8], accessExpiresAt: Double, refresh: [UInt8], refreshExpiresAt: Double
    ) throws {
        guard let access = TokenDigest(bytes: access), let refresh = TokenDigest(bytes: refresh) else {
            throw TravelError.unavailable(.invalidValues)
        }
        let tokens = try readingValues {
            try DeviceTokens(
                access: access, accessExpiresAt: Date(timeIntervalSinceReferenceDate: accessExpiresAt),
                refresh: refresh, refreshExpiresAt: Date(timeIntervalSinceReferenceDate: refreshExpiresAt))
        }
        self.init(id: id, user: user, tokens: tokens)
    }
}

/// An entry with its position among those of its trip that have the same day and time, from 0: a store keeps it, and reads a
/// timeline by day, time and position.
package struct PositionedEntry: Hashable, Sendable {
    package let entry: TimelineEntry
    package let position: Int
}

extension [TimelineEntry] {
    /// The entries of a timeline with their positions.
    package var positioned: [PositionedEntry] {
        var result: [PositionedEntry] = []
        result.reserveCapacity(count)
        for entry in self {
            let isNext = result.last.map { $0.entry.day == entry.day && $0.entry.time == entry.time } ?? false
            result.append(PositionedEntry(entry: entry, position: isNext ? result[result.count - 1].position + 1 : 0))
        }
        return result
    }
}

extension TimelineEntry {
    package init(
        id: ID, day: Int, minutes: Int, title: String, text: String, placeName: String?, placeAddress: String?,
        latitude: Double?, longitude: Double?, pictures: [Picture] = []
    ) throws {
        self = try readingValues {
            var place: Place?
            if let placeName, let placeAddress {
                var coordinate: Coordinate?
                if let latitude, let longitude {
                    coordinate = try Coordinate(latitude: latitude, longitude: longitude)
                }
                place = try Place(storedName: placeName, address: placeAddress, coordinate: coordinate)
            }
            return try TimelineEntry(
                id: id, day: day, time: TimeOfDay(minutesSinceMidnight: minutes), title: Title(stored: title),
                text: EntryText(stored: text), place: place, pictures: pictures)
        }
    }
}

extension PicturePosition {
    /// How stores write who sees it, beside the coordinates.
    package var kind: Int {
        switch self {
        case .mineOnly: 0
        case .shown: 1
        case .withheld: 2
        }
    }
}

extension RecordedTrip {
    /// The time of the last change as stores keep it, in seconds since 2001: `NULL` for a trip that was never changed.
    package var storedUpdatedAt: Double? {
        updatedAt == createdAt ? nil : updatedAt.timeIntervalSinceReferenceDate
    }
}

/// A trip with how a search found it.
package struct FoundTrip: Sendable {
    package let trip: Trip
    package let match: TripMatch

    package init(_ trip: Trip, _ match: TripMatch) { (self.trip, self.match) = (trip, match) }

    /// Whether `a` comes before `b` in the results of a search in the order `sort`.
    package static func areInOrder(_ a: FoundTrip, _ b: FoundTrip, by sort: TripSort) -> Bool {
        let (first, second) = (a.match.rank, b.match.rank)
        return first == second ? sort.precedes(a.trip, b.trip) : first < second
    }
}

extension TripPage {
    /// The page of `query` with the trips that were found, of which one more than fits shows that there are more.
    package init(_ found: [FoundTrip], of query: TripQuery) {
        let page = found.prefix(query.limit)
        let last = found.count > page.count ? page.last : nil
        self.init(
            trips: page.map(\.trip),
            matchedEntries: Dictionary(
                uniqueKeysWithValues: page.compactMap { found in found.match.entry.map { (found.trip.id, $0) } }),
            next: last.map { TripCursor(after: $0.trip, in: query.criteria.sort, rank: $0.match.rank) })
    }
}

extension TripCursor {
    /// What orders the trip of the cursor, as stores keep it: first a count or a day, unless the order has none, then the
    /// time of recording.
    package var order: (rank: Int?, createdAt: Double) {
        switch position {
        case .createdAt(let date): (nil, date.timeIntervalSinceReferenceDate)
        case .likeCount(let count, let date): (count, date.timeIntervalSinceReferenceDate)
        case .firstDay(let day, let date): (day.daysSince1970, date.timeIntervalSinceReferenceDate)
        }
    }
}
