#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
package import TravelDomain

/// An infinite sequence of generated travels, deterministic for a seed, for databases of any size.
///
/// Titles consist of one to four words, most of them common and Korean, so that some keywords are in every tenth title
/// and others in one of a thousand. Three of four titles contain a person's name and are distinct, as titles that people
/// write are. Every value of every filter occurs, with different frequencies; few travels have many
/// likes. Travels are generated in the order of recording, one every two minutes on average from 2022 on, with
/// ascending IDs (UUIDs of version 7), as in a database that grew over time.
package struct SeededTravels {
    /// A travel with the indices of its author and of the people who like it.
    package final class Liked: Sendable {
        package let travel: RecordedTravel
        package let author: Int
        /// In ascending order, without duplicates.
        package let likers: [Int]

        init(travel: RecordedTravel, author: Int, likers: [Int]) {
            (self.travel, self.author, self.likers) = (travel, author, likers)
        }
    }

    /// The people who record and like travels; their nicknames are unique.
    package let people: [User]
    private var random: SplitMix64
    private var texts = SeedTexts()
    /// The time of recording of the latest travel, in milliseconds since 1970.
    private var now: UInt64 = 1_640_995_200_000

    /// The maximum number of people: the longest name with six digits has the maximum length of a nickname.
    package static let mostPeople = 999_999

    /// Creates the sequence for `seed`. The number of people depends on `count`, the intended number of travels.
    package init(seed: UInt64, forCount count: Int) throws(TravelError) {
        var random = SplitMix64(state: seed)
        var people: [User] = []
        for number in 1...min(count / 50 + 10, Self.mostPeople) {
            // The number makes the nickname unique.
            let nickname = try Nickname("\(SeedWords.names[random.index(below: SeedWords.names.count)])\(number)")
            people.append(User(id: User.ID(random.uuid(at: 1_640_995_200_000)), nickname: nickname))
        }
        self.people = people
        self.random = random
    }

    /// Generates the next travel.
    package mutating func next() throws(TravelError) -> Liked {
        let author = random.index(below: people.count)
        return Liked(travel: try travel(by: people[author]), author: author, likers: likers())
    }

    private mutating func travel(by author: User) throws(TravelError) -> RecordedTravel {
        now += UInt64(random.index(below: 240_000))
        let content = try content()
        var timeline: [TimelineEntry] = []
        for _ in 0..<random.index(below: 3) { timeline.append(try entry(days: content.days.count)) }
        return try RecordedTravel(
            id: Travel.ID(random.uuid(at: now)), author: author,
            createdAt: Date(timeIntervalSince1970: Double(now) / 1_000), content: content, timeline: timeline)
    }

    private mutating func content() throws(TravelError) -> TravelContent {
        let region = random.index(below: TraitLayout.regions.count)
        let firstDay = CalendarDay(daysSince1970: 18_993 + random.index(below: 1_461))
        let days = TraitLayout.periods[random.skewed(below: TraitLayout.periods.count)].numbersOfDays
        return TravelContent(
            title: try texts.title(region: region, &random), region: TraitLayout.regions[region],
            days: DayRange(firstDay, days: days.lowerBound + random.index(below: min(days.count, 14))),
            themes: random.some(of: TraitLayout.themes, atMost: 3),
            companions: random.some(of: TraitLayout.companions, atMost: 2),
            headcount: random.maybe(TraitLayout.headcounts), budget: random.maybe(TraitLayout.budgets),
            transportation: random.maybe(TraitLayout.transportations))
    }

    private mutating func entry(days: Int) throws(TravelError) -> TimelineEntry {
        let noun = random.index(below: SeedWords.nouns.count)
        let coordinate = try Coordinate(latitude: 33.2 + random.unit() * 5, longitude: 126 + random.unit() * 3.5)
        return try TimelineEntry(
            id: TimelineEntry.ID(random.uuid(at: now)), day: 1 + random.index(below: days),
            time: TimeOfDay(hour: 7 + random.index(below: 15), minute: random.index(below: 12) * 5),
            title: texts.title(noun: noun), text: texts.text(noun: noun, &random),
            place: random.index(below: 3) == 0
                ? Place(name: SeedWords.nouns[noun], address: "", coordinate: coordinate) : nil)
    }

    /// No likes for two of three travels, one to eight for most others, and up to 200 for one in a thousand.
    private mutating func likers() -> [Int] {
        let most = random.index(below: 1_000) == 0 ? 200 : 8
        let count = random.index(below: 3) > 0 ? 0 : 1 + random.skewed(below: most)
        var likers: [Int] = []
        for _ in 0..<count { likers.append(random.index(below: people.count)) }
        likers.sort()
        return likers.enumerated().filter { $0.offset == 0 || likers[$0.offset - 1] != $0.element }.map(\.element)
    }
}
