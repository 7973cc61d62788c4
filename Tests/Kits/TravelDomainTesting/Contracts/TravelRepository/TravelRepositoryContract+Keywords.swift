import TravelDomain

extension TravelRepositoryContract {
    static let keywords: [ContractCheck<any TravelRepository>] =
        KeywordCase.all.map { keyword in
            check("keyword", "a keyword \(keyword.promise) is \(keyword.isMatch ? "found" : "not found")") { travels in
                try await travels.add(
                    TravelBuilder(seed: 1).with { $0.title = keyword.title },
                    TravelBuilder(seed: 2).with { $0.title = "다른 곳" })
                let criteria = TravelCriteria(keyword: Keyword(keyword.keyword))
                try expect(
                    try await travels.seeds(criteria, among: [1, 2]), equals: keyword.isMatch ? [1] : [],
                    "the travels found by '\(keyword.keyword)', where travel 1 has the title '\(keyword.title)'")
            }
        } + [
            check("keyword", "a travel must match both a keyword and a filter") { travels in
                try await travels.add(
                    TravelBuilder(seed: 1).with {
                        $0.title = "밤바다"
                        $0.region = .busan
                    },
                    TravelBuilder(seed: 2).with { $0.title = "밤바다" },
                    TravelBuilder(seed: 3).with { $0.region = .busan })
                let criteria = TravelCriteria(keyword: Keyword("바다"), regions: [.busan])
                try expect(try await travels.seeds(criteria, among: [1, 2, 3]), equals: [1], "the travels found")
            },
            check("keyword", "the text of a timeline does not match") { travels in
                let entry = try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: 9), title: Title("바다"), text: EntryText("바다"))
                try await travels.add(TravelBuilder(seed: 1).with { $0.timeline = [entry] })
                let found = try await travels.ids(TravelCriteria(keyword: Keyword("바다")))
                try expect(found, equals: [], "the travels found")
            },
        ]
        + TravelSort.allCases.map { sort in
            check("keyword", "a keyword finds all of many, sorted by \(sort)") { travels in
                try await travels.add(
                    (1...300).map { seed in
                        try TravelBuilder(seed: seed).with { $0.title = seed % 3 == 0 ? "밤바다 \(seed)" : "산 \(seed)" }
                            .build()
                    })
                let criteria = TravelCriteria(keyword: Keyword("바다"), sort: sort)
                try expect(
                    try await travels.seeds(criteria, among: 1...300),
                    equals: Array(stride(from: 3, through: 300, by: 3)),
                    "the travels found")
            }
        }
}
