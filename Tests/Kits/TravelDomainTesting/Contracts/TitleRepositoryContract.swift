public import TravelDomain

/// The contract of `TitleRepository`, as checks for any implementation to which trips can be added.
///
/// Each check requires a new, empty repository. ``TripRepositoryContract`` shows how to run them.
public enum TitleRepositoryContract {
    /// An implementation of both protocols.
    public typealias Subject = any TripRepository & TitleRepository

    /// All checks: individual and generated ones.
    public static let checks: [ContractCheck<Subject>] = keywords + choices + generated(seeds: 1...3)

    /// One check for each seed: random keywords find the expected titles among random trips.
    public static func generated(seeds: some Sequence<UInt64>) -> [ContractCheck<Subject>] {
        seeds.map { seed in
            ContractCheck("titles", "keywords of seed \(seed) suggest the expected titles among random trips") {
                store in
                var samples = TripGenerator(seed: seed)
                let trips = try samples.trips(40, by: [samples.user()])
                try await store.add(trips)
                let titles = Set(trips.map(\.content.title))
                let unfinished = try (1...20).map { _ in KeywordCase.unfinished(try samples.title(), &samples.random) }
                for keyword in (SampleText.keywords + unfinished).compactMap({ Keyword($0) }) {
                    let limit = Int.random(in: 1...12, using: &samples.random)
                    try await expectTitles(containing: keyword, limit: limit, among: titles, in: store)
                }
            }
        }
    }

    private static let keywords: [ContractCheck<Subject>] =
        KeywordCase.lists.map { name, cases in
            suggests("keywords \(name) suggest the titles that contain them", cases.filter { !$0.isUnfinished })
        }
        + [suggests("unfinished texts suggest the titles of which they open a word", KeywordCase.typing)]

    /// A check whether the keyword of each case suggests its title, when the titles of all cases are stored.
    private static func suggests(_ promise: String, _ cases: [KeywordCase]) -> ContractCheck<Subject> {
        ContractCheck("titles", promise) { store in
            try await store.add(titles: cases.map(\.title))
            try await expectEach(of: cases, named: \.description) { each in
                let found = try await store.titles(containing: each.parsed(), viewer: nil, limit: 50)
                try expect(found.contains(Title(each.title)), equals: each.isMatch, "whether it is suggested")
            }
        }
    }

    private static let choices: [ContractCheck<Subject>] = [
        finds("nothing in an empty store", [], "바다"),
        finds("titles that begin with the text before others", ["밤바다", "바다 산책", "겨울바다", "바다"], "바다"),
        finds("a title that several trips have once", ["밤바다", "밤바다", "밤바다", "바다", "바다"], "바다"),
        finds(
            "a title in composed and decomposed form once",
            ["부산", "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}"], "부"),
        finds("titles that differ only in letter case separately", ["Sea", "sea", "SEA"], "sE"),
        finds("titles that begin with a text of one character", ["산책", "등산", "산"], "산"),
        finds("titles that begin with a long text", ["가나다라마바", "가나다라마", "가가나다라마", "가나다라바"], "가나다라마"),
        finds(
            "no more titles than the limit, preferring those that begin with the text",
            (0..<30).map { "\($0 % 2 == 0 ? "" : "x ")바다 \($0)" }, "바다"),
        finds("all titles within the limit", (0..<9).map { "\($0 % 2 == 0 ? "" : "x ")바다 \($0)" }, "바다"),
        finds(
            "titles that begin with the text, then those that contain it, then those of which it opens a word",
            ["가을 바다", "한강 산책", "강릉", "가으내", "강가", "단풍 강", "각산"], "강"),
        finds(
            "titles that begin with the text and the last character of Unicode before others",
            ["바다\u{10FFFF}\u{10FFFF}길"] + (0..<12).map { "밤바다 \($0)" }, "바다"),
        finds("titles of which a text is the initials, within the limit", (0..<12).map { "부산 \($0)" } + ["별 산책"], "ㅂㅅ"),
        finds("a title once that several of its words suggest", ["밤바다 밤비", "밤비"], "ㅂㅂ"),
        finds("titles among many", (0..<400).map { "여행 \($0)" } + ["그때 그 여행"], "여행 77"),
        ContractCheck("titles", "a limit of 0 finds nothing") { store in
            try await store.add(TripBuilder(seed: 1).with { $0.title = "바다" })
            guard let text = Keyword("바다") else { return }
            try expect(try await store.titles(containing: text, viewer: nil, limit: 0), equals: [], "the titles")
        },
        ContractCheck("titles", "a lookup in a cancelled task throws CancellationError") { store in
            guard let text = Keyword("바다") else { return }
            try await expectCancellation(of: "a lookup of titles") {
                _ = try await store.titles(containing: text, viewer: nil, limit: 10)
            }
        },
    ]

