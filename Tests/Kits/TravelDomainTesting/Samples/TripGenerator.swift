public import TravelDomain

/// A generator of varied sample values, deterministic for a seed.
///
/// ```swift
/// var samples = TripGenerator(seed: 7)
/// let author = try samples.user()
/// let trips = try samples.trips(100, by: [author])
/// ```
///
/// Texts are Korean and English and contain characters that stores often handle incorrectly (`%`, `_`, `'`, emoji,
/// decomposed syllables). Some times of recording repeat, so that orders have ties.
public struct TripGenerator: Sendable {
    public var random: SeededGenerator

    public init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// A new user.
    ///
    /// - Throws: `TravelError.invalid` never, because the nicknames of samples are valid.
    public mutating func user() throws(TravelError) -> User {
        let name = "\(pick(SampleText.names)) \(Int.random(in: 1...99, using: &random))"
        return User(id: User.ID(using: &random), nickname: try Nickname(name))
    }

    /// A title of one to twelve words, shortened to the maximum length.
    ///
    /// - Throws: `TravelError.invalid` never, because the titles of samples are valid.
    public mutating func title() throws(TravelError) -> Title {
        var words = some(of: SampleText.words, atMost: 3)
        // One in eight is long.
        if words[0].utf8.count % 8 == 0 { words += words + words.reversed() + words }
        return try Title(String(words.joined(separator: " ").prefix(Title.length.upperBound)))
    }

    /// A place in or around Korea, sometimes without its coordinate.
    ///
    /// - Throws: `TravelError.invalid` never, because the places of samples are valid.
    public mutating func place() throws(TravelError) -> Place {
        let coordinate = try Coordinate(
            latitude: .random(in: 33...38.6, using: &random), longitude: .random(in: 124.6...131.9, using: &random))
        let address = Bool.random(using: &random) ? "\(pick(SampleText.words)) 1-\(pick(Array(1...99)))" : ""
        let isLocated = Int(coordinate.latitude * 1_000) % 5 > 0
        return try Place(name: pick(SampleText.words), address: address, coordinate: isLocated ? coordinate : nil)
    }

    /// An entry on one of the first `days` days, with that image; one in three is at 09:00.
    ///
    /// - Throws: `TravelError.invalid` never, because the parts of samples are valid.
    public mutating func entry(days: Int = 1, image: TripImage.ID? = nil) throws(TravelError) -> TimelineEntry {
        let (id, day) = (TimelineEntry.ID(using: &random), Int.random(in: 1...max(days, 1), using: &random))
        let minutes = Int.random(in: 0..<1_440, using: &random)
        var pictures: [Picture] = []
        if let image { pictures.append(try picture(image)) }
        return try TimelineEntry(
            id: id, day: day, time: TimeOfDay(minutesSinceMidnight: minutes % 3 == 0 ? 9 * 60 : minutes),
            title: title(),
            text: EntryText(some(of: SampleText.words, atMost: 8).joined(separator: "\n")),
            place: Bool.random(using: &random) ? place() : nil, pictures: pictures)
    }

    /// A picture that shows that image; in some cases with a text, a time and a position, which everyone sees or the author.
    ///
    /// - Throws: `TravelError.invalid` never, because the parts of samples are valid.
    public mutating func picture(_ image: TripImage.ID) throws(TravelError) -> Picture {
        var picture = Picture(image)
        // By the ID, so that the samples of other seeds stay as they are.
        var chance = SeededGenerator(seed: UInt64(truncatingIfNeeded: image.rawValue.uuid.15))
        if Bool.random(using: &chance) {
            picture.text = try PictureText(SampleText.words.randomElement(using: &chance) ?? "Sea")
        }
        if Bool.random(using: &chance) {
            picture.taken = PhotoDate(
                day: CalendarDay(daysSince1970: .random(in: 18_262...20_454, using: &chance)),
                time: TimeOfDay(minutesSinceMidnight: .random(in: 0..<1_440, using: &chance)),
                utcOffset: Bool.random(using: &chance) ? 540 : nil)
        }
        let position = try Coordinate(
            latitude: .random(in: 33...38.6, using: &chance), longitude: .random(in: 124.6...131.9, using: &chance))
        switch Int.random(in: 0...2, using: &chance) {
        case 0: picture.position = .shown(position)
        case 1: picture.position = .mineOnly(position)
        default: break
        }
        return picture
    }

