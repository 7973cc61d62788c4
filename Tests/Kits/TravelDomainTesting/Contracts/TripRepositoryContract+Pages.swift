import TravelDomain

extension TripRepositoryContract {
    static let pages: [ContractCheck<any TripRepository>] =
        TripSort.allCases.flatMap { sort in limits(sort) + bordersAmongTies(sort) + whileWriting(sort) }

    private static func limits(_ sort: TripSort) -> [ContractCheck<any TripRepository>] {
        [
            check("paging", "pages of any size, sorted by \(sort), contain every trip once and in order") { trips in
                try await trips.add(
                    (0..<101).map { seed in
                        try TripBuilder(seed: seed).with { $0.firstDay = "2024-05-0\(1 + seed % 3)" }.build()
                    })
                for seed in stride(from: UInt64(0), to: 101, by: 4) {
                    try await trips.setLiked(true, trip: Trip.ID(seed: seed), by: User.ID(seed: seed % 3))
                }
                let newest = (0..<101).reversed().map { Trip.ID(seed: $0) }
                let days: [Set<Trip.ID>] = (UInt64(0)..<3).map { first in
                    Set(stride(from: first, to: 101, by: 3).map { Trip.ID(seed: $0) })
                }
                let liked = Set(stride(from: UInt64(0), to: 101, by: 4).map { Trip.ID(seed: $0) })
                let inOrderOfDays: [Trip.ID] = days.reversed().flatMap { day in newest.filter { day.contains($0) } }
                let expected =
                    switch sort {
                    case .newest: newest
                    case .mostLiked: newest.filter(liked.contains) + newest.filter { !liked.contains($0) }
                    case .tripDate: inOrderOfDays
                    }
                try await expectEach(of: [1, 3, 20, 99, 100], named: { "a limit of \($0)" }) { limit in
                    try expect(
                        try await trips.ids(TripCriteria(sort: sort), limit: limit), equals: expected,
                        "the trips on all pages")
                }
            },
            check("paging", "a full last page has no next page, sorted by \(sort)") { trips in
                _ = try await addAtOnce(40, to: trips)
                let criteria = TripCriteria(sort: sort)
                let first = try await trips.search(TripQuery(criteria, viewer: nil, limit: 20))
                let last = try await trips.search(TripQuery(criteria, viewer: nil, after: first.next, limit: 20))
                try expect(first.next != nil, "expected a cursor on the first of two pages")
                try expect(last.trips.count, equals: 20, "the number of trips on the last page")
                try expect(last.next, equals: nil, "the cursor of the last page")
            },
            check("paging", "sparse matches fill whole pages, sorted by \(sort)") { trips in
                try await trips.add(
                    (0..<200).map { seed in
                        try TripBuilder(seed: seed).with { $0.region = seed % 60 == 7 ? .jeju : .seoul }.build()
                    })
                let found = try await trips.ids(TripCriteria(regions: [.jeju], sort: sort), limit: 2)
                let expected = stride(from: UInt64(7), to: 200, by: 60).map { Trip.ID(seed: $0) }
                try expect(Set(found), equals: Set(expected), "the trips found")
                try expect(found.count, equals: expected.count, "the number of trips found")
            },
        ]
    }

    private static func bordersAmongTies(_ sort: TripSort) -> [ContractCheck<any TripRepository>] {
        [
            check("paging", "page boundaries among ties lose no trip, sorted by \(sort)") { trips in
                let ids = try await addAtOnce(11, to: trips)
                try await expectEach(of: [1, 2, 3, 5], named: { "a limit of \($0)" }) { limit in
                    try expect(
                        try await trips.ids(TripCriteria(sort: sort), limit: limit), equals: ids.sorted(by: >),
                        "the trips on all pages")
                }
            },
            check("paging", "a page can begin at a cursor without a trip, sorted by \(sort)") { trips in
                _ = try await addAtOnce(9, to: trips)
                let criteria = TripCriteria(sort: sort)
                let all = try await trips.search(TripQuery(criteria, viewer: nil)).trips
                for likes in [0, 1 << 32, .max] {
                    let gone = try Trip(
                        id: Trip.ID(seed: 1_000), author: all[0].author, content: all[0].content,
                        createdAt: all[0].createdAt, likeCount: likes, isLiked: false, isMine: false)
                    let cursor = TripCursor(after: gone, in: sort)
                    let page = try await trips.search(TripQuery(criteria, viewer: nil, after: cursor))
                    try expect(page.trips, equals: all.filter(cursor.precedes), "the page after \(likes) likes")
                }
            },
            check("paging", "a page after the last trip is empty and the last, sorted by \(sort)") { trips in
                _ = try await addAtOnce(3, to: trips)
                let criteria = TripCriteria(sort: sort)
                let all = try await trips.search(TripQuery(criteria, viewer: nil)).trips
                let cursor = all.last.map { TripCursor(after: $0, in: sort) }
                let page = try await trips.search(TripQuery(criteria, viewer: nil, after: cursor))
                try expect(page, equals: TripPage(trips: [], next: nil), "the page")
            },
        ]
    }

