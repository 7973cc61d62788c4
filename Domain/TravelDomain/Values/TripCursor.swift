/// A position in the order of search results: immediately after one trip.
///
/// Orders are total, because the ID breaks ties. A page that begins at a cursor therefore neither repeats nor skips
/// a trip, even if trips are added in between.
///
/// ```swift
/// let cursor = TripCursor(after: page.trips[9], in: .newest)
/// let rest = try await search(criteria, after: cursor)    // the trips from the eleventh on
/// ```
public struct TripCursor: Hashable, Sendable {
    /// The sort key of a position, without the ID.
    public enum Position: Hashable, Sendable {
        case createdAt(Date)
        /// The number of likes, then the time of recording.
        case likeCount(Int, createdAt: Date)
        /// The first day of the trip, then the time of recording.
        case firstDay(CalendarDay, createdAt: Date)
    }

    /// How the trip before this position was found, by which results are ordered first.
    public let rank: TripMatch.Rank
    /// The sort key of the trip before this position.
    public let position: Position
    /// The ID that breaks ties between equal positions.
    public let id: Trip.ID

    init(rank: TripMatch.Rank, position: Position, id: Trip.ID) {
        self.rank = rank
        self.position = position
        self.id = id
    }

    /// Creates the position immediately after `trip` in the order `sort`, among the trips of that rank.
    public init(after trip: Trip, in sort: TripSort, rank: TripMatch.Rank = .title) {
        self.rank = rank
        self.position =
            switch sort {
            case .newest: .createdAt(trip.createdAt)
            case .mostLiked: .likeCount(trip.likeCount, createdAt: trip.createdAt)
            case .tripDate: .firstDay(trip.days.first, createdAt: trip.createdAt)
            }
        self.id = trip.id
    }

    public var sort: TripSort {
        switch position {
        case .createdAt: .newest
        case .likeCount: .mostLiked
        case .firstDay: .tripDate
        }
    }

    /// Whether a search by `criteria` has this position: it has the same order, and only one by keyword finds entries.
    package func isPosition(in criteria: TripCriteria) -> Bool {
        sort == criteria.sort && (rank == .title || criteria.keyword != nil)
    }
}

extension TripSort {
    /// Whether `a` comes before `b`: more likes or the later first day first, then the later one, then the greater ID.
    public func precedes(_ a: Trip, _ b: Trip) -> Bool {
        switch self {
        case .newest: (a.createdAt, a.id) > (b.createdAt, b.id)
        case .mostLiked: (a.likeCount, a.createdAt, a.id) > (b.likeCount, b.createdAt, b.id)
        case .tripDate: (a.days.first, a.createdAt, a.id) > (b.days.first, b.createdAt, b.id)
        }
    }
}

extension TripCursor {
    /// Whether `trip`, found by its title, comes after this position in its order.
    public func precedes(_ trip: Trip) -> Bool { precedes(trip, rank: .title) }

    /// Whether `trip`, found with that rank, comes after this position in its order.
    public func precedes(_ trip: Trip, rank: TripMatch.Rank) -> Bool {
        guard rank == self.rank else { return self.rank < rank }
        return switch position {
        case .createdAt(let date): (trip.createdAt, trip.id) < (date, id)
        case .likeCount(let count, let date): (trip.likeCount, trip.createdAt, trip.id) < (count, date, id)
        case .firstDay(let day, let date): (trip.days.first, trip.createdAt, trip.id) < (day, date, id)
        }
    }
}

/// The text form of a cursor, for deep links and restored screens.
///
/// ```swift
/// cursor.text                         // "newest.41c6925e80000000.6f1c…", without reserved characters of a URL
/// TripCursor(text: cursor.text)     // the same cursor
/// ```
///
/// It names the order, the number of likes or the first day if that matters, the bits of the time of recording, and the ID;
/// and before them `entry` among trips that are found by entries. Without it, as in texts of earlier versions, the position
/// is among those that are found by their titles.
extension TripCursor {
    /// The text form; equal cursors have equal texts.
    public var text: String {
        let prefix = rank == .title ? "" : "\(rank.rawValue)."
        return prefix + orderedText
    }

    private var orderedText: String {
        switch position {
        case .createdAt(let date): "\(sort.rawValue).\(Self.text(of: date)).\(id)"
        case .likeCount(let count, let date): "\(sort.rawValue).\(count).\(Self.text(of: date)).\(id)"
        case .firstDay(let day, let date): "\(sort.rawValue).\(day).\(Self.text(of: date)).\(id)"
        }
    }

    /// Creates a cursor from its text form; `nil` for any other text.
    public init?(text: some StringProtocol) {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false)[...]
        var rank = TripMatch.Rank.title
        if let first = parts.first, String(first) == TripMatch.Rank.entry.rawValue {
            rank = .entry
            parts = parts.dropFirst()
        }
        guard let first = parts.first, let sort = TripSort(rawValue: String(first)), let last = parts.last,
            let id = Trip.ID(last), let date = parts.dropLast().last.flatMap({ Self.date($0) })
        else { return nil }
        switch (sort, parts.count) {
        case (.newest, 3): self.init(rank: rank, position: .createdAt(date), id: id)
        case (.mostLiked, 4):
            guard let count = Int(digits: parts[parts.startIndex + 1]) else { return nil }
            self.init(rank: rank, position: .likeCount(count, createdAt: date), id: id)
        case (.tripDate, 4):
            // Any other text is no cursor.
            guard let day = try? CalendarDay(String(parts[parts.startIndex + 1])) else { return nil }
            self.init(rank: rank, position: .firstDay(day, createdAt: date), id: id)
        default: return nil
        }
    }

    /// The bits of a date, as 16 hexadecimal digits; zero has one form.
    private static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let digits = String((seconds == 0 ? 0 : seconds).bitPattern, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func date(_ text: some StringProtocol) -> Date? {
        guard text.utf8.count == 16, text.utf8.allSatisfy({ $0.hexadecimalDigit != nil }),
            let bits = UInt64(text, radix: 16)
        else { return nil }
        let seconds = Double(bitPattern: bits)
        return seconds.isNaN ? nil : Date(timeIntervalSinceReferenceDate: seconds)
    }
}

/// One page of search results, with the cursor of the next page.
///
/// ```swift
/// var cursor: TripCursor?
/// repeat {
///     let page = try await search(criteria, after: cursor)
///     show(page.trips)
///     cursor = page.next
/// } while cursor != nil
/// ```
public struct TripPage: Hashable, Sendable {
    public let trips: [Trip]
    /// The entries by which trips of the page were found; those without one were found by their titles.
    public let matchedEntries: [Trip.ID: MatchedEntry]
    /// The cursor after which the next page begins; `nil` when this is the last page.
    public let next: TripCursor?

    public init(trips: [Trip], matchedEntries: [Trip.ID: MatchedEntry] = [:], next: TripCursor?) {
        self.trips = trips
        self.matchedEntries = matchedEntries
        self.next = next
    }

    /// How a trip of the page was found.
    public func match(of trip: Trip.ID) -> TripMatch { matchedEntries[trip].map { .entry($0) } ?? .title }
}