    private static func finds(_ what: String, _ titles: [String], _ text: String) -> ContractCheck<Subject> {
        ContractCheck("titles", "finds \(what)") { store in
            try await store.add(titles: titles)
            guard let keyword = Keyword(text) else { return }
            let known = Set(try titles.map { try Title($0) })
            try await expectTitles(containing: keyword, limit: 10, among: known, in: store)
        }
    }

    /// Expects the result to consist of titles among `titles` that `text` suggests: those that begin with it, then
    /// those that contain it, then those of which it opens a word.
    @discardableResult
    static func expectTitles(
        containing text: Keyword, viewer: User.ID? = nil, limit: Int, among titles: Set<Title>,
        in store: any TitleRepository
    ) async throws -> Int {
        let found = try await store.titles(containing: text, viewer: viewer, limit: limit)
        var ranks: [Title: Int] = [:]
        for title in titles {
            let folded = Keyword.folded(title.text)
            ranks[title] =
                text.begins(folded: folded) ? 0 : text.matches(folded: folded) ? 1 : text.opens(title) ? 2 : nil
        }
        let unexpected = found.filter { ranks[$0] == nil }
        let what = "the titles that '\(text.text)' suggests, at most \(limit)"
        try expect(Set(found).count, equals: found.count, "the number of different titles among \(what)")
        try expect(found.count, equals: min(limit, ranks.count), "the number of \(what)")
        try expect(unexpected.isEmpty, "unexpected titles among \(what): \(unexpected)")
        try expect(
            found.compactMap { ranks[$0] } == Array(ranks.values.sorted().prefix(limit)),
            "expected \(what): first those that begin with it, then those that contain it, then others; found \(found)")
        return ranks.count
    }
}

/// The contract of `RecentKeywordRepository`, as checks for any implementation.
///
/// Each check requires a new, empty repository. ``TripRepositoryContract`` shows how to run them.
public enum RecentKeywordRepositoryContract {
    public static let checks: [ContractCheck<any RecentKeywordRepository>] = [
        check("there are no keywords at first") { store in
            try await expectRecent([], in: store)
        },
        check("the latest keyword comes first") { store in
            for text in ["바다", "산", "섬"] { try await remember(text, in: store) }
            try await expectRecent(["섬", "산", "바다"], in: store)
        },
        check("a repeated keyword moves to the front in its latest spelling") { store in
            for text in ["sea", "산", "SEA"] { try await remember(text, in: store) }
            try await expectRecent(["SEA", "산"], in: store)
        },
        check("only the newest 15 keywords are kept") { store in
            for number in 1...20 { try await remember("\(number)", in: store) }
            try await expectRecent((6...20).reversed().map { "\($0)" }, in: store)
        },
        check("forgetting a keyword keeps the others") { store in
            for text in ["바다", "산", "섬"] { try await remember(text, in: store) }
            try await store.updateRecentKeywords { recent in Keyword("산").map { recent.forget($0) } }
            try await expectRecent(["섬", "바다"], in: store)
        },
        check("all keywords can be removed at once") { store in
            for text in ["바다", "산"] { try await remember(text, in: store) }
            try await store.updateRecentKeywords { $0 = RecentKeywords() }
            try await expectRecent([], in: store)
        },
        check("texts are returned scalar by scalar") { store in
            let texts = ["100% '\"\\", "cafe\u{301}", "\u{1107}\u{116E}", "👨‍👩‍👧", "a  b"]
            for text in texts { try await remember(text, in: store) }
            try await expectRecent(texts.reversed(), in: store)
        },
        check("concurrent changes by several tasks are all applied") { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...15 { group.addTask { try await remember("\(number)", in: store) } }
                try await group.waitForAll()
            }
            let texts = try await store.recentKeywords().keywords.map(\.text)
            try expect(Set(texts), equals: Set((1...15).map { "\($0)" }), "the recent keywords")
        },
        check("a lookup in a cancelled task throws CancellationError") { store in
            try await expectCancellation(of: "a lookup of recent keywords") { _ = try await store.recentKeywords() }
        },
        check("a change in a cancelled task throws CancellationError and is not applied") { store in
            try await remember("바다", in: store)
            try await expectCancellation(of: "a change of recent keywords") { try await remember("산", in: store) }
            try await expectRecent(["바다"], in: store)
        },
    ]

    private static func check(
        _ promise: String, _ body: @escaping @Sendable (any RecentKeywordRepository) async throws -> Void
    ) -> ContractCheck<any RecentKeywordRepository> {
        ContractCheck("recent keywords", promise, body)
    }

    private static func remember(_ text: String, in store: any RecentKeywordRepository) async throws {
        try await store.updateRecentKeywords { recent in Keyword(text).map { recent.remember($0) } }
    }

    private static func expectRecent(_ texts: [String], in store: any RecentKeywordRepository) async throws {
        let recent = try await store.recentKeywords().keywords.map { Array($0.text.unicodeScalars) }
        try expect(recent, equals: texts.map { Array($0.unicodeScalars) }, "the recent keywords")
    }
}
