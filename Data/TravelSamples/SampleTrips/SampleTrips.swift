public import TravelDomain

/// Sample trips through all 17 regions of South Korea, in the years 2022–2026.
///
/// The trips and their IDs are always the same. Adding them to a repository that already has them throws a conflict
/// and changes nothing.
///
/// ```swift
/// try await repository.add(SampleTrips.all.map(\.trip))
/// for sample in SampleTrips.all {
///     for user in sample.likedBy { try await repository.setLiked(true, trip: sample.trip.id, by: user) }
/// }
/// ```
public enum SampleTrips {
    /// All sample trips, grouped by region. The place of each timeline entry is in ``Gazetteer/korea``.
    public static let all: [SampleTrip] = Region.ofKorea.flatMap { region in
        do {
            return try trips(in: region, from: texts[region] ?? "", places: .korea)
        } catch {
            preconditionFailure("The sample trips of \(region.rawValue): \(error)")
        }
    }

    /// The people who appear in the trips, as authors or because they like one.
    public static let travelers: [User] = zip(travelerLetters, nicknames).map { letter, nickname in
        do {
            return User(id: travelerID(letter), nickname: try Nickname(nickname))
        } catch {
            preconditionFailure("The nickname of \(letter): \(error)")
        }
    }
}

/// A sample trip and the people who like it.
public struct SampleTrip: Hashable, Sendable {
    /// The trip, ready to be added to a repository.
    public let trip: RecordedTrip
    /// The people who like it, in ascending order of ID; never its author.
    public let likedBy: [User.ID]
}

extension SampleTrips {
    /// The first line of a trip.
    struct Header {
        let number: Int
        let content: TripContent
        let author: User
        let createdAt: Date
        let likedBy: [User.ID]

        init(_ line: TextLine, region: Region) throws(MalformedLine) {
            let fields = try line.fields(11)
            guard fields[0].hasPrefix("#"), let number = Int(fields[0].dropFirst().filter { $0 != " " }) else {
                throw line.error("expected # and a number; found '\(fields[0])'")
            }
            self.number = number
            self.content = TripContent(
                title: try line.parse("title") { () throws(TravelError) in try Title(fields[1]) },
                region: region,
                days: try line.parse("days") { () throws(TravelError) in try Self.days(fields[2]) },
                themes: try Self.all(of: fields[3], in: line, Theme.init(rawValue:)),
                companions: try Self.all(of: fields[4], in: line, Companion.init(rawValue:)),
                headcount: try Self.all(of: fields[5], in: line) { Int($0).flatMap(Headcount.init(rawValue:)) }.first,
                budget: try Self.all(of: fields[6], in: line, Budget.init(rawValue:)).first,
                transportation: try Self.all(of: fields[7], in: line, Transportation.init(rawValue:)).first,
                audience: .everyone)
            guard let author = Self.travelers(fields[8]).first else {
                throw line.error("unknown author '\(fields[8])'")
            }
            self.author = author
            self.createdAt = try line.parse("moment") { () throws(TravelError) in try Self.moment(fields[9]) }
            self.likedBy = Self.travelers(fields[10]).map(\.id).sorted()
            guard fields[10] == "-" || likedBy.count == fields[10].count else {
                throw line.error("unknown traveller in '\(fields[10])'")
            }
        }

        /// Parses the space-separated values in `text`.
        private static func all<Value: Hashable>(
            of text: String, in line: TextLine, _ value: (String) -> Value?
        ) throws(MalformedLine) -> Set<Value> {
            var values: Set<Value> = []
            for name in text.split(separator: " ") where name != "-" {
                guard let value = value(String(name)) else { throw line.error("unknown value '\(name)'") }
                values.insert(value)
            }
            return values
        }

        /// Parses days in the format `2024-05-01 ~ 2024-05-03`, or `2024-05-01` for a single day.
        private static func days(_ text: String) throws(TravelError) -> DayRange {
            let days = text.split(separator: " ")
            return try DayRange(CalendarDay(days.first ?? ""), through: CalendarDay(days.last ?? ""))
        }

        /// Parses a time in the format `2024-05-04 21:30`, in Korea Standard Time.
        private static func moment(_ text: String) throws(TravelError) -> Date {
            let parts = text.split(separator: " ")
            let day = try CalendarDay(parts.first ?? "")
            let minutes = try TimeOfDay(parts.last ?? "").minutes - 9 * 60
            return Date(timeIntervalSince1970: Double(day.daysSince1970) * 86_400 + Double(minutes) * 60)
        }

        private static func travelers(_ letters: String) -> [User] {
            letters.compactMap(traveler)
        }
    }
}

/// IDs derived from the numbers in the texts: UUIDs of version 8 (RFC 9562), whose content is application-defined.
extension SampleTrips {
    /// The ID of the traveller with that letter.
    static func travelerID(_ letter: Character) -> User.ID {
        User.ID(uuid(kind: 1, Int(letter.asciiValue ?? 0), 0))
    }

    static func tripID(_ number: Int) -> RecordedTrip.ID {
        Trip.ID(uuid(kind: tripKind, number, 0))
    }