    /// A new image of 8 to 200 bytes, as in `TripImage.init(seed:size:)`.
    ///
    /// - Throws: `TravelError.invalid` never, because the images of samples are valid.
    public mutating func image() throws(TravelError) -> TripImage {
        try TripImage(id: TripImage.ID(using: &random), size: .random(in: 8...200, using: &random), using: &random)
    }

    /// Random content of a trip that is public.
    ///
    /// - Throws: `TravelError.invalid` never, because the parts of samples are valid.
    public mutating func content() throws(TravelError) -> TripContent {
        let firstDay = CalendarDay(daysSince1970: .random(in: 18_262...20_454, using: &random))  // 2020 to 2025
        let period = pick(Period.allCases).numbersOfDays
        let days = Int.random(in: period.lowerBound...min(period.upperBound, 40), using: &random)
        return TripContent(
            title: try title(), region: pick(Region.allCases), days: DayRange(firstDay, days: days),
            themes: Set(some(of: Theme.allCases, atMost: 3)), companions: Set(some(of: Companion.allCases, atMost: 2)),
            headcount: maybe(Headcount.allCases), budget: maybe(Budget.allCases),
            transportation: maybe(Transportation.allCases), audience: .everyone)
    }

    /// Any audience: each level is as frequent as the others, and each key is new.
    public mutating func audience() -> Audience {
        let key = LinkKey(using: &random)
        return Audience.onlyMe.changed(to: pick([.onlyMe, .byLink, .everyone]), newKey: key)
    }

    /// The path of a recorded track of one or two segments, of which some have elevations, and some times.
    ///
    /// - Throws: `TravelError.invalid` never, because the parts of samples are valid.
    public mutating func track() throws(TravelError) -> TrackGeometry {
        var segments: [[TrackPoint]] = []
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            var segment: [Coordinate] = []
            for _ in 0..<Int.random(in: 2...5, using: &random) {
                segment.append(
                    try Coordinate(
                        latitude: .random(in: -90...90, using: &random),
                        longitude: .random(in: -180...180, using: &random)))
            }
            let hasElevations = segment[0].latitude > 0
            // From the positions, so that all else that follows from a seed is what it was.
            let (hasTimes, unit) = (segment[0].longitude > -60, segment[0].longitude > 60 ? 1 : 1_000)
            var time = 1_714_521_600_000
            segments.append(
                segment.map { position in
                    time += Int(abs(position.latitude) * 1_000) * unit
                    return TrackPoint(
                        coordinate: position, time: hasTimes ? Date(millisecondsSince1970: time) : nil,
                        elevation: hasElevations ? abs(position.longitude) * 40 : nil)
                })
        }
        return try TrackGeometry(points: segments)
    }

    /// A complete trip by one of `authors`, with at most four entries.
    ///
    /// - Precondition: `authors` is not empty.
    public mutating func trip(by authors: [User]) throws(TravelError) -> RecordedTrip {
        let content = try content()
        var timeline: [TimelineEntry] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) { timeline.append(try entry(days: content.days.count)) }
        return try RecordedTrip(
            id: Trip.ID(using: &random), author: pick(authors), createdAt: date(), content: content,
            timeline: timeline, track: Int.random(in: 0..<4, using: &random) == 0 ? track() : nil)
    }

    /// A number of trips by any of `authors`.
    ///
    /// - Precondition: `authors` is not empty.
    public mutating func trips(_ count: Int, by authors: [User]) throws(TravelError) -> [RecordedTrip] {
        var trips: [RecordedTrip] = []
        for _ in 0..<count { trips.append(try trip(by: authors)) }
        return trips
    }

    /// Random search criteria: in some cases none, usually one to three filters.
    public mutating func criteria() -> TripCriteria {
        var criteria = TripCriteria(sort: pick(TripSort.allCases))
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            switch Int.random(in: 0...8, using: &random) {
            case 0: criteria.keyword = Keyword(pick(SampleText.keywords))
            case 1: criteria.regions = Set(some(of: Region.allCases, atMost: 8))
            case 2: criteria.themes = Set(some(of: Theme.allCases, atMost: 3))
            case 3: criteria.companions = Set(some(of: Companion.allCases, atMost: 2))
            case 4: criteria.seasons = Set(some(of: Season.allCases, atMost: 2))
            case 5: criteria.period = pick(Period.allCases)
            case 6: criteria.headcount = pick(Headcount.allCases)
            case 7: criteria.budget = pick(Budget.allCases)
            default: criteria.transportation = pick(Transportation.allCases)
            }
        }
        return criteria
    }

    /// A time in the year 2025: a whole hour of one of its first two days, or any time.
    private mutating func date() -> Date {
        let newYear = 757_382_400.0
        return Bool.random(using: &random)
            ? Date(timeIntervalSinceReferenceDate: newYear + Double(Int.random(in: 0..<48, using: &random) * 3_600))
            : Date(timeIntervalSinceReferenceDate: newYear + .random(in: 0..<31_536_000, using: &random))
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private mutating func maybe<Value>(_ values: [Value]) -> Value? {
        Int.random(in: 0..<4, using: &random) == 0 ? nil : pick(values)
    }

    /// Between one and `maximum` of `values`, possibly with duplicates.
    private mutating func some<Value>(of values: [Value], atMost maximum: Int) -> [Value] {
        (0..<Int.random(in: 1...maximum, using: &random)).map { _ in pick(values) }
    }
}

