/// One travel in a list, with the like that the person sees: the stored one, or the one that is being stored.
///
/// ```swift
/// let card = TravelCard(travel)
/// card.like.count == travel.likeCount    // true, until the person likes the travel
/// ```
public struct TravelCard: Hashable, Sendable, Identifiable {
    /// The travel as it was loaded, with the stored like.
    public let travel: Travel
    /// The like to show, which may not be stored yet.
    public private(set) var like: Like
    /// The like that is stored, as far as is known.
    private(set) var stored: Like

    /// Whether the person likes a travel, and how many people do.
    ///
    /// ```swift
    /// let like = TravelCard(travel).like
    /// like.isLiked == travel.isLiked    // true
    /// like.count == travel.likeCount    // true
    /// ```
    public struct Like: Hashable, Sendable {
        /// Whether the signed-in person likes it.
        public let isLiked: Bool
        /// The number of people who like it.
        public let count: Int

        /// The same with another decision of the person.
        func setting(_ isLiked: Bool) -> Like {
            isLiked == self.isLiked ? self : Like(isLiked: isLiked, count: max(0, count + (isLiked ? 1 : -1)))
        }
    }

    /// The ID of the travel, which identifies the card in a list.
    public var id: Travel.ID { travel.id }

    /// Creates the card of a travel; `wanted` is a like that is being stored.
    init(_ travel: Travel, wanted: Bool? = nil) {
        self.travel = travel
        stored = Like(isLiked: travel.isLiked, count: travel.likeCount)
        like = stored
        if let wanted { show(wanted) }
    }

    /// Creates the card of a travel, with the like that is stored.
    public init(_ travel: Travel) {
        self.init(travel, wanted: nil)
    }

    /// The travel with the like to show, which decides its place among the most liked ones.
    var shown: Travel {
        guard like.count != travel.likeCount else { return travel }
        // A count of likes that is not negative breaks no rule.
        let shown = try? Travel(
            id: id, author: travel.author, content: travel.content, createdAt: travel.createdAt,
            updatedAt: travel.updatedAt, version: travel.version, likeCount: like.count, isLiked: like.isLiked,
            isMine: travel.isMine, thumbnail: travel.thumbnail)
        return shown ?? travel
    }

    /// Shows a like before it is stored.
    mutating func show(_ wanted: Bool) { like = stored.setting(wanted) }

    /// Shows the stored like again.
    mutating func rollBack() { like = stored }

    /// Notes that a like was stored.
    mutating func store(_ isLiked: Bool) { stored = stored.setting(isLiked) }
}