    /// The ID of an entry at that 1-based position in the text of the trip.
    static func entryID(trip number: Int, position: Int) -> TimelineEntry.ID {
        TimelineEntry.ID(uuid(kind: 3, number, position))
    }

    /// Whether a trip with that ID is one of the samples. Their IDs have a mark in common, so that no sample has to
    /// be read for an answer.
    public static func contains(_ id: Trip.ID) -> Bool {
        id.withBytes { bytes in
            bytes[4...12].elementsEqual([0x53, 0x41, 0x80, tripKind, 0x80, 0x4D, 0x50, 0x4C, 0x45])
        }
    }

    private static let tripKind: UInt8 = 2

    /// The first four bytes differ for all of them, so that people can name a trip by the first characters of its ID.
    private static func uuid(kind: UInt8, _ number: Int, _ position: Int) -> UUID {
        let high = UInt8(truncatingIfNeeded: number >> 8)
        let low = UInt8(truncatingIfNeeded: number)
        let place = UInt8(truncatingIfNeeded: position)
        // A finalizer of MurmurHash3 (Austin Appleby): different numbers have different hashes.
        var hash = UInt32(kind) << 24 | UInt32(high) << 16 | UInt32(low) << 8 | UInt32(place)
        hash = (hash ^ hash >> 16) &* 0x85EB_CA6B
        hash = (hash ^ hash >> 13) &* 0xC2B2_AE35
        hash ^= hash >> 16
        let start = (0..<4).map { UInt8(truncatingIfNeeded: hash >> (24 - 8 * $0)) }
        return UUID(
            uuid: (
                start[0], start[1], start[2], start[3], 0x53, 0x41, 0x80, kind, 0x80, 0x4D, 0x50, 0x4C, 0x45, high, low,
                place
            ))
    }
}

extension SampleTrips {
    /// Parses the trips in `text`: each has a header line that begins with `#`, followed by one line per entry.
    ///
    ///     # 202 | 2박3일 in 부산 | 2023-10-06 ~ 2023-10-08 | art mood | friends | 3 | from10to50 |
    ///       publicTransport | g | 2023-10-10 21:30 | abefhl
    ///     1 13:20 | 부산역 | 드디어 도착 | 광장에 내리자마자 짠내가 났다. 초량 밀면부터 먹고 시작.
    ///
    /// The header, here wrapped into two lines, has the number of the trip, from which its ID is derived; the title;
    /// the first and the last day, or one day; themes; companions; the number of travellers; budget; transportation;
    /// the letter of the author; the time of recording in Korea Standard Time; and the letters of those who like the
    /// trip. `-` marks a missing value. An entry has its day and time, the Korean name of a place in `places`, the
    /// title, and the text.
    ///
    /// - Throws: ``MalformedLine`` for the first malformed line.
    static func trips(in region: Region, from text: String, places: Gazetteer) throws(MalformedLine) -> [SampleTrip] {
        var trips: [SampleTrip] = []
        var lines = TextLine.lines(of: text)[...]
        while let line = lines.popFirst() {
            let header = try Header(line, region: region)
            var timeline: [TimelineEntry] = []
            while let line = lines.first, !line.text.hasPrefix("#") {
                lines.removeFirst()
                let id = entryID(trip: header.number, position: timeline.count + 1)
                timeline.append(try entry(line, id: id, places: places))
            }
            trips.append(
                SampleTrip(
                    trip: try line.parse("trip") { () throws(TravelError) in
                        try RecordedTrip(
                            id: tripID(header.number), author: header.author, createdAt: header.createdAt,
                            content: header.content, timeline: timeline)
                    },
                    likedBy: header.likedBy))
        }
        return trips
    }

    private static func entry(
        _ line: TextLine, id: TimelineEntry.ID, places: Gazetteer
    ) throws(MalformedLine) -> TimelineEntry {
        let fields = try line.fields(4)
        let dayAndTime = fields[0].split(separator: " ")
        guard dayAndTime.count == 2, let day = Int(dayAndTime[0]) else {
            throw line.error("expected a day and a time; found '\(fields[0])'")
        }
        guard let known = places.place(named: fields[1]) else { throw line.error("unknown place '\(fields[1])'") }
        return try line.parse("entry") { () throws(TravelError) in
            try TimelineEntry(
                id: id, day: day, time: TimeOfDay(dayAndTime[1]), title: Title(fields[2]),
                text: EntryText(fields[3]), place: known.place)
        }
    }
}

extension SampleTrips {
    /// The letters that stand for the travellers in the texts, in the order of ``nicknames``.
    static let travelerLetters: [Character] = Array("abcdefghijklmn")

    static let nicknames = [
        "바다냥", "느린걸음", "김밥두줄", "산이부른다", "소금빵", "주말엔기차", "mina_k",
        "초록지붕", "별헤는밤", "두부아빠", "제주살이7", "국밥탐험대", "노을수집가", "캠핑하는곰",
    ]

    /// The traveller with that letter.
    static func traveler(_ letter: Character) -> User? {
        travelerLetters.firstIndex(of: letter).map { travelers[$0] }
    }
}