    private static func whileWriting(_ sort: TripSort) -> [ContractCheck<any TripRepository>] {
        [
            check("paging", "trips added between pages cause neither gaps nor duplicates, sorted by \(sort)") {
                trips in
                let there = try await addAtOnce(30, to: trips)
                let found = try await trips.ids(TripCriteria(sort: sort), limit: 4) { page in
                    guard page <= 30 else { return }
                    let seed = UInt64(page) * 100
                    _ = try await addAtOnce(2, from: seed, to: trips)
                    try await trips.add(
                        TripBuilder(seed: seed + 10),
                        TripBuilder(seed: seed + 11).with { $0.createdAt = .distantPast })
                }
                try expectComplete(found, there)
            },
            check(
                "paging",
                "trips that other tasks add concurrently cause neither gaps nor duplicates, sorted by \(sort)"
            ) {
                trips in
                let there = try await addAtOnce(60, to: trips)
                let found = try await withThrowingTaskGroup(of: [Trip.ID].self) { group in
                    for writer in UInt64(1)...2 {
                        group.addTask {
                            for batch in UInt64(0)..<8 {
                                _ = try await addAtOnce(5, from: writer * 10_000 + batch * 10, to: trips)
                            }
                            return []
                        }
                    }
                    group.addTask { try await trips.ids(TripCriteria(sort: sort), limit: 7) }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                try expectComplete(found, there)
            },
        ]
    }

    static func expectComplete(_ found: [Trip.ID], _ required: [Trip.ID]) throws {
        try expect(Set(found).count, equals: found.count, "the number of different trips on the pages")
        let missing = Set(required).subtracting(found)
        try expect(
            missing.isEmpty,
            "missing on the pages: \(missing.count) \(missing.count == 1 ? "trip that exists" : "trips that exist") throughout"
        )
    }
}

extension TripRepositoryContract {
    static let orders: [ContractCheck<any TripRepository>] = [
        check("order", "the most recently recorded trips come first") { trips in
            let builders = try [3, 1, 5, 2, 4].map { try TripBuilder(seed: $0) }
            try await trips.add(builders.map { try $0.build() })
            try expect(
                try await trips.ids(TripCriteria()), equals: [5, 4, 3, 2, 1].map { Trip.ID(seed: $0) },
                "the order")
        },
        check("order", "of trips recorded at the same time, the greater ID comes first") { trips in
            let ids = try await addAtOnce(20, to: trips)
            try expect(try await trips.ids(TripCriteria()), equals: ids.sorted(by: >), "the order")
        },
        check("order", "times that differ by less than a microsecond are distinct") { trips in
            let moments = (0..<10).map { 757_382_400 + Double($0) * 0x1p-23 }
            try await trips.add(
                moments.enumerated().map { seed, moment in
                    try TripBuilder(seed: UInt64(seed)).with {
                        $0.createdAt = Date(timeIntervalSinceReferenceDate: moment)
                    }.build()
                })
            try expect(
                try await trips.ids(TripCriteria()), equals: (0..<10).reversed().map { Trip.ID(seed: $0) },
                "the order")
        },
        check("order", "times in the distant past and future are in order") { trips in
            let moments = [
                -.infinity, -.greatestFiniteMagnitude, -1e12, -63_114_076_800, -1, -0.5, 0, 0.25, 63_113_904_000, 1e12,
                .greatestFiniteMagnitude, .infinity,
            ]
            try await trips.add(
                moments.enumerated().map { seed, moment in
                    try TripBuilder(seed: UInt64(seed)).with {
                        $0.createdAt = Date(timeIntervalSinceReferenceDate: moment)
                    }.build()
                })
            for limit in [1, 100] {
                try expect(
                    try await trips.ids(TripCriteria(), limit: limit),
                    equals: (0..<12).reversed().map { Trip.ID(seed: $0) }, "the order, \(limit) on a page")
            }
        },
        check("order", "the most liked come first") { trips in
            try await addWithLikes([2, 0, 4, 1, 3], to: trips)
            try expect(
                try await trips.ids(TripCriteria(sort: .mostLiked)),
                equals: [2, 4, 0, 3, 1].map { Trip.ID(seed: $0) }, "the order")
        },
        check("order", "of trips with equal likes, the later ones come first") { trips in
            try await addWithLikes([1, 0, 2, 1, 0, 1, 2, 0], to: trips)
            try expect(
                try await trips.ids(TripCriteria(sort: .mostLiked)),
                equals: [6, 2, 5, 3, 0, 7, 4, 1].map { Trip.ID(seed: $0) }, "the order")
        },
        check("order", "of trips with equal likes and times, the greater ID comes first") { trips in
            let ids = try await addAtOnce(8, to: trips)
            for id in ids[2...4] { try await trips.setLiked(true, trip: id, by: User.ID(seed: 0)) }
            try expect(
                try await trips.ids(TripCriteria(sort: .mostLiked)),
                equals: ids[2...4].sorted(by: >) + (ids[..<2] + ids[5...]).sorted(by: >), "the order")
        },
        check("order", "a like moves a trip up and its removal moves it down again") { trips in
            try await addWithLikes([2, 1, 0], to: trips)
            let mostLiked = TripCriteria(sort: .mostLiked)
            for user in UInt64(0)..<3 {
                try await trips.setLiked(true, trip: Trip.ID(seed: 2), by: User.ID(seed: user))
            }
            try expect(
                try await trips.ids(mostLiked), equals: [2, 0, 1].map { Trip.ID(seed: $0) }, "the order after")
            for user in UInt64(0)..<3 {
                try await trips.setLiked(false, trip: Trip.ID(seed: 2), by: User.ID(seed: user))
            }
            try expect(
                try await trips.ids(mostLiked), equals: [0, 1, 2].map { Trip.ID(seed: $0) }, "the order after that")
        },
        check("order", "the latest first day comes first, and of the same day the most recently recorded") { trips in
            let days = ["2024-05-02", "2024-12-31", "0001-01-01", "2024-05-02", "9999-12-31", "1969-12-31"]
            try await trips.add(
                days.enumerated().map { seed, day in
                    try TripBuilder(seed: UInt64(seed)).with { $0.firstDay = day }.build()
                })
            try await trips.setLiked(true, trip: Trip.ID(seed: 2), by: User.ID(seed: 0))
            for limit in [1, 2, 100] {
                try expect(
                    try await trips.ids(TripCriteria(sort: .tripDate), limit: limit),
                    equals: [4, 1, 3, 0, 5, 2].map { Trip.ID(seed: $0) }, "the order, \(limit) on a page")
            }
        },
        check("order", "trips of some seasons are in the order of their first days on pages of every size") {
            trips in
            for number in 0..<72 {
                // Recorded in another order than they begin: three a month, two of them on one day, in two years.
                let (month, day) = (number / 3 % 12 + 1, 1 + number % 3 / 2 * 13)
                let firstDay = try CalendarDay(year: 2023 + number / 36, month: month, day: day)
                let seed = UInt64(number * 7 % 72)
                try await trips.add(TripBuilder(seed: seed).with { $0.firstDay = firstDay.description })
            }
            let all = try await trips.search(TripQuery(TripCriteria(), viewer: nil, limit: 100)).trips
            for seasons in [[.winter], [.summer, .winter], [.spring, .autumn], Set(Season.allCases)] as [Set<Season>] {
                let criteria = TripCriteria(seasons: seasons, sort: .tripDate)
                let expected = all.filter { seasons.contains($0.days.season) }.sorted(by: TripSort.tripDate.precedes)
                for limit in [1, 5, 100] {
                    try expect(
                        try await trips.ids(criteria, limit: limit), equals: expected.map(\.id),
                        "the order, \(limit) on a page")
                }
            }
        },
        check("order", "likes do not change the order by time") { trips in
            try await addWithLikes([2, 0, 1], to: trips)
            try expect(
                try await trips.ids(TripCriteria()), equals: [2, 1, 0].map { Trip.ID(seed: $0) }, "the order")
        },
    ]

