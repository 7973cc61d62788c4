import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Criteria")
struct TripCriteriaTests {
    @Test(
        "a keyword matches any part of a title in any letter case, and has no wildcards", arguments: KeywordExample.all)
    func keywords(example: KeywordExample) throws {
        let keyword = try #require(Keyword(example.keyword))
        #expect(keyword.matches(try Title(example.title)) == example.isMatch)
        #expect(
            TripCriteria(keyword: keyword).matches(
                try TripBuilder(seed: 1).with { $0.title = example.title }.build().content) == example.isMatch)
    }

    struct KeywordExample: CustomStringConvertible, Sendable {
        let title, keyword: String
        let isMatch: Bool
        var description: String { "\(title) \(isMatch ? "has" : "has not") \(keyword)" }

        static let all = [
            ("부산 밤바다", "바다", true), ("부산 밤바다", "산 밤", true), ("부산 밤바다", "부", true), ("부산", "ㅂ", false),
            ("100% 완주", "0% ", true), ("100 완주", "%", false), ("a_b", "_", true), ("axb", "a_b", false),
            ("Summer", "UMM", true), ("École", "éC", true), ("Cafe\u{301}", "é", true), ("Cafe\u{301}", "cafe", false),
            ("부산", "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}", true), ("👨‍👩‍👧", "👩", false), ("부산 밤바다", "부산밤바다", true),
            ("Straße", "STRASSE", true), ("İstanbul", "istanbul", true),
            ("ＪＥＪＵ", "jeju", true), ("부\u{200B}산", "부산", true), ("ﾊﾞｽ", "バス", true),
        ].map { KeywordExample(title: $0, keyword: $1, isMatch: $2) }
    }

    @Test("white space is not a keyword, and a long keyword is cut to 100 characters")
    func keywordsOfNothing() {
        #expect(Keyword(" \n") == nil)
        #expect(Keyword(String(repeating: "가", count: 120))?.text.count == 100)
    }

    @Test("every filter that is set must match, and an empty one matches everything")
    func everyFilterMustHold() throws {
        var samples = TripGenerator(seed: 3)
        let contents = try (0..<100).map { _ in try samples.content() }
        for _ in 0..<50 {
            let all = samples.criteria()
            // The text form has a pair for each filter.
            let single = try all.text.split(separator: "&").map { try #require(TripCriteria(text: $0)) }
            for content in contents {
                #expect(all.matches(content) == single.allSatisfy { $0.matches(content) })
            }
        }
        #expect(contents.allSatisfy(TripCriteria().matches))
    }

    @Test("within regions, themes, companions and seasons, one common value is enough")
    func anyOfTheChosen() throws {
        let content = try TripBuilder(seed: 1).with {
            $0.region = .jeju
            $0.themes = [.food, .art]
            $0.companions = [.pets]
            $0.firstDay = "2024-10-01"
        }.build().content
        #expect(TripCriteria(regions: [.busan, .jeju]).matches(content))
        #expect(TripCriteria(themes: [.camping, .art]).matches(content))
        #expect(TripCriteria(companions: [.family, .pets]).matches(content))
        #expect(TripCriteria(seasons: [.spring, .autumn]).matches(content))
        #expect(!TripCriteria(regions: [.busan, .seoul]).matches(content))
        #expect(!TripCriteria(themes: [.camping]).matches(content))
        #expect(!TripCriteria(companions: [.family]).matches(content))
        #expect(!TripCriteria(seasons: [.spring, .summer, .winter]).matches(content))
    }

    @Test("a missing value does not match a filter")
    func missingValueMatchesNoFilter() throws {
        let content = try TripBuilder(seed: 1).build().content
        #expect(Headcount.allCases.allSatisfy { !TripCriteria(headcount: $0).matches(content) })
        #expect(Budget.allCases.allSatisfy { !TripCriteria(budget: $0).matches(content) })
        #expect(Transportation.allCases.allSatisfy { !TripCriteria(transportation: $0).matches(content) })
    }
}

@Suite("Visibility of trips", .inVirtualTime)
struct VisibilityTests {
    let author = User.ID(seed: 1)
    let viewer = User.ID(seed: 2)

    @Test(
        "more than five reports hide a trip from everyone but its author",
        arguments: [
            (0, true), (5, true), (6, false), (100, false),
        ])
    func reports(count: Int, isSeen: Bool) {
        #expect(Visibility(viewer: viewer, blocked: []).shows(tripBy: author, to: .everyone, reports: count) == isSeen)
        #expect(Visibility(viewer: nil, blocked: []).shows(tripBy: author, to: .everyone, reports: count) == isSeen)
        #expect(Visibility(viewer: author, blocked: []).shows(tripBy: author, to: .everyone, reports: count))
    }

    @Test("a blocked author's trips are hidden, others are not")
    func blocks() {
        let visibility = Visibility(viewer: viewer, blocked: [author])
        #expect(!visibility.shows(tripBy: author, to: .everyone, reports: 0))
        #expect(visibility.shows(tripBy: viewer, to: .everyone, reports: 0))
        #expect(visibility.shows(tripBy: User.ID(seed: 3), to: .everyone, reports: 0))
    }

    @Test("the use case rejects blocking oneself even if the store does not")
    func authorisationIsDecidedInTheDomain() async throws {
        let block = BlockAuthor(moderation: CarelessModeration(), session: InMemorySession(signedIn: viewer))
        await #expect(throws: TravelError.forbidden(.user(viewer))) { try await block(viewer) }
        try await block(author)
    }
}

/// A store that allows everything and stores nothing.
private struct CarelessModeration: ModerationRepository {
    func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool { true }
    func block(_ author: User.ID, by user: User.ID) async throws -> Bool { true }
    func unblock(_ author: User.ID, by user: User.ID) async throws {}
    func blocked(by user: User.ID) async throws -> [User] { [] }
}
