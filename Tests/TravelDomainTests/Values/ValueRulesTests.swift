import Foundation
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Rules for values")
struct ValueRulesTests {
    @Test("the first day is not after the last", arguments: [(0, true), (1, true), (400, true), (-1, false)])
    func dayRanges(days: Int, isValid: Bool) throws {
        let first = try CalendarDay("2024-02-28")
        if isValid {
            #expect(try DayRange(first, through: first.adding(days: days)).count == days + 1)
        } else {
            #expect(throws: TravelError.invalid(Violation(.dates, .endsBeforeItBegins))) {
                try DayRange(first, through: first.adding(days: days))
            }
        }
    }

    @Test("the pictures of an entry show different images, also those whose IDs are equal but for a bit")
    func imagesOfAnEntry() throws {
        func entry(_ images: [TripImage.ID]) throws(TravelError) -> TimelineEntry {
            try TimelineEntry(
                day: 1, time: TimeOfDay(hour: 9), title: Title("a"), text: EntryText("a"),
                pictures: images.map { Picture($0) })
        }
        let bits = (0..<128).map { bit in
            TripImage.ID(
                UUID(
                    uuid: (
                        byte(0, bit), byte(1, bit), byte(2, bit), byte(3, bit), byte(4, bit), byte(5, bit),
                        byte(6, bit),
                        byte(7, bit), byte(8, bit), byte(9, bit), byte(10, bit), byte(11, bit), byte(12, bit),
                        byte(13, bit), byte(14, bit), byte(15, bit)
                    )))
        }
        func byte(_ place: Int, _ bit: Int) -> UInt8 { bit / 8 == place ? 1 << UInt8(bit % 8) : 0 }
        for first in stride(from: 0, to: 128, by: 14) {
            let images = Array(bits[first..<min(first + 29, 128)])
            #expect(try entry(images).pictures.count == images.count)
            for index in images.indices {
                for (other, place) in [(0, images.count), (index, 0), (index, images.count)] {
                    var repeated = images
                    repeated.insert(images[other], at: place)
                    #expect(throws: TravelError.invalid(Violation(.pictures, .repeated))) { try entry(repeated) }
                }
            }
        }
    }

    @Test("a trip has at least one day", arguments: [(1, 1), (3, 3), (0, 1), (-5, 1)])
    func numbersOfDays(days: Int, count: Int) throws {
        #expect(DayRange(try CalendarDay("2024-05-01"), days: days).count == count)
    }

    @Test(
        "the period depends on the number of days",
        arguments: [
            (1, .dayTrip), (2, .oneNight), (3, .twoNights), (4, .threeNightsOrMore), (6, .threeNightsOrMore),
            (7, .weekOrMore), (29, .weekOrMore), (30, .monthOrMore), (365, .monthOrMore),
        ] as [(Int, Period)])
    func periods(days: Int, period: Period) throws {
        #expect(DayRange(try CalendarDay("2024-05-01"), days: days).period == period)
    }

    @Test("every number of days has one period")
    func periodsAreDisjoint() {
        for days in 1...100 { #expect(Period.allCases.count { $0.numbersOfDays.contains(days) } == 1) }
    }

    @Test(
        "the season is that of the first day",
        arguments: [
            (1, .winter), (2, .winter), (3, .spring), (4, .spring), (5, .spring), (6, .summer), (7, .summer),
            (8, .summer), (9, .summer), (10, .autumn), (11, .autumn), (12, .winter),
        ] as [(Int, Season)])
    func seasons(month: Int, season: Season) throws {
        for day in [1, 28] {
            let first = try CalendarDay(year: 2024, month: month, day: day)
            #expect(DayRange(first, days: 90).season == season)
            #expect(season.months.contains(month))
        }
    }

    @Test(
        "Korea has its islands and its border, and its neighbours are abroad",
        arguments: [
            ("Seoul", 37.5665, 126.978, true), ("Baengnyeong", 37.97, 124.70, true),
            ("Yeonpyeong", 37.666, 125.70, true),
            ("Ganghwa", 37.82, 126.43, true), ("Dorasan", 37.899, 126.710, true), ("Cheorwon", 38.21, 127.21, true),
            ("Goseong", 38.586, 128.376, true), ("Ulleungdo", 37.50, 130.87, true), ("Dokdo", 37.241, 131.867, true),
            ("Pohang", 36.08, 129.57, true), ("Busan", 35.05, 129.09, true), ("Hongdo", 34.685, 125.19, true),
            ("Geomundo", 34.03, 127.31, true), ("Gageodo", 34.07, 125.12, true), ("Marado", 33.118, 126.269, true),
            ("Udo", 33.50, 126.955, true), ("Chujado", 33.95, 126.33, true), ("Oeyeondo", 36.23, 126.08, true),
            ("Kaesong", 37.97, 126.55, false), ("Haeju", 38.04, 125.71, false), ("Pyongyang", 39.03, 125.75, false),
            ("Kumgang", 38.66, 128.10, false), ("Tsushima", 34.70, 129.44, false), ("Fukuoka", 33.59, 130.40, false),
            ("Goto", 33.15, 129.0, false), ("Weihai", 37.5, 122.1, false), ("Paris", 48.8566, 2.3522, false),
            ("nowhere", 0, 0, false), ("the pole", 90, 0, false),
        ])
    func korea(name: String, latitude: Double, longitude: Double, isInside: Bool) throws {
        #expect(try Coordinate(latitude: latitude, longitude: longitude).isInKorea == isInside)
    }

    @Test("filters have the values of the product")
    func choices() {
        #expect(Region.allCases.count == 18 && Region.ofKorea.count == 17)
        #expect(Theme.allCases.count == 9)
        #expect(Companion.allCases.count == 4)
        #expect(Headcount.allCases.map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(Budget.allCases.count == 4)
        #expect(Transportation.allCases.count == 2)
        #expect(TripSort.allCases.count == 3)
    }

    @Test("a time of day is between 00:00 and 23:59", arguments: [("00:00", 0), ("09:30", 570), ("23:59", 1_439)])
    func timesOfDay(text: String, minutes: Int) throws {
        let time = try TimeOfDay(text)
        #expect(time.minutes == minutes)
        #expect(time.description == text)
        #expect(TimeOfDay(minutesSinceMidnight: minutes - 1_440) == time)
    }

    @Test("minutes wrap around at 24 hours", arguments: [1_500, -1_380, Int.min, Int.max])
    func minutesRoundTheClock(minutes: Int) {
        #expect((0..<1_440).contains(TimeOfDay(minutesSinceMidnight: minutes).minutes))
        #expect(TimeOfDay(minutesSinceMidnight: 1_500) == TimeOfDay(minutesSinceMidnight: -1_380))
    }

    @Test("an invalid time of day names the field", arguments: ["24:00", "9:30", "12:60", "", "12", "-1:00", "１２:00"])
    func malformedTimes(text: String) {
        #expect(throws: TravelError.invalid(Violation(.time, .malformed(expected: "a time such as 09:30")))) {
            try TimeOfDay(text)
        }
    }

    @Test(
        "a coordinate has a valid latitude and longitude",
        arguments: [
            (90, 180, true), (-90, -180, true), (90.001, 0, false), (0, 180.001, false), (-91, 0, false),
            (.nan, 0, false), (0, .infinity, false),
        ] as [(Double, Double, Bool)])
    func coordinates(latitude: Double, longitude: Double, isValid: Bool) throws {
        guard !isValid else {
            _ = try Coordinate(latitude: latitude, longitude: longitude)
            return
        }
        let range = Violation(.coordinate, .outOfRange("latitude -90…90, longitude -180…180"))
        #expect(throws: TravelError.invalid(range)) { try Coordinate(latitude: latitude, longitude: longitude) }
    }

    @Test("the limit of a page is between 1 and 100", arguments: [(0, false), (1, true), (100, true), (101, false)])
    func limits(limit: Int, isValid: Bool) throws {
        guard !isValid else {
            _ = try TripQuery(TripCriteria(), viewer: nil, limit: limit)
            return
        }
        #expect(throws: TravelError.invalid(Violation(.limit, .outOfRange("1…100")))) {
            try TripQuery(TripCriteria(), viewer: nil, limit: limit)
        }
    }

    @Test("a trip has no negative number of likes, and its times are moments")
    func numbersOfLikes() throws {
        let recorded = try TripBuilder(seed: 1).build()
        func trip(likes: Int = 0, createdAt: Double = 0, updatedAt: Double? = nil) throws(TravelError) -> Trip {
            try Trip(
                id: recorded.id, author: recorded.author, content: recorded.content,
                createdAt: Date(timeIntervalSinceReferenceDate: createdAt),
                updatedAt: updatedAt.map { Date(timeIntervalSinceReferenceDate: $0) }, likeCount: likes, isLiked: false,
                isMine: false)
        }
        #expect(throws: TravelError.invalid(Violation(.likeCount, .outOfRange("0 or more")))) {
            try trip(likes: -5)
        }
        let moment = TravelError.invalid(Violation(.date, .malformed(expected: "a moment in time")))
        #expect(throws: moment) { try trip(createdAt: .nan) }
        #expect(throws: moment) { try trip(updatedAt: .nan) }
        #expect(try trip(createdAt: 5).updatedAt == trip(createdAt: 5).createdAt)
        #expect(try trip(updatedAt: 7).updatedAt == Date(timeIntervalSinceReferenceDate: 7))
    }

    @Test("versions are numbered from 1, and each is followed by the next")
    func versions() {
        #expect(TripVersion(number: 0) == nil)
        #expect(TripVersion(number: .max) == nil)
        #expect(TripVersion(number: 1 << 62)?.next.number == (1 << 62) + 1)
        #expect(TripVersion(number: 1) == .first)
        #expect(TripVersion.first.next == TripVersion(number: 2))
        #expect(TripVersion.first < .first.next)
        #expect("\(TripVersion.first.next)" == "2")
    }

    @Test("a cursor is valid only for searches in its order", arguments: TripSort.allCases)
    func cursors(sort: TripSort) throws {
        let recorded = try TripBuilder(seed: 1).build()
        let trip = try Trip(
            id: recorded.id, author: recorded.author, content: recorded.content, createdAt: recorded.createdAt,
            likeCount: 0, isLiked: false, isMine: false)
        for other in TripSort.allCases {
            let cursor = TripCursor(after: trip, in: other)
            if other == sort {
                _ = try TripQuery(TripCriteria(sort: sort), viewer: nil, after: cursor)
            } else {
                #expect(throws: TravelError.invalid(Violation(.cursor, .foreignCursor))) {
                    try TripQuery(TripCriteria(sort: sort), viewer: nil, after: cursor)
                }
            }
        }
    }

    @Test("IDs are distinct, ordered by their bytes, and round-trip through text")
    func identifiers() throws {
        let ids = (0..<20).map { Trip.ID(seed: $0) } + (0..<200).map { _ in Trip.ID() }
        #expect(Set(ids).count == ids.count)
        #expect(ids.map(\.description).sorted() == ids.sorted().map(\.description))
        #expect(ids.allSatisfy { Trip.ID($0.rawValue) == $0 && $0.rawValue.uuidString.lowercased() == $0.description })
        #expect(Trip.ID("00010203-0405-0607-0809-0a0b0c0d0e0f")?.rawValue.uuid.15 == 15)
        #expect(ids.allSatisfy { Trip.ID($0.description.uppercased()) == $0 })
        #expect(Trip.ID("6f1c") == nil)
    }

    @Test("an ID is read from the text of a UUID, and from nothing else")
    func textsOfIdentifiers() throws {
        let form = try Regex("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
        var random = SeededGenerator(seed: 7)
        let strange = Array("0123456789abcdefABCDEFgG-- /:@`{é\u{FF11}\0")
        var differing: [String] = []
        for _ in 0..<4_000 {
            var text = Array(Trip.ID().description)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: text.remove(at: place)
                case 1: text.insert(strange.randomElement(using: &random)!, at: place)
                default: text[place] = strange.randomElement(using: &random)!
                }
            }
            // Foundation reads some other texts as well, such as one with a space for a digit.
            let isUUID = String(text).wholeMatch(of: form) != nil
            let expected = isUUID ? UUID(uuidString: String(text)) : nil
            if Trip.ID(String(text))?.rawValue != expected { differing.append(String(text)) }
        }
        #expect(differing == [])
    }
}

