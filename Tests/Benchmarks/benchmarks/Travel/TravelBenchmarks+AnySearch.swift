import TravelDomain

extension TravelBenchmarks {
    /// Every combination of filters with random values, without a keyword and with each kind of it, in both orders: the
    /// first pages, the next, and one in the depth of the order.
    static func anySearch(_ report: inout Report, _ world: World) async throws {
        guard report.isWanted("anySearch") else { return }
        try await searches(&report, "anySearch", anyQueries(world), world)
    }

    private static func anyQueries(_ world: World) async throws -> [TripQuery] {
        var random = SplitMix64(state: 99)
        let titles = stride(from: 0, to: world.trips.count, by: 90).map { world.trips[$0].title.text }
        let keywords: [[String?]] = [
            [nil], ["바다", "산책", "여행"], ["오징어", "독도"], ["없는말", "zzz"], ["부산", "노을", "섬"], ["%", "100%", "a_b"],
            ["부산 가을", "밤바다", "tour"], titles, ["식당", "성당", "brunch"], ["풍차", "양떼", "고래뼈"], ["서점", "네 ", "다리"],
        ]
        var queries: [TripQuery] = []
        for combination in 0..<256 {
            for words in keywords {
                for sort in TripSort.allCases {
                    var criteria = criteria(combination, &random)
                    criteria.keyword = random.pick(words).flatMap { Keyword($0) }
                    criteria.sort = sort
                    var query = try TripQuery(criteria, viewer: nil)
                    queries.append(query)
                    for _ in 0..<2 {
                        guard let next = try await world.store.search(query).next else { break }
                        query = try TripQuery(criteria, viewer: nil, after: next)
                        queries.append(query)
                    }
                    let cursor = TripCursor(after: random.pick(world.trips), in: sort)
                    queries.append(try TripQuery(criteria, viewer: nil, after: cursor))
                }
            }
        }
        return queries
    }

    /// Random values for the filters whose bits are set in `combination`.
    private static func criteria(_ combination: Int, _ random: inout SplitMix64) -> TripCriteria {
        func isChosen(_ filter: Int) -> Bool { combination & 1 << filter != 0 }
        var criteria = TripCriteria()
        if isChosen(0) { criteria.regions = random.some(of: Region.allCases, atMost: 4) }
        if isChosen(1) { criteria.themes = random.some(of: Theme.allCases, atMost: 3) }
        if isChosen(2) { criteria.companions = random.some(of: Companion.allCases, atMost: 2) }
        if isChosen(3) { criteria.seasons = random.some(of: Season.allCases, atMost: 2) }
        if isChosen(4) { criteria.period = random.pick(Period.allCases) }
        if isChosen(5) { criteria.headcount = random.pick(Headcount.allCases) }
        if isChosen(6) { criteria.budget = random.pick(Budget.allCases) }
        if isChosen(7) { criteria.transportation = random.pick(Transportation.allCases) }
        return criteria
    }
}