    /// Adds a number of trips with the same time of recording, and returns their IDs.
    static func addAtOnce(_ count: UInt64, from first: UInt64 = 0, to trips: any TripRepository) async throws
        -> [Trip.ID]
    {
        let recorded = try (first..<first + count).map { seed in
            try TripBuilder(seed: seed).with { $0.createdAt = Date(timeIntervalSinceReferenceDate: 757_382_400) }
                .build()
        }
        try await trips.add(recorded)
        return recorded.map(\.id)
    }

    /// Adds one trip for each count, with its index as seed; as many people, of seeds 0, 1, …, like it.
    static func addWithLikes(_ counts: [Int], to trips: any TripRepository) async throws {
        try await trips.add(counts.indices.map { try TripBuilder(seed: UInt64($0)).build() })
        for (seed, count) in counts.enumerated() {
            for user in 0..<count {
                try await trips.setLiked(
                    true, trip: Trip.ID(seed: UInt64(seed)), by: User.ID(seed: UInt64(user)))
            }
        }
    }
}

extension TripRepositoryContract {
    static let additions: [ContractCheck<any TripRepository>] = wholeBatches + conflicts

    private static let wholeBatches: [ContractCheck<any TripRepository>] = [
        check("adding", "an empty batch changes nothing") { trips in
            try await trips.add([])
            try expect(try await trips.ids(TripCriteria()), equals: [], "the IDs of all trips")
        },
        check("adding", "a batch of 1,000 is stored completely") { trips in
            try await trips.add((0..<1_000).map { try TripBuilder(seed: $0).build() })
            try expect(
                try await trips.seeds(TripCriteria(), among: 0..<1_000), equals: Array(0..<1_000),
                "the IDs of all trips")
        },
        check("adding", "a new trip has no likes") { trips in
            try await trips.add(TripBuilder(seed: 1))
            try expect(try await trips.onlyTrip().likeCount, equals: 0, "the likes")
        },
        check("adding", "an addition is visible to the next search") { trips in
            for seed in UInt64(0)..<30 {
                try await trips.add(TripBuilder(seed: seed))
                try expect(
                    try await trips.ids(TripCriteria()).first, equals: Trip.ID(seed: seed), "the newest trip")
            }
        },
        check("adding", "batches that several tasks add concurrently are all stored") { trips in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in UInt64(0)..<8 {
                    group.addTask {
                        try await trips.add((task * 10..<task * 10 + 10).map { try TripBuilder(seed: $0).build() })
                    }
                }
                try await group.waitForAll()
            }
            try expect(
                try await trips.seeds(TripCriteria(), among: 0..<80), equals: Array(0..<80),
                "the IDs of all trips")
        },
        check("adding", "one of two tasks that add the same trip succeeds") { trips in
            let same = try TripBuilder(seed: 1).build()
            let failures = try await withThrowingTaskGroup(of: Result<Void, TravelError>.self) { group in
                for _ in 0..<2 { group.addTask { try await outcome { try await trips.add([same]) } } }
                return try await group.reduce(into: [TravelError]()) { failures, result in
                    if case .failure(let error) = result { failures.append(error) }
                }
            }
            try expect(failures, equals: [.conflict(.trip(same.id))], "the errors")
            _ = try await trips.onlyTrip()
        },
    ]

