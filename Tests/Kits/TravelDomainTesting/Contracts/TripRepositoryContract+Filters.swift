import TravelDomain

extension TripRepositoryContract {
    static let filters: [ContractCheck<any TripRepository>] =
        singleFilters + calendarFilters + setFilters + combinedFilters

    /// Checks which trips a search finds, among trips that differ only by `vary`, one for each of `values`.
    private static func finds<Value: Hashable & Sendable>(
        _ promise: String, _ criteria: TripCriteria, among values: [Value], only expected: Set<Value>,
        _ vary: @escaping @Sendable (inout TripBuilder, Value) -> Void
    ) -> ContractCheck<any TripRepository> {
        findsEach(promise, [criteria], { $0 }, among: values, only: { _ in expected }, vary)
    }

    /// Checks which trips a search for each of `choices` finds, among trips that differ only by `vary`, one for
    /// each of `values`.
    private static func findsEach<Choice: Sendable, Value: Hashable & Sendable>(
        _ promise: String, _ choices: [Choice], _ criteria: @escaping @Sendable (Choice) -> TripCriteria,
        among values: [Value], only expected: @escaping @Sendable (Choice) -> Set<Value>,
        _ vary: @escaping @Sendable (inout TripBuilder, Value) -> Void
    ) -> ContractCheck<any TripRepository> {
        check("filters", promise) { trips in
            let builders = try values.enumerated().map { seed, value in
                try TripBuilder(seed: UInt64(seed)).with { vary(&$0, value) }.build()
            }
            try await trips.add(builders)
            try await expectEach(of: choices, named: { "\($0)" }) { choice in
                let seeds = try await trips.seeds(criteria(choice), among: 0..<UInt64(values.count))
                let found = seeds.map { values[Int($0)] }
                try expect(Set(found), equals: expected(choice), "the trips found")
                try expect(found.count, equals: expected(choice).count, "the number of trips found")
            }
        }
    }

    private static let singleFilters: [ContractCheck<any TripRepository>] = [
        finds("a search without filters finds everything", TripCriteria(), among: [1, 2, 3], only: [1, 2, 3]) {
            _, _ in
        },
        findsEach(
            "a region finds that region only", Region.allCases, { TripCriteria(regions: [$0]) },
            among: Region.allCases, only: { [$0] }
        ) { $0.region = $1 },
        findsEach(
            "a headcount finds neither another nor an unknown one", Headcount.allCases,
            { TripCriteria(headcount: $0) }, among: Headcount.allCases + [nil], only: { [$0] }
        ) { $0.headcount = $1 },
        findsEach(
            "a budget finds neither another nor an unknown one", Budget.allCases, { TripCriteria(budget: $0) },
            among: Budget.allCases + [nil], only: { [$0] }
        ) { $0.budget = $1 },
        findsEach(
            "a transportation finds neither the other nor an unknown one", Transportation.allCases,
            { TripCriteria(transportation: $0) }, among: Transportation.allCases + [nil], only: { [$0] }
        ) { $0.transportation = $1 },
    ]

    private static let lengths = [1, 2, 3, 4, 6, 7, 29, 30, 400]

    private static let calendarFilters: [ContractCheck<any TripRepository>] = [
        findsEach(
            "a season depends on the month of the first day", Season.allCases, { TripCriteria(seasons: [$0]) },
            among: Array(1...12), only: { Set($0.months) }
        ) { builder, month in
            builder.firstDay = "2024-\(month < 10 ? "0" : "")\(month)-28"
            builder.numberOfDays = 10
        },
        findsEach(
            "a period depends on the number of days", Period.allCases, { TripCriteria(period: $0) }, among: lengths,
            only: { Set(lengths.filter($0.numbersOfDays.contains)) }
        ) { $0.numberOfDays = $1 },
        finds(
            "a season is correct before 1970, in year 1 and in year 9999", TripCriteria(seasons: [.winter]),
            among: ["0001-01-01", "0001-06-01", "1969-02-28", "1969-03-01", "2024-02-29", "9999-12-31"],
            only: ["0001-01-01", "1969-02-28", "2024-02-29", "9999-12-31"]
        ) { $0.firstDay = $1 },
    ]

