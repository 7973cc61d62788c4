import TravelDomain

extension TravelBenchmarks {
    /// Each filter alone, and all of them together.
    static let filters = [
        TripCriteria(), TripCriteria(regions: [.jeju]), TripCriteria(themes: [.food]),
        TripCriteria(companions: [.pets]), TripCriteria(seasons: [.autumn]), TripCriteria(period: .monthOrMore),
        TripCriteria(headcount: .fiveOrMore), TripCriteria(budget: .over100),
        TripCriteria(transportation: .ownCar),
        TripCriteria(
            regions: [.seoul, .busan, .jeju], themes: [.food, .nature], companions: [.family, .friends],
            seasons: [.spring, .autumn], period: .oneNight, headcount: .two, budget: .from10to50,
            transportation: .ownCar),
    ]

    /// First pages and next pages, for each filter alone and for all together, in every order; the first ones as authors see them,
    /// who see their private trips as well; then for a viewer who has blocked 1,000 authors.
    static func pages(_ report: inout Report, _ world: World) async throws {
        let queries = try inEveryOrder(filters)
        try await searches(&report, "searchFirstPage", queries, world)
        var nextPages: [TripQuery] = []
        for query in queries {
            var next = try await world.store.search(query).next
            for _ in 0..<10 {
                guard let cursor = next else { break }
                nextPages.append(try TripQuery(query.criteria, viewer: nil, after: cursor))
                next = try await world.store.search(nextPages[nextPages.count - 1]).next
            }
        }
        try await searches(&report, "searchNextPage", nextPages, world)
        let ofAuthors = try world.authors.prefix(5).flatMap { author in
            try queries.map { try TripQuery($0.criteria, viewer: author) }
        }
        try await searches(&report, "searchByAuthor", ofAuthors, world)
        guard report.isWanted("searchBlockedViewer") else { return }
        let viewer = try User(nickname: Nickname("blocker"))
        try await world.store.add(viewer)
        for author in world.authors.prefix(1_000) { try await world.store.block(author, by: viewer.id) }
        let blocked = try (queries + nextPages).map {
            try TripQuery($0.criteria, viewer: viewer.id, after: $0.cursor)
        }
        try await searches(&report, "searchBlockedViewer", blocked, world)
        for author in world.authors.prefix(1_000) { try await world.store.unblock(author, by: viewer.id) }
    }

    /// First pages of keywords, in every order.
    static func keywords(_ report: inout Report, _ world: World) async throws {
        let titles = stride(from: 0, to: world.trips.count, by: 20).map { world.trips[$0].title.text }
        for (shape, words) in [
            ("keywordFrequent", ["바다", "산책", "캠핑"]), ("keywordRare", ["오징어", "마라톤", "café"]),
            ("keywordAbsent", ["없는말", "한라봉", "zzz"]), ("keywordTwoSyllables", ["부산", "노을", "섬 "]),
            ("keywordOneSyllable", ["산", "섬", "a"]), ("keywordWholeTitle", titles),
        ] {
            let queries = try inEveryOrder(words.map { TripCriteria(keyword: Keyword($0)) })
            try await searches(&report, shape, queries, world)
        }
    }

