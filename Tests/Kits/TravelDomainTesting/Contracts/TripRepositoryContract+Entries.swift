import TravelDomain

extension TripRepositoryContract {
    static let entries: [ContractCheck<any TripRepository>] =
        entryMatches + entryKeywords + entryChoices + TripSort.allCases.flatMap { ranks($0) }

    private static let entryMatches: [ContractCheck<any TripRepository>] = [
        check("entries", "an entry finds its trip by its title or its place, and is named") { trips in
            let timelines = [
                [try found(1, "해운대 밤바다")], [try found(2, "산책", at: "바다 카페")], [try found(3, "산책", at: "강변")], [],
                [try found(5, "산책"), try found(6, "점심", at: "바다")],
            ]
            try await trips.add(timelines: timelines)
            try await expectEntries([4: 6, 1: 2, 0: 1], for: "바다", in: trips)
            try await expectEntries([4: 5, 2: 3, 1: 2], for: "산책", in: trips)
            try await expectEntries([:], for: "온천", in: trips)
        },
        check("entries", "of several entries with the keyword, the first in the timeline is named") { trips in
            try await trips.add(timelines: [
                [try found(1, "바다", day: 2), try found(2, "바다", day: 1, hour: 9), try found(3, "바다", day: 1, hour: 8)],
                [try found(5, "산", hour: 7), try found(4, "점심", hour: 8, at: "바다"), try found(6, "바다", hour: 8)],
                // At one time, in the order of writing.
                [try found(9, "바다"), try found(7, "바다"), try found(8, "바다")],
            ])
            try await expectEntries([2: 9, 1: 4, 0: 3], for: "바다", in: trips)
        },
        check("entries", "a trip whose title has the keyword names no entry") { trips in
            try await trips.add(
                TripBuilder(seed: 0).with {
                    $0.title = "바다"
                    $0.timeline = [try found(1, "바다", at: "바다")]
                })
            try await expectEntries([0: nil], for: "바다", in: trips)
            try await expectEntries([0: nil], for: "다", in: trips)
        },
        check("entries", "a search without a keyword names no entry") { trips in
            try await trips.add(timelines: [[try found(1, "바다")]])
            let page = try await trips.search(TripQuery(TripCriteria(), viewer: nil))
            try expect(page.matchedEntries, equals: [:], "the entries")
        },
        check("entries", "the whole keyword is in one text: a title of a trip, a title of an entry, or a place") {
            trips in
            try await trips.add(
                TripBuilder(seed: 0).with {
                    $0.title = "부산"
                    $0.timeline = [try found(1, "바다", at: "카페"), try found(2, "등대", at: "축제")]
                })
            for keyword in ["부산바다", "부산 바다", "바다 카페", "카페등대", "바다 등대", "바다축제"] {
                try await expectEntries([:], for: keyword, in: trips)
            }
            try await expectEntries([0: 1], for: "바 다", in: trips)
        },
        check("entries", "equal texts in entries of several trips find them all, each once") { trips in
            try await trips.add(
                timelines: (0..<12).map { trip in
                    try (0..<3).map { try found(UInt64(trip * 10 + $0), "같은 바다", at: "같은 바다") }
                })
            let expected = Dictionary(uniqueKeysWithValues: (0..<12 as Range<UInt64>).map { ($0, Optional($0 * 10)) })
            try await expectEntries(expected, for: "같은바다", in: trips)
        },
    ]

