import Testing
import TravelDomainTesting
import TravelTexts

@Suite("Texts of the domain")
struct TextTests {
    @Test(
        "a text contains its parameters in every language",
        arguments: [
            (.likes(2), ["2"]), (.trips(2), ["2"]), (.entries(2), ["2"]), (.day(2), ["2"]),
            (.entriesInTheWay(2), ["2"]),
        ] as [(Text, [String])])
    func parameters(text: Text, values: [String]) {
        for language in Language.allCases {
            for value in values { #expect(language[text].contains(value), "\(language[text]) lacks \(value)") }
        }
    }

    @Test("English nouns agree with their numbers")
    func plurals() {
        let english = Language.english
        #expect([0, 1, 2].map { english[.likes($0)] } == ["0 likes", "1 like", "2 likes"])
        #expect(english[.entriesInTheWay(1)].contains("1 entry lies"))
        #expect([1, 2].map { english[.trips($0)] } == ["1 trip", "2 trips"])
        #expect([1, 2].map { english[.entries($0)] } == ["1 entry", "2 entries"])
    }

    static let errors: [TravelError] = [
        .notFound(.trip(.init(seed: 1))), .notFound(.entry(.init(seed: 1))), .notFound(.user(.init(seed: 1))),
        .notFound(.image(.init(seed: 1))), .forbidden(.user(.init(seed: 1))), .forbidden(.trip(.init(seed: 1))),
        .conflict(.trip(.init(seed: 1))), .conflict(.entry(.init(seed: 1))), .conflict(.user(.init(seed: 1))),
        .conflict(.image(.init(seed: 1))), .refused(.image(.init(seed: 1))),
        .unavailable(.init("The disk is full.", canRetry: false)),
        .unavailable(.init("The store is busy.", canRetry: true)), .signedOut, .wrongCredentials,
        .invalid(.init(.password, .tooShort(minimum: 8))),
        .invalid(.init(.title, .tooShort(minimum: 1))), .invalid(.init(.nickname, .tooLong(maximum: 10))),
        .invalid(.init(.placeName, .controlCharacter)), .invalid(.init(.text, .controlCharacter)),
        .invalid(.init(.date, .malformed(expected: "x"))), .invalid(.init(.time, .malformed(expected: "x"))),
        .invalid(.init(.image, .malformed(expected: "x"))), .invalid(.init(.day, .outOfRange("1…3"))),
        .invalid(.init(.dates, .endsBeforeItBegins)), .invalid(.init(.cursor, .foreignCursor)),
        .invalid(.init(.track, .empty)), .invalid(.init(.image, .tooLarge(maximumBytes: 10 << 20))),
        .invalid(.init(.title, .tooManyScalars(maximum: 32))), .invalid(.init(.image, .keepsMetadata)),
        .invalid(.init(.nickname, .unusableCharacter("\u{200B}"))), .invalid(.init(.nickname, .mixedScripts)),
        .invalid(.init(.password, .invisible)), .invalid(.init(.password, .common)),
        .invalid(.init(.timeline, .tooMany(maximum: 1_000))), .invalid(.init(.pictures, .tooMany(maximum: 30))),
        .invalid(.init(.pictures, .repeated)), .invalid(.init(.invitation, .closed)),
        .invalid(.init(.dates, .entriesInTheWay([.init(seed: 1), .init(seed: 2)]))),
    ]

    @Test("every error has a message in English and in Korean, without identifiers", arguments: errors)
    func errorMessages(error: TravelError) {
        let (english, korean) = (error.text.english, error.text.korean)
        check(english: english, korean: korean)
        for text in [english, korean] { #expect(!text.contains("\(Trip.ID(seed: 1))")) }
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
            .unavailable(.init("Lacks characters.", cause: .otherEncoding, canRetry: false)),
            .unavailable(.init("No privilege.", cause: .missingPrivilege, canRetry: false)),
            .unavailable(.init("A misspelt address.", cause: .invalidAddress, canRetry: false)),
            .unavailable(.init("A standby.", cause: .readOnly, canRetry: false)),
            .unavailable(.init("Not encrypted.", cause: .notSecure, canRetry: false)),
            .unavailable(.init("Sign in again.", cause: .damagedSession, canRetry: false)),
            .unavailable(.init("Too much to do.", cause: .serverBusy, canRetry: true)),
            .unavailable(.init("A server fails.", cause: .serverFailure, canRetry: true)),
            .unavailable(.init("Another version.", cause: .otherVersion, canRetry: false)),
            .unavailable(.init("A solar storm.", cause: .init(name: "storm"), canRetry: true)),
            .invalid(.init(.day, .outOfRange("a day of the trip, 1…5"))),
            .invalid(.init(.day, .outOfRange("a day of the trip, starting at 1"))),
            .invalid(.init(.likeCount, .outOfRange("0 or more"))),
            .invalid(.init(.coordinate, .outOfRange("latitude -90…90, longitude -180…180"))),
            .invalid(.init(.track, .outOfRange("it takes longer than a year; import each trip from its own file"))),
        ])
    func koreanMessages(error: TravelError) {
        let text = error.text.korean
        let names = ["JPEG", "PNG", "GIF", "WebP", "HEIC", "AVIF", "GPX", "MiB", "libvips-tools"]
        let rest = names.reduce(text) { $0.replacing($1, with: "") }
        #expect(!rest.contains { $0.isASCII && $0.isLetter }, "\(text)")
    }

    @Test("a Korean message contains the range of a number")
    func koreanRange() {
        let error = TravelError.invalid(.init(.day, .outOfRange("a day of the trip, 1…5")))
        #expect(error.text.korean == "날짜는 범위를 벗어났습니다: 1…5")
    }

    @Test("a date names its day of the week, and a day trip has one date")
    func dates() throws {
        let days = try DayRange(CalendarDay("2023-05-05"), through: CalendarDay("2023-05-05"))
        #expect(Text.date(days.first) == Text("Fri, 5 May 2023", "2023년 5월 5일 (금)"))
        #expect(Text.dates(days) == .date(days.first))
        let two = try DayRange(CalendarDay("2023-12-31"), through: CalendarDay("2024-01-01"))
        #expect(
            Text.dates(two)
                == Text("Sun, 31 December 2023 – Mon, 1 January 2024", "2023년 12월 31일 (일) – 2024년 1월 1일 (월)"))
        let sameYear = try DayRange(CalendarDay("2023-05-05"), through: CalendarDay("2023-05-07"))
        #expect(Text.dates(sameYear) == Text("Fri, 5 May – Sun, 7 May 2023", "2023년 5월 5일 (금) – 5월 7일 (일)"))
    }

