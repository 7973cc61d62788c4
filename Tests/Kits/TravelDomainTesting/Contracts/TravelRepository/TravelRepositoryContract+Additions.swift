import TravelDomain

extension TravelRepositoryContract {
    static let additions: [ContractCheck<any TravelRepository>] = wholeBatches + conflicts

    private static let wholeBatches: [ContractCheck<any TravelRepository>] = [
        check("adding", "an empty batch changes nothing") { travels in
            try await travels.add([])
            try expect(try await travels.ids(TravelCriteria()), equals: [], "the IDs of all travels")
        },
        check("adding", "a batch of 1,000 is stored completely") { travels in
            try await travels.add((0..<1_000).map { try TravelBuilder(seed: $0).build() })
            try expect(
                try await travels.seeds(TravelCriteria(), among: 0..<1_000), equals: Array(0..<1_000),
                "the IDs of all travels")
        },
        check("adding", "a new travel has no likes") { travels in
            try await travels.add(TravelBuilder(seed: 1))
            try expect(try await travels.onlyTravel().likeCount, equals: 0, "the likes")
        },
        check("adding", "an addition is visible to the next search") { travels in
            for seed in UInt64(0)..<30 {
                try await travels.add(TravelBuilder(seed: seed))
                try expect(
                    try await travels.ids(TravelCriteria()).first, equals: Travel.ID(seed: seed), "the newest travel")
            }
        },
        check("adding", "batches that several tasks add concurrently are all stored") { travels in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in UInt64(0)..<8 {
                    group.addTask {
                        try await travels.add((task * 10..<task * 10 + 10).map { try TravelBuilder(seed: $0).build() })
                    }
                }
                try await group.waitForAll()
            }
            try expect(
                try await travels.seeds(TravelCriteria(), among: 0..<80), equals: Array(0..<80),
                "the IDs of all travels")
        },
        check("adding", "one of two tasks that add the same travel succeeds") { travels in
            let same = try TravelBuilder(seed: 1).build()
            let failures = try await withThrowingTaskGroup(of: Result<Void, TravelError>.self) { group in
                for _ in 0..<2 { group.addTask { try await outcome { try await travels.add([same]) } } }
                return try await group.reduce(into: [TravelError]()) { failures, result in
                    if case .failure(let error) = result { failures.append(error) }
                }
            }
            try expect(failures, equals: [.conflict(.travel(same.id))], "the errors")
            _ = try await travels.onlyTravel()
        },
    ]

    private static let conflicts: [ContractCheck<any TravelRepository>] = [
        refuses("an existing travel", .conflict(.travel(Travel.ID(seed: 1)))) {
            [try TravelBuilder(seed: 1)]
        },
        refuses("an existing travel at the end of a batch", .conflict(.travel(Travel.ID(seed: 1)))) {
            try (2..<50).map { try TravelBuilder(seed: $0) } + [TravelBuilder(seed: 1)]
        },
        refuses("a batch with the same travel twice", .conflict(.travel(Travel.ID(seed: 5)))) {
            [try TravelBuilder(seed: 5), try TravelBuilder(seed: 6), try TravelBuilder(seed: 5)]
        },
        refuses("an existing entry", .conflict(.entry(TimelineEntry.ID(seed: 1)))) {
            [try TravelBuilder(seed: 2), try TravelBuilder(seed: 3).with { $0.timeline = [try entry(1)] }]
        },
        refuses("the same entry twice in one travel", .conflict(.entry(TimelineEntry.ID(seed: 7)))) {
            [try TravelBuilder(seed: 2).with { $0.timeline = [try entry(7), try entry(8), try entry(7)] }]
        },
        refuses("the same entry in two travels", .conflict(.entry(TimelineEntry.ID(seed: 7)))) {
            [
                try TravelBuilder(seed: 2).with { $0.timeline = [try entry(7)] },
                try TravelBuilder(seed: 3).with { $0.timeline = [try entry(8), try entry(7)] },
            ]
        },
    ]

    /// Checks that adding a batch throws `error`, when a travel of seed 1 with an entry of seed 1 exists, and that
    /// nothing of the batch is stored: no travel, no entry, no author and no nickname.
    private static func refuses(
        _ what: String, _ error: TravelError, _ batch: @escaping @Sendable () throws -> [TravelBuilder]
    ) -> ContractCheck<any TravelRepository> {
        check("adding", "rejects \(what) and stores nothing") { travels in
            try await travels.add(TravelBuilder(seed: 1).with { $0.timeline = [try entry(1)] })
            let before = try await travels.onlyTravel()
            let newcomer = try User(seed: 900)
            let renamed = try User(seed: 1, nickname: "Renamed")
            let opening = [
                try TravelBuilder(seed: 700, author: newcomer).with { $0.timeline = [try entry(700)] },
                try TravelBuilder(seed: 701, author: renamed),
            ]
            let recorded = try (opening + batch()).map { try $0.build() }
            try await expect(error, from: "the addition") { try await travels.add(recorded) }

            try expect(try await travels.onlyTravel(), equals: before, "the existing travel")
            for id in Set(recorded.map(\.id)).subtracting([before.id]) {
                try await expect(.notFound(.travel(id)), from: "a travel of the batch") {
                    try await travels.travel(id, viewer: nil)
                }
                try await expect(.notFound(.travel(id)), from: "a timeline of the batch") {
                    try await travels.timeline(of: id, viewer: nil)
                }
            }
            try await expect(.notFound(.user(newcomer.id)), from: "a like by an author of the batch") {
                try await travels.setLiked(true, travel: before.id, by: newcomer.id)
            }
            try await travels.add(opening.map { try $0.build() })
            try expect(
                try await travels.timeline(of: opening[0].id, viewer: nil), equals: opening[0].timeline,
                "the timeline of a travel of the batch, added again")
        }
    }

    static func entry(_ seed: UInt64) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: 1, time: TimeOfDay(minutesSinceMidnight: Int(seed)),
            title: Title("Entry \(seed)"), text: EntryText("Text \(seed)"))
    }
}
