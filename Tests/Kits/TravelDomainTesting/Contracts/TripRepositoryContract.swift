public import TravelDomain

/// The contract of `TripRepository`, as checks for any implementation.
///
/// ```swift
/// @Test(arguments: TripRepositoryContract.checks)
/// func fulfilsItsContract(check: ContractCheck<any TripRepository>) async throws {
///     try await check.run { InMemoryTripRepository() }
/// }
/// ```
///
/// Each check requires a new, empty repository. `ContractCheck` shows how to run them with XCTest.
public enum TripRepositoryContract {
    /// All checks: individual ones, and ``generated(seeds:)`` with the seeds 1 to 5.
    public static let checks: [ContractCheck<any TripRepository>] =
        filters + keywords + entries + orders + pages + users + viewers + additions + likes + timelines + roundTrips
        + cancellations
        + generated(seeds: 1...5)

    /// One check for each seed: a random sequence of operations has the same results, including errors, as a plain
    /// list that is searched linearly.
    ///
    /// A failing check finds a minimal sequence of operations that fails, with a new repository for each attempt, and
    /// reports it as source code.
    public static func generated(seeds: some Sequence<UInt64>) -> [ContractCheck<any TripRepository>] {
        seeds.map { seed in
            ContractCheck(
                "generated", "operations of seed \(seed) have the results of a plain list",
                repeating: { make in
                    try await GeneratedHistory.check(seed: seed, count: GeneratedHistory.count(changes: 20)) {
                        HistorySubject(trips: try await make())
                    }
                })
        }
    }

    static func check(
        _ area: String, _ promise: String, _ body: @escaping @Sendable (any TripRepository) async throws -> Void
    ) -> ContractCheck<any TripRepository> {
        ContractCheck(area, promise, body)
    }
}

extension TripRepositoryContract {
    static let roundTrips: [ContractCheck<any TripRepository>] = [
        keeps("every value of every part", contents), keeps("texts scalar by scalar", texts),
        keeps("times to the last bit", moments), keeps("places to the last bit", places), keeps("tracks", tracks),
        keeps("a track of 20,000 positions", [longTrack]),
        check("round trip", "keeps 2,000 random times to the last bit") { trips in
            var random = SeededGenerator(seed: 1)
            // Half are of this century; the others have any size and sign.
            func moment(_ index: Int) -> Date {
                let seconds =
                    index % 2 == 0
                    ? Double.random(in: 0...3e9, using: &random)
                    : Double(
                        sign: index % 4 == 1 ? .minus : .plus, exponent: .random(in: -40...60, using: &random),
                        significand: .random(in: 1..<2, using: &random))
                return Date(timeIntervalSinceReferenceDate: seconds)
            }
            let recorded = try (0..<1_000).map { index in
                try TripBuilder(seed: UInt64(index)).with {
                    ($0.createdAt, $0.updatedAt) = (moment(index), moment(index))
                }.build()
            }
            try await trips.add(recorded)
            var (found, cursor): ([Trip], TripCursor?) = ([], nil)
            repeat {
                let page = try await trips.search(TripQuery(TripCriteria(), viewer: nil, after: cursor, limit: 100))
                found += page.trips
                cursor = page.next
            } while cursor != nil
            let expected = try recorded.map { try $0.seen() }.sorted(by: TripSort.newest.precedes)
            // Each by itself, so that a failure is no list of 1,000 trips.
            try expect(found.count, equals: expected.count, "the number of trips")
            for (trip, expected) in zip(found, expected) { try expect(trip, equals: expected, "a trip") }
        },
        check("round trip", "keeps a nickname scalar by scalar") { trips in
            let author = try User(seed: 1, nickname: "\u{1106}\u{1175}나 e\u{301}🌊")
            try await trips.add(TripBuilder(seed: 1, author: author))
            let found = try await trips.onlyTrip().author
            try expect(found, equals: author, "the author")
            try expect(
                Array(found.nickname.text.unicodeScalars), equals: Array(author.nickname.text.unicodeScalars),
                "the nickname, scalar by scalar")
        },
        check("round trip", "shows the track of a trip only to those who see the trip") { trips in
            let recorded = try TripBuilder(seed: 1).build()
            try await trips.add([recorded])
            try expect(
                try await trips.track(of: recorded.id, viewer: nil), equals: nil, "the track of a trip without")
            let unknown = Trip.ID(seed: 2)
            try await expect(.notFound(.trip(unknown)), from: "the track of an unknown trip") {
                _ = try await trips.track(of: unknown, viewer: nil)
            }
        },
    ]

