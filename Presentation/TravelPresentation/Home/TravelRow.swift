/// One travel in a list, in words.
public struct TravelRow: Hashable, Sendable, Identifiable {
    /// The travel that the row shows.
    public let travel: Travel
    /// The title.
    public let title: String
    /// Region and period: `Busan · 2 nights`.
    public let summary: String
    /// First and last day: `2024-05-01 – 2024-05-03`; the one day of a day trip.
    public let dates: String
    /// The nickname of the author.
    public let author: String

    /// Which travel it is.
    public var id: Travel.ID { travel.id }

    /// The row for `travel`.
    public init(_ travel: Travel, in language: Language) {
        let days = travel.days
        self.travel = travel
        title = travel.title.text
        summary = "\(travel.region.name(in: language)) · \(days.period.name(in: language))"
        dates = days.text
        author = travel.author.nickname.text
    }
}