extension TripGenerator {
    /// A track that is always the same for a seed.
    static func track(seed: UInt64) throws(TravelError) -> TrackGeometry {
        var samples = TripGenerator(seed: seed)
        return try samples.track()
    }
}

extension Identifier {
    /// Derives an ID from `seed`: equal seeds have equal IDs, different seeds different ones.
    ///
    /// ```swift
    /// Trip.ID(seed: 1) == Trip.ID(seed: 1)    // true
    /// ```
    public init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.init(using: &random)
    }

    /// Creates an ID from random bits (a UUID of version 4).
    public init(using random: inout some RandomNumberGenerator) {
        var uuid = UUID().uuid
        withUnsafeMutableBytes(of: &uuid) { bytes in
            bytes.storeBytes(of: random.next().bigEndian, toByteOffset: 0, as: UInt64.self)
            bytes.storeBytes(of: random.next().bigEndian, toByteOffset: 8, as: UInt64.self)
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
        }
        self.init(UUID(uuid: uuid))
    }
}

extension TripImage {
    /// Creates an image that begins with the signature of PNG; the rest cannot be decoded.
    ///
    /// - Parameters:
    ///   - seed: The seed of the ID and the bytes.
    ///   - size: The number of bytes.
    /// - Throws: `TravelError.invalid` when `size` is below 8 or above `maximumSize`.
    public init(seed: UInt64, size: Int = 64) throws(TravelError) {
        var random = SeededGenerator(seed: seed)
        try self.init(id: ID(seed: seed), size: size, using: &random)
    }

    /// Creates an image of random bits, which repeat after 4,099 bytes: a prime, so that no two pages of a store are
    /// equal.
    init(id: ID, size: Int, using random: inout SeededGenerator) throws(TravelError) {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var bytes = Data(signature.prefix(max(size, 0)))
        while bytes.count < min(size, 4_099) {
            withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0.prefix(min(size, 4_099) - bytes.count)) }
        }
        let block = bytes
        while bytes.count < size { bytes.append(block.prefix(size - bytes.count)) }
        try self.init(id: id, bytes: bytes)
    }
}
