import Dispatch
import TravelDataSQLite
import TravelDomain

extension TravelBenchmarks {
    /// Every combination of filters with random values, without a keyword and with each kind of it, in both orders: the
    /// first pages, the next, and one in the depth of the order.
    ///
    /// The median is that of all pages, the fastest of three runs each; `anySearchWorst` is the slowest page.
    static func anySearch(_ report: inout Report, _ world: World) async throws {
        let queries = try await anyQueries(world)
        var checksums: [Int] = []
        for (name, store) in [("SQLite", world.sqlite.travels as any Store), ("InMemory", world.inMemory)] {
            var times: [Double] = []
            var sum = 0
            for query in queries where report.isWanted("anySearch") {
                var best = Double.infinity
                for _ in 0..<3 {
                    let start = DispatchTime.now().uptimeNanoseconds
                    let page = try await store.search(query)
                    best = min(best, Double(DispatchTime.now().uptimeNanoseconds - start))
                    sum &+= checksum(page)
                }
                times.append(best)
            }
            checksums.append(sum)
            guard let worst = times.max() else { continue }
            report.add(shape: "anySearch", column: name, element: "page", times: times)
            report.add(shape: "anySearchWorst", column: name, element: "page", times: [worst])
        }
        if Set(checksums).count > 1 { report.addMismatch("anySearch: \(checksums)") }
    }

    private static func anyQueries(_ world: World) async throws -> [TravelQuery] {
        var random = SplitMix64(state: 99)
        let keywords: [[String?]] = [
            [nil], ["바다", "산책", "여행"], ["오징어", "독도"], ["없는말", "zzz"], ["부산", "노을", "섬"], ["%", "100%", "a_b"],
            ["부산 가을", "밤바다", "tour"],
        ]
        var queries: [TravelQuery] = []
        for combination in 0..<256 {
            for words in keywords {
                for sort in TravelSort.allCases {
                    var criteria = criteria(combination, &random)
                    criteria.keyword = random.pick(words).flatMap { Keyword($0) }
                    criteria.sort = sort
                    var query = try TravelQuery(criteria, viewer: nil)
                    queries.append(query)
                    for _ in 0..<2 {
                        guard let next = try await world.sqlite.travels.search(query).next else { break }
                        query = try TravelQuery(criteria, viewer: nil, after: next)
                        queries.append(query)
                    }
                    let somewhere = try await world.sqlite.travels.travel(random.pick(world.travels), viewer: nil)
                    let cursor = TravelCursor(after: somewhere, in: sort)
                    queries.append(try TravelQuery(criteria, viewer: nil, after: cursor))
                }
            }
        }
        return queries
    }

    /// Random values for the filters whose bits are set in `combination`.
    private static func criteria(_ combination: Int, _ random: inout SplitMix64) -> TravelCriteria {
        func isChosen(_ filter: Int) -> Bool { combination & 1 << filter != 0 }
        var criteria = TravelCriteria()
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
