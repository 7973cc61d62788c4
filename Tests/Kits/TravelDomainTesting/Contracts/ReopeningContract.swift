public import ContractTesting
public import TravelDomain

/// The contract of a store whose content outlives it, as checks for any implementation: what a store returns after it
/// was opened again is what was stored before.
///
/// Each check requires new, empty storage. `ContractCheck` shows how to run them. A store in memory, which ends with
/// its process, has no such promise to keep.
///
/// ```swift
/// @Test(arguments: ReopeningContract.checks)
/// func fulfilsReopeningContract(check: ContractCheck<ReopenableStore>) async throws {
///     try await check.run {
///         let path = folder + "/\(UUID()).db"
///         return ReopenableStore {
///             try await TravelDatabase.open(path: path)
///         } close: {
///             await $0.close()
///         } store: {
///             $0.trips
///         }
///     }
/// }
/// ```
public enum ReopeningContract {
    /// All checks: individual ones, and ``generated(seeds:)`` with the seeds 1 to 2.
    public static let checks: [ContractCheck<ReopenableStore>] = trips + users + generated(seeds: 1...2)

    /// One check for each seed: a random history as in ``TravelStoreContract``, during which the storage is opened
    /// again several times, has the same results as plain lists.
    public static func generated(seeds: some Sequence<UInt64>) -> [ContractCheck<ReopenableStore>] {
        seeds.map { seed in
            check("operations of seed \(seed) have the results of plain lists, however often the store is opened") {
                storage in
                var history = GeneratedHistory(seed: seed)
                let count = GeneratedHistory.count(changes: 80)
                for first in stride(from: 0, to: count, by: 25) {
                    try await storage.withStore { store in
                        for step in first..<min(first + 25, count) {
                            try await history.perform(step, on: HistorySubject(whole: store))
                        }
                    }
                }
                try await storage.withStore { store in try await history.finish(on: HistorySubject(whole: store)) }
            }
        }
    }

    private static func check(
        _ promise: String, _ body: @escaping @Sendable (ReopenableStore) async throws -> Void
    ) -> ContractCheck<ReopenableStore> {
        ContractCheck("reopening", promise, body)
    }

    private static let id = Trip.ID(seed: 1)
    private static let author = User.ID(seed: 1)
    private static let viewer = User.ID(seed: 2)

    private static let trips: [ContractCheck<ReopenableStore>] = [
        check("a trip, its timeline, its images and its likes are there") { storage in
            let image = try TripImage(seed: 1)
            let trip = try TripBuilder(seed: 1).with {
                $0.title = "부산 밤바다"
                $0.thumbnail = image.id
                $0.timeline = [try TripRepositoryContract.entry(1), try TripRepositoryContract.entry(2)]
            }.build()
            let expected = try await storage.withStore { store in
                try await store.add(User(seed: 2))
                try await store.add([trip], images: [image])
                try await store.setLiked(true, trip: id, by: viewer)
                return try await store.trip(id, viewer: viewer)
            }
            try await storage.withStore { store in
                try expect(try await store.trip(id, viewer: viewer), equals: expected, "the trip")
                try expect(try await store.timeline(of: id, viewer: nil), equals: trip.timeline, "the timeline")
                try expect(try await store.image(image.id, viewer: nil), equals: image, "the image")
                for sort in TripSort.allCases {
                    try expect(
                        try await store.ids(TripCriteria(keyword: Keyword("밤바"), sort: sort)), equals: [id],
                        "the trips found")
                }
                try expect(
                    try await store.ids(TripCriteria(likedBy: viewer)), equals: [id],
                    "the trips that a user likes")
                if let text = Keyword("부산") {
                    let titles = try await store.titles(containing: text, viewer: nil, limit: 5).map(\.text)
                    try expect(titles, equals: ["부산 밤바다"], "the titles")
                }
            }
        },
        check("edits keep their versions, and an edit of an earlier one is outdated") { storage in
            let version = try await storage.withStore { store in
                try await store.add([TripBuilder(seed: 1).build()])
                let version = try await store.trip(id, viewer: nil).version
                try await setTitle("바다", in: store)
                return version
            }
            try await storage.withStore { store in
                let stored = try await store.trip(id, viewer: nil)
                try expect(stored.title.text, equals: "바다", "the title")
                let result = try await outcome {
                    try await store.update(id, expecting: version, by: author, adding: []) { _ in nil }
                }
                guard case .failure(.outdated(let current)) = result else {
                    throw UnmetExpectation("expected the edit to be outdated; found \(result)")
                }
                try expect(current.version, equals: stored.version, "the version of the current trip")
                try await setTitle("산", in: store)
                let later = try await store.trip(id, viewer: nil).version
                try expect(
                    later.number > stored.version.number, "expected a version after \(stored.version); found \(later)")
            }
        },
        check("a removed trip stays removed, and can be added again without likes") { storage in
            let trip = try TripBuilder(seed: 1).build()
            try await storage.withStore { store in
                try await store.add([trip, TripBuilder(seed: 2).build()])
                try await store.setLiked(true, trip: id, by: viewer)
                try await store.update(id, by: author) { _ in nil }
            }
            try await storage.withStore { store in
                try await expect(.notFound(.trip(id)), from: "the lookup") { try await store.trip(id, viewer: nil) }
                try expect(try await store.ids(TripCriteria()), equals: [Trip.ID(seed: 2)], "the trips")
                try await store.add([trip])
                try expect(try await store.trip(id, viewer: viewer).likeCount, equals: 0, "the likes")
            }
        },
        check("a cursor continues the pages of the store before") { storage in
            let query = try TripQuery(TripCriteria(), viewer: nil, limit: 3)
            let first = try await storage.withStore { store in
                try await store.add((0..<8).map { try TripBuilder(seed: $0).build() })
                return try await store.search(query)
            }
            try await storage.withStore { store in
                let next = try TripQuery(query.criteria, viewer: nil, after: first.next, limit: 3)
                try expect(
                    try await store.search(next).trips.map(\.id), equals: [4, 3, 2].map { Trip.ID(seed: $0) },
                    "the second page")
            }
        },
        check("an observation begins with what was stored before") { storage in
            try await storage.withStore { store in try await store.add([TripBuilder(seed: 1).build()]) }
            try await storage.withStore { store in
                try await watch(store.observe(TripQuery(TripCriteria(), viewer: nil))) { pages in
                    try expect(try await pages.next().trips.map(\.id), equals: [id], "the first page")
                    try await store.add([TripBuilder(seed: 2).build()])
                    try expect(try await pages.next().trips.count, equals: 2, "the number of trips afterwards")
                }
            }
        },
    ]

