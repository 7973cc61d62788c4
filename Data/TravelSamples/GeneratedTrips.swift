public import TravelDomain

/// An infinite source of generated trips, deterministic for a seed, for stores of any size.
///
/// A store saves the people first, then as many trips as it wants, in batches of a size that suits it:
///
/// ```swift
/// var source = try GeneratedTrips(seed: 7, forCount: 1_000_000)
/// for user in source.users { try await trips.add(user) }
/// for _ in 0..<1_000 {
///     let batch = try source.next(1_000)
///     try await trips.add(batch.map(\.trip))
///     for generated in batch {
///         for index in generated.likedBy {
///             try await trips.setLiked(true, trip: generated.trip.id, by: source.users[index].id)
///         }
///     }
/// }
/// ```
///
/// The size of the batches does not change the trips. `TravelDatabase.seed(count:seed:progress:)` of
/// `TravelDataSQLite` writes the same trips faster.
///
/// Titles consist of one to four words, most of them common and Korean, so that some keywords are in every tenth title
/// and others in one of a thousand. Three of four titles contain a person's name and are distinct, as titles that
/// people write are. Every value of every filter occurs, with different frequencies; few trips have many likes. A
/// trip has no image, and at most two entries, or as many as wanted, with words of their own: some in every third trip,
/// others in one of hundreds, and names that make most places distinct. Trips are generated in the order of recording, one every two minutes
/// on average from 2022 on, with ascending IDs (UUIDs of version 7), as in a database that grew over time.
public struct GeneratedTrips: Sendable {
    /// The people who record and like trips; their nicknames are unique.
    public let users: [User]
    private var random: SplitMix64
    private var texts = GeneratedTexts()
    private let entriesPerTrip: Int?
    /// The time of recording of the latest trip, in milliseconds since 1970.
    private var now: UInt64 = 1_640_995_200_000

    /// The maximum number of people, 999,999: the longest name with six digits has the maximum length of a nickname.
    public static let mostUsers = 999_999

    /// Creates the source for `seed`. The number of people depends on `count`, the intended number of trips: one for
    /// each 50 trips, and ten more, but at most ``mostUsers``. Each trip has `entriesPerTrip` entries; by default, none to two.
    ///
    /// - Throws: `TravelError.invalid` never, because generated nicknames are valid.
    public init(seed: UInt64, forCount count: Int, entriesPerTrip: Int? = nil) throws(TravelError) {
        var random = SplitMix64(state: seed)
        var users: [User] = []
        for number in 1...min(max(count, 0) / 50 + 10, Self.mostUsers) {
            // The number makes the nickname unique.
            let name = GeneratedWords.names[random.index(below: GeneratedWords.names.count)]
            let nickname = try Nickname("\(name)\(number)")
            users.append(User(id: User.ID(random.uuid(at: 1_640_995_200_000)), nickname: nickname))
        }
        self.users = users
        self.random = random
        self.entriesPerTrip = entriesPerTrip
    }

    /// Returns nicknames for the user at `index` of ``users``, for a store in which theirs is taken: those of the
    /// same pattern that none of ``users`` has.
    ///
    /// The sequence is lazy and has millions of elements.
    public func nicknames(forUserAt index: Int) -> some Sequence<Nickname> {
        // Even the shortest names, of two characters, are too long with greater numbers. Numbers of other people are
        // skipped; that of this user may have another name.
        stride(from: index + 1, to: 100_000_000, by: users.count).lazy.flatMap { number in
            GeneratedWords.names.lazy.compactMap { name in
                // Names that are too long with this number are left out.
                "\(name)\(number)".count <= Nickname.length.upperBound ? try? Nickname("\(name)\(number)") : nil
            }
        }
    }

    /// Generates the next trip.
    ///
    /// - Throws: `TravelError.invalid` never, because generated trips are valid.
    public mutating func next() throws(TravelError) -> GeneratedTrip {
        let author = random.index(below: users.count)
        return GeneratedTrip(trip: try trip(by: users[author]), author: author, likedBy: likedBy())
    }

