import Foundation
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Text forms of criteria and cursors", .timeLimit(.minutes(1)))
struct TextFormTests {
    @Test(
        "criteria have a readable text without reserved characters",
        arguments: [
            (TripCriteria(), ""),
            (TripCriteria(regions: [.jeju, .busan], sort: .mostLiked), "region=busan,jeju&sort=mostLiked"),
            (
                TripCriteria(keyword: Keyword("50% 바다 & 산=1,2"), headcount: .fiveOrMore),
                "keyword=50%25%20%EB%B0%94%EB%8B%A4%20%26%20%EC%82%B0%3D1%2C2&headcount=5"
            ),
            (
                TripCriteria(
                    themes: [.familyDuty, .food], companions: [.pets], seasons: [.winter, .spring],
                    period: .weekOrMore, budget: .from10to50, transportation: .ownCar),
                "theme=food,familyDuty&companion=pets&season=spring,winter&period=weekOrMore&budget=from10to50"
                    + "&transportation=ownCar"
            ),
            (
                TripCriteria(author: User.ID(seed: 1), likedBy: User.ID(seed: 2)),
                "author=\(User.ID(seed: 1))&likedBy=\(User.ID(seed: 2))"
            ),
        ])
    func criteria(criteria: TripCriteria, text: String) {
        #expect(criteria.text == text)
        #expect(TripCriteria(text: text) == criteria)
    }