    /// No theme, each theme, and all.
    private static let themes: [Set<Theme>] = [[], Set(Theme.allCases)] + Theme.allCases.map { [$0] }
    private static let companions: [Set<Companion>] = [[], Set(Companion.allCases)] + Companion.allCases.map { [$0] }

    private static let setFilters: [ContractCheck<any TripRepository>] = [
        findsEach(
            "a theme finds trips with it, with or without others", Theme.allCases, { TripCriteria(themes: [$0]) },
            among: themes, only: { [[$0], Set(Theme.allCases)] }
        ) { $0.themes = $1 },
        findsEach(
            "a companion finds trips with them, with or without others", Companion.allCases,
            { TripCriteria(companions: [$0]) }, among: companions, only: { [[$0], Set(Companion.allCases)] }
        ) { $0.companions = $1 },
        finds(
            "several regions find trips with any of them", TripCriteria(regions: [.busan, .jeju, .jeonnam]),
            among: Region.allCases, only: [.busan, .jeju, .jeonnam]
        ) { $0.region = $1 },
        finds(
            "all regions chosen find everything", TripCriteria(regions: Set(Region.allCases)),
            among: Region.allCases, only: Set(Region.allCases)
        ) { $0.region = $1 },
        finds(
            "several themes find trips with any of them", TripCriteria(themes: [.food, .art]),
            among: [[], [.food], [.art, .mood], [.mood], [.food, .art]],
            only: [[.food], [.art, .mood], [.food, .art]]
        ) { $0.themes = $1 },
        finds(
            "all themes find trips with at least one theme", TripCriteria(themes: Set(Theme.allCases)),
            among: [[], [.healing], [.familyDuty]], only: [[.healing], [.familyDuty]]
        ) { $0.themes = $1 },
        finds(
            "several companions find trips with any of them", TripCriteria(companions: [.pets, .family]),
            among: [[], [.pets], [.family, .friends], [.partner]], only: [[.pets], [.family, .friends]]
        ) { $0.companions = $1 },
        finds(
            "several seasons find trips with any of them", TripCriteria(seasons: [.spring, .winter]),
            among: ["2024-02-29", "2024-05-31", "2024-06-01", "2024-11-30", "2024-12-01"],
            only: ["2024-02-29", "2024-05-31", "2024-12-01"]
        ) { $0.firstDay = $1 },
    ]

    /// Changes to a match of `everything`, each of which violates one filter only.
    private static let nearMisses: [(filter: String, change: @Sendable (inout TripBuilder) -> Void)] = [
        ("keyword", { $0.title = "부산 산책" }), ("regions", { $0.region = .seoul }), ("themes", { $0.themes = [.art] }),
        ("companions", { $0.companions = [] }), ("seasons", { $0.firstDay = "2024-10-01" }),
        ("period", { $0.numberOfDays = 3 }), ("headcount", { $0.headcount = .three }), ("budget", { $0.budget = nil }),
        ("transportation", { $0.transportation = .publicTransport }),
    ]

    private static let everything = TripCriteria(
        keyword: Keyword("밤바다"), regions: [.busan, .jeju], themes: [.food, .nature], companions: [.pets],
        seasons: [.summer], period: .oneNight, headcount: .two, budget: .from10to50, transportation: .ownCar)