    private static let entryKeywords: [ContractCheck<any TripRepository>] =
        KeywordCase.lists.map { name, cases in
            check("entries", "keywords \(name) find the entries and the places that contain them, and no others") {
                trips in
                // Each as the title of an entry, and as the place of another.
                try await trips.add(
                    timelines: cases.flatMap { each in
                        let seed = UInt64(Keyword.folded(each.description).utf8.reduce(0) { $0 &* 31 &+ UInt32($1) })
                        return [
                            [try found(seed << 20 | UInt64(each.title.count), each.title)],
                            [try found(seed << 20 | 1 << 19 | UInt64(each.title.count), "–", at: each.title)],
                        ]
                    })
                let folded = cases.map { Keyword.folded($0.title) }
                try await expectEach(of: cases, named: \.description) { each in
                    let keyword = try each.parsed()
                    let expected = cases.indices.filter { keyword.matches(folded: folded[$0]) }.flatMap {
                        [UInt64($0) * 2, UInt64($0) * 2 + 1]
                    }
                    try expect(
                        try await trips.seeds(TripCriteria(keyword: keyword), among: 0..<UInt64(cases.count * 2)),
                        equals: expected, "the trips found")
                }
            }
        } + [
            check("entries", "every part of the longest texts is found") { trips in
                let syllables = (0..<160).compactMap { Unicode.Scalar(0xAC00 + $0 * 61).map { String(Character($0)) } }
                let (title, place) = (syllables[..<60].joined(), syllables[60...].joined())
                try await trips.add(timelines: [[try found(1, title, at: place)], [try found(2, "산", at: "강")]])
                for (index, syllable) in syllables.enumerated() where index % 7 == 3 || index == 59 || index == 159 {
                    try await expectEntries([0: 1], for: syllable, in: trips)
                    guard index != 59, index != 159 else { continue }
                    try await expectEntries([0: 1], for: syllable + syllables[index + 1], in: trips)
                    try await expectEntries([:], for: syllables[index + 1] + syllable, in: trips)
                }
                try await expectEntries([0: 1], for: title, in: trips)
                try await expectEntries([0: 1], for: place, in: trips)
                try await expectEntries([:], for: syllables[59] + syllables[60], in: trips)
            }
        ]

    private static let entryChoices: [ContractCheck<any TripRepository>] = [
        check("entries", "a trip that an entry finds must match every filter, its author and a user who likes it") {
            trips in
            try await trips.add(
                (UInt64(0)..<24).map { seed in
                    try TripBuilder(seed: seed, author: User(seed: 50 + seed % 2)).with {
                        $0.title = seed % 8 == 0 ? "바다" : "산"
                        $0.region = seed % 3 == 0 ? .jeju : .busan
                        $0.timeline = seed % 4 < 2 ? [try found(seed, "점심", at: "바다")] : []
                    }.build()
                })
            for seed in [UInt64(0), 1, 2, 9, 12, 16, 21] {
                try await trips.setLiked(true, trip: Trip.ID(seed: seed), by: User.ID(seed: 50))
            }
            let (even, fan, sea) = (User.ID(seed: 50), User.ID(seed: 50), Keyword("바다"))
            for (criteria, seeds) in [
                (TripCriteria(keyword: sea, regions: [.jeju]), [0, 9, 12, 21]),
                (TripCriteria(keyword: sea, regions: [.seoul]), []),
                (TripCriteria(keyword: sea, author: even), [0, 4, 8, 12, 16, 20]),
                (TripCriteria(keyword: sea, likedBy: fan), [0, 1, 9, 12, 16, 21]),
                (TripCriteria(keyword: sea, regions: [.busan], author: even, likedBy: fan), [16]),
                (TripCriteria(keyword: sea, author: User.ID(seed: 99)), []),
            ] as [(TripCriteria, [UInt64])] {
                for sort in TripSort.allCases {
                    var criteria = criteria
                    criteria.sort = sort
                    for limit in [1, 4, 100] {
                        let found = try await trips.ids(criteria, limit: limit)
                        try expect(
                            Set(found), equals: Set(seeds.map { Trip.ID(seed: $0) }),
                            "the trips found by \(criteria.text)")
                        try expect(found.count, equals: seeds.count, "the number of trips")
                    }
                }
            }
        }
    ]

