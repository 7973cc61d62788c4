import TravelDataSQLite
import TravelDomain

extension TravelBenchmarks {
    /// Each filter alone, and all of them together.
    static let filters = [
        TravelCriteria(), TravelCriteria(regions: [.jeju]), TravelCriteria(themes: [.food]),
        TravelCriteria(companions: [.pets]), TravelCriteria(seasons: [.autumn]), TravelCriteria(period: .monthOrMore),
        TravelCriteria(headcount: .fiveOrMore), TravelCriteria(budget: .over100),
        TravelCriteria(transportation: .ownCar),
        TravelCriteria(
            regions: [.seoul, .busan, .jeju], themes: [.food, .nature], companions: [.family, .friends],
            seasons: [.spring, .autumn], period: .oneNight, headcount: .two, budget: .from10to50,
            transportation: .ownCar),
    ]

    /// First pages and next pages, for each filter alone and for all together, in both orders.
    static func pages(_ report: inout Report, _ world: World) async throws {
        let queries = try TravelSort.allCases.flatMap { sort in
            try filters.map { try TravelQuery($0.with(sort: sort), viewer: world.people[0].id) }
        }
        try await compare(&report, "searchFirstPage", element: "page", count: queries.count * 20, world) { store in
            var sum = 0
            for _ in 0..<20 {
                for query in queries { sum &+= checksum(try await store.search(query)) }
            }
            return sum
        }
        // The pages that follow are known beforehand, so that both stores are asked for the same.
        var nextPages: [TravelQuery] = []
        for query in queries {
            var next = try await world.sqlite.travels.search(query).next
            while let cursor = next, nextPages.count.isMultiple(of: 11) == false || nextPages.isEmpty {
                let page = try TravelQuery(query.criteria, viewer: query.viewer, after: cursor)
                nextPages.append(page)
                next = try await world.sqlite.travels.search(page).next
            }
        }
        let pages = nextPages
        try await compare(&report, "searchNextPage", element: "page", count: pages.count * 2, world) { store in
            var sum = 0
            for _ in 0..<2 {
                for page in pages { sum &+= checksum(try await store.search(page)) }
            }
            return sum
        }
    }

    /// First pages of keywords, in both orders.
    static func keywords(_ report: inout Report, _ world: World) async throws {
        for (shape, words) in [
            ("keywordFrequent", ["바다", "산책", "캠핑"]), ("keywordRare", ["오징어", "마라톤", "café"]),
            ("keywordAbsent", ["없는말", "한라봉", "zzz"]), ("keywordTwoSyllables", ["부산", "노을", "섬 "]),
        ] {
            let queries = try TravelSort.allCases.flatMap { sort in
                try words.map { try TravelQuery(TravelCriteria(keyword: Keyword($0), sort: sort), viewer: nil) }
            }
            try await compare(&report, shape, element: "page", count: queries.count * 50, world) { store in
                var sum = 0
                for _ in 0..<50 {
                    for query in queries { sum &+= checksum(try await store.search(query)) }
                }
                return sum
            }
        }
    }

    /// Titles for what someone may have typed.
    static func suggestions(_ report: inout Report, _ world: World) async throws {
        let texts = ["부", "부산", "부산 가", "밤바", "섬", "T", "tri", "%", "없는말"].compactMap { Keyword($0) }
        try await compare(&report, "suggestions", element: "text", count: texts.count * 50, world) { store in
            var sum = 0
            for _ in 0..<50 {
                // Which of more than ten, and in which order, is for the store to choose.
                for text in texts {
                    sum += try await store.titles(containing: text, viewer: nil, limit: 10).count
                }
            }
            return sum
        }
    }
}

extension TravelCriteria {
    /// The same in another order.
    fileprivate func with(sort: TravelSort) -> TravelCriteria {
        var criteria = self
        criteria.sort = sort
        return criteria
    }
}