@Suite("Calendar days")
struct CalendarDayTests {
    @Test(
        "every day number converts to a date and back, across leap years and centuries",
        arguments: [
            -719_162, -141_428, -1, 0, 59, 11_016, 11_017, 19_782, 2_932_896,
        ])
    func dayNumberRoundTrips(number: Int) throws {
        let day = CalendarDay(daysSince1970: number)
        let (year, month, dayOfMonth) = day.components
        #expect(try CalendarDay(year: year, month: month, day: dayOfMonth) == day)
        #expect(try CalendarDay(day.description) == day)
    }

    @Test("known dates have the expected day numbers")
    func knownDates() throws {
        #expect(try CalendarDay(year: 1970, month: 1, day: 1).daysSince1970 == 0)
        #expect(try CalendarDay(year: 2000, month: 2, day: 29).daysSince1970 == 11_016)
        #expect(try CalendarDay("2024-02-28").adding(days: 2).description == "2024-03-01")
    }

    @Test(
        "days beyond the calendar are clamped to its last or first day",
        arguments: [Int.max, 4_000_000, Int.min, -4_000_000])
    func daysBeyondTheCalendar(days: Int) throws {
        let first = try CalendarDay("2024-05-01")
        #expect(first.adding(days: days).description == (days > 0 ? "9999-12-31" : "0001-01-01"))
        #expect(try DayRange(first, days: days).last == (days > 0 ? CalendarDay("9999-12-31") : first))
    }

