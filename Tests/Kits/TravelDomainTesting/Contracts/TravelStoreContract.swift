import TravelDomain

/// The contract of a whole store, as checks for any implementation: those of its parts, and those across all of them.
///
/// Each check requires a new, empty store. ``TripRepositoryContract`` shows how to run them.
public enum TravelStoreContract {
    /// All checks of the contracts of the parts; those of audiences and links, and individual ones, across the parts; and ``generated(seeds:)`` with the
    /// seeds 1 to 5.
    public static let checks: [ContractCheck<any TravelStore>] =
        on(TripRepositoryContract.checks) { $0 } + on(TitleRepositoryContract.checks) { $0 }
        + on(TripEditingContract.checks) { $0 } + on(TripObservingContract.checks) { $0 }
        + on(ModerationContract.checks) { $0 } + on(UserRepositoryContract.checks) { $0 }
        + on(ImageContract.checks) { $0 } + AudienceContract.checks + acrossParts + generated(seeds: 1...5)

    private static func on<Part>(
        _ checks: [ContractCheck<Part>], _ part: @escaping @Sendable (any TravelStore) -> Part
    ) -> [ContractCheck<any TravelStore>] {
        checks.map { $0.on(part) }
    }

    private static let acrossParts: [ContractCheck<any TravelStore>] = [
        ContractCheck("store", "an edit receives the current nickname of the author") { store in
            let trip = try TripBuilder(seed: 1, author: User(seed: 1, nickname: "Mina")).build()
            try await store.add([trip])
            let nickname = try Nickname("Sora")
            try await store.rename(trip.author.id, to: nickname, by: trip.author.id)
            try await store.update(trip.id, by: trip.author.id) { trip throws(TravelError) in
                guard trip.author.nickname == nickname else { throw .forbidden(.user(trip.author.id)) }
                return trip
            }
        }
    ]

    /// One check for each seed: a random sequence of additions, edits, deletions, likes, reports, blocks, nicknames and
    /// deletions of accounts, and of lookups in between, has the same results, including errors, as plain lists that
    /// are searched linearly.
    ///
    /// A failing check finds a minimal sequence of steps that fails, with a new store for each attempt, and reports
    /// it as source code.
    public static func generated(seeds: some Sequence<UInt64>) -> [ContractCheck<any TravelStore>] {
        seeds.map { seed in
            ContractCheck(
                "store", "operations of seed \(seed) have the results of plain lists",
                repeating: { make in
                    try await GeneratedHistory.check(seed: seed, count: steps) {
                        HistorySubject(whole: try await make())
                    }
                })
        }
    }

    /// The number of times that the histories of these seeds reach each outcome of each operation, such as
    /// `"an edit: forbidden trip"`. An outcome that is missing is not covered by the generated checks.
    package static func coverage(
        seeds: some Sequence<UInt64>, _ make: () async throws -> any TravelStore
    ) async throws -> [String: Int] {
        var coverage: [String: Int] = [:]
        for seed in seeds {
            var sequence = GeneratedHistory(seed: seed)
            let store = HistorySubject(whole: try await make())
            for step in 0..<steps { try await sequence.perform(step, on: store) }
            try await sequence.finish(on: store)
            coverage.merge(sequence.coverage, uniquingKeysWith: +)
        }
        return coverage
    }

    private static let steps = GeneratedHistory.count(changes: 80)
}

