#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TravelDomain

/// A recorded travel in the making: every part has a value, so that a test names only those it is about.
///
/// ```swift
/// let travel = try TravelBuilder(seed: 1).with {
///     $0.title = "부산 밤바다"
///     $0.region = .busan
/// }.build()
/// ```
///
/// The same seed gives the same travel. ``TravelSamples`` makes varied travels where their parts do not matter.
public struct TravelBuilder: Sendable {
    /// Which travel it will be.
    public var id: Travel.ID
    /// Who recorded it.
    public var author: User
    /// When it was recorded; by default `seed` seconds after 1 January 2025, 00:00 UTC.
    public var createdAt: Date
    /// The title.
    public var title: String
    /// Where the trip went; by default Seoul.
    public var region: Region = .seoul
    /// The first day, as `2024-05-01`.
    public var firstDay = "2024-05-01"
    /// How many days the trip has; by default one.
    public var numberOfDays = 1
    /// What it was for; by default nothing told.
    public var themes: Set<Theme> = []
    /// Who came along; by default no one told.
    public var companions: Set<Companion> = []
    /// How many travelled.
    public var headcount: Headcount?
    /// What it cost.
    public var budget: Budget?
    /// How they got around.
    public var transportation: Transportation?
    /// The image its author chose to stand for it.
    public var thumbnail: TravelImage.ID?
    /// Its timeline; by default empty.
    public var timeline: [TimelineEntry] = []

    /// The travel that follows from `seed`, by the person that follows from the same seed unless told otherwise.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` never for the default author.
    public init(seed: UInt64, author: User? = nil) throws(TravelError) {
        id = Travel.ID(seed: seed)
        self.author = if let author { author } else { try User(seed: seed) }
        createdAt = Date(timeIntervalSinceReferenceDate: 757_382_400 + Double(seed))
        title = "Trip \(seed % 1_000_000_000)"
    }

    /// A copy in which `change` has set some parts.
    public func with(_ change: (inout TravelBuilder) throws -> Void) rethrows -> TravelBuilder {
        var copy = self
        try change(&copy)
        return copy
    }

    /// The travel.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when a part breaks a rule of the domain.
    public func build() throws(TravelError) -> RecordedTravel {
        try RecordedTravel(
            id: id, author: author, createdAt: createdAt,
            content: TravelContent(
                title: Title(title), region: region, days: DayRange(CalendarDay(firstDay), days: numberOfDays),
                themes: themes, companions: companions, headcount: headcount, budget: budget,
                transportation: transportation, thumbnail: thumbnail),
            timeline: timeline)
    }
}

extension User {
    /// The person that follows from `seed`, called `"Person 7"` for 7.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `nickname` breaks a rule of the domain.
    public init(seed: UInt64, nickname: String? = nil) throws(TravelError) {
        self.init(id: ID(seed: seed), nickname: try Nickname(nickname ?? "Person \(seed % 1_000)"))
    }
}
