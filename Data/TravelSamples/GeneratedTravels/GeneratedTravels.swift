#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
public import TravelDomain

/// An infinite source of made-up travels, deterministic for a seed, for stores of any size.
///
/// A store saves the people first, then as many travels as it wants, in batches of a size that suits it:
///
/// ```swift
/// var source = try GeneratedTravels(seed: 7, forCount: 1_000_000)
/// for person in source.people { try await travels.add(person) }
/// for _ in 0..<1_000 {
///     let batch = try source.next(1_000)
///     try await travels.add(batch.map(\.travel))
///     for generated in batch {
///         for index in generated.likers {
///             try await travels.setLiked(true, travel: generated.travel.id, by: source.people[index].id)
///         }
///     }
/// }
/// ```
///
/// The size of the batches does not change the travels. `TravelDatabase.seed(count:seed:progress:)` of
/// `TravelDataSQLite` writes the same travels faster.
///
/// Titles consist of one to four words, most of them common and Korean, so that some keywords are in every tenth title
/// and others in one of a thousand. Three of four titles contain a person's name and are distinct, as titles that
/// people write are. Every value of every filter occurs, with different frequencies; few travels have many likes. A
/// travel has at most two entries and no image. Travels are generated in the order of recording, one every two minutes
/// on average from 2022 on, with ascending IDs (UUIDs of version 7), as in a database that grew over time.
public struct GeneratedTravels: Sendable {
    /// The people who record and like travels; their nicknames are unique.
    public let people: [User]
    private var random: SplitMix64
    private var texts = GeneratedTexts()
    /// The time of recording of the latest travel, in milliseconds since 1970.
    private var now: UInt64 = 1_640_995_200_000

    /// The maximum number of people, 999,999: the longest name with six digits has the maximum length of a nickname.
    public static let mostPeople = 999_999

    /// Creates the source for `seed`. The number of people depends on `count`, the intended number of travels: one for
    /// each 50 travels, and ten more, but at most ``mostPeople``.
    ///
    /// - Throws: `TravelError.invalid` never, because generated nicknames are valid.
    public init(seed: UInt64, forCount count: Int) throws(TravelError) {
        var random = SplitMix64(state: seed)
        var people: [User] = []
        for number in 1...min(max(count, 0) / 50 + 10, Self.mostPeople) {
            // The number makes the nickname unique.
            let name = GeneratedWords.names[random.index(below: GeneratedWords.names.count)]
            let nickname = try Nickname("\(name)\(number)")
            people.append(User(id: User.ID(random.uuid(at: 1_640_995_200_000)), nickname: nickname))
        }
        self.people = people
        self.random = random
    }

    /// Returns nicknames for the person at `index` of ``people``, for a store in which theirs is taken: those of the
    /// same pattern that none of ``people`` has.
    ///
    /// ```swift
    /// let free = try await source.nicknames(forPersonAt: 0).first { try await !travels.isTaken($0, exceptBy: nil) }
    /// ```
    ///
    /// The sequence is lazy and has millions of elements.
    public func nicknames(forPersonAt index: Int) -> some Sequence<Nickname> {
        // Even the shortest names, of two characters, are too long with greater numbers. Numbers of other people are
        // skipped; that of this person may have another name.
        stride(from: index + 1, to: 100_000_000, by: people.count).lazy.flatMap { number in
            GeneratedWords.names.lazy.compactMap { name in
                // Names that are too long with this number are left out.
                "\(name)\(number)".count <= Nickname.length.upperBound ? try? Nickname("\(name)\(number)") : nil
            }
        }
    }

    /// Generates the next travel.
    ///
    /// - Throws: `TravelError.invalid` never, because generated travels are valid.
    public mutating func next() throws(TravelError) -> GeneratedTravel {
        let author = random.index(below: people.count)
        return GeneratedTravel(travel: try travel(by: people[author]), author: author, likers: likers())
    }

    /// Generates the next `count` travels.
    ///
    /// - Throws: `TravelError.invalid` never, because generated travels are valid.
    public mutating func next(_ count: Int) throws(TravelError) -> [GeneratedTravel] {
        var travels: [GeneratedTravel] = []
        travels.reserveCapacity(count)
        for _ in 0..<count { travels.append(try next()) }
        return travels
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

    // The order of the cases determines the result of a seed.
    private mutating func content() throws(TravelError) -> TravelContent {
        let region = random.index(below: Region.ofKorea.count)
        let firstDay = CalendarDay(daysSince1970: 18_993 + random.index(below: 1_461))
        let days = Period.allCases[random.skewed(below: Period.allCases.count)].numbersOfDays
        return TravelContent(
            title: try texts.title(region: region, &random), region: Region.ofKorea[region],
            days: DayRange(firstDay, days: days.lowerBound + random.index(below: min(days.count, 14))),
            themes: random.some(of: Theme.allCases, atMost: 3),
            companions: random.some(of: Companion.allCases, atMost: 2),
            headcount: random.maybe(Headcount.allCases), budget: random.maybe(Budget.allCases),
            transportation: random.maybe(Transportation.allCases))
    }

    private mutating func entry(days: Int) throws(TravelError) -> TimelineEntry {
        let noun = random.index(below: GeneratedWords.nouns.count)
        let coordinate = try Coordinate(latitude: 33.2 + random.unit() * 5, longitude: 126 + random.unit() * 3.5)
        return try TimelineEntry(
            id: TimelineEntry.ID(random.uuid(at: now)), day: 1 + random.index(below: days),
            time: TimeOfDay(hour: 7 + random.index(below: 15), minute: random.index(below: 12) * 5),
            title: texts.title(noun: noun), text: texts.text(noun: noun, &random),
            place: random.index(below: 3) == 0
                ? Place(name: GeneratedWords.nouns[noun], address: "", coordinate: coordinate) : nil)
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