    /// Generates the next `count` trips.
    ///
    /// - Throws: `TravelError.invalid` never, because generated trips are valid.
    public mutating func next(_ count: Int) throws(TravelError) -> [GeneratedTrip] {
        var trips: [GeneratedTrip] = []
        trips.reserveCapacity(count)
        for _ in 0..<count { trips.append(try next()) }
        return trips
    }

    private mutating func trip(by author: User) throws(TravelError) -> RecordedTrip {
        now += UInt64(random.index(below: 240_000))
        let content = try content()
        var timeline: [TimelineEntry] = []
        if let entriesPerTrip {
            for _ in 0..<entriesPerTrip { timeline.append(try namedEntry(days: content.days.count)) }
        } else {
            for _ in 0..<random.index(below: 3) { timeline.append(try entry(days: content.days.count)) }
        }
        // So that a seed always yields the same trips.
        timeline.sort { $0.id < $1.id }
        return try RecordedTrip(
            id: Trip.ID(random.uuid(at: now)), author: author,
            createdAt: Date(timeIntervalSince1970: Double(now) / 1_000), content: content, timeline: timeline)
    }

    // The order of the cases determines the result of a seed.
    private mutating func content() throws(TravelError) -> TripContent {
        let region = random.index(below: Region.ofKorea.count)
        let firstDay = CalendarDay(daysSince1970: 18_993 + random.index(below: 1_461))
        let days = Period.allCases[random.skewed(below: Period.allCases.count)].numbersOfDays
        return TripContent(
            title: try texts.title(region: region, &random), region: Region.ofKorea[region],
            days: DayRange(firstDay, days: days.lowerBound + random.index(below: min(days.count, 14))),
            themes: random.some(of: Theme.allCases, atMost: 3),
            companions: random.some(of: Companion.allCases, atMost: 2),
            headcount: random.maybe(Headcount.allCases), budget: random.maybe(Budget.allCases),
            transportation: random.maybe(Transportation.allCases), audience: .everyone)
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

    /// An entry whose title and place have words of entries, and often a name.
    private mutating func namedEntry(days: Int) throws(TravelError) -> TimelineEntry {
        let noun = random.index(below: GeneratedWords.nouns.count)
        let title = random.index(below: 500) == 0 ? random.pick(GeneratedWords.rareSights) : sight()
        let coordinate = try Coordinate(latitude: 33.2 + random.unit() * 5, longitude: 126 + random.unit() * 3.5)
        let place = random.index(below: 3) == 0 ? nil : try Place(name: sight(), address: "", coordinate: coordinate)
        return try TimelineEntry(
            id: TimelineEntry.ID(random.uuid(at: now)), day: 1 + random.index(below: days),
            time: TimeOfDay(hour: 7 + random.index(below: 15), minute: random.index(below: 12) * 5),
            title: Title(title), text: texts.text(noun: noun, &random), place: place)
    }

    private mutating func sight() -> String {
        // Those that come first in the list are the most common.
        let sight = GeneratedWords.sights[random.skewed(below: GeneratedWords.sights.count)]
        switch random.index(below: 4) {
        case 0: return "\(random.pick(GeneratedWords.adjectives)) \(sight)"
        case 1: return "\(random.pick(GeneratedWords.regions)) \(random.pick(GeneratedWords.nouns)) \(sight)"
        case 2: return "\(random.pick(GeneratedWords.surnames))\(GeneratedTexts.name(&random))네 \(sight)"
        default: return "\(GeneratedTexts.name(&random)) \(sight)"
        }
    }

    /// No likes for two of three trips, one to eight for most others, and up to 200 for one in a thousand.
    private mutating func likedBy() -> [Int] {
        let most = random.index(below: 1_000) == 0 ? 200 : 8
        let count = random.index(below: 3) > 0 ? 0 : 1 + random.skewed(below: most)
        var likedBy: [Int] = []
        for _ in 0..<count { likedBy.append(random.index(below: users.count)) }
        likedBy.sort()
        return likedBy.enumerated().filter { $0.offset == 0 || likedBy[$0.offset - 1] != $0.element }.map(\.element)
    }
}

/// A generated trip of ``GeneratedTrips``, with the people it belongs to.
///
/// People are identified by index, so that a store with numbered rows finds the row of a user without a lookup. This
/// is a class, because batches are sorted and passed on, and a reference is cheaper to copy than a trip.
public final class GeneratedTrip: Sendable {
    /// The trip, ready to be added to a repository. It has no likes yet: add those of ``likedBy``.
    public let trip: RecordedTrip
    /// The index of its author in ``GeneratedTrips/users``.
    public let author: Int
    /// The indices of the people who like it in ``GeneratedTrips/users``, in ascending order, without duplicates.
    public let likedBy: [Int]