    @Test(
        "a trip is as long as its nights",
        arguments: [
            ("2024-05-01", Text("Day trip", "당일치기")), ("2024-05-02", Text("1 night", "1박 2일")),
            ("2024-05-05", Text("4 nights", "4박 5일")), ("2024-05-09", Text("8 nights", "8박 9일")),
        ])
    func nights(_ last: String, _ text: Text) throws {
        #expect(Text.nights(try DayRange(CalendarDay("2024-05-01"), through: CalendarDay(last))) == text)
    }

    @Test(
        "a length has three digits at most, and its unit without a blank in Korean",
        arguments: [
            (0, "0 m", "0m"), (999.4, "999 m", "999m"), (999.6, "1 km", "1km"), (12_345, "12.3 km", "12.3km"),
            (99_949, "99.9 km", "99.9km"), (99_951, "100 km", "100km"), (123_456, "123 km", "123km"),
        ])
    func lengths(metres: Double, english: String, korean: String) {
        #expect(Text.length(metres) == Text(english, korean))
    }

    @Test(
        "a height separates thousands, and is negative below the sea",
        arguments: [
            (1_947.4, "1,947 m", "1,947m"), (1_000, "1,000 m", "1,000m"), (-12.6, "−13 m", "−13m"), (-0.4, "0 m", "0m"),
        ])
    func heights(metres: Double, english: String, korean: String) {
        #expect(Text.height(metres) == Text(english, korean))
    }