    private static let conflicts: [ContractCheck<any TripRepository>] = [
        refuses("an existing trip", .conflict(.trip(Trip.ID(seed: 1)))) {
            [try TripBuilder(seed: 1)]
        },
        refuses("an existing trip at the end of a batch", .conflict(.trip(Trip.ID(seed: 1)))) {
            try (2..<50).map { try TripBuilder(seed: $0) } + [TripBuilder(seed: 1)]
        },
        refuses("a batch with the same trip twice", .conflict(.trip(Trip.ID(seed: 5)))) {
            [try TripBuilder(seed: 5), try TripBuilder(seed: 6), try TripBuilder(seed: 5)]
        },
        refuses("an existing entry", .conflict(.entry(TimelineEntry.ID(seed: 1)))) {
            [try TripBuilder(seed: 2), try TripBuilder(seed: 3).with { $0.timeline = [try entry(1)] }]
        },
        refuses("the same entry twice in one trip", .conflict(.entry(TimelineEntry.ID(seed: 7)))) {
            [try TripBuilder(seed: 2).with { $0.timeline = [try entry(7), try entry(8), try entry(7)] }]
        },
        refuses("the same entry in two trips", .conflict(.entry(TimelineEntry.ID(seed: 7)))) {
            [
                try TripBuilder(seed: 2).with { $0.timeline = [try entry(7)] },
                try TripBuilder(seed: 3).with { $0.timeline = [try entry(8), try entry(7)] },
            ]
        },
    ]