    private static let users: [ContractCheck<ReopenableStore>] = [
        check("users keep their nicknames and pictures, and removed ones stay removed") { storage in
            let picture = try TripImage(seed: 1)
            let gone = User.ID(seed: 3)
            try await storage.withStore { store in
                for seed in UInt64(1)...3 { try await store.add(User(seed: seed, nickname: "Person \(seed)")) }
                try await store.rename(author, to: Nickname("Mina"), by: author)
                try await store.setAvatar(picture, of: author, by: author)
                try await store.removeUser(gone, by: gone)
            }
            try await storage.withStore { store in
                let expected = User(id: author, nickname: try Nickname("Mina"), avatar: picture.id)
                try expect(try await store.user(author), equals: expected, "the user")
                try expect(try await store.image(picture.id, viewer: nil), equals: picture, "the picture")
                try expect(
                    try await store.isTaken(Nickname("mina"), exceptBy: viewer), equals: true, "whether it is taken")
                for nickname in ["Person 1", "Person 3"] {
                    try expect(
                        try await store.isTaken(Nickname(nickname), exceptBy: nil), equals: false,
                        "whether \(nickname) is taken")
                }
                try await expect(.notFound(.user(gone)), from: "the lookup") { try await store.user(gone) }
            }
        },
        check("reports and blocks still hide trips, and are no new ones") { storage in
            let reported = Trip.ID(seed: 3)
            try await storage.withStore { store in
                try await store.add((0..<10).map { try TripBuilder(seed: $0).build() })
                for reporter in UInt64(4)...9 { try await store.report(reported, by: User.ID(seed: reporter)) }
                try await store.block(author, by: viewer)
            }
            try await storage.withStore { store in
                try await expect(.notFound(.trip(reported)), from: "the lookup of a reported trip") {
                    try await store.trip(reported, viewer: viewer)
                }
                _ = try await store.trip(reported, viewer: User.ID(seed: 3))
                try await expect(.notFound(.trip(id)), from: "the lookup of a blocked author's trip") {
                    try await store.trip(id, viewer: viewer)
                }
                try expect(try await store.blocked(by: viewer).map(\.id), equals: [author], "the blocked users")
                try expect(try await store.block(author, by: viewer), equals: false, "whether the block is new")
                try await store.unblock(author, by: viewer)
                _ = try await store.trip(id, viewer: viewer)
            }
            try await storage.withStore { store in _ = try await store.trip(id, viewer: viewer) }
        },
    ]

    private static func setTitle(_ text: String, in store: any TravelStore) async throws {
        let title = try Title(text)
        try await store.update(id, by: author) { trip throws(TravelError) in
            return try trip.changing(\.title, to: title)
        }
    }
}

/// Storage that outlives the stores which are opened on it: a file, a folder, or a database on a server.
///
/// ```swift
/// let path = folder + "/trips.db"
/// ReopenableStore { try await TravelDatabase.open(path: path) } close: { await $0.close() } store: { $0.trips }
/// ```
///
/// ``ReopeningContract`` opens it several times, one store after another.
public struct ReopenableStore: Sendable {
    private let openNext: @Sendable () async throws -> OpenStore

    /// A store with the function that closes it.
    struct OpenStore: Sendable {
        let store: any TravelStore
        let close: @Sendable () async throws -> Void
    }

    /// Creates storage from the functions that open and close it.
    ///
    /// - Parameters:
    ///   - open: Opens the storage, which is empty the first time, and later has what earlier ones have stored.
    ///   - close: Closes what `open` returned, before the storage is opened again.
    ///   - store: The store of what `open` returned.
    public init<Opened: Sendable>(
        open: @escaping @Sendable () async throws -> Opened,
        close: @escaping @Sendable (Opened) async throws -> Void,
        store: @escaping @Sendable (Opened) -> any TravelStore
    ) {
        openNext = {
            let opened = try await open()
            return OpenStore(store: store(opened)) { try await close(opened) }
        }
    }

    /// Calls `body` with a store that is opened before and closed afterwards, whether or not it throws.
    func withStore<Value>(_ body: (any TravelStore) async throws -> Value) async throws -> Value {
        let opened = try await openNext()
        do {
            let value = try await body(opened.store)
            try await opened.close()
            return value
        } catch {
            try await opened.close()
            throw error
        }
    }
}