    /// First and next pages of keywords that only entries have, that both have, and whose syllables are only apart; and with
    /// each filter.
    static func entries(_ report: inout Report, _ world: World) async throws {
        var places: [String] = []
        for step in stride(from: 0, to: world.trips.count, by: 40) {
            let timeline = try await world.store.timeline(of: world.trips[step].id, viewer: nil)
            places += timeline.compactMap { $0.place?.name }.prefix(1)
        }
        for (shape, words) in [
            ("entriesFrequent", ["식당", "전망대", "국밥"]), ("entriesLess", ["케이블카", "양조장", "brunch"]),
            ("entriesRare", ["풍차", "첨성대", "고래 뼈"]), ("entriesBoth", ["오징어", "마라톤", "완주"]),
            ("entriesOneSyllable", ["뼈", "찻", "네"]), ("entriesApart", ["당식", "대전망대전", "서점네식", "길서점빵"]),
            ("entriesWholePlace", places),
        ] {
            let queries = try inEveryOrder(words.map { TripCriteria(keyword: Keyword($0)) })
            try await searches(&report, shape, try await withNextPages(queries, 4, world), world)
        }
        let filtered = filters.flatMap { filter in
            ["식당", "양조장", "풍차"].map { word in
                var criteria = filter
                criteria.keyword = Keyword(word)
                return criteria
            }
        }
        try await searches(
            &report, "entriesFiltered", try await withNextPages(inEveryOrder(filtered), 2, world), world)
    }

    /// These queries, with those of up to `count` pages that follow.
    private static func withNextPages(_ queries: [TripQuery], _ count: Int, _ world: World) async throws -> [TripQuery]
    {
        var all: [TripQuery] = []
        for query in queries {
            all.append(query)
            for _ in 0..<count {
                guard let last = all.last, let next = try await world.store.search(last).next else { break }
                all.append(try TripQuery(query.criteria, viewer: nil, after: next))
            }
        }
        return all
    }

    /// Titles for what someone may have typed.
    static func suggestions(_ report: inout Report, _ world: World) async throws {
        let beginnings = stride(from: 0, to: world.trips.count, by: 20).map { world.trips[$0].title.text.prefix(6) }
        let texts = ["부", "부산", "부산 가", "밤바", "섬", "T", "tri", "%", "없는말"]
        for (shape, texts) in [("suggestions", texts), ("suggestions6", beginnings.map { String($0) })] {
            try await measureReads(&report, shape, element: "text", world, texts.compactMap { Keyword($0) }) { text in
                try await world.store.titles(containing: text, viewer: world.visitor.id, limit: 10).count
            }
        }
    }

    /// The trips of an author, and those that someone likes, with every filter in every order; one of the people has
    /// recorded and one likes thousands.
    static func users(_ report: inout Report, _ world: World) async throws {
        let authors = world.authors.prefix(5).flatMap { author in
            filters.map { filter in
                var criteria = filter
                criteria.author = author
                return criteria
            }
        }
        try await searches(&report, "ofAuthor", inEveryOrder(authors), world)
        guard report.isWanted("likedByFew") || report.isWanted("likedByMany") else { return }
        for (shape, count) in [("likedByFew", 100), ("likedByMany", 5_000)] {
            let user = try User(nickname: Nickname(shape.suffix(9)))
            try await world.store.add(user)
            var (liked, cursor): (Int, TripCursor?) = (0, nil)
            repeat {
                let criteria = TripCriteria(themes: [.food], companions: [.pets])
                let query = try TripQuery(criteria, viewer: nil, after: cursor, limit: min(count - liked, 100))
                let page = try await world.store.search(query)
                for trip in page.trips { try await world.store.setLiked(true, trip: trip.id, by: user.id) }
                (liked, cursor) = (liked + page.trips.count, page.next)
            } while liked < count && cursor != nil
            let criteria = filters.map { filter in
                var criteria = filter
                criteria.likedBy = user.id
                return criteria
            }
            try await searches(&report, shape, inEveryOrder(criteria), world)
        }
    }

    static func searches(
        _ report: inout Report, _ shape: String, _ queries: [TripQuery], _ world: World
    ) async throws {
        try await measureReads(&report, shape, element: "page", world, queries) { query in
            checksum(try await world.store.search(query))
        }
    }

    private static func inEveryOrder(_ criteria: [TripCriteria]) throws -> [TripQuery] {
        try TripSort.allCases.flatMap { sort in
            try criteria.map { criteria in
                var sorted = criteria
                sorted.sort = sort
                return try TripQuery(sorted, viewer: nil)
            }
        }
    }
}