    /// A trip that differs from others in one part.
    private struct Variant: Sendable {
        let name: String
        let change: @Sendable (inout TripBuilder) throws -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout TripBuilder) throws -> Void) {
            self.name = name
            self.change = change
        }
    }

    /// A check that trips are returned unchanged, when all of them are stored.
    private static func keeps(_ what: String, _ variants: [Variant]) -> ContractCheck<any TripRepository> {
        check("round trip", "keeps \(what)") { trips in
            let recorded = try variants.enumerated().map { seed, variant in
                try TripBuilder(seed: UInt64(seed)).with(variant.change).build()
            }
            try await trips.add(recorded)
            let found = try await trips.search(TripQuery(TripCriteria(), viewer: nil, limit: 100)).trips
            try await expectEach(of: zip(variants, recorded), named: \.0.name) { _, recorded in
                try expect(found.first { $0.id == recorded.id }, equals: recorded.seen(), "the trip found")
                try await expectKept(recorded, in: trips)
            }
        }
    }

    private static func expectKept(_ recorded: RecordedTrip, in trips: any TripRepository) async throws {
        let expected = try recorded.seen(isMine: true)
        let trip = try await trips.trip(recorded.id, viewer: recorded.author.id)
        try expect(trip, equals: expected, "the trip")
        try expect(
            Array(trip.title.text.unicodeScalars), equals: Array(recorded.content.title.text.unicodeScalars),
            "the title, scalar by scalar")
        let timeline = try await trips.timeline(of: recorded.id, viewer: nil)
        try expect(timeline, equals: recorded.timeline, "the timeline")
        try expect(try await trips.track(of: recorded.id, viewer: nil), equals: recorded.track, "the recorded track")
        try expect(
            try await trips.details(of: recorded.id, viewer: recorded.author.id),
            equals: TripDetails(trip: expected, timeline: recorded.timeline, track: recorded.track),
            "the details")
        try expect(
            timeline.map { Array($0.text.text.unicodeScalars) },
            equals: recorded.timeline.map { Array($0.text.text.unicodeScalars) }, "the texts, scalar by scalar")
    }

    private static let contents: [Variant] =
        [Variant("a trip with required values only") { _ in }] + values.joined() + combinations

    private static func each<Value: Sendable>(
        _ part: String, _ values: [Value], _ set: @escaping @Sendable (inout TripBuilder, Value) -> Void
    ) -> [Variant] {
        values.map { value in Variant("\(part) \(value)") { set(&$0, value) } }
    }

    private static let values: [[Variant]] = [
        each("region", Region.allCases) { $0.region = $1 }, each("theme", Theme.allCases) { $0.themes = [$1] },
        each("companion", Companion.allCases) { $0.companions = [$1] },
        each("headcount", Headcount.allCases) { $0.headcount = $1 }, each("budget", Budget.allCases) { $0.budget = $1 },
        each("transportation", Transportation.allCases) { $0.transportation = $1 },
        // With parts that nobody has thought of above.
        each("the generated content of seed", Array(0..<20)) { builder, seed in
            builder.content = generated[seed]
            builder.title = generated[seed].title.text
            builder.firstDay = generated[seed].days.first.description
            builder.numberOfDays = generated[seed].days.count
        },
    ]

    private static let generated: [TripContent] = (0..<20 as Range<UInt64>).compactMap { seed in
        var samples = TripGenerator(seed: seed)
        // The parts of samples are valid.
        return try? samples.content()
    }

    private static let combinations: [Variant] = [
        Variant("all themes and companions at once") {
            $0.themes = Set(Theme.allCases)
            $0.companions = Set(Companion.allCases)
        },
        Variant("the version and the time of the last change") {
            $0.version = TripVersion(number: 1 << 40) ?? .first
            $0.updatedAt = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
        },
        Variant("a time of the last change before that of recording") { $0.updatedAt = .distantPast },
        Variant("the first day of year 1") { $0.firstDay = "0001-01-01" },
        Variant("the last day of year 9999") { $0.firstDay = "9999-12-31" },
        Variant("a leap day") { $0.firstDay = "2024-02-29" },
        Variant("days before 1970") { $0.firstDay = "1899-12-31" },
        Variant("a trip of 1,000 days, with an entry on the last one") {
            $0.numberOfDays = 1_000
            try $0.tell(day: 1_000)
        },
    ]

    private static let texts: [Variant] =
        [
            "바다", "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}", "cafe\u{301}", "a\u{308}\u{323}", "🏝️👨‍👩‍👧🇰🇷👍🏽",
            "it's \"so\" 100%", "\\n _ *",
            "' OR 1=1 --", String(repeating: "👨‍👩‍👧‍👦", count: 60), "0", "1e3", "NULL", "שלום", "ｊｅｊｕ", "\u{FEFF}a",
        ].map { text in
            Variant("the text \"\(text)\"") {
                $0.title = text
                try $0.tell(title: text, text: text + "\n\t" + text)
            }
        } + [
            Variant("a text of 5,000 characters on many lines") {
                let text = String(repeating: "한 줄\n", count: 1_249) + "끝이다."
                try $0.tell(title: "a", text: text)
            }
        ]

    private static let moments: [Variant] =
        seconds.map { seconds in
            Variant("the time \(seconds) s from the reference date, to the last bit") {
                $0.createdAt = Date(timeIntervalSinceReferenceDate: seconds)
            }
        }
        + [0, 1, 59, 60, 719, 720, 1_439].map { minutes in
            Variant("minute \(minutes) of a day") {
                try $0.tell(minutes: minutes)
            }
        }

    private static let seconds: [Double] = [
        0, 0.1, -0.1, 1.0 / 3, 757_382_400.123_456_7, -978_307_200, 978_307_200.999_999_9, -1e9 + 0.3, 1e-9, 0x1p53,
        -0x1p53, 1e18, -1e18, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
        .infinity, -.infinity,
        Date.distantPast.timeIntervalSinceReferenceDate, Date.distantFuture.timeIntervalSinceReferenceDate,
    ]

    private static let places: [Variant] =
        [
            (37.566_535_123_456, 126.977_969_123_456), (-90, -180), (90, 180), (0, 0), (-33.856_8, 151.215_3),
            (1e-12, -1e-12), (0.1 + 0.2, 100.0 / 3),
        ].map { latitude, longitude in
            Variant("a place at latitude \(latitude), longitude \(longitude), to the last bit") {
                let coordinate = try Coordinate(latitude: latitude, longitude: longitude)
                let place = try Place(name: "해운대 해수욕장", address: "부산 해운대구", coordinate: coordinate)
                try $0.tell(place: place)
            }
        } + [
            Variant("a place of which only the name is known") {
                try $0.tell(place: Place(name: "할머니 댁"))
            },
            Variant("a place without a coordinate, with an address") {
                try $0.tell(place: Place(name: "할머니 댁", address: "강원 정선군"))
            },
            Variant("a place without an address") {
                let place = try Place(name: "섬", address: "", coordinate: Coordinate(latitude: 33, longitude: 126))
                try $0.tell(place: place)
            },
            Variant("a place with the longest name and address") {
                let place = try Place(
                    name: String(repeating: "가", count: 100), address: String(repeating: "나", count: 200),
                    coordinate: Coordinate(latitude: 33, longitude: 126))
                try $0.tell(place: place)
            },
        ]

    private static let tracks: [Variant] = [
        Variant("a track of two segments, to a millionth of a degree") {
            let ends = [
                (-90.0, -180.0), (90, 180), (37.566_535, 126.977_969), (37.566_536, 126.977_968), (-0.000_001, 0),
            ]
            let path = try ends.map { try Coordinate(latitude: $0, longitude: $1) }
            $0.track = try TrackGeometry([path, path.reversed()])
        },
        Variant("a track with elevations in one of its segments, to a tenth of a metre") {
            let elevations = [-12_000, 15_000, 0, 1_947.3, -0.1]
            let path = try elevations.enumerated().map { number, elevation in
                TrackPoint(coordinate: try Coordinate(latitude: Double(number), longitude: 127), elevation: elevation)
            }
            $0.track = try TrackGeometry(points: [path.map { TrackPoint(coordinate: $0.coordinate) }, path])
        },
        Variant("a track with times in two of its segments, to a millisecond") {
            let range = TrackGeometry.timeRange
            let times = [
                range.lowerBound, Date(timeIntervalSince1970: 1_714_521_600),
                Date(timeIntervalSince1970: 1_714_521_600.001),
                Date(timeIntervalSince1970: 1_714_521_599.25), range.upperBound,
            ]
            let path = try times.enumerated().map { number, time in
                TrackPoint(
                    coordinate: try Coordinate(latitude: Double(number), longitude: 127), time: time, elevation: 1)
            }
            let seconds = path.map {
                TrackPoint(coordinate: $0.coordinate, time: Date(timeIntervalSince1970: $0.coordinate.latitude))
            }
            $0.track = try TrackGeometry(points: [path.map { TrackPoint(coordinate: $0.coordinate) }, path, seconds])
        },
    ]

    private static let longTrack = Variant("20,000 positions") {
        let path = try (0..<20_000).map { number in
            let (latitude, longitude) = (33 + Double(number) / 10_000, 126 + Double(number % 977) / 1_000)
            let seconds = Double(number * (1 + number % 7))
            return TrackPoint(
                coordinate: try Coordinate(latitude: latitude, longitude: longitude),
                time: Date(timeIntervalSince1970: seconds))
        }
        $0.track = try TrackGeometry(points: [path])
    }
}

