/// One trip in a list, with the like that the user sees: the stored one, or the one that is being stored.
package struct TravelCard: Hashable, Sendable, Identifiable {
    package let travel: Travel
    /// The like to show, which may not be stored yet.
    package private(set) var like: Like
    /// The like that is stored, as far as is known.
    private(set) var stored: Like

    /// Whether the user likes a trip, and how many people do.
    package struct Like: Hashable, Sendable {
        package let isLiked: Bool
        package let count: Int

        func setting(_ isLiked: Bool) -> Like {
            isLiked == self.isLiked ? self : Like(isLiked: isLiked, count: max(0, count + (isLiked ? 1 : -1)))
        }
    }

    package var id: Travel.ID { travel.id }

    /// Creates the card of a trip; `wanted` is a like that is being stored.
    package init(_ travel: Travel, wanted: Bool? = nil) {
        self.travel = travel
        stored = Like(isLiked: travel.isLiked, count: travel.likeCount)
        like = stored
        if let wanted { show(wanted) }
    }

    /// The trip with the like to show, which decides its place among the most liked ones.
    var shown: Travel {
        guard like.count != travel.likeCount else { return travel }
        // A count of likes that is not negative breaks no rule.
        let shown = try? Travel(
            id: id, author: travel.author, content: travel.content, createdAt: travel.createdAt,
            updatedAt: travel.updatedAt, version: travel.version, likeCount: like.count, isLiked: like.isLiked,
            isMine: travel.isMine, thumbnail: travel.thumbnail)
        return shown ?? travel
    }

    mutating func show(_ wanted: Bool) { like = stored.setting(wanted) }

    mutating func rollBack() { like = stored }

    mutating func store(_ isLiked: Bool) { stored = stored.setting(isLiked) }
}

/// One trip in a list, as text.
public struct TravelRow: Hashable, Sendable, Identifiable {
    package let travel: Travel
    public let title: String
    /// Region and period: `Busan · 2 nights`.
    public let summary: String
    /// The first and last day: `2024-05-01 – 2024-05-03`; for a day trip, the one day.
    public let dates: String
    public let author: String
    public let isLiked: Bool
    public let likeCount: Int

    public var id: Travel.ID { travel.id }

    /// Creates the row of `travel` in a language, with the like that is stored.
    public init(_ travel: Travel, in language: Language) {
        self.init(TravelCard(travel), in: language)
    }

    /// Creates the row of a card, with the like that the card shows.
    package init(_ card: TravelCard, in language: Language) {
        let travel = card.travel
        let days = travel.days
        self.travel = travel
        title = travel.title.text
        summary = "\(travel.region.name(in: language)) · \(days.period.name(in: language))"
        dates = days.text
        author = travel.author.nickname.text
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

    private var requests: [Travel.ID: Request] = [:]

    /// What follows the end of a request.
    enum Outcome: Equatable {
        case settled
        case send(Bool)
        case rolledBack
    }

    /// The like that the user wants for a trip with a request in progress; `nil` for other trips.
    func wanted(_ id: Travel.ID) -> Bool? { requests[id]?.wanted }

    /// Notes that the user wants to like the trip, or no longer; returns whether a request begins.
    mutating func want(_ isLiked: Bool, _ id: Travel.ID) -> Bool {
        if requests[id] != nil {
            requests[id]?.wanted = isLiked
            return false
        }
        requests[id] = Request(sent: isLiked, wanted: isLiked)
        return true
    }

    /// Notes the end of the request for a trip.
    mutating func finish(_ id: Travel.ID, succeeded: Bool) -> Outcome {
        guard let request = requests.removeValue(forKey: id) else { return .settled }
        if request.wanted == request.sent { return succeeded ? .settled : .rolledBack }
        // The user has tapped again in the meantime: despite the failure, the stored like is what they want now.
        guard succeeded else { return .settled }
        requests[id] = Request(sent: request.wanted, wanted: request.wanted)
        return .send(request.wanted)
    }

    /// Removes all requests; returns their trips, so that the caller cancels the effects.
    mutating func cancel() -> [Travel.ID] {
        defer { requests = [:] }
        return requests.keys.sorted()
    }
}
