public import TravelDomain

/// The contract of `ModerationRepository`, as checks for any implementation that also stores and finds trips.
///
/// Each check requires a new, empty repository. ``TripRepositoryContract`` shows how to run them.
public enum ModerationContract {
    /// An implementation of all three protocols.
    public typealias Subject = any TripRepository & ModerationRepository & TitleRepository

    public static let checks: [ContractCheck<Subject>] = reports + blocks + consequences

    private static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("moderation", promise) { store in
            try await store.add(
                ten.map { try trip($0).build() })
            try await body(store)
        }
    }

    /// The seeds of the trips that exist in every check; each has the user of its seed as author.
    private static let ten: [UInt64] = Array(0..<10)

    private static let reports: [ContractCheck<Subject>] = [
        check("a trip with five reports is visible") { store in
            try await report(3, by: 4...8, in: store)
            let everyone: [User.ID?] = [nil] + ten.map { User.ID(seed: $0) }
            for viewer in everyone { try await expectSeen(ten, by: viewer, in: store) }
        },
        check("a trip with six reports is visible to its author only") { store in
            try await report(3, by: 4...9, in: store)
            let rest = ten.filter { $0 != 3 }
            for viewer in [nil, User.ID(seed: 2), User.ID(seed: 4), User.ID(seed: 99)] {
                try await expectSeen(rest, by: viewer, in: store)
            }
            try await expectSeen(ten, by: User.ID(seed: 3), in: store)
        },
        check("the author of a trip with six reports, and nobody else, is told that it is hidden") { store in
            let (id, author) = (Trip.ID(seed: 3), User.ID(seed: 3))
            try await report(3, by: 4...8, in: store)
            for viewer in [author, User.ID(seed: 2)] {
                try expect(try await store.trip(id, viewer: viewer).isHidden, equals: false, "whether it is hidden")
            }
            try await report(3, by: 9...9, in: store)
            try expect(try await store.trip(id, viewer: author).isHidden, equals: true, "whether it is hidden")
            try expect(
                try await store.details(of: id, viewer: author).trip.isHidden, equals: true, "whether it is hidden")
            let found = try await store.search(TripQuery(TripCriteria(), viewer: author)).trips
            try expect(found.filter(\.isHidden).map(\.id), equals: [id], "the hidden trips in a search")
        },
        check("the sixth report that a user makes on one day does not count, and is answered as others are") { store in
            try await store.add((100..<130).map { try TripBuilder(seed: $0, author: User(seed: 50)).build() })
            for (user, number) in zip(UInt64(4)...9, UInt64(0)...) {
                for trip in (0..<5).map({ 100 + 5 * number + $0 }) + [3] {
                    try expect(
                        try await store.report(Trip.ID(seed: trip), by: User.ID(seed: user)), equals: true,
                        "whether the report is new")
                }
            }
            try expect(
                try await store.report(Trip.ID(seed: 3), by: User.ID(seed: 4)), equals: false,
                "whether the repeated report is new")
            _ = try await store.trip(Trip.ID(seed: 3), viewer: nil)
            // Those before it count.
            for user in UInt64(60)...64 {
                try await store.add([TripBuilder(seed: user).build()])
                try await store.report(Trip.ID(seed: 100), by: User.ID(seed: user))
            }
            try await expect(.notFound(.trip(Trip.ID(seed: 100))), from: "the lookup of a trip with six reports") {
                try await store.trip(Trip.ID(seed: 100), viewer: nil)
            }
        },
        check("authors cannot report their own trips") { store in
            try await report(3, by: 4...8, in: store)
            try await expect(.forbidden(.trip(Trip.ID(seed: 3))), from: "the report") {
                try await store.report(Trip.ID(seed: 3), by: User.ID(seed: 3))
            }
            try await expectSeen(ten, by: nil, in: store)
            try await store.report(Trip.ID(seed: 3), by: User.ID(seed: 9))
            try await expect(.forbidden(.trip(Trip.ID(seed: 3))), from: "the report of a hidden trip") {
                try await store.report(Trip.ID(seed: 3), by: User.ID(seed: 3))
            }
        },
        check("a second report by the same user returns false and does not count") { store in
            for user in UInt64(4)...8 {
                for isNew in [true, false, false] {
                    try expect(
                        try await store.report(Trip.ID(seed: 3), by: User.ID(seed: user)), equals: isNew,
                        "whether the report is new")
                }
            }
            try await expectSeen(ten, by: nil, in: store)
        },
        check("concurrent reports by several users all count") { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in UInt64(4)...9 {
                    group.addTask { try await store.report(Trip.ID(seed: 3), by: User.ID(seed: user)) }
                }
                try await group.waitForAll()
            }
            try await expectSeen(ten.filter { $0 != 3 }, by: nil, in: store)
        },
        check("reports of unknown trips and by unknown users throw an error") { store in
            try await expect(.notFound(.trip(Trip.ID(seed: 50))), from: "the report") {
                try await store.report(Trip.ID(seed: 50), by: User.ID(seed: 1))
            }
            try await expect(.notFound(.user(User.ID(seed: 50))), from: "the report") {
                try await store.report(Trip.ID(seed: 1), by: User.ID(seed: 50))
            }
        },
        check("hidden trips do not shorten pages") { store in
            try await report(9, by: 0...5, in: store)
            try await report(5, by: 6...9, in: store)
            try await report(5, by: 3...4, in: store)
            let first = try await store.search(TripQuery(TripCriteria(), viewer: nil, limit: 4))
            try expect(first.trips.map(\.id), equals: [8, 7, 6, 4].map { Trip.ID(seed: $0) }, "the first page")
            let second = try await store.search(TripQuery(TripCriteria(), viewer: nil, after: first.next, limit: 4))
            try expect(second.trips.map(\.id), equals: [3, 2, 1, 0].map { Trip.ID(seed: $0) }, "the second page")
            try expect(second.next, equals: nil, "the cursor of a third page")
        },
        check("a report in a cancelled task throws CancellationError and does not count") { store in
            try await report(3, by: 4...8, in: store)
            try await expectCancellation(of: "a report") {
                try await store.report(Trip.ID(seed: 3), by: User.ID(seed: 9))
            }
            try await expectSeen(ten, by: nil, in: store)
        },
    ]

    private static let blocks: [ContractCheck<Subject>] = [
        check("the trips of a blocked author are hidden only from the user who blocked them") { store in
            try await store.add([trip(10, author: User(seed: 3)).build()])
            try await store.block(User.ID(seed: 3), by: User.ID(seed: 1))
            try await expectSeen(ten.filter { $0 != 3 }, by: User.ID(seed: 1), in: store)
            for viewer in [nil, User.ID(seed: 2), User.ID(seed: 3)] {
                try await expectSeen(ten + [10], by: viewer, in: store)
            }
        },
        check("several authors can be blocked") { store in
            for author in UInt64(3)...5 { try await store.block(User.ID(seed: author), by: User.ID(seed: 1)) }
            try await expectSeen(ten.filter { !(3...5).contains($0) }, by: User.ID(seed: 1), in: store)
            let blocked = try await store.blocked(by: User.ID(seed: 1))
            let expected = try (3...5).map { try User(seed: $0) }.sorted { $0.id < $1.id }
            try expect(blocked, equals: expected, "the blocked users")
            try expect(
                try await store.blocked(by: User.ID(seed: 3)), equals: [],
                "the users whom a blocked author has blocked")
        },
        check("unblocking shows the trips again, and has no effect on authors who are not blocked") { store in
            try await store.block(User.ID(seed: 3), by: User.ID(seed: 1))
            for author in [UInt64(3), 3, 4, 77] { try await store.unblock(User.ID(seed: author), by: User.ID(seed: 1)) }
            try await expectSeen(ten, by: User.ID(seed: 1), in: store)
            try expect(try await store.blocked(by: User.ID(seed: 1)), equals: [], "the blocked users")
            try await store.block(User.ID(seed: 3), by: User.ID(seed: 1))
            try await expectSeen(ten.filter { $0 != 3 }, by: User.ID(seed: 1), in: store)
        },
        check("users cannot block themselves") { store in
            let user = User.ID(seed: 1)
            try await expect(.forbidden(.user(user)), from: "the block") { try await store.block(user, by: user) }
            try await expectSeen(ten, by: user, in: store)
        },
        check("blocking an author twice returns false, and one call unblocks them") { store in
            let author = User.ID(seed: 3)
            for isNew in [true, false, false] {
                try expect(
                    try await store.block(author, by: User.ID(seed: 1)), equals: isNew, "whether the block is new")
            }
            try expect(
                try await store.block(author, by: User.ID(seed: 2)), equals: true, "whether another one's block is new")
            try await store.unblock(author, by: User.ID(seed: 1))
            try await expectSeen(ten, by: User.ID(seed: 1), in: store)
        },
        check("unknown users can neither block nor be blocked") { store in
            let nobody = User.ID(seed: 50)
            try await expect(.notFound(.user(nobody)), from: "the block") {
                try await store.block(nobody, by: User.ID(seed: 1))
            }
            try await expect(.notFound(.user(nobody)), from: "the block") {
                try await store.block(User.ID(seed: 1), by: nobody)
            }
            try expect(try await store.blocked(by: nobody), equals: [], "the users whom an unknown user has blocked")
        },
        check("a block in a cancelled task throws CancellationError and hides nothing") { store in
            try await expectCancellation(of: "a block") {
                try await store.block(User.ID(seed: 3), by: User.ID(seed: 1))
            }
            try await expectSeen(ten, by: User.ID(seed: 1), in: store)
        },
        check("unblocking in a cancelled task throws CancellationError and shows nothing") { store in
            try await store.block(User.ID(seed: 3), by: User.ID(seed: 1))
            try await expectCancellation(of: "unblocking") {
                try await store.unblock(User.ID(seed: 3), by: User.ID(seed: 1))
            }
            try await expectSeen(ten.filter { $0 != 3 }, by: User.ID(seed: 1), in: store)
            try await expectCancellation(of: "the lookup of blocked users") {
                _ = try await store.blocked(by: User.ID(seed: 1))
            }
        },
    ]

    private static let consequences: [ContractCheck<Subject>] = [
        check("hidden trips can be neither liked nor reported, and keep their likes") {
            store in
            try await store.setLiked(true, trip: Trip.ID(seed: 3), by: User.ID(seed: 2))
            try await report(3, by: 4...9, in: store)
            try await store.block(User.ID(seed: 5), by: User.ID(seed: 2))
            for trip in [Trip.ID(seed: 3), Trip.ID(seed: 5)] {
                for (isLiked, user) in [(true, UInt64(2)), (true, 4), (false, 4)]
                where (trip, user) != (Trip.ID(seed: 5), 4) {
                    try await expect(.notFound(.trip(trip)), from: "the like") {
                        try await store.setLiked(isLiked, trip: trip, by: User.ID(seed: user))
                    }
                }
                try await expect(.notFound(.trip(trip)), from: "the report") {
                    try await store.report(trip, by: User.ID(seed: 2))
                }
            }
            try await expect(.notFound(.trip(Trip.ID(seed: 3))), from: "the repeated report") {
                try await store.report(Trip.ID(seed: 3), by: User.ID(seed: 4))
            }
            try await store.setLiked(true, trip: Trip.ID(seed: 3), by: User.ID(seed: 3))
            let trip = try await store.trip(Trip.ID(seed: 3), viewer: User.ID(seed: 3))
            try expect(trip.likeCount, equals: 2, "the likes that the author sees")
        },
        check("a like of a hidden trip can be taken back, once") { store in
            for trip in [UInt64(3), 5] {
                try await store.setLiked(true, trip: Trip.ID(seed: trip), by: User.ID(seed: 2))
            }
            try await report(3, by: 4...9, in: store)
            try await store.block(User.ID(seed: 5), by: User.ID(seed: 2))
            for (trip, author) in [(Trip.ID(seed: 3), User.ID(seed: 3)), (Trip.ID(seed: 5), User.ID(seed: 5))] {
                try await store.setLiked(false, trip: trip, by: User.ID(seed: 2))
                try expect(try await store.trip(trip, viewer: author).likeCount, equals: 0, "the likes")
                try await expect(.notFound(.trip(trip)), from: "taking the like back again") {
                    try await store.setLiked(false, trip: trip, by: User.ID(seed: 2))
                }
            }
        },
        check("searches by author and by a user who likes omit hidden trips") { store in
            for trip in UInt64(3)...5 {
                try await store.setLiked(true, trip: Trip.ID(seed: trip), by: User.ID(seed: 2))
            }
            try await report(3, by: 4...9, in: store)
            try await store.block(User.ID(seed: 5), by: User.ID(seed: 2))
            for sort in TripSort.allCases {
                for (viewer, author, liked) in [
                    (nil, [], [4, 5]), (User.ID(seed: 2), [], [4]), (User.ID(seed: 3), [3], [3, 4, 5]),
                ] as [(User.ID?, [UInt64], [UInt64])] {
                    for (criteria, seeds) in [
                        (TripCriteria(author: User.ID(seed: 3), sort: sort), author),
                        (TripCriteria(likedBy: User.ID(seed: 2), sort: sort), liked),
                    ] {
                        let found = try await store.search(TripQuery(criteria, viewer: viewer)).trips
                        try expect(
                            Set(found.map(\.id)), equals: Set(seeds.map { Trip.ID(seed: $0) }), "the visible trips")
                    }
                }
            }
        },
        check("a title of a hidden trip is suggested if a visible trip also has it") { store in
            try await store.add((20...21).map { try TripBuilder(seed: $0).with { $0.title = "섬" }.build() })
            guard let text = Keyword("섬") else { return }
            for user in UInt64(4)...9 { try await store.report(Trip.ID(seed: 20), by: User.ID(seed: user)) }
            try await store.block(User.ID(seed: 21), by: User.ID(seed: 1))
            for (viewer, titles) in [(nil, ["섬"]), (User.ID(seed: 1), []), (User.ID(seed: 20), ["섬"])] {
                try expect(
                    try await store.titles(containing: text, viewer: viewer, limit: 5).map(\.text), equals: titles,
                    "the visible titles")
            }
        },
        check("hidden titles do not count towards the limit") { store in
            try await store.add(
                (20..<60).map { seed in
                    try TripBuilder(seed: seed, author: User(seed: 20)).with { $0.title = "산 \(seed)" }.build()
                })
            try await store.add([TripBuilder(seed: 70).with { $0.title = "산책" }.build()])
            try await store.block(User.ID(seed: 20), by: User.ID(seed: 1))
            guard let text = Keyword("산") else { return }
            let titles = try await store.titles(containing: text, viewer: User.ID(seed: 1), limit: 3)
            try expect(titles.map(\.text), equals: ["산책"], "the visible titles")
        },
    ]

    /// A trip that searches find by its title, and by an entry.
    private static func trip(_ seed: UInt64, author: User? = nil) throws -> TripBuilder {
        try TripBuilder(seed: seed, author: author).with {
            $0.title = "바다 \(seed)"
            $0.timeline = [try TripRepositoryContract.found(seed, "점심", at: "등대")]
        }
    }

    private static func report(_ trip: UInt64, by users: ClosedRange<UInt64>, in store: Subject) async throws {
        for user in users { try await store.report(Trip.ID(seed: trip), by: User.ID(seed: user)) }
    }

    /// Expects `viewer` to see exactly those trips: in searches of all orders, by keywords of titles and of entries, in lookups, with their
    /// timelines and among the titles.
    private static func expectSeen(
        _ seeds: [UInt64], by viewer: User.ID?, in store: Subject
    ) async throws {
        let expected = Set(seeds.map { Trip.ID(seed: $0) })
        for sort in TripSort.allCases {
            for keyword in [nil, Keyword("바다"), Keyword("등대")] {
                let query = try TripQuery(TripCriteria(keyword: keyword, sort: sort), viewer: viewer)
                let found = try await store.search(query).trips.map(\.id)
                try expect(Set(found), equals: expected, "the visible trips")
            }
        }
        let byEntry = try TripQuery(TripCriteria(keyword: Keyword("등대")), viewer: viewer)
        try expect(
            Set(try await store.search(byEntry).matchedEntries.keys), equals: expected, "the trips of visible entries")
        for id in (ten + [10]).map({ Trip.ID(seed: $0) }) {
            let trip = try await outcome { try await store.trip(id, viewer: viewer) }
            let timeline = try await outcome { try await store.timeline(of: id, viewer: viewer) }
            if expected.contains(id) {
                _ = (try trip.get(), try timeline.get())
            } else {
                try expect(trip, equals: .failure(.notFound(.trip(id))), "a hidden trip")
                try expect(
                    timeline, equals: .failure(.notFound(.trip(id))), "the timeline of a hidden trip")
            }
        }
        guard let text = Keyword("바다") else { return }
        let titles = try await store.titles(containing: text, viewer: viewer, limit: 20)
        try expect(Set(titles.map(\.text)), equals: Set(seeds.map { "바다 \($0)" }), "the visible titles")
    }
}
