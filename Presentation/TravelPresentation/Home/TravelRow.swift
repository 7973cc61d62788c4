/// One travel in a list, as text.
public struct TravelRow: Hashable, Sendable, Identifiable {
    /// The travel of the row.
    public let travel: Travel
    /// The title.
    public let title: String
    /// Region and period: `Busan · 2 nights`.
    public let summary: String
    /// The first and last day: `2024-05-01 – 2024-05-03`; for a day trip, the one day.
    public let dates: String
    /// The nickname of the author.
    public let author: String

    /// The identifier of the travel.
    public var id: Travel.ID { travel.id }

    /// Creates the row of `travel`.
    public init(_ travel: Travel, in language: Language) {
        let days = travel.days
        self.travel = travel
        title = travel.title.text
        summary = "\(travel.region.name(in: language)) · \(days.period.name(in: language))"
        dates = days.text
        author = travel.author.nickname.text
    }
}