    @Test("the traits of a trip are in words, in the order of their kinds")
    func traits() throws {
        var content = try TripBuilder(seed: 1).build().content
        content.region = .jeju
        content.themes = [.nature, .food]
        content.companions = [.friends]
        content.headcount = .three
        content.budget = nil
        content.transportation = .ownCar
        let period = content.days.period
        #expect(
            content.traits(in: .english)
                == ["Jeju", period.name(in: .english), "Food", "Nature", "Friends", "3 people", "Own car"])
        #expect(content.traits(in: .korean).last == "자차")
    }

    @Test("an option of a filter has the name and the value of the text form of criteria")
    func filters() throws {
        for kind in FilterKind.allCases {
            for option in kind.options {
                let criteria = try #require(TripCriteria(text: "\(kind.rawValue)=\(option.value)"))
                #expect(option.kind == kind && criteria.options(of: kind) == [option])
            }
            let two = kind.options.prefix(2).map(\.value).joined(separator: ",")
            #expect((TripCriteria(text: "\(kind.rawValue)=\(two)") != nil) == kind.allowsSeveral)
        }
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

@Suite("The wordings of imported tracks")
struct TrackWordingTests {
    @Test("a trip of photos without a name is called by its first day")
    func tripsOfPhotos() throws {
        let days = DayRange(try CalendarDay("2024-07-02"), days: 3)
        #expect(LocalizedTrackWording(in: .english).tripTitle(ofPhotosOn: days) == "Trip of 2 July 2024")
        #expect(LocalizedTrackWording(in: .korean).tripTitle(ofPhotosOn: days) == "2024년 7월 2일 여행")
    }

    @Test(
        "the English text of an entry states the same facts as the Korean one",
        arguments: [
            (
                .departure, 38.4, 3_600, 999.4, "Departure",
                "Stayed for 1 hour. 999 m on this day. 38 m above sea level."
            ),
            (.arrival, nil, 0, 12_345, "Arrival", "Arrived after 12.3 km."),
            (.arrival, -3.2, 0, 999.6, "Arrival", "Arrived after 1 km. 3 m below sea level."),
            (.departure, nil, 0, nil, "Departure", "The first record of this day."),
            (.arrival, nil, 0, nil, "Arrival", "The last record of this day."),
            (.stay, nil, 7_500, nil, "Stop", "Stayed for 2 hours 5 minutes."),
            (.stay, nil, 0, nil, "On the way", "Passed here."),
        ] as [(JourneyMoment.Kind, Double?, Double, Double?, String, String)])
    func english(
        kind: JourneyMoment.Kind, elevation: Double?, stayed: Double, distance: Double?, title: String, text: String
    ) throws {
        let moment = try moment(kind, elevation: elevation, stayed: stayed, distance: distance)
        #expect(LocalizedTrackWording(in: .english).title(of: moment) == title)
        #expect(LocalizedTrackWording(in: .english).text(of: moment) == text)
    }

    @Test(
        "the text of an entry states the duration, the distance and the elevation",
        arguments: [
            (.departure, nil, 0, 12_345, "출발", "이날 12.3km를 이동했다."),
            (.departure, 38.4, 3_600, 999.4, "출발", "1시간 동안 머물렀다. 이날 999m를 이동했다. 해발 38m."),
            (.arrival, -3.2, 0, 999.6, "도착", "1km를 이동해 도착했다. 해발 -3m."),
            (.departure, nil, 0, nil, "출발", "이날의 첫 기록이다."),
            (.arrival, nil, 0, nil, "도착", "이날의 마지막 기록이다."),
            (.stay, nil, 2_100, nil, "머문 곳", "35분 동안 머물렀다."),
            (.stay, 20_000, 7_500, nil, "머문 곳", "2시간 5분 동안 머물렀다."),
            (.stay, .nan, 0, nil, "지난 곳", "이곳을 지났다."),
        ] as [(JourneyMoment.Kind, Double?, Double, Double?, String, String)])
    func facts(
        kind: JourneyMoment.Kind, elevation: Double?, stayed: Double, distance: Double?, title: String, text: String
    ) throws {
        let moment = try moment(kind, elevation: elevation, stayed: stayed, distance: distance)
        #expect(LocalizedTrackWording(in: .korean).title(of: moment) == title)
        #expect(LocalizedTrackWording(in: .korean).text(of: moment) == text)
    }

    @Test(
        "the text of a mark says whether the route passes it", arguments: [(true, "이곳을 지났다."), (false, "이곳을 표시해 두었다.")])
    func marks(isPassed: Bool, text: String) throws {
        let place = try Coordinate(latitude: 37.5655, longitude: 126.978)
        let moment = try moment(.mark(Waypoint(coordinate: place)), isPassed: isPassed)
        #expect(LocalizedTrackWording(in: .korean).title(of: moment) == "표시한 곳")
        #expect(LocalizedTrackWording(in: .korean).text(of: moment) == text)
    }

    private func moment(
        _ kind: JourneyMoment.Kind, elevation: Double? = nil, stayed: Double = 0, distance: Double? = nil,
        isPassed: Bool = true
    ) throws -> JourneyMoment {
        JourneyMoment(
            kind, day: 1, time: try TimeOfDay(hour: 9),
            coordinate: try Coordinate(latitude: 37.5655, longitude: 126.978),
            elevation: elevation, stayed: stayed, distance: distance, isPassed: isPassed)
    }
}

@Suite("Names of values")
struct NamesTests {
    @Test("every domain value has a distinct name in every language", arguments: Language.allCases)
    func namesAreDistinct(language: Language) {
        func check<Value: LocalizedNameProviding & CaseIterable>(_: Value.Type) {
            let names = Value.allCases.map { $0.name(in: language) }
            #expect(!names.contains(""))
            #expect(Set(names).count == names.count)
        }
        check(Region.self)
        check(Theme.self)
        check(Companion.self)
        check(Season.self)
        check(Period.self)
        check(Headcount.self)
        check(Budget.self)
        check(Transportation.self)
        check(TripSort.self)
        check(FilterKind.self)
        check(Weekday.self)
    }

    @Test(
        "the language follows the locale, English by default",
        arguments: [
            ("ko_KR.UTF-8", Language.korean), ("ko", .korean), ("KO-kr", .korean), ("ko.UTF-8", .korean),
            ("kor", .korean), ("en_US.UTF-8", .english), ("C", .english), ("", .english), ("kok_IN", .english),
            ("_ko", .english),
        ])
    func languageOfLocale(locale: String, language: Language) {
        #expect(Language(locale: locale) == language)
    }
}