extension TripBuilder {
    /// Replaces the timeline with one entry.
    fileprivate mutating func tell(
        day: Int = 1, title: String = "Entry", minutes: Int = 540, text: String = "Text", place: Place? = nil
    ) throws {
        timeline = [
            try TimelineEntry(
                id: TimelineEntry.ID(id.rawValue), day: day, time: TimeOfDay(minutesSinceMidnight: minutes),
                title: Title(title), text: EntryText(text), place: place)
        ]
    }
}

extension RecordedTrip {
    /// The trip as a new one is found.
    fileprivate func seen(isMine: Bool = false) throws -> Trip {
        try Trip(
            id: id, author: author, content: content, createdAt: createdAt, updatedAt: updatedAt, version: version,
            likeCount: 0, isLiked: false, isMine: isMine)
    }
}

extension TripRepositoryContract {
    static let timelines: [ContractCheck<any TripRepository>] = [
        check("timeline", "entries are ordered by day, then by time") { trips in
            let moments = [(2, 600), (1, 1_439), (3, 0), (1, 0), (2, 599), (10, 5), (1, 540)]
            let entries = try moments.enumerated().map { seed, moment in
                try entry(UInt64(seed), day: moment.0, minutes: moment.1)
            }
            try await trips.add(
                TripBuilder(seed: 1).with {
                    $0.numberOfDays = 10
                    $0.timeline = entries
                })
            try expect(
                try await trips.timeline(of: Trip.ID(seed: 1), viewer: nil),
                equals: [3, 6, 1, 4, 0, 2, 5].map { entries[$0] },
                "the timeline")
        },
        check("timeline", "a trip can have an empty timeline") { trips in
            try await trips.add(TripBuilder(seed: 1))
            try expect(try await trips.timeline(of: Trip.ID(seed: 1), viewer: nil), equals: [], "the timeline")
        },
        check("timeline", "an unknown trip has no timeline") { trips in
            let id = Trip.ID(seed: 2)
            try await trips.add(TripBuilder(seed: 1).with { $0.timeline = [try entry(1)] })
            try await expect(.notFound(.trip(id)), from: "the timeline") {
                try await trips.timeline(of: id, viewer: nil)
            }
            try await expect(.notFound(.trip(id)), from: "the details") {
                try await trips.details(of: id, viewer: nil)
            }
        },
        check("timeline", "each trip has its own entries") { trips in
            try await trips.add(
                TripBuilder(seed: 1).with { $0.timeline = [try entry(1), try entry(2)] },
                TripBuilder(seed: 2).with { $0.timeline = [try entry(3)] })
            let first = try await trips.timeline(of: Trip.ID(seed: 1), viewer: nil).map(\.id)
            let second = try await trips.timeline(of: Trip.ID(seed: 2), viewer: nil).map(\.id)
            try expect(first, equals: [1, 2].map { TimelineEntry.ID(seed: $0) }, "the first timeline")
            try expect(second, equals: [TimelineEntry.ID(seed: 3)], "the second timeline")
        },
        check("timeline", "entries at the same time stand in the order in which they were added, in every read") {
            trips in
            let seeds: [UInt64] = [4, 1, 6, 2, 5, 3]
            let entries = try seeds.map { try entry($0, day: $0 == 6 ? 2 : 1, minutes: $0 == 5 ? 539 : 540) }
            try await trips.add(
                TripBuilder(seed: 1).with {
                    $0.numberOfDays = 2
                    $0.timeline = entries
                })
            let id = Trip.ID(seed: 1)
            let ids = [5, 4, 1, 2, 3, 6].map { TimelineEntry.ID(seed: $0) }
            try expect(try await trips.timeline(of: id, viewer: nil).map(\.id), equals: ids, "the timeline")
            try expect(
                try await trips.details(of: id, viewer: nil).timeline.map(\.id), equals: ids,
                "the timeline of the details")
        },
        check("timeline", "a timeline of 300 entries is stored completely") { trips in
            let entries = try (0..<300).map { try entry($0, day: Int($0 % 7) + 1, minutes: Int($0 * 37 % 60) * 24) }
            try await trips.add(
                TripBuilder(seed: 1).with {
                    $0.numberOfDays = 7
                    $0.timeline = entries
                })
            try expect(
                try await trips.timeline(of: Trip.ID(seed: 1), viewer: nil),
                equals: entries.sorted(by: TimelineEntry.precedes),
                "the timeline")
        },
    ]