    @Test(
        "text that is not a calendar day is rejected",
        arguments: [
            "", "2024-13-01", "2023-02-29", "2024-2-9", "24-02-09", "2024-02-30", "2024/02/01", "-024-02-01",
            "1900-02-29",
        ])
    func malformedTextIsRefused(text: String) {
        #expect(throws: TravelError.self) { try CalendarDay(text) }
    }
}

@Suite("Distance between coordinates")
struct CoordinateDistanceTests {
    /// A quarter of the circumference of a sphere of the mean earth radius, in metres.
    private static let quarter = 10_007_557.2

    @Test(
        "known distances, in metres",
        arguments: [
            ((0.0, 0.0), (0.0, 0.0), 0.0),
            ((0, 0), (0, 90), quarter),
            ((-90, 0), (0, 0), quarter),
            ((90, 0), (-90, 0), 2 * quarter),
            ((0, 0), (0, 180), 2 * quarter),
            ((37.5, 127), (38.5, 127), quarter / 90),
            ((60, 126), (60, 127), 55_597.0),
            ((37.5547, 126.9707), (35.1152, 129.0422), 328_630),
        ])
    func knownDistances(from: (Double, Double), to: (Double, Double), meters: Double) throws {
        let a = try Coordinate(latitude: from.0, longitude: from.1)
        let b = try Coordinate(latitude: to.0, longitude: to.1)
        #expect(abs(a.distance(to: b) - meters) <= max(meters * 0.001, 0.000_001))
        #expect(abs(a.distance(to: b) - b.distance(to: a)) < 0.000_001)
    }

