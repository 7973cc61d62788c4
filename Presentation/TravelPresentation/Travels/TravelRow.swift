/// One travel in a list, as text.
///
/// ```swift
/// let row = TravelRow(travel, in: .english)
/// row.title      // "Jeju in winter"
/// row.summary    // "Jeju · 2 nights"
/// ```
public struct TravelRow: Hashable, Sendable, Identifiable {
    /// The travel that the row describes.
    public let travel: Travel
    /// The title of the travel, as its author wrote it.
    public let title: String
    /// Region and period: `Busan · 2 nights`.
    public let summary: String
    /// The first and last day: `2024-05-01 – 2024-05-03`; for a day trip, the one day.
    public let dates: String
    /// The nickname of the author of the travel.
    public let author: String
    /// Whether the viewer likes the travel, stored or not.
    public let isLiked: Bool
    /// The number of people who like it.
    public let likeCount: Int

    /// The ID of the travel, which identifies the row in a list.
    public var id: Travel.ID { travel.id }

    /// Creates the row of `travel` in a language, with the like that is stored.
    public init(_ travel: Travel, in language: Language) {
        self.init(TravelCard(travel), in: language)
    }

    /// Creates the row of a card, with the like that the card shows.
    public init(_ card: TravelCard, in language: Language) {
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
