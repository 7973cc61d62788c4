import TravelDomain

extension TravelRepositoryContract {
    static let filters: [ContractCheck<any TravelRepository>] =
        singleFilters + calendarFilters + setFilters + combinedFilters

    /// Checks which travels a search finds, among travels that differ only by `vary`, one for each of `values`.
    private static func finds<Value: Hashable & Sendable>(
        _ promise: String, _ criteria: TravelCriteria, among values: [Value], only expected: Set<Value>,
        _ vary: @escaping @Sendable (inout TravelBuilder, Value) -> Void
    ) -> ContractCheck<any TravelRepository> {
        check("filters", promise) { travels in
            let builders = try values.enumerated().map { seed, value in
                try TravelBuilder(seed: UInt64(seed)).with { vary(&$0, value) }.build()
            }
            try await travels.add(builders)
            let found = try await travels.seeds(criteria, among: 0..<UInt64(values.count)).map { values[Int($0)] }
            try expect(Set(found), equals: expected, "the travels found")
            try expect(found.count, equals: expected.count, "the number of travels found")
        }
    }

    private static let singleFilters: [ContractCheck<any TravelRepository>] =
        [
            finds("a search without filters finds everything", TravelCriteria(), among: [1, 2, 3], only: [1, 2, 3]) {
                _, _ in
            }
        ]
        + Region.allCases.map { region in
            finds(
                "region \(region) finds that region only", TravelCriteria(regions: [region]), among: Region.allCases,
                only: [region]
            ) { $0.region = $1 }
        }
        + Headcount.allCases.map { headcount in
            finds(
                "headcount \(headcount) finds neither another nor an unknown one", TravelCriteria(headcount: headcount),
                among: Headcount.allCases + [nil], only: [headcount]
            ) { $0.headcount = $1 }
        }
        + Budget.allCases.map { budget in
            finds(
                "budget \(budget) finds neither another nor an unknown one", TravelCriteria(budget: budget),
                among: Budget.allCases + [nil], only: [budget]
            ) { $0.budget = $1 }
        }
        + Transportation.allCases.map { transportation in
            finds(
                "transportation \(transportation) finds neither the other nor an unknown one",
                TravelCriteria(transportation: transportation), among: Transportation.allCases + [nil],
                only: [transportation]
            ) { $0.transportation = $1 }
        }

    private static let calendarFilters: [ContractCheck<any TravelRepository>] =
        Season.allCases.map { season in
            finds(
                "season \(season) depends on the month of the first day", TravelCriteria(seasons: [season]),
                among: Array(1...12), only: Set(season.months)
            ) { builder, month in
                builder.firstDay = "2024-\(month < 10 ? "0" : "")\(month)-28"
                builder.numberOfDays = 10
            }
        }
        + Period.allCases.map { period in
            let lengths = [1, 2, 3, 4, 6, 7, 29, 30, 400]
            return finds(
                "period \(period) depends on the number of days", TravelCriteria(period: period), among: lengths,
                only: Set(lengths.filter(period.numbersOfDays.contains))
            ) { $0.numberOfDays = $1 }
        }
        + [
            finds(
                "a season is correct before 1970, in year 1 and in year 9999", TravelCriteria(seasons: [.winter]),
                among: ["0001-01-01", "0001-06-01", "1969-02-28", "1969-03-01", "2024-02-29", "9999-12-31"],
                only: ["0001-01-01", "1969-02-28", "2024-02-29", "9999-12-31"]
            ) { $0.firstDay = $1 }
        ]