    init(trip: RecordedTrip, author: Int, likedBy: [Int]) {
        (self.trip, self.author, self.likedBy) = (trip, author, likedBy)
    }
}

/// Creates the titles and texts of generated trips. Caches those that occur many times; most titles occur once.
struct GeneratedTexts {
    private var titles: [Numbers: Title] = [:]
    private var texts: [Numbers: EntryText] = [:]

    /// A text as the index of its pattern and the indices of its words.
    private struct Numbers: Hashable {
        let pattern: Int
        var first = 0
        var second = 0
        var third = 0
    }

    /// A title for a trip to the region with that index.
    mutating func title(region: Int, _ random: inout SplitMix64) throws(TravelError) -> Title {
        if random.index(below: 500) == 0 {
            let rare = random.index(below: GeneratedWords.rareTitles.count)
            return try title(Numbers(pattern: 0, first: rare), GeneratedWords.rareTitles[rare])
        }
        let noun = random.index(below: GeneratedWords.nouns.count)
        switch random.index(below: 16) {
        case 0: return try title(noun: noun)
        case 1, 2:
            let ending = random.index(below: GeneratedWords.endings.count)
            return try title(
                Numbers(pattern: 3, first: region, second: noun, third: ending),
                "\(GeneratedWords.regions[region]) \(GeneratedWords.nouns[noun]) \(GeneratedWords.endings[ending])")
        case 3:
            let adjective = random.index(below: GeneratedWords.adjectives.count)
            let sign = random.index(below: GeneratedWords.signs.count)
            return try title(
                Numbers(pattern: 2, first: adjective, second: noun, third: sign),
                "\(GeneratedWords.adjectives[adjective]) \(GeneratedWords.nouns[noun]) \(GeneratedWords.signs[sign])")
        case 4...7:
            let surname = random.pick(GeneratedWords.surnames)
            let name = Self.name(&random)
            return try Title(
                "\(surname)\(name)의 \(random.pick(GeneratedWords.adjectives)) \(GeneratedWords.nouns[noun])")
        default:
            let adjective = random.pick(GeneratedWords.adjectives)
            let name = Self.name(&random)
            return try Title("\(GeneratedWords.regions[region]) \(adjective) \(GeneratedWords.nouns[noun]) \(name)")
        }
    }

    static func name(_ random: inout SplitMix64) -> String {
        let first = random.pick(GeneratedWords.firstSyllables)
        return first + random.pick(GeneratedWords.secondSyllables)
    }

    /// The title that consists of the noun with that index.
    mutating func title(noun: Int) throws(TravelError) -> Title {
        try title(Numbers(pattern: 1, first: noun), GeneratedWords.nouns[noun])
    }

    /// A text about the noun with that index.
    mutating func text(noun: Int, _ random: inout SplitMix64) throws(TravelError) -> EntryText {
        let adjective = random.index(below: GeneratedWords.adjectives.count)
        let ending = random.index(below: GeneratedWords.endings.count)
        let numbers = Numbers(pattern: 0, first: adjective, second: noun, third: ending)
        if let text = texts[numbers] { return text }
        let text = try EntryText(
            "\(GeneratedWords.adjectives[adjective]) \(GeneratedWords.nouns[noun]), \(GeneratedWords.endings[ending])")
        texts[numbers] = text
        return text
    }