    private static func entry(_ seed: UInt64, day: Int, minutes: Int) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: day, time: TimeOfDay(minutesSinceMidnight: minutes),
            title: Title("Entry"), text: EntryText("Text"))
    }
}

extension TripRepositoryContract {
    static let viewers: [ContractCheck<any TripRepository>] = [
        check("viewer", "a trip is marked as own for its author only") { trips in
            try await trips.add(TripBuilder(seed: 1), TripBuilder(seed: 2))
            for (viewer, isMine) in [(User.ID(seed: 1), true), (User.ID(seed: 2), false), (User.ID(seed: 3), false)] {
                try await expectSeen(trips, by: viewer, isLiked: false, isMine: isMine)
            }
            try await expectSeen(trips, by: nil, isLiked: false, isMine: false)
        },
        check("viewer", "a trip is marked as liked only for users who like it") { trips in
            try await trips.add(TripBuilder(seed: 1), TripBuilder(seed: 2), TripBuilder(seed: 3))
            try await trips.setLiked(true, trip: Trip.ID(seed: 1), by: User.ID(seed: 2))
            try await expectSeen(trips, by: User.ID(seed: 2), isLiked: true, isMine: false)
            try await expectSeen(trips, by: User.ID(seed: 3), isLiked: false, isMine: false)
            try await expectSeen(trips, by: nil, isLiked: false, isMine: false)
        },
        check("viewer", "authors can like their own trips") { trips in
            try await trips.add(TripBuilder(seed: 1))
            try await trips.setLiked(true, trip: Trip.ID(seed: 1), by: User.ID(seed: 1))
            try await expectSeen(trips, by: User.ID(seed: 1), isLiked: true, isMine: true)
        },
        check("viewer", "a like of one trip does not affect others") { trips in
            try await trips.add(TripBuilder(seed: 1), TripBuilder(seed: 2))
            try await trips.setLiked(true, trip: Trip.ID(seed: 1), by: User.ID(seed: 1))
            let other = try await trips.trip(Trip.ID(seed: 2), viewer: User.ID(seed: 1))
            try expect(other.isLiked, equals: false, "whether the other is liked")
            try expect(other.likeCount, equals: 0, "the likes of the other")
        },
        check("viewer", "an unknown trip is not found for any viewer") { trips in
            let id = Trip.ID(seed: 1)
            try await trips.add(TripBuilder(seed: 2))
            for viewer in [nil, User.ID(seed: 1), User.ID(seed: 2)] {
                try await expect(.notFound(.trip(id)), from: "the trip") {
                    try await trips.trip(id, viewer: viewer)
                }
            }
        },
        check("viewer", "an existing author keeps their nickname when trips are added") { trips in
            let before = try User(seed: 1, nickname: "민지")
            let after = try User(seed: 1, nickname: "수연")
            try await trips.add(TripBuilder(seed: 1, author: before))
            try await trips.add(TripBuilder(seed: 2, author: after))
            for seed in UInt64(1)...2 {
                let trip = try await trips.trip(Trip.ID(seed: seed), viewer: nil)
                try expect(trip.author, equals: before, "the author of trip \(seed)")
            }
        },
        check("viewer", "the first of several nicknames in one batch counts") { trips in
            try await trips.add(
                TripBuilder(seed: 1, author: User(seed: 9, nickname: "민지")),
                TripBuilder(seed: 2, author: User(seed: 9, nickname: "수연")))
            let trip = try await trips.trip(Trip.ID(seed: 1), viewer: nil)
            try expect(trip.author.nickname.text, equals: "민지", "the nickname")
        },
        check("viewer", "two users can have trips with the same title and time") { trips in
            try await trips.add(
                TripBuilder(seed: 1), TripBuilder(seed: 2).with { $0.title = "Trip 1" })
            try expect(try await trips.ids(TripCriteria()).count, equals: 2, "the number of trips")
        },
    ]

