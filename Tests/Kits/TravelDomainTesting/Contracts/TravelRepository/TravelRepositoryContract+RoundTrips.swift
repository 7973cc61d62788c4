#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TravelDomain

extension TravelRepositoryContract {
    static let roundTrips: [ContractCheck<any TravelRepository>] = contents + texts + moments + places + tracks

    /// A check that a travel that `vary` has changed is returned unchanged.
    private static func keeps(
        _ what: String, _ vary: @escaping @Sendable (inout TravelBuilder) throws -> Void
    ) -> ContractCheck<any TravelRepository> {
        check("round trip", "keeps \(what)") { travels in
            let recorded = try TravelBuilder(seed: 1).with(vary).build()
            try await travels.add([recorded])
            let expected = try Travel(
                id: recorded.id, author: recorded.author, content: recorded.content, createdAt: recorded.createdAt,
                updatedAt: recorded.updatedAt, version: recorded.version, likeCount: 0, isLiked: false, isMine: true)
            let travel = try await travels.travel(recorded.id, viewer: recorded.author.id)
            try expect(travel, equals: expected, "the travel")
            try expect(
                Array(travel.title.text.unicodeScalars), equals: Array(recorded.content.title.text.unicodeScalars),
                "the title, scalar by scalar")
            try expect(try await travels.onlyTravel(viewer: recorded.author.id), equals: expected, "the travel found")
            let timeline = try await travels.timeline(of: recorded.id, viewer: nil)
            try expect(timeline, equals: recorded.timeline, "the timeline")
            try expect(
                try await travels.track(of: recorded.id, viewer: nil), equals: recorded.track, "the recorded track")
            try expect(
                timeline.map { Array($0.text.text.unicodeScalars) },
                equals: recorded.timeline.map { Array($0.text.text.unicodeScalars) }, "the texts, scalar by scalar")
        }
    }

    private static let contents: [ContractCheck<any TravelRepository>] =
        [keeps("a travel with required values only") { _ in }]
        + Region.allCases.map { region in keeps("region \(region)") { $0.region = region } }
        + Theme.allCases.map { theme in keeps("theme \(theme)") { $0.themes = [theme] } }
        + Companion.allCases.map { companion in keeps("companion \(companion)") { $0.companions = [companion] } }
        + Headcount.allCases.map { headcount in keeps("headcount \(headcount)") { $0.headcount = headcount } }
        + Budget.allCases.map { budget in keeps("budget \(budget)") { $0.budget = budget } }
        + Transportation.allCases.map { way in keeps("transportation \(way)") { $0.transportation = way } }
        + [
            keeps("all themes and companions at once") {
                $0.themes = Set(Theme.allCases)
                $0.companions = Set(Companion.allCases)
            },
            keeps("the version and the time of the last change") {
                $0.version = TravelVersion(number: 1 << 40) ?? .first
                $0.updatedAt = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
            },
            keeps("a time of the last change before that of recording") { $0.updatedAt = .distantPast },
            keeps("the first day of year 1") { $0.firstDay = "0001-01-01" },
            keeps("the last day of year 9999") { $0.firstDay = "9999-12-31" },
            keeps("a leap day") { $0.firstDay = "2024-02-29" },
            keeps("days before 1970") { $0.firstDay = "1899-12-31" },
            keeps("a trip of 1,000 days") { $0.numberOfDays = 1_000 },
        ]

    private static let texts: [ContractCheck<any TravelRepository>] =
        [
            "바다", "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}", "cafe\u{301}", "a\u{308}\u{323}", "🏝️👨‍👩‍👧🇰🇷👍🏽",
            "it's \"so\" 100%", "\\n _ *",
            "' OR 1=1 --", String(repeating: "👨‍👩‍👧‍👦", count: 60), "0", "1e3", "NULL", "שלום", "ｊｅｊｕ", "\u{FEFF}a",
        ].map { text in
            keeps("the text \"\(text)\"") {
                $0.title = text
                $0.timeline = [try entry(title: text, text: text + "\n\t" + text, place: nil)]
            }
        } + [
            keeps("a text of 5,000 characters on many lines") {
                let text = String(repeating: "한 줄\n", count: 1_249) + "끝이다."
                $0.timeline = [try entry(title: "a", text: text, place: nil)]
            },
            check("round trip", "keeps a nickname scalar by scalar") { travels in
                let author = try User(seed: 1, nickname: "\u{1106}\u{1175}나 e\u{301}🌊")
                try await travels.add(TravelBuilder(seed: 1, author: author))
                let found = try await travels.onlyTravel().author
                try expect(found, equals: author, "the author")
                try expect(
                    Array(found.nickname.text.unicodeScalars), equals: Array(author.nickname.text.unicodeScalars),
                    "the nickname, scalar by scalar")
            },
        ]