    @Test("distances across the date line are correct")
    func acrossTheDateLine() throws {
        let a = try Coordinate(latitude: 0, longitude: 179.995)
        let b = try Coordinate(latitude: 0, longitude: -179.995)
        #expect(abs(a.distance(to: b) - 1_112) < 1)
    }

    @Test("distances of one centimetre are resolved")
    func smallDistances() throws {
        let a = try Coordinate(latitude: 33.4586, longitude: 126.9425)
        let b = try Coordinate(latitude: 33.4586 + 0.000_000_1, longitude: 126.9425)
        #expect(abs(a.distance(to: b) - 0.0111) < 0.0001)
    }
}

@Suite("Recent keywords")
struct RecentKeywordsTests {
    @Test(
        "the newest come first, without duplicates, at most 15",
        arguments: [
            (["a", "b", "c"], ["c", "b", "a"]), (["a", "b", "a"], ["a", "b"]), (["a", "A"], ["A"]), ([], []),
            ((1...17).map { "\($0)" }, (3...17).reversed().map { "\($0)" }),
            (["\u{1107}\u{116E}", "산", "부"], ["부", "산"]),
        ] as [([String], [String])])
    func order(texts: [String], expected: [String]) {
        var recent = RecentKeywords()
        for text in texts { Keyword(text).map { recent.remember($0) } }
        #expect(recent.keywords.map(\.text) == expected)
    }

    @Test("a list created from keywords follows the same rules")
    func lists() {
        let keywords = ["a", "b", "A", "c"].compactMap { Keyword($0) }
        #expect(RecentKeywords(keywords).keywords.map(\.text) == ["a", "b", "c"])
        #expect(
            RecentKeywords((1...20).compactMap { Keyword("\($0)") }).keywords.map(\.text) == (1...15).map { "\($0)" })
    }

    @Test("forgetting a keyword ignores letter case")
    func removalIgnoresLetterCase() throws {
        var recent = RecentKeywords(["Sea", "산"].compactMap { Keyword($0) })
        recent.forget(try #require(Keyword("sEA")))
        recent.forget(try #require(Keyword("없음")))
        #expect(recent.keywords.map(\.text) == ["산"])
    }
}
