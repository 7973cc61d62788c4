/// One trip in a list, with the like that the user sees: the stored one, or the one that is being stored.
public struct TripCard: Hashable, Sendable, Identifiable {
    public let trip: Trip
    /// The entry by which the search found the trip; `nil` if it was found by its title.
    public let entry: MatchedEntry?
    /// The like to show, which may not be stored yet.
    public private(set) var like: Like
    /// The like that is stored, as far as is known.
    private(set) var stored: Like

    /// Whether the user likes a trip, and how many people do.
    public struct Like: Hashable, Sendable {
        public let isLiked: Bool
        public let count: Int

        func setting(_ isLiked: Bool) -> Like {
            isLiked == self.isLiked ? self : Like(isLiked: isLiked, count: max(0, count + (isLiked ? 1 : -1)))
        }
    }

    public var id: Trip.ID { trip.id }

    /// Creates the card of a trip, with the entry by which it was found; `wanted` is a like that is being stored.
    public init(_ trip: Trip, foundBy entry: MatchedEntry? = nil, wanted: Bool? = nil) {
        self.trip = trip
        self.entry = entry
        stored = Like(isLiked: trip.isLiked, count: trip.likeCount)
        like = stored
        if let wanted { show(wanted) }
    }

    /// The trip with the like to show, which decides its place among the most liked ones.
    var shown: Trip {
        guard like.count != trip.likeCount else { return trip }
        // A count of likes that is not negative breaks no rule.
        let shown = try? Trip(
            id: id, author: trip.author, content: trip.content, createdAt: trip.createdAt,
            updatedAt: trip.updatedAt, version: trip.version, likeCount: like.count, isLiked: like.isLiked,
            isMine: trip.isMine, thumbnail: trip.thumbnail, isHidden: trip.isHidden)
        return shown ?? trip
    }

    /// Whether the card, with the like to show, comes after `other` in a list with that order.
    func follows(_ other: TripCard, in sort: TripSort) -> Bool {
        guard (entry == nil) == (other.entry == nil) else { return entry != nil }
        return sort.precedes(other.trip, shown)
    }

    mutating func show(_ wanted: Bool) { like = stored.setting(wanted) }

    mutating func rollBack() { like = stored }

    mutating func store(_ isLiked: Bool) { stored = stored.setting(isLiked) }
}

/// One trip in a list, as text.
public struct TripRow: Hashable, Sendable, Identifiable {
    public let trip: Trip
    public let title: String
    /// Region and length: `Busan · 2 nights`.
    public let summary: String
    /// The first and last day: `2024-05-01 – 2024-05-03`; for a day trip, the one day.
    public let dates: String
    /// The entry by which the search found the trip: `Day 2 · Night market · Haeundae`.
    public let entry: String?
    public let author: String
    public let isLiked: Bool
    public let likeCount: Int

    public var id: Trip.ID { trip.id }

    /// Creates the row of `trip` in a language, with the like that is stored.
    public init(_ trip: Trip, in language: Language) {
        self.init(TripCard(trip), in: language)
    }

    /// Creates the row of a card, with the like that the card shows.
    public init(_ card: TripCard, in language: Language) {
        let trip = card.trip
        let days = trip.days
        self.trip = trip
        title = trip.title.text
        summary = "\(trip.region.name(in: language)) · \(language[.nights(days)])"
        dates = days.text
        entry = card.entry.map { language[.matchedEntry($0)] }
        author = trip.author.nickname.text
        isLiked = card.like.isLiked
        likeCount = card.like.count
    }
}

/// The likes that are being stored: at most one request per trip at a time; the last tap determines the result.
///
/// A tap changes what the screen shows immediately. While a request is under way, further taps only change what the
/// user wants; if that differs from the request when it succeeds, another one follows. A failure rolls back to what
/// is stored.
struct PendingLikes: Hashable, Sendable {
    private struct Request: Hashable, Sendable {
        let sent: Bool
        var wanted: Bool
    }

    private var requests: [Trip.ID: Request] = [:]

    /// What follows the end of a request.
    enum Outcome: Equatable {
        case settled
        case send(Bool)
        case rolledBack
    }

    /// The like that the user wants for a trip with a request in progress; `nil` for other trips.
    func wanted(_ id: Trip.ID) -> Bool? { requests[id]?.wanted }

    /// Notes that the user wants to like the trip, or no longer; returns whether a request begins.
    mutating func want(_ isLiked: Bool, _ id: Trip.ID) -> Bool {
        if requests[id] != nil {
            requests[id]?.wanted = isLiked
            return false
        }
        requests[id] = Request(sent: isLiked, wanted: isLiked)
        return true
    }

    /// Notes the end of the request for a trip.
    mutating func finish(_ id: Trip.ID, succeeded: Bool) -> Outcome {
        guard let request = requests.removeValue(forKey: id) else { return .settled }
        if request.wanted == request.sent { return succeeded ? .settled : .rolledBack }
        // The user has tapped again in the meantime: despite the failure, the stored like is what they want now.
        guard succeeded else { return .settled }
        requests[id] = Request(sent: request.wanted, wanted: request.wanted)
        return .send(request.wanted)
    }

    /// Removes all requests; returns their trips, so that the caller cancels the effects.
    mutating func cancel() -> [Trip.ID] {
        defer { requests = [:] }
        return requests.keys.sorted()
    }
}
