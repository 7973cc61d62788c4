import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Suggesting keywords")
struct SuggestKeywordsTests {
    let travels = InMemoryTravelRepository()
    let recent = InMemoryRecentKeywordRepository(RecentKeywords(["바다", "산"].compactMap { Keyword($0) }))

    @Test("an empty text shows the recent keywords", arguments: ["", "  ", "\n"])
    func emptyTexts(text: String) async throws {
        let suggestions = try await SuggestKeywords(titles: travels, recent: recent)(text, viewer: nil)
        #expect(suggestions == .recent(["바다", "산"].compactMap { Keyword($0) }))
    }

    @Test("a text shows at most ten titles, those that begin with it first")
    func titles() async throws {
        try await travels.add(
            (0..<30).map { seed in
                try TravelBuilder(seed: seed).with { $0.title = seed % 5 == 0 ? "바다 \(seed)" : "밤바다 \(seed)" }.build()
            })
        let suggestions = try await SuggestKeywords(titles: travels, recent: recent)(" 바다 ", viewer: nil)
        guard case .titles(let titles) = suggestions else {
            Issue.record("\(suggestions)")
            return
        }
        #expect(titles.count == 10)
        #expect(titles.prefix(6).allSatisfy { $0.text.hasPrefix("바다") })
        #expect(titles.dropFirst(6).allSatisfy { $0.text.hasPrefix("밤바다") })
    }
}