    private mutating func title(_ numbers: Numbers, _ words: @autoclosure () -> String) throws(TravelError) -> Title {
        if let title = titles[numbers] { return title }
        let title = try Title(words())
        titles[numbers] = title
        return title
    }
}

/// The words of generated trips. Their number and order determine the result of a seed.
enum GeneratedWords {
    static let names = ["민지", "서준", "하윤", "지호", "예은", "도윤", "수아", "준서", "지우", "현우", "Mina", "Jun"]

    /// In the order of `Region.ofKorea`.
    static let regions = [
        "서울", "부산", "대구", "인천", "광주", "대전", "울산", "세종", "경기", "강원", "충북", "충남", "전북", "전남", "경북", "경남", "제주",
    ]

    /// The surnames and the syllables of given names in titles: 6,912 names, which make most titles distinct.
    static let surnames = ["김", "이", "박", "최", "정", "강", "조", "윤", "장", "임", "한", "오"]
    static let firstSyllables = [
        "민", "서", "도", "예", "하", "지", "준", "수", "현", "유", "건", "채", "은", "시", "아", "연", "주", "윤", "태", "승", "다", "소",
        "재", "우",
    ]
    static let secondSyllables = [
        "준", "윤", "아", "은", "우", "호", "서", "진", "영", "현", "민", "원", "희", "빈", "율", "린", "안", "연", "후", "혁", "솔", "나",
        "온", "결",
    ]

    static let adjectives = [
        "가을", "겨울", "봄날", "여름", "혼자", "함께", "조용한", "신나는", "맛있는", "푸른", "느린", "오래된", "짧은", "첫", "비오는", "눈오는", "새벽", "한낮",
        "노을", "별밤",
    ]

    static let nouns = [
        "바다", "산책", "골목", "시장", "섬", "호수", "계곡", "해변", "숲길", "카페", "야경", "맛집", "캠핑", "축제", "박물관", "온천", "드라이브", "기차",
        "자전거",
        "등산", "밤바다", "한옥", "폭포", "등대",
    ]

    static let endings = ["여행", "나들이", "산책", "일기", "Tour", "trip"]

    static let signs = ["100%", "🌊", "🏝️", "no.1", "50%", "~", "2박3일", "a_b"]

    /// Words of entries, which no title has, the most common first.
    static let sights = [
        "식당", "전망대", "시골길", "국밥", "빵집", "터미널", "미술관", "선착장", "서점", "공원", "다리", "게스트하우스", "수목원", "찻집", "휴게소", "성당",
        "포구", "양조장", "케이블카", "Brunch",
    ]

    static let rareSights = ["고래 뼈", "풍차", "Windmill", "대관령 양떼목장", "첨성대", "소쇄원"]

    static let rareTitles = ["완주 마라톤", "울릉 오징어", "Café 투어", "京都가 그리워", "독도 가는 길", "it's 가을"]
}

/// A pseudorandom number generator (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014). Its
/// sequence for a given state never changes.
package struct SplitMix64 {
    package var state: UInt64

    package init(state: UInt64) {
        self.state = state
    }

    /// Generates 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Generates a number in `0..<bound`.
    package mutating func index(below bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Generates a number in `0..<bound`; smaller numbers are more probable.
    package mutating func skewed(below bound: Int) -> Int {
        min(index(below: bound), index(below: bound))
    }

    /// Generates a number in `0..<1`.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Generates a UUID of version 7 (RFC 9562): milliseconds since 1970, followed by random bits.
    package mutating func uuid(at milliseconds: UInt64) -> UUID {
        let high = milliseconds << 16 | 0x7000 | next() >> 52
        let low = 1 << 63 | next() >> 2
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    /// Picks one of `values`, which must not be empty.
    package mutating func pick<Value>(_ values: [Value]) -> Value {
        values[index(below: values.count)]
    }

    /// Picks one of `values`, or `nil` in one of five cases.
    package mutating func maybe<Value>(_ values: [Value]) -> Value? {
        index(below: 5) == 0 ? nil : pick(values)
    }

    /// Picks between one and `maximum` of `values`.
    package mutating func some<Value: Hashable>(of values: [Value], atMost maximum: Int) -> Set<Value> {
        Set((0...index(below: maximum)).map { _ in pick(values) })
    }
}