    @Test("criteria round-trip through text, scalar by scalar", arguments: 1...40)
    func roundTrips(seed: UInt64) {
        var samples = TripGenerator(seed: seed)
        for number in UInt64(0)..<25 {
            var criteria = samples.criteria()
            if number % 3 == 0 { criteria.author = User.ID(seed: number) }
            if number % 4 == 0 { criteria.likedBy = User.ID(seed: number) }
            let again = TripCriteria(text: criteria.text)
            #expect(again == criteria)
            #expect(again?.text == criteria.text)
            #expect(
                again?.keyword.map { Array($0.text.unicodeScalars) }
                    == criteria.keyword.map { Array($0.text.unicodeScalars) })
        }
    }

    @Test("pairs can be in any order, and any character can be percent-encoded")
    func otherForms() {
        let criteria = TripCriteria(regions: [.busan, .jeju], sort: .mostLiked)
        for text in [
            "sort=mostLiked&region=jeju,busan", "region=busan%2Cjeju&sort=%6DostLiked",
            "region=jeju,busan,jeju&sort=mostLiked",
        ] { #expect(TripCriteria(text: text) == criteria) }
        #expect(TripCriteria(text: "sort=newest") == TripCriteria())
        #expect(TripCriteria(text: "keyword=바다") == TripCriteria(keyword: Keyword("바다")))
    }

    @Test(
        "text with an unknown name or value, or a name twice, is rejected",
        arguments: [
            "region=atlantis", "regions=busan", "region=", "region", "region=busan&", "&region=busan", "region=busan,",
            "region=busan=jeju", "region=busan&region=jeju", "keyword=", "keyword=%20", "keyword=%E2", "keyword=%",
            "keyword=%2", "keyword=%GG", "headcount=6", "headcount=+5", "headcount=05 ", "author=me", "likedBy=",
            "sort=x",
            "period=dayTrip,oneNight", "REGION=busan", " ", "=", "&",
        ])
    func otherTexts(text: String) {
        #expect(TripCriteria(text: text) == nil)
    }

    @Test("a keyword whose 100th character is followed by a blank round-trips")
    func cutKeywords() throws {
        let keyword = try #require(Keyword(String(repeating: "가", count: 99) + " 나다"))
        #expect(keyword.text == String(repeating: "가", count: 99))
        #expect(Keyword(keyword.text) == keyword)
    }

    @Test("random text is criteria or a cursor only if it is their text form", arguments: 1...20)
    func randomTexts(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "region", "sort", "keyword", "=", "&", ",", "%", "busan", "newest", "mostLiked", ".", "41", "%EB%B0%94",
            "가",
            "0000000000000000", "\(Trip.ID(seed: 1))", "7ff8000000000000",
        ]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 1...7, using: &random)).map { _ in
                parts[Int.random(in: parts.indices, using: &random)]
            }.joined()
            if let criteria = TripCriteria(text: text) { #expect(TripCriteria(text: criteria.text) == criteria) }
            if let cursor = TripCursor(text: text) { #expect(TripCursor(text: cursor.text) == cursor) }
        }
    }

    private func cursor(
        _ sort: TripSort, at seconds: Double, likes: Int = 3, rank: TripMatch.Rank = .title
    ) throws -> TripCursor {
        let recorded = try TripBuilder(seed: 1).build()
        return TripCursor(
            after: try Trip(
                id: recorded.id, author: recorded.author, content: recorded.content,
                createdAt: Date(timeIntervalSinceReferenceDate: seconds), likeCount: likes, isLiked: false,
                isMine: false),
            in: sort, rank: rank)
    }

    @Test("a cursor has a text without reserved characters, exact to the last bit", arguments: TripSort.allCases)
    func cursors(sort: TripSort) throws {
        for seconds in [0, -0.0, 757_382_400.1, -1e-300, .infinity, -.infinity, .greatestFiniteMagnitude] {
            let (cursor, byEntry) = (try cursor(sort, at: seconds), try cursor(sort, at: seconds, rank: .entry))
            let again = try #require(TripCursor(text: cursor.text))
            #expect(again == cursor)
            #expect(again.sort == sort && again.rank == .title)
            #expect(byEntry.text == "entry.\(cursor.text)")
            #expect(TripCursor(text: byEntry.text) == byEntry)
            #expect(cursor.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") })
        }
        #expect(try cursor(.newest, at: 757_382_400).text == "newest.41c6925e80000000.\(Trip.ID(seed: 1))")
        #expect(try cursor(.mostLiked, at: 0, likes: 12).text == "mostLiked.12.0000000000000000.\(Trip.ID(seed: 1))")
        #expect(try cursor(.tripDate, at: 0).text == "tripDate.2024-05-01.0000000000000000.\(Trip.ID(seed: 1))")
    }

    @Test(
        "any other text is no cursor",
        arguments: [
            "", ".", "entry", "entry.", "title.newest.41c6925e80000000.00000000-0000-4000-8000-000000000001",
            "entry.entry.newest.41c6925e80000000.00000000-0000-4000-8000-000000000001",
            "newest.entry.41c6925e80000000.00000000-0000-4000-8000-000000000001", "newest", "newest.41c6925e80000000",
            "newest.41c6925e80000000.me",
            "oldest.41c6925e80000000.00000000-0000-4000-8000-000000000001",
            "newest.7ff8000000000000.00000000-0000-4000-8000-000000000001",
            "newest.41c6925e8000000.00000000-0000-4000-8000-000000000001",
            "newest.+1c6926400000000.00000000-0000-4000-8000-000000000001",
            "newest.3.41c6925e80000000.00000000-0000-4000-8000-000000000001",
            "mostLiked.41c6925e80000000.00000000-0000-4000-8000-000000000001",
            "mostLiked.-1.41c6925e80000000.00000000-0000-4000-8000-000000000001",
            "mostLiked.99999999999999999999.41c6925e80000000.00000000-0000-4000-8000-000000000001",
            "mostLiked.1.2.41c6925e80000000.00000000-0000-4000-8000-000000000001",
            "tripDate.2024-02-30.41c6925e80000000.00000000-0000-4000-8000-000000000001",
            "tripDate.41c6925e80000000.00000000-0000-4000-8000-000000000001",
        ])
    func otherCursors(text: String) {
        #expect(TripCursor(text: text) == nil)
    }
}