    /// Checks that adding a batch throws `error`, when a trip of seed 1 with an entry of seed 1 exists, and that
    /// nothing of the batch is stored: no trip, no entry, no author and no nickname.
    private static func refuses(
        _ what: String, _ error: TravelError, _ batch: @escaping @Sendable () throws -> [TripBuilder]
    ) -> ContractCheck<any TripRepository> {
        check("adding", "rejects \(what) and stores nothing") { trips in
            try await trips.add(TripBuilder(seed: 1).with { $0.timeline = [try entry(1)] })
            let before = try await trips.onlyTrip()
            let newcomer = try User(seed: 900)
            let renamed = try User(seed: 1, nickname: "Renamed")
            let opening = [
                try TripBuilder(seed: 700, author: newcomer).with { $0.timeline = [try entry(700)] },
                try TripBuilder(seed: 701, author: renamed),
            ]
            let recorded = try (opening + batch()).map { try $0.build() }
            try await expect(error, from: "the addition") { try await trips.add(recorded) }

            try expect(try await trips.onlyTrip(), equals: before, "the existing trip")
            for id in Set(recorded.map(\.id)).subtracting([before.id]) {
                try await expect(.notFound(.trip(id)), from: "a trip of the batch") {
                    try await trips.trip(id, viewer: nil)
                }
                try await expect(.notFound(.trip(id)), from: "a timeline of the batch") {
                    try await trips.timeline(of: id, viewer: nil)
                }
            }
            try await expect(.notFound(.user(newcomer.id)), from: "a like by an author of the batch") {
                try await trips.setLiked(true, trip: before.id, by: newcomer.id)
            }
            try await trips.add(opening.map { try $0.build() })
            try expect(
                try await trips.timeline(of: opening[0].id, viewer: nil), equals: opening[0].timeline,
                "the timeline of a trip of the batch, added again")
        }
    }

    static func entry(_ seed: UInt64) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: 1, time: TimeOfDay(minutesSinceMidnight: Int(seed)),
            title: Title("Entry \(seed)"), text: EntryText("Text \(seed)"))
    }
}

extension TripRepositoryContract {
    static let cancellations: [ContractCheck<any TripRepository>] = [
        cancelled("a search") { trips in _ = try await trips.search(TripQuery(TripCriteria(), viewer: nil)) },
        cancelled("a search that finds nothing") { trips in
            let criteria = TripCriteria(keyword: Keyword("없는말"))
            _ = try await trips.search(TripQuery(criteria, viewer: nil))
        },
        cancelled("the lookup of a trip") { trips in
            _ = try await trips.trip(Trip.ID(seed: 1), viewer: nil)
        },
        cancelled("the lookup of a timeline") { trips in
            _ = try await trips.timeline(of: Trip.ID(seed: 1), viewer: nil)
        },
        cancelled("the lookup of a track") { trips in
            _ = try await trips.track(of: Trip.ID(seed: 1), viewer: nil)
        },
        cancelled("the lookup of details") { trips in
            _ = try await trips.details(of: Trip.ID(seed: 1), viewer: nil)
        },
        cancelled("an addition") { trips in try await trips.add(TripBuilder(seed: 2)) },
        cancelled("a like") { trips in
            try await trips.setLiked(true, trip: Trip.ID(seed: 1), by: User.ID(seed: 1))
        },
    ]

    /// A check that `operation` in a cancelled task throws `CancellationError` and changes nothing.
    private static func cancelled(
        _ what: String, _ operation: @escaping @Sendable (any TripRepository) async throws -> Void
    ) -> ContractCheck<any TripRepository> {
        check("cancellation", "\(what) in a cancelled task throws CancellationError and changes nothing") {
            trips in
            try await trips.add(TripBuilder(seed: 1))
            let before = try await trips.onlyTrip()
            try await expectCancellation(of: what) { try await operation(trips) }
            try expect(try await trips.onlyTrip(), equals: before, "the existing trip")
        }
    }
}