    private static func match(_ seed: UInt64) throws -> TripBuilder {
        try TripBuilder(seed: seed).with {
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

    private static let combinedFilters: [ContractCheck<any TripRepository>] =
        TripSort.allCases.map { sort in
            check("filters", "all filters together find the trips that match them all, sorted by \(sort)") {
                trips in
                let misses = try nearMisses.enumerated().map { try match(UInt64($0) + 10).with($1.change).build() }
                try await trips.add(misses)
                try await trips.add(match(1), match(2), match(3))
                var criteria = everything
                criteria.sort = sort
                let found = try await trips.seeds(criteria, among: [1, 2, 3] + (10..<20))
                let ignored = nearMisses.indices.filter { found.contains(UInt64($0) + 10) }
                try expect(ignored.map { nearMisses[$0].filter }, equals: [], "the filters that are ignored")
                try expect(found, equals: [1, 2, 3], "the trips found")
            }
        }
        + [
            check("filters", "criteria that no trip meets find nothing") { trips in
                try await trips.add(match(1))
                let page = try await trips.search(TripQuery(TripCriteria(regions: [.ulsan]), viewer: nil))
                try expect(page, equals: TripPage(trips: [], next: nil), "the page")
            },
            check("filters", "a search in an empty repository finds nothing") { trips in
                let page = try await trips.search(TripQuery(TripCriteria(), viewer: nil))
                try expect(page, equals: TripPage(trips: [], next: nil), "the page")
            },
        ]
}

extension TripRepositoryContract {
    /// Trips of seed 1 to 12: those of even seeds by the user of seed 50, the others by that of seed 51.
    private static func addTwelve(to trips: any TripRepository) async throws {
        try await trips.add(
            (UInt64(1)...12).map { seed in
                try TripBuilder(seed: seed, author: User(seed: 50 + seed % 2)).with {
                    $0.title = seed % 3 == 0 ? "바다 \(seed)" : "산 \(seed)"
                    $0.region = seed % 4 == 0 ? .jeju : .busan
                }.build()
            })
        // People who like, with a trip each, which no check finds.
        try await trips.add((UInt64(60)...63).map { try TripBuilder(seed: $0).with { $0.region = .seoul }.build() })
    }

    private static let author = User.ID(seed: 50)
    private static let fan = User.ID(seed: 60)

    /// Likes of the user of seed 60, and of others, so that the order by likes differs from that by time.
    private static func like(_ trips: any TripRepository) async throws {
        for seed in [UInt64(9), 2, 5, 4, 12] {
            try await trips.setLiked(true, trip: Trip.ID(seed: seed), by: fan)
        }
        for (seed, fans) in [(UInt64(2), UInt64(61)...63), (4, 61...62), (8, 61...63), (9, 61...61)] {
            for fan in fans { try await trips.setLiked(true, trip: Trip.ID(seed: seed), by: User.ID(seed: fan)) }
        }
    }

    static let users = usersAndLikes + pagesOfUsers + combinations

    private static let usersAndLikes: [ContractCheck<any TripRepository>] = [
        check("users", "an author without trips, and a user without likes, find nothing") { trips in
            try await addTwelve(to: trips)
            for user in [User.ID(seed: 50), User.ID(seed: 99)] {
                try await expectFound([], TripCriteria(likedBy: user), in: trips)
            }
            try await expectFound([], TripCriteria(author: User.ID(seed: 99)), in: trips)
        },
        check("users", "a like is found until it is taken back, only among those of its user") { trips in
            try await addTwelve(to: trips)
            try await trips.setLiked(true, trip: Trip.ID(seed: 3), by: fan)
            try await trips.setLiked(true, trip: Trip.ID(seed: 4), by: User.ID(seed: 61))
            try await expectFound([3], TripCriteria(likedBy: fan), in: trips)
            try await trips.setLiked(true, trip: Trip.ID(seed: 4), by: fan)
            try await expectFound([4, 3], TripCriteria(likedBy: fan), in: trips)
            try await trips.setLiked(false, trip: Trip.ID(seed: 3), by: fan)
            try await expectFound([4], TripCriteria(likedBy: fan), in: trips)
        },
        check("users", "the criteria about users hold for every viewer") { trips in
            try await addTwelve(to: trips)
            try await like(trips)
            for viewer in [nil, fan, author, User.ID(seed: 99)] {
                let query = try TripQuery(TripCriteria(author: author, likedBy: fan), viewer: viewer)
                let found = try await trips.search(query).trips
                try expect(found.map(\.id), equals: [12, 4, 2].map { Trip.ID(seed: $0) }, "the trips found")
                try expect(
                    found.map(\.isLiked), equals: found.map { _ in viewer == fan }, "whether the viewer likes them")
            }
        },
    ]

    private static let pagesOfUsers: [ContractCheck<any TripRepository>] = [
        check("users", "pages of any size contain each trip of an author once, in every order") { trips in
            try await addTwelve(to: trips)
            try await like(trips)
            let criteria = TripCriteria(author: author)
            for limit in [1, 2, 5, 100] {
                try await expectFound([12, 10, 8, 6, 4, 2], criteria, limit: limit, in: trips)
                try await expectFound([2, 8, 4, 12, 10, 6], criteria, .mostLiked, limit: limit, in: trips)
                try await expectFound([12, 10, 8, 6, 4, 2], criteria, .tripDate, limit: limit, in: trips)
            }
        },
        check("users", "pages of any size contain each trip that a user likes once, in every order") { trips in
            try await addTwelve(to: trips)
            try await like(trips)
            let criteria = TripCriteria(likedBy: fan)
            for limit in [1, 2, 5, 100] {
                try await expectFound([12, 9, 5, 4, 2], criteria, limit: limit, in: trips)
                try await expectFound([2, 4, 9, 12, 5], criteria, .mostLiked, limit: limit, in: trips)
                try await expectFound([12, 9, 5, 4, 2], criteria, .tripDate, limit: limit, in: trips)
            }
        },
        check("users", "pages of any size contain trips that were recorded at the same time once") { trips in
            let ids = try await addAtOnce(9, to: trips).sorted(by: >)
            let all = try await trips.search(TripQuery(TripCriteria(), viewer: nil)).trips
            let fan = all[0].author.id
            for trip in all { try await trips.setLiked(true, trip: trip.id, by: fan) }
            for sort in TripSort.allCases {
                let liked = TripCriteria(likedBy: fan, sort: sort)
                for limit in [1, 2, 5, 100] {
                    try expect(
                        try await trips.ids(liked, limit: limit), equals: ids,
                        "the liked trips sorted by \(sort), \(limit) on a page")
                }
            }
        },
    ]

    private static let combinations: [ContractCheck<any TripRepository>] =
        TripSort.allCases.map { sort in
            check(
                "users", "an author and a user who likes can be combined with every other criterion, sorted by \(sort)"
            ) {
                trips in
                try await addTwelve(to: trips)
                try await like(trips)
                for (criteria, seeds) in [
                    (TripCriteria(keyword: Keyword("바다"), author: author), [6, 12]),
                    (TripCriteria(regions: [.jeju], author: author), [4, 8, 12]),
                    (TripCriteria(keyword: Keyword("바다"), regions: [.jeju], author: author), [12]),
                    (TripCriteria(keyword: Keyword("바다"), likedBy: fan), [9, 12]),
                    (TripCriteria(regions: [.jeju, .daegu], likedBy: fan), [4, 12]),
                    (TripCriteria(author: author, likedBy: fan), [2, 4, 12]),
                    (TripCriteria(keyword: Keyword("산"), author: author, likedBy: fan), [2, 4]),
                    (TripCriteria(headcount: .two, author: author), []),
                ] as [(TripCriteria, [UInt64])] {
                    var criteria = criteria
                    criteria.sort = sort
                    try expect(try await trips.seeds(criteria, among: 1...63), equals: seeds, "the trips found")
                }
            }
        }

    private static func expectFound(
        _ seeds: [UInt64], _ criteria: TripCriteria, _ sort: TripSort = .newest, limit: Int = 100,
        in trips: any TripRepository
    ) async throws {
        var criteria = criteria
        criteria.sort = sort
        try expect(
            try await trips.ids(criteria, limit: limit), equals: seeds.map { Trip.ID(seed: $0) },
            "the trips found, sorted by \(sort), \(limit) on a page")
    }
}
