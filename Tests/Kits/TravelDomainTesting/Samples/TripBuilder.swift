public import TravelDomain

/// A builder of recorded trips. Every part has a default, so that a test sets only the parts that matter to it.
///
/// ```swift
/// let trip = try TripBuilder(seed: 1).with {
///     $0.title = "부산 밤바다"
///     $0.region = .busan
/// }.build()
/// ```
///
/// The parts of the content that are valid by themselves, such as `region`, are those of ``content``. The same seed always gives
/// the same trip. ``TripGenerator`` generates varied trips.
@dynamicMemberLookup
public struct TripBuilder: Sendable {
    public var id: Trip.ID
    public var author: User
    /// The time of recording; by default `seed` seconds after 1 January 2025, 00:00 UTC.
    public var createdAt: Date
    /// The time of the last change; by default that of recording.
    public var updatedAt: Date?
    public var version = TripVersion.first
    public var title: String
    /// The first day in the format `2024-05-01`.
    public var firstDay = "2024-05-01"
    public var numberOfDays = 1
    /// The content, by default in Seoul, public and without anything optional. ``build()`` replaces its title and its days.
    public var content: TripContent
    public var timeline: [TimelineEntry] = []
    /// The path of a recorded track; by default none.
    public var track: TrackGeometry?

    /// Creates the trip of `seed`, by default with the user of the same seed as author.
    ///
    /// - Throws: `TravelError.invalid` never, because the default nickname is valid.
    public init(seed: UInt64, author: User? = nil) throws(TravelError) {
        id = Trip.ID(seed: seed)
        self.author = if let author { author } else { try User(seed: seed) }
        createdAt = Date(timeIntervalSinceReferenceDate: 757_382_400 + Double(seed))
        title = "Trip \(seed % 1_000_000_000)"
        content = TripContent(
            title: try Title(title), region: .seoul, days: DayRange(try CalendarDay(firstDay), days: numberOfDays),
            audience: .everyone)
    }

    public subscript<Part>(dynamicMember part: WritableKeyPath<TripContent, Part>) -> Part {
        get { content[keyPath: part] }
        set { content[keyPath: part] = newValue }
    }

    /// Returns a copy that `change` has modified.
    public func with(_ change: (inout TripBuilder) throws -> Void) rethrows -> TripBuilder {
        var copy = self
        try change(&copy)
        return copy
    }

    /// Builds the trip.
    ///
    /// - Throws: `TravelError.invalid` when a part breaks a rule of the domain.
    public func build() throws(TravelError) -> RecordedTrip {
        var content = content
        content.title = try Title(title)
        content.days = DayRange(try CalendarDay(firstDay), days: numberOfDays)
        return try RecordedTrip(
            id: id, author: author, createdAt: createdAt, updatedAt: updatedAt, version: version, content: content,
            timeline: timeline, track: track)
    }
}

extension User {
    /// Creates the user of `seed`, by default with the nickname `"Person 7"` for seed 7.
    ///
    /// - Throws: `TravelError.invalid` when `nickname` breaks a rule of the domain.
    public init(seed: UInt64, nickname: String? = nil) throws(TravelError) {
        self.init(id: ID(seed: seed), nickname: try Nickname(nickname ?? "Person \(seed % 1_000)"))
    }
}

/// The words of sample values.
enum SampleText {
    static let names = ["민지", "서준", "하윤", "지호", "Mina", "Jun", "Sora", "Tae", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦"]

    static let words = [
        "부산", "바다", "밤바다", "여행", "제주", "서울", "한강", "맛집", "캠핑", "가을", "단풍", "시장", "100%", "50% 할인", "a_b", "it's",
        "\"별\"", "Jeju", "SEOUL", "Café", "cafe\u{301}", "École", "🏝️", "🇰🇷", "👨‍👩‍👧", "京都",
        "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}",
    ]

    static let keywords =
        words + [
            "산", "바", "다 ", "여행 부", "산 밤", "%", "_", "'", "\"", "*", "e", "É", "é", "eou", "jEJU", "🇷", "👩", "없는말", "都",
            "부ㅅ",
            "붓", "부사", "ㅂㅅ", "ㅂㄷ", "ㅎ", "다", "한ㄱ", "갛",
        ]
}

/// A wording of imported tracks for tests: the kind of the moment, and its numbers in seconds and metres.
///
/// ```swift
/// PlainTrackWording().text(of: departure)    // "departure, 778 m, 250 m high"
/// ```
public struct PlainTrackWording: TrackWording {
    /// Creates the wording.
    public init() {}

    /// `"a track"`.
    public var tripTitle: String { "a track" }

    /// `"photos"`.
    public var photosTitle: String { "photos" }

    /// `"3 photos"`.
    public func text(ofPhotos count: Int) -> String { "\(count) photos" }

    /// `"departure"`, `"arrival"`, `"stay"` or `"mark"`.
    public func title(of moment: JourneyMoment) -> String {
        switch moment.kind {
        case .departure: "departure"
        case .arrival: "arrival"
        case .stay: "stay"
        case .mark: "mark"
        }
    }

    /// The title, followed by the numbers that are known, rounded.
    public func text(of moment: JourneyMoment) -> String {
        let numbers = [
            moment.stayed > 0 ? "\(Int(moment.stayed.rounded())) s" : nil,
            moment.distance.map { "\(Int($0.rounded())) m" },
            moment.elevation.map { "\(Int($0.rounded())) m high" },
            moment.isPassed ? nil : "not passed",
        ]
        return ([title(of: moment)] + numbers.compactMap(\.self)).joined(separator: ", ")
    }
}

extension TimelineEntry {
    /// Creates an entry at 09:00 whose ID is made from `seed`.
    ///
    /// ```swift
    /// let entry = try TimelineEntry(seed: 1, day: 2)    // "Entry", on the second day
    /// ```
    public init(
        seed: UInt64, day: Int = 1, title: String = "Entry", text: String = "Text", place: Place? = nil,
        image: TripImage.ID? = nil
    ) throws(TravelError) {
        try self.init(
            id: ID(seed: seed), day: day, time: TimeOfDay(hour: 9), title: Title(title), text: EntryText(text),
            place: place, pictures: image.map { [Picture($0)] } ?? [])
    }
}
