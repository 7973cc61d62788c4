import TravelDomain

extension TravelRepositoryContract {
    /// Travels of seed 1 to 12: those of even seeds by the person of seed 50, the others by that of seed 51.
    private static func addTwelve(to travels: any TravelRepository) async throws {
        try await travels.add(
            (UInt64(1)...12).map { seed in
                try TravelBuilder(seed: seed, author: User(seed: 50 + seed % 2)).with {
                    $0.title = seed % 3 == 0 ? "바다 \(seed)" : "산 \(seed)"
                    $0.region = seed % 4 == 0 ? .jeju : .busan
                }.build()
            })
        // People who like, with a travel each, which no check finds.
        try await travels.add((UInt64(60)...63).map { try TravelBuilder(seed: $0).with { $0.region = .seoul }.build() })
    }

    private static let author = User.ID(seed: 50)
    private static let fan = User.ID(seed: 60)

    /// Likes of the person of seed 60, and of others, so that the order by likes differs from that by time.
    private static func like(_ travels: any TravelRepository) async throws {
        for seed in [UInt64(9), 2, 5, 4, 12] {
            try await travels.setLiked(true, travel: Travel.ID(seed: seed), by: fan)
        }
        for (seed, fans) in [(UInt64(2), UInt64(61)...63), (4, 61...62), (8, 61...63), (9, 61...61)] {
            for fan in fans { try await travels.setLiked(true, travel: Travel.ID(seed: seed), by: User.ID(seed: fan)) }
        }
    }

    static let people = peopleAndLikes + pagesOfPeople + combinations

    private static let peopleAndLikes: [ContractCheck<any TravelRepository>] = [
        check("people", "an author without travels, and a person without likes, find nothing") { travels in
            try await addTwelve(to: travels)
            for person in [User.ID(seed: 50), User.ID(seed: 99)] {
                try await expectFound([], TravelCriteria(likedBy: person), in: travels)
            }
            try await expectFound([], TravelCriteria(author: User.ID(seed: 99)), in: travels)
        },
        check("people", "a like is found until it is taken back, only among those of its person") { travels in
            try await addTwelve(to: travels)
            try await travels.setLiked(true, travel: Travel.ID(seed: 3), by: fan)
            try await travels.setLiked(true, travel: Travel.ID(seed: 4), by: User.ID(seed: 61))
            try await expectFound([3], TravelCriteria(likedBy: fan), in: travels)
            try await travels.setLiked(true, travel: Travel.ID(seed: 4), by: fan)
            try await expectFound([4, 3], TravelCriteria(likedBy: fan), in: travels)
            try await travels.setLiked(false, travel: Travel.ID(seed: 3), by: fan)
            try await expectFound([4], TravelCriteria(likedBy: fan), in: travels)
        },
        check("people", "the criteria about people hold for every viewer") { travels in
            try await addTwelve(to: travels)
            try await like(travels)
            for viewer in [nil, fan, author, User.ID(seed: 99)] {
                let query = try TravelQuery(TravelCriteria(author: author, likedBy: fan), viewer: viewer)
                let found = try await travels.search(query).travels
                try expect(found.map(\.id), equals: [12, 4, 2].map { Travel.ID(seed: $0) }, "the travels found")
                try expect(
                    found.map(\.isLiked), equals: found.map { _ in viewer == fan }, "whether the viewer likes them")
            }
        },
    ]

    private static let pagesOfPeople: [ContractCheck<any TravelRepository>] =
        [1, 2, 5, 100].flatMap { limit in
            [
                check("people", "pages of \(limit) contain each travel of an author once, in every order") { travels in
                    try await addTwelve(to: travels)
                    try await like(travels)
                    let criteria = TravelCriteria(author: author)
                    try await expectFound([12, 10, 8, 6, 4, 2], criteria, limit: limit, in: travels)
                    try await expectFound([2, 8, 4, 12, 10, 6], criteria, .mostLiked, limit: limit, in: travels)
                    try await expectFound([12, 10, 8, 6, 4, 2], criteria, .tripDate, limit: limit, in: travels)
                },
                check("people", "pages of \(limit) contain each travel that a person likes once, in every order") {
                    travels in
                    try await addTwelve(to: travels)
                    try await like(travels)
                    let criteria = TravelCriteria(likedBy: fan)
                    try await expectFound([12, 9, 5, 4, 2], criteria, limit: limit, in: travels)
                    try await expectFound([2, 4, 9, 12, 5], criteria, .mostLiked, limit: limit, in: travels)
                    try await expectFound([12, 9, 5, 4, 2], criteria, .tripDate, limit: limit, in: travels)
                },
                check("people", "pages of \(limit) contain travels that were recorded at the same time once") {
                    travels in
                    let ids = try await addAtOnce(9, to: travels).sorted(by: >)
                    let all = try await travels.search(TravelQuery(TravelCriteria(), viewer: nil)).travels
                    let fan = all[0].author.id
                    for travel in all { try await travels.setLiked(true, travel: travel.id, by: fan) }
                    for sort in TravelSort.allCases {
                        let liked = TravelCriteria(likedBy: fan, sort: sort)
                        try expect(try await travels.ids(liked, limit: limit), equals: ids, "the liked travels")
                    }
                },
            ]
        }

    private static let combinations: [ContractCheck<any TravelRepository>] =
        TravelSort.allCases.map { sort in
            check("people", "an author and a liker can be combined with every other criterion, sorted by \(sort)") {
                travels in
                try await addTwelve(to: travels)
                try await like(travels)
                for (criteria, seeds) in [
                    (TravelCriteria(keyword: Keyword("바다"), author: author), [6, 12]),
                    (TravelCriteria(regions: [.jeju], author: author), [4, 8, 12]),
                    (TravelCriteria(keyword: Keyword("바다"), regions: [.jeju], author: author), [12]),
                    (TravelCriteria(keyword: Keyword("바다"), likedBy: fan), [9, 12]),
                    (TravelCriteria(regions: [.jeju, .daegu], likedBy: fan), [4, 12]),
                    (TravelCriteria(author: author, likedBy: fan), [2, 4, 12]),
                    (TravelCriteria(keyword: Keyword("산"), author: author, likedBy: fan), [2, 4]),
                    (TravelCriteria(headcount: .two, author: author), []),
                ] as [(TravelCriteria, [UInt64])] {
                    var criteria = criteria
                    criteria.sort = sort
                    try expect(try await travels.seeds(criteria, among: 1...63), equals: seeds, "the travels found")
                }
            }
        }

    private static func expectFound(
        _ seeds: [UInt64], _ criteria: TravelCriteria, _ sort: TravelSort = .newest, limit: Int = 100,
        in travels: any TravelRepository
    ) async throws {
        var criteria = criteria
        criteria.sort = sort
        try expect(
            try await travels.ids(criteria, limit: limit), equals: seeds.map { Travel.ID(seed: $0) },
            "the travels found, sorted by \(sort)")
    }
}
