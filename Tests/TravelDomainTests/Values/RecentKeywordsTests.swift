import Testing
import TravelDomain

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