    /// Expects the trip of seed 1 to have these flags in a lookup and in searches.
    private static func expectSeen(
        _ trips: any TripRepository, by viewer: User.ID?, isLiked: Bool, isMine: Bool
    ) async throws {
        let id = Trip.ID(seed: 1)
        let trip = try await trips.trip(id, viewer: viewer)
        try expect(trip.isLiked, equals: isLiked, "whether it is liked")
        try expect(trip.isMine, equals: isMine, "whether it is marked as own")
        for sort in TripSort.allCases {
            let page = try await trips.search(TripQuery(TripCriteria(sort: sort), viewer: viewer))
            try expect(page.trips.first { $0.id == id }, equals: trip, "the trip in a search")
        }
    }
}

extension TripRepositoryContract {
    static let likes: [ContractCheck<any TripRepository>] = [
        check("likes", "each user who likes a trip counts once") { trips in
            try await expectLikes(in: trips, after: [(0, true), (1, true), (2, true)], equal: 3)
        },
        check("likes", "liking twice has the same effect as once") { trips in
            try await expectLikes(in: trips, after: [(0, true), (0, true), (0, true)], equal: 1)
        },
        check("likes", "a like can be removed") { trips in
            try await expectLikes(in: trips, after: [(0, true), (1, true), (0, false)], equal: 1)
        },
        check("likes", "removing a like twice has the same effect as once") { trips in
            try await expectLikes(in: trips, after: [(0, true), (1, true), (0, false), (0, false)], equal: 1)
        },
        check("likes", "removing a like that does not exist changes nothing") { trips in
            try await expectLikes(in: trips, after: [(0, false), (1, true), (2, false)], equal: 1)
        },
        check("likes", "a like can be given again") { trips in
            try await expectLikes(in: trips, after: [(0, true), (0, false), (0, true)], equal: 1)
        },
        check("likes", "concurrent likes by 20 users all count") { trips in
            try await trips.add((0..<20).map { try TripBuilder(seed: $0).build() })
            try await setLikedAtOnce(in: trips, by: Array(0..<20))
            let trip = try await trips.trip(Trip.ID(seed: 0), viewer: nil)
            try expect(trip.likeCount, equals: 20, "the likes")
        },
        check("likes", "concurrent likes by one user count once") { trips in
            try await trips.add(TripBuilder(seed: 0))
            try await setLikedAtOnce(in: trips, by: Array(repeating: 0, count: 20))
            try expect(try await trips.onlyTrip().likeCount, equals: 1, "the likes")
        },
        check("likes", "adding trips keeps existing likes") { trips in
            try await addWithLikes([2, 1], to: trips)
            try await trips.add(TripBuilder(seed: 9, author: User(seed: 0, nickname: "Renamed")))
            let trip = try await trips.trip(Trip.ID(seed: 0), viewer: User.ID(seed: 0))
            try expect(trip.likeCount, equals: 2, "the likes")
            try expect(trip.isLiked, equals: true, "whether the viewer still likes it")
        },
        check("likes", "an unknown trip cannot be liked") { trips in
            try await trips.add(TripBuilder(seed: 1))
            for isLiked in [true, false] {
                let id = Trip.ID(seed: 2)
                try await expect(.notFound(.trip(id)), from: "the like") {
                    try await trips.setLiked(isLiked, trip: id, by: User.ID(seed: 1))
                }
            }
        },
        check("likes", "an unknown user cannot like a trip, and nothing changes") { trips in
            try await trips.add(TripBuilder(seed: 1))
            for isLiked in [true, false] {
                let user = User.ID(seed: 2)
                try await expect(.notFound(.user(user)), from: "the like") {
                    try await trips.setLiked(isLiked, trip: Trip.ID(seed: 1), by: user)
                }
            }
            try expect(try await trips.onlyTrip().likeCount, equals: 0, "the likes")
        },
    ]

    /// Applies likes by people, given by seed, and expects the number of likes and the last state of each user.
    private static func expectLikes(
        in trips: any TripRepository, after steps: [(user: UInt64, isLiked: Bool)], equal count: Int
    ) async throws {
        try await trips.add((0..<3).map { try TripBuilder(seed: $0).build() })
        let id = Trip.ID(seed: 1)
        var last: [UInt64: Bool] = [:]
        for step in steps {
            try await trips.setLiked(step.isLiked, trip: id, by: User.ID(seed: step.user))
            last[step.user] = step.isLiked
        }
        for (user, isLiked) in last {
            let trip = try await trips.trip(id, viewer: User.ID(seed: user))
            try expect(trip.likeCount, equals: count, "the likes")
            try expect(trip.isLiked, equals: isLiked, "whether user \(user) likes it")
        }
    }

    private static func setLikedAtOnce(in trips: any TripRepository, by users: [UInt64]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in users {
                group.addTask {
                    try await trips.setLiked(true, trip: Trip.ID(seed: 0), by: User.ID(seed: user))
                }
            }
            try await group.waitForAll()
        }
    }
}