    private static let moments: [ContractCheck<any TravelRepository>] =
        [
            0, 0.1, -0.1, 1.0 / 3, 757_382_400.123_456_7, -978_307_200, 978_307_200.999_999_9, -1e9 + 0.3, 1e-9, 0x1p53,
            -0x1p53, 1e18, -1e18, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
            .infinity, -.infinity,
            Date.distantPast.timeIntervalSinceReferenceDate, Date.distantFuture.timeIntervalSinceReferenceDate,
        ].map { seconds in
            keeps("the time \(seconds) s from the reference date, to the last bit") {
                $0.createdAt = Date(timeIntervalSinceReferenceDate: seconds)
            }
        }
        + [0, 1, 59, 60, 719, 720, 1_439].map { minutes in
            keeps("minute \(minutes) of a day") {
                $0.timeline = [try entry(minutes: minutes, place: nil)]
            }
        }

    private static let places: [ContractCheck<any TravelRepository>] =
        [
            (37.566_535_123_456, 126.977_969_123_456), (-90, -180), (90, 180), (0, 0), (-33.856_8, 151.215_3),
            (1e-12, -1e-12), (0.1 + 0.2, 100.0 / 3),
        ].map { latitude, longitude in
            keeps("a place at latitude \(latitude), longitude \(longitude), to the last bit") {
                let coordinate = try Coordinate(latitude: latitude, longitude: longitude)
                let place = try Place(name: "해운대 해수욕장", address: "부산 해운대구", coordinate: coordinate)
                $0.timeline = [try entry(place: place)]
            }
        } + [
            keeps("a place of which only the name is known") {
                $0.timeline = [try entry(place: Place(name: "할머니 댁"))]
            },
            keeps("a place without a coordinate, with an address") {
                $0.timeline = [try entry(place: Place(name: "할머니 댁", address: "강원 정선군"))]
            },
            keeps("a place without an address") {
                let place = try Place(name: "섬", address: "", coordinate: Coordinate(latitude: 33, longitude: 126))
                $0.timeline = [try entry(place: place)]
            },
            keeps("a place with the longest name and address") {
                let place = try Place(
                    name: String(repeating: "가", count: 100), address: String(repeating: "나", count: 200),
                    coordinate: Coordinate(latitude: 33, longitude: 126))
                $0.timeline = [try entry(place: place)]
            },
        ]

    private static let tracks: [ContractCheck<any TravelRepository>] = [
        keeps("a track of two segments, to a millionth of a degree") {
            let ends = [
                (-90.0, -180.0), (90, 180), (37.566_535, 126.977_969), (37.566_536, 126.977_968), (-0.000_001, 0),
            ]
            let way = try ends.map { try Coordinate(latitude: $0, longitude: $1) }
            $0.track = try TrackGeometry([way, way.reversed()])
        },
        keeps("a track of 20,000 positions") {
            let way = try (0..<20_000).map { number in
                try Coordinate(latitude: 33 + Double(number) / 10_000, longitude: 126 + Double(number % 977) / 1_000)
            }
            $0.track = try TrackGeometry([way])
        },
        check("round trip", "shows the track of a travel only to those who see the travel") { travels in
            let recorded = try TravelBuilder(seed: 1).build()
            try await travels.add([recorded])
            try expect(
                try await travels.track(of: recorded.id, viewer: nil), equals: nil, "the track of a travel without")
            let unknown = Travel.ID(seed: 2)
            try await expect(.notFound(.travel(unknown)), from: "the track of an unknown travel") {
                _ = try await travels.track(of: unknown, viewer: nil)
            }
        },
    ]

    private static func entry(
        title: String = "Entry", minutes: Int = 540, text: String = "Text", place: Place?
    ) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: 1), day: 1, time: TimeOfDay(minutesSinceMidnight: minutes), title: Title(title),
            text: EntryText(text), place: place)
    }
}