    private static let setFilters: [ContractCheck<any TravelRepository>] =
        Theme.allCases.map { theme in
            let among: [Set<Theme>] = [[]] + Theme.allCases.map { [$0] } + [Set(Theme.allCases)]
            return finds(
                "theme \(theme) finds travels with it, with or without others", TravelCriteria(themes: [theme]),
                among: among, only: [[theme], Set(Theme.allCases)]
            ) { $0.themes = $1 }
        }
        + Companion.allCases.map { companion in
            let among: [Set<Companion>] = [[]] + Companion.allCases.map { [$0] } + [Set(Companion.allCases)]
            return finds(
                "companion \(companion) finds travels with them, with or without others",
                TravelCriteria(companions: [companion]), among: among,
                only: [[companion], Set(Companion.allCases)]
            ) { $0.companions = $1 }
        }
        + [
            finds(
                "several regions find travels with any of them", TravelCriteria(regions: [.busan, .jeju, .jeonnam]),
                among: Region.allCases, only: [.busan, .jeju, .jeonnam]
            ) { $0.region = $1 },
            finds(
                "all regions chosen find everything", TravelCriteria(regions: Set(Region.allCases)),
                among: Region.allCases, only: Set(Region.allCases)
            ) { $0.region = $1 },
            finds(
                "several themes find travels with any of them", TravelCriteria(themes: [.food, .art]),
                among: [[], [.food], [.art, .mood], [.mood], [.food, .art]],
                only: [[.food], [.art, .mood], [.food, .art]]
            ) { $0.themes = $1 },
            finds(
                "all themes find travels with at least one theme", TravelCriteria(themes: Set(Theme.allCases)),
                among: [[], [.healing], [.familyDuty]], only: [[.healing], [.familyDuty]]
            ) { $0.themes = $1 },
            finds(
                "several companions find travels with any of them", TravelCriteria(companions: [.pets, .family]),
                among: [[], [.pets], [.family, .friends], [.partner]], only: [[.pets], [.family, .friends]]
            ) { $0.companions = $1 },
            finds(
                "several seasons find travels with any of them", TravelCriteria(seasons: [.spring, .winter]),
                among: ["2024-02-29", "2024-05-31", "2024-06-01", "2024-11-30", "2024-12-01"],
                only: ["2024-02-29", "2024-05-31", "2024-12-01"]
            ) { $0.firstDay = $1 },
        ]

    /// Changes to a match of `everything`, each of which violates one filter only.
    private static let nearMisses: [(filter: String, change: @Sendable (inout TravelBuilder) -> Void)] = [
        ("keyword", { $0.title = "부산 산책" }), ("regions", { $0.region = .seoul }), ("themes", { $0.themes = [.art] }),
        ("companions", { $0.companions = [] }), ("seasons", { $0.firstDay = "2024-10-01" }),
        ("period", { $0.numberOfDays = 3 }), ("headcount", { $0.headcount = .three }), ("budget", { $0.budget = nil }),
        ("transportation", { $0.transportation = .publicTransport }),
    ]

    private static let everything = TravelCriteria(
        keyword: Keyword("밤바다"), regions: [.busan, .jeju], themes: [.food, .nature], companions: [.pets],
        seasons: [.summer], period: .oneNight, headcount: .two, budget: .from10to50, transportation: .ownCar)

    private static func match(_ seed: UInt64) throws -> TravelBuilder {
        try TravelBuilder(seed: seed).with {
            $0.title = "부산 밤바다"
            $0.region = .busan
            $0.firstDay = "2024-09-30"
            $0.numberOfDays = 2
            $0.themes = [.food, .mood]
            $0.companions = [.pets, .friends]
            $0.headcount = .two
            $0.budget = .from10to50
            $0.transportation = .ownCar
        }
    }

    private static let combinedFilters: [ContractCheck<any TravelRepository>] =
        nearMisses.map { miss in
            check("filters", "all filters together exclude a travel that only \(miss.filter) excludes") { travels in
                try await travels.add(match(1), match(2).with(miss.change))
                try expect(try await travels.seeds(everything, among: [1, 2]), equals: [1], "the travels found")
            }
        }
        + TravelSort.allCases.map { sort in
            check("filters", "all filters together find the travels that match them all, sorted by \(sort)") {
                travels in
                let misses = try nearMisses.enumerated().map { try match(UInt64($0) + 10).with($1.change).build() }
                try await travels.add(misses)
                try await travels.add(match(1), match(2), match(3))
                var criteria = everything
                criteria.sort = sort
                let found = try await travels.seeds(criteria, among: [1, 2, 3] + (10..<20))
                try expect(found, equals: [1, 2, 3], "the travels found")
            }
        }
        + [
            check("filters", "criteria that no travel meets find nothing") { travels in
                try await travels.add(match(1))
                let page = try await travels.search(TravelQuery(TravelCriteria(regions: [.ulsan]), viewer: nil))
                try expect(page, equals: TravelPage(travels: [], next: nil), "the page")
            },
            check("filters", "a search in an empty repository finds nothing") { travels in
                let page = try await travels.search(TravelQuery(TravelCriteria(), viewer: nil))
                try expect(page, equals: TravelPage(travels: [], next: nil), "the page")
            },
        ]
}
