import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Suggesting keywords", .inVirtualTime)
struct SuggestKeywordsTests {
    let travels = InMemoryTravelRepository()
    let session = InMemorySession()
    let recent = InMemoryRecentKeywordRepository(RecentKeywords(["바다", "산"].compactMap { Keyword($0) }))

    @Test("an empty text shows the recent keywords", arguments: ["", "  ", "\n"])
    func emptyTexts(text: String) async throws {
        let suggestions = try await SuggestKeywords(titles: travels, recent: recent, session: session)(text)
        #expect(suggestions == .recent(["바다", "산"].compactMap { Keyword($0) }))
    }

    @Test("a text shows at most ten titles, those that begin with it first")
    func titles() async throws {
        try await travels.add(
            (0..<30).map { seed in
                try TravelBuilder(seed: seed).with { $0.title = seed % 5 == 0 ? "바다 \(seed)" : "밤바다 \(seed)" }.build()
            })
        let suggestions = try await SuggestKeywords(titles: travels, recent: recent, session: session)(" 바다 ")
        guard case .titles(let titles) = suggestions else {
            Issue.record("\(suggestions)")
            return
        }
        #expect(titles.count == 10)
        #expect(titles.prefix(6).allSatisfy { $0.text.hasPrefix("바다") })
        #expect(titles.dropFirst(6).allSatisfy { $0.text.hasPrefix("밤바다") })
    }

    @Test("titles are suggested without duplicates, and those of hidden travels only to their author")
    func hiddenTitles() async throws {
        try await travels.add(
            try [(1, "밤바다"), (2, "밤바다"), (3, "바다 산책"), (4, "바다 여행")].map { seed, title in
                try TravelBuilder(seed: seed).with { $0.title = title }.build()
            } + (10...15).map { try TravelBuilder(seed: $0).build() })
        for person in UInt64(10)...15 { try await travels.report(Travel.ID(seed: 3), by: User.ID(seed: person)) }
        try await travels.block(User.ID(seed: 4), by: User.ID(seed: 1))
        let suggest = SuggestKeywords(titles: travels, recent: recent, session: session)
        for (viewer, expected) in [
            (nil, ["바다 여행", "밤바다"]), (User.ID(seed: 1), ["밤바다"]), (User.ID(seed: 3), ["바다 산책", "바다 여행", "밤바다"]),
        ] {
            try await session.setSession(viewer.map { Session(user: $0) })
            guard case .titles(let titles) = try await suggest("바다") else {
                Issue.record("no titles")
                continue
            }
            #expect(titles.map(\.text).sorted() == expected)
        }
    }

    @Test("recent keywords are newest first, without duplicates, at most 15, and can be forgotten")
    func recentKeywords() async throws {
        for number in 1...20 { try await recent.updateRecentKeywords { $0.remember(Keyword("곳 \(number)")!) } }
        try await recent.updateRecentKeywords { $0.remember(Keyword("곳 10")!) }
        try await recent.updateRecentKeywords { $0.forget(Keyword("곳 20")!) }
        let numbers = [10, 19, 18, 17, 16, 15, 14, 13, 12, 11, 9, 8, 7, 6]
        #expect(
            try await SuggestKeywords(titles: travels, recent: recent, session: session)("")
                == .recent(numbers.compactMap { Keyword("곳 \($0)") }))
    }
}