    /// Trips of which some have the keyword in their title, some in an entry, and some in none, with different likes, days
    /// and times, of which some are equal; the seeds of those found are returned in order.
    private static func addRanks(_ count: UInt64, _ sort: TripSort, to trips: any TripRepository) async throws -> [Trip
        .ID]
    {
        let recorded = try (0..<count).map { seed in
            try TripBuilder(seed: seed).with {
                $0.title = seed % 4 == 0 ? "부산 밤바다" : "산 \(seed)"
                $0.createdAt = Date(timeIntervalSinceReferenceDate: 757_382_400 + Double(seed * 7 % 5))
                $0.firstDay = "2024-05-0\(1 + seed % 3)"
                $0.timeline = seed % 4 < 3 ? [try found(seed, "점심", at: "바다 \(seed)")] : [try found(seed, "점심")]
            }.build()
        }
        try await trips.add(recorded)
        for seed in stride(from: UInt64(0), to: count, by: 5) {
            for user in 0...seed % 2 {
                try await trips.setLiked(true, trip: Trip.ID(seed: seed), by: User.ID(seed: user))
            }
        }
        var all: [Trip] = []
        for trip in recorded { all.append(try await trips.trip(trip.id, viewer: nil)) }
        all.sort(by: sort.precedes)
        let titled = all.filter { $0.title.text.hasSuffix("바다") }
        let byEntry = all.filter { trip in
            trip.title.text.hasPrefix("산") && recorded.contains { $0.id == trip.id && $0.timeline[0].place != nil }
        }
        return (titled + byEntry).map(\.id)
    }

    private static func ranks(_ sort: TripSort) -> [ContractCheck<any TripRepository>] {
        [
            check("entries", "titles come before entries, each sorted by \(sort), on pages of every size") { trips in
                let expected = try await addRanks(44, sort, to: trips)
                let criteria = TripCriteria(keyword: Keyword("바다"), sort: sort)
                try await expectEach(of: [1, 2, 3, 10, 11, 12, 32, 33, 100], named: { "a limit of \($0)" }) { limit in
                    try expect(try await trips.ids(criteria, limit: limit), equals: expected, "the trips on all pages")
                }
            },
            check("entries", "a page can begin after any trip of either rank, sorted by \(sort)") { trips in
                let expected = try await addRanks(24, sort, to: trips)
                let criteria = TripCriteria(keyword: Keyword("바다"), sort: sort)
                let titled = 6
                var all: [Trip] = []
                for id in expected { all.append(try await trips.trip(id, viewer: nil)) }
                // Also where no trip of the rank is: a trip can get and lose the keyword.
                for trip in all {
                    for rank in TripMatch.Rank.allCases {
                        let cursor = TripCursor(after: trip, in: sort, rank: rank)
                        let rest = all.enumerated().filter {
                            cursor.precedes($0.element, rank: $0.offset < titled ? .title : .entry)
                        }
                        for limit in [1, 5, 100] {
                            let page = try await trips.search(
                                TripQuery(criteria, viewer: nil, after: cursor, limit: limit))
                            try expect(
                                page.trips.map(\.id), equals: rest.prefix(limit).map(\.element.id),
                                "the page after \(cursor.text)")
                            try expect(page.next == nil, equals: rest.count <= limit, "whether it is the last")
                        }
                    }
                }
            },
            check("entries", "a keyword finds all of many entries, sorted by \(sort)") { trips in
                try await trips.add(
                    (1...303).map { seed in
                        try TripBuilder(seed: seed).with {
                            $0.timeline = [try found(seed, seed % 3 == 0 ? "밤바다 \(seed)" : "산 \(seed)")]
                        }.build()
                    })
                let expected = Array(stride(from: UInt64(3), through: 303, by: 3))
                try expect(
                    try await trips.seeds(TripCriteria(keyword: Keyword("바다"), sort: sort), among: 1...303),
                    equals: expected, "the trips found")
                for limit in [1, 100] {
                    let one = TripCriteria(keyword: Keyword("밤바다303"), sort: sort)
                    try expect(
                        try await trips.ids(one, limit: limit), equals: [Trip.ID(seed: 303)], "the only trip found")
                }
            },
        ]
    }

