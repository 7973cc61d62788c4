import Testing
import TravelDomainTesting
import TravelPresentation

@Suite("Texts of the screens")
struct TextTests {
    @Test(
        "a text contains its parameters in every language",
        arguments: [
            (Text.trips(2), ["2"]), (.shown(20, of: 79), ["20", "79"]), (.likes(2), ["2"]), (.entries(2), ["2"]),
            (.day(2), ["2"]), (.characters(3, maximum: 14), ["3", "14"]), (.andMore("부산", 2), ["부산", "2"]),
            (.tooShort(minimum: 2), ["2"]), (.tooLong(maximum: 14), ["14"]), (.entriesInTheWay(2), ["2"]),
            (.hello("Mina"), ["Mina"]),
        ] as [(Text, [String])])
    func parameters(text: Text, values: [String]) {
        for language in Language.allCases {
            for value in values { #expect(language[text].contains(value), "\(language[text]) lacks \(value)") }
        }
    }

    @Test("English nouns agree with their numbers")
    func plurals() {
        let english = Language.english
        #expect([0, 1, 2].map { english[.trips($0)] } == ["0 trips", "1 trip", "2 trips"])
        #expect([0, 1, 2].map { english[.likes($0)] } == ["0 likes", "1 like", "2 likes"])
        #expect([0, 1, 2].map { english[.entries($0)] } == ["0 entries", "1 entry", "2 entries"])
        #expect(english[.entriesInTheWay(1)].contains("1 entry lies"))
        #expect(english[.tooShort(minimum: 1)] == "Enter a text.")
    }

    static let errors: [TravelError] = [
        .notFound(.travel(.init(seed: 1))), .notFound(.entry(.init(seed: 1))), .notFound(.user(.init(seed: 1))),
        .notFound(.image(.init(seed: 1))), .forbidden(.user(.init(seed: 1))), .forbidden(.travel(.init(seed: 1))),
        .conflict(.travel(.init(seed: 1))), .conflict(.entry(.init(seed: 1))), .conflict(.user(.init(seed: 1))),
        .conflict(.image(.init(seed: 1))), .refused(.image(.init(seed: 1))),
        .unavailable(.init("The disk is full.", canRetry: false)), .busy, .signedOut,
        .wrongCredentials, .invalid(.init(.password, .tooShort(minimum: 8))),
        .invalid(.init(.title, .tooShort(minimum: 1))), .invalid(.init(.nickname, .tooLong(maximum: 10))),
        .invalid(.init(.placeName, .controlCharacter)), .invalid(.init(.text, .controlCharacter)),
        .invalid(.init(.date, .malformed(expected: "x"))), .invalid(.init(.time, .malformed(expected: "x"))),
        .invalid(.init(.image, .malformed(expected: "x"))), .invalid(.init(.day, .outOfRange("1…3"))),
        .invalid(.init(.dates, .endsBeforeItBegins)), .invalid(.init(.cursor, .foreignCursor)),
        .invalid(.init(.track, .empty)), .invalid(.init(.image, .tooLarge(maximumBytes: 10 << 20))),
        .invalid(.init(.dates, .entriesInTheWay([.init(seed: 1), .init(seed: 2)]))),
    ]

    @Test("every error has a message in English and in Korean, without identifiers", arguments: errors)
    func errorMessages(error: TravelError) {
        let failure = ScreenFailure(error)
        let (english, korean) = (failure.text(in: .english), failure.text(in: .korean))
        check(english: english, korean: korean)
        for text in [english, korean] { #expect(!text.contains("\(Travel.ID(seed: 1))")) }
    }

    @Test(
        "a Korean message has no English words",
        arguments: errors + [
            .unavailable(.init("The disk is full.", cause: .diskFull, canRetry: true)),
            .unavailable(.init("Another program is writing.", cause: .busy, canRetry: true)),
            .unavailable(.init("A newer version.", cause: .newerVersion, canRetry: false)),
            .unavailable(.init("An earlier version.", cause: .earlierVersion, canRetry: false)),
            .unavailable(.init("Not a travel database.", cause: .notATravelDatabase, canRetry: false)),
            .unavailable(.init("Damaged.", cause: .damaged, canRetry: false)),
            .unavailable(.init("Not accessible.", cause: .inaccessible, canRetry: false)),
            .unavailable(.init("It exists.", cause: .fileExists, canRetry: false)),
            .unavailable(.init("No connection.", cause: .unreachable, canRetry: true)),
            .unavailable(.init("Wrong password.", cause: .accessRefused, canRetry: false)),
            .unavailable(.init("Nothing there.", cause: .noSuchDatabase, canRetry: false)),
            .unavailable(.init("No privilege.", cause: .missingPrivilege, canRetry: false)),
            .unavailable(.init("A misspelt address.", cause: .invalidAddress, canRetry: false)),
            .unavailable(.init("A standby.", cause: .readOnly, canRetry: false)),
            .unavailable(.init("A solar storm.", cause: .init(name: "storm"), canRetry: true)),
            .invalid(.init(.day, .outOfRange("a day of the trip, 1…5"))),
            .invalid(.init(.day, .outOfRange("a day of the trip, starting at 1"))),
            .invalid(.init(.likeCount, .outOfRange("0 or more"))),
            .invalid(.init(.coordinate, .outOfRange("latitude -90…90, longitude -180…180"))),
            .invalid(.init(.track, .outOfRange("it takes longer than a year; import each trip from its own file"))),
        ])
    func koreanMessages(error: TravelError) {
        let text = ScreenFailure(error).text(in: .korean)
        let formats = ["JPEG", "PNG", "GIF", "WebP", "HEIC", "AVIF", "GPX", "MiB"]
        let rest = formats.reduce(text) { $0.replacing($1, with: "") }
        #expect(!rest.contains { $0.isASCII && $0.isLetter }, "\(text)")
    }

    @Test("a Korean message contains the range of a number")
    func koreanRange() {
        let error = TravelError.invalid(.init(.day, .outOfRange("a day of the trip, 1…5")))
        #expect(ScreenFailure(error).text(in: .korean) == "날짜는 범위를 벗어났습니다: 1…5")
    }

    @Test("an unexpected error has a general message that offers a retry")
    func unknownError() {
        struct Surprise: Error {}
        let failure = ScreenFailure(Surprise())
        check(english: failure.text(in: .english), korean: failure.text(in: .korean))
        #expect(failure.canRetry)
    }

    @Test("a day tab shows the day of the month and of the week in the chosen language")
    func dayTabs() throws {
        let friday = try CalendarDay(year: 2024, month: 4, day: 5)
        #expect(friday.tabText(in: .english) == "05 Fri")
        #expect(friday.tabText(in: .korean) == "05 금")
        #expect((0..<7).map { Weekday(of: friday.adding(days: $0 + 3)).rawValue } == [1, 2, 3, 4, 5, 6, 7])
        #expect(Weekday(of: CalendarDay(daysSince1970: -1)) == .wednesday)
        #expect(try CalendarDay("0001-01-01").tabText(in: .english) == "01 Mon")
        #expect(try CalendarDay("2024-12-31").tabText(in: .korean) == "31 화")
    }

    /// English without Hangul, Korean with it, both without blanks around them.
    private func check(english: String, korean: String) {
        for text in [english, korean] {
            #expect(!text.isEmpty)
            #expect(!text.hasPrefix(" ") && !text.hasSuffix(" ") && !text.contains("  "))
        }
        #expect(!english.contains(where: isHangul), "\(english)")
        #expect(korean.contains(where: isHangul), "\(korean)")
    }

    private func isHangul(_ character: Character) -> Bool {
        character.unicodeScalars.contains { ("가"..."힣").contains($0) }
    }
}