extension TravelStoreContract {
    /// One check for each order: paging through all trips has neither gaps nor duplicates, while another task adds
    /// `count` trips at positions throughout the order, removes some, and likes others.
    ///
    /// While a page is read, a hundredth of them is written, and the next page waits for that, so that the check
    /// behaves the same on every machine. It is not one of ``checks``, because it takes as long as writing that many
    /// trips does.
    public static func pagingWhileWriting(_ count: Int) -> [ContractCheck<any TravelStore>] {
        TripSort.allCases.map { sort in
            ContractCheck(
                "paging", "while \(count) trips are written, pages sorted by \(sort) have neither gaps nor duplicates"
            ) {
                store in
                let scenario = try PagingScenario(count: count, sort: sort)
                try await store.add(scenario.before)
                for (trip, user) in scenario.likesBefore {
                    try await store.setLiked(true, trip: trip, by: user)
                }
                let (pages, pageBegins) = AsyncStream<Void>.makeStream()
                let (batches, batchEnds) = AsyncStream<Void>.makeStream()
                let found = try await withThrowingTaskGroup(of: [Trip.ID].self) { group in
                    group.addTask {
                        defer { batchEnds.finish() }
                        for batch in scenario.batches {
                            // After the last page, there is nothing to wait for.
                            await next(of: pages)
                            try await write(batch, to: store)
                            batchEnds.yield()
                        }
                        return []
                    }
                    group.addTask {
                        defer { pageBegins.finish() }
                        pageBegins.yield()
                        return try await store.ids(TripCriteria(sort: sort), limit: 20) { _ in
                            await next(of: batches)
                            pageBegins.yield()
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                try expect(
                    found.contains { scenario.isAmongBatches($0) }, "expected at least one new trip on the pages")
                try TripRepositoryContract.expectComplete(
                    found.filter { !scenario.moved.contains($0) }, scenario.required)
                try expect(
                    try await store.ids(TripCriteria(sort: sort)).count, equals: scenario.finalCount,
                    "the number of trips afterwards")
            }
        }
    }

    /// Waits for the next element of `events`, or for its end.
    private static func next(of events: AsyncStream<Void>) async {
        for await _ in events { return }
    }

    private static func write(_ batch: PagingScenario.Batch, to store: any TravelStore) async throws {
        try await store.add(batch.new)
        for trip in batch.removed { try await store.update(trip.id, by: trip.author.id) { _ in nil } }
        for (trip, user) in batch.likes { try await store.setLiked(true, trip: trip, by: user) }
    }
}

/// The trips that exist before a search pages through all of them, and those that are added in the meantime.
struct PagingScenario {
    struct Batch {
        let new: [RecordedTrip]
        let removed: [RecordedTrip]
        let likes: [(trip: Trip.ID, user: User.ID)]
    }

    /// The trips that exist before. Their seeds, and therefore their dates, lie between those of the new ones.
    let before: [RecordedTrip]
    /// The likes that exist before, so that the order by likes differs from that by date.
    let likesBefore: [(trip: Trip.ID, user: User.ID)]
    let batches: [Batch]
    /// The trips whose likes change in the meantime, if the order depends on likes.
    let moved: Set<Trip.ID>
    /// The trips that the pages must contain.
    let required: [Trip.ID]
    private let new: Set<Trip.ID>

    init(count: Int, sort: TripSort) throws {
        // One of eleven trips exists before. Of these, one of seven is removed in the meantime, and one of seven is
        // liked.
        let seeds = UInt64(0)..<UInt64(count + count / 10)
        let before = try seeds.filter { $0 % 11 == 0 }.map { try TripBuilder(seed: $0).build() }
        var random = SeededGenerator(seed: 7)
        let removed = before.enumerated().filter { $0.offset % 7 == 3 }.map(\.element).shuffled(using: &random)
        let liked = before.enumerated().filter { $0.offset % 7 == 5 }.map(\.element.id).shuffled(using: &random)
        let new = try seeds.filter { $0 % 11 != 0 }.map { try TripBuilder(seed: $0).build() }.shuffled(using: &random)
        let users = before.enumerated().filter { $0.offset % 7 < 3 }.map(\.element.author.id)

        self.before = before
        likesBefore = before.enumerated().flatMap { offset, trip in
            users.prefix(offset % 4).map { (trip.id, $0) }
        }
        batches = (0..<100).map { number in
            func part<Value>(_ values: [Value]) -> ArraySlice<Value> {
                values[(values.count * number / 100)..<(values.count * (number + 1) / 100)]
            }
            let risen = part(new).enumerated().filter { $0.offset % 10 == 0 }.map(\.element.id)
            return Batch(
                new: Array(part(new)), removed: Array(part(removed)),
                likes: (part(liked) + risen).flatMap { trip in users.suffix(3).map { (trip, $0) } })
        }
        moved = sort == .mostLiked ? Set(batches.flatMap { $0.likes.map(\.trip) }) : []
        self.new = Set(new.map(\.id))
        let excluded = moved.union(removed.map(\.id))
        required = before.map(\.id).filter { !excluded.contains($0) }
    }

    func isAmongBatches(_ id: Trip.ID) -> Bool { new.contains(id) }

    /// The number of trips at the end.
    var finalCount: Int { before.count + new.count - batches.reduce(0) { $0 + $1.removed.count } }
}