    /// An entry with these texts, at 09:00 on the first day by default.
    static func found(
        _ seed: UInt64, _ title: String, day: Int = 1, hour: Int = 9, at place: String? = nil
    ) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: day, time: TimeOfDay(hour: hour), title: Title(title),
            text: EntryText("Text"), place: place.map { try Place(name: $0) })
    }

    /// Expects a search to find the trips of these seeds, each with the entry of that seed, or by its title.
    static func expectEntries(
        _ expected: [UInt64: UInt64?], for text: String, in trips: any TripRepository
    ) async throws {
        guard let keyword = Keyword(text) else { throw UnmetExpectation("'\(text)' is not a keyword") }
        let page = try await trips.search(TripQuery(TripCriteria(keyword: keyword), viewer: nil, limit: 100))
        try expect(
            Set(page.trips.map(\.id)), equals: Set(expected.keys.map { Trip.ID(seed: $0) }), "the trips with '\(text)'")
        let entries = expected.compactMap { trip, entry in
            entry.map { (Trip.ID(seed: trip), TimelineEntry.ID(seed: $0)) }
        }
        try expect(
            page.matchedEntries.mapValues(\.id), equals: Dictionary(uniqueKeysWithValues: entries),
            "the entries with '\(text)'")
        for (id, entry) in page.matchedEntries {
            let timeline = try await trips.timeline(of: id, viewer: nil)
            try expect(
                Optional(entry), equals: timeline.first { $0.id == entry.id }.map { MatchedEntry($0) },
                "the entry that is shown")
        }
    }
}

extension TripRepository {
    /// Adds a trip for each timeline, with its index as seed.
    fileprivate func add(timelines: [[TimelineEntry]]) async throws {
        try await add(
            timelines.enumerated().map { seed, timeline in
                try TripBuilder(seed: UInt64(seed)).with {
                    $0.timeline = timeline
                    $0.numberOfDays = 3
                }.build()
            })
    }
}

extension TripEditingContract {
    static let searchesOfEntries: [ContractCheck<Subject>] = [
        check("searches find the entries that an edited timeline has, and no former ones") { store in
            let before = try await addBusan(to: store)
            func find(_ expected: [UInt64: UInt64?], _ text: String) async throws {
                try await TripRepositoryContract.expectEntries(expected, for: text, in: store)
            }
            func save(_ entry: TimelineEntry) async throws {
                try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in
                    try trip.saving(entry)
                }
            }
            try await find([:], "등대")
            try await save(TripRepositoryContract.found(30, "등대", hour: 12))
            try await find([1: 30], "등대")
            try await save(TripRepositoryContract.found(31, "점심", hour: 11, at: "등대 식당"))
            try await find([1: 31], "등대")
            // Rewritten, and written as before.
            try await save(TripRepositoryContract.found(31, "점심", hour: 11, at: "시장"))
            try await find([1: 30], "등대")
            try await find([1: 31], "시장")
            try await save(TripRepositoryContract.found(31, "등대", hour: 13))
            try await find([1: 30], "등대")
            try await find([:], "시장")
            // To another day.
            try await save(TripRepositoryContract.found(30, "등대", day: 2, hour: 7))
            try await find([1: 31], "등대")
            for (removed, expected) in [(31, 30), (30, nil)] as [(UInt64, UInt64?)] {
                try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in
                    try trip.removing(TimelineEntry.ID(seed: removed))
                }
                try await find(expected.map { [1: $0] } ?? [:], "등대")
            }
        },
        check("a trip whose title gets or loses the keyword changes its rank") { store in
            let before = try await addBusan(to: store)
            let entry = try TripRepositoryContract.found(30, "등대", hour: 12)
            try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in try trip.saving(entry)
            }
            for title in ["부산 등대", "부산 바다", "등대"] {
                try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in
                    try trip.changing(\.title, to: Title(title))
                }
                try await TripRepositoryContract.expectEntries(
                    [1: title.contains("등대") ? nil : 30], for: "등대", in: store)
            }
        },
        check("a removed trip is found by no entry, also when another one has them") { store in
            let before = try await addBusan(to: store)
            let entry = try TripRepositoryContract.found(30, "등대", hour: 12, at: "항구")
            try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in try trip.saving(entry)
            }
            try await store.update(before.id, by: before.author.id) { _ in nil }
            for text in ["등대", "항구"] { try await TripRepositoryContract.expectEntries([:], for: text, in: store) }
            try await store.add(TripBuilder(seed: 2).with { $0.timeline = [entry] })
            for text in ["등대", "항구"] { try await TripRepositoryContract.expectEntries([2: 30], for: text, in: store) }
        },
    ]
}
