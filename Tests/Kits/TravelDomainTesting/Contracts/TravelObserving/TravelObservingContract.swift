public import TravelDomain

/// The contract of `TravelObservingRepository`, as checks for any implementation that also stores, edits and hides
/// travels.
///
/// Each check requires a new, empty repository. `ContractCheck` shows how to run them. Run them with a time limit,
/// because a check of a repository that misses a change waits for that change forever.
///
/// ```swift
/// @Test(arguments: TravelObservingContract.checks)
/// func fulfilsItsContract(check: ContractCheck<TravelObservingContract.Subject>) async throws {
///     try await check.run { InMemoryTravelRepository() }
/// }
/// ```
public enum TravelObservingContract {
    /// An implementation of all these protocols.
    public typealias Subject = any TravelRepository & TravelObservingRepository & TravelEditingRepository
        & ModerationRepository & UserRepository

    /// All checks.
    public static let checks: [ContractCheck<Subject>] =
        pages + travels + timelines + days + visibility + lives

    static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("observing", promise) { store in
            try await store.add((UInt64(1)...3).map { try TravelBuilder(seed: $0).build() })
            try await body(store)
        }
    }

    static let first = Travel.ID(seed: 1)
    static let author = User.ID(seed: 1)
    static let viewer = User.ID(seed: 2)

    private static let pages: [ContractCheck<Subject>] = [
        check("a page is emitted immediately, and again when a travel is added to it") { store in
            let query = try TravelQuery(TravelCriteria(), viewer: nil)
            try await watch(store.observe(query)) { inbox in
                try expect(try await inbox.next().travels.map(\.id), equals: ids(3, 2, 1), "the first page")
                try await store.add([TravelBuilder(seed: 4).build()])
                try expect(try await inbox.next().travels.map(\.id), equals: ids(4, 3, 2, 1), "the page afterwards")
            }
        },
        check("changes that do not affect a page do not emit it again") { store in
            let query = try TravelQuery(TravelCriteria(regions: [.jeju]), viewer: nil)
            try await watch(store.observe(query)) { inbox in
                try expect(try await inbox.next().travels, equals: [], "the first page")
                try await store.add([TravelBuilder(seed: 4).build()])
                try await store.setLiked(true, travel: first, by: viewer)
                try await store.add([TravelBuilder(seed: 5).with { $0.region = .jeju }.build()])
                try expect(try await inbox.next().travels.map(\.id), equals: ids(5), "the second page")
            }
        },
        check("likes change the order of the most liked") { store in
            let query = try TravelQuery(TravelCriteria(sort: .mostLiked), viewer: nil, limit: 1)
            try await watch(store.observe(query)) { inbox in
                let top = try await inbox.next().travels.map(\.id)
                let other = ids(1, 2, 3).first { !top.contains($0) } ?? first
                try await store.setLiked(true, travel: other, by: viewer)
                try expect(try await inbox.next().travels.map(\.id), equals: [other], "the most liked afterwards")
            }
        },
        check("a block removes travels only from the page of the person who blocks") { store in
            let mine = try TravelQuery(TravelCriteria(), viewer: viewer)
            try await watch(store.observe(mine)) { inbox in
                try expect(try await inbox.next().travels.count, equals: 3, "the number of travels on the first page")
                try await store.block(User.ID(seed: 1), by: viewer)
                try expect(try await inbox.next().travels.map(\.id), equals: ids(3, 2), "the page afterwards")
                try await store.unblock(User.ID(seed: 1), by: viewer)
                try expect(try await inbox.next().travels.map(\.id), equals: ids(3, 2, 1), "the page after that")
            }
        },
        check("a page of an author's travels is emitted again only when they record or remove one") { store in
            let query = try TravelQuery(TravelCriteria(author: author), viewer: nil)
            try await watch(store.observe(query)) { inbox in
                try expect(try await inbox.next().travels.map(\.id), equals: ids(1), "the first page")
                try await store.add([TravelBuilder(seed: 4).build()])
                try await store.add([TravelBuilder(seed: 5, author: User(seed: 1)).build()])
                try expect(try await inbox.next().travels.map(\.id), equals: ids(5, 1), "the page afterwards")
                try await store.update(first, by: author) { _ in nil }
                try expect(try await inbox.next().travels.map(\.id), equals: ids(5), "the page after the removal")
            }
        },
        check("a page of the travels that a person likes is emitted again when they like another one") { store in
            let query = try TravelQuery(TravelCriteria(likedBy: viewer), viewer: nil)
            try await watch(store.observe(query)) { inbox in
                try expect(try await inbox.next().travels, equals: [], "the first page")
                try await store.setLiked(true, travel: first, by: User.ID(seed: 3))
                try await store.setLiked(true, travel: Travel.ID(seed: 3), by: viewer)
                try expect(try await inbox.next().travels.map(\.id), equals: ids(3), "the page afterwards")
                try await store.setLiked(false, travel: Travel.ID(seed: 3), by: viewer)
                try expect(try await inbox.next().travels, equals: [], "the page after the like is taken back")
            }
        },
        check("a new nickname updates the page") { store in
            let query = try TravelQuery(TravelCriteria(), viewer: nil, limit: 1)
            try await watch(store.observe(query)) { inbox in
                _ = try await inbox.next()
                try await store.rename(User.ID(seed: 3), to: Nickname("Sora"), by: User.ID(seed: 3))
                let names = try await inbox.next().travels.map(\.author.nickname.text)
                try expect(names, equals: ["Sora"], "the nickname afterwards")
            }
        },
        check("each iteration begins with the current page") { store in
            let pages = store.observe(try TravelQuery(TravelCriteria(), viewer: nil))
            for count in 3...5 {
                try await watch(pages) { inbox in
                    try expect(try await inbox.next().travels.count, equals: count, "the number of travels")
                }
                try await store.add([TravelBuilder(seed: UInt64(count) + 1).build()])
            }
        },
        check("a travel that is added while an observation of a page begins is not missed") { store in
            for round in 0..<40 {
                let new = try TravelBuilder(seed: UInt64(100 + round)).build()
                let query = try TravelQuery(TravelCriteria(), viewer: nil)
                try await watch(store.observe(query)) { inbox in
                    // Each round lets the observation proceed a bit further before the change.
                    for _ in 0..<round { await Task.yield() }
                    try await store.add([new])
                    while try await !inbox.next().travels.contains(where: { $0.id == new.id }) {}
                }
            }
        },
        check("concurrent observations end independently") { store in
            let query = try TravelQuery(TravelCriteria(), viewer: nil)
            try await watch(store.observe(query)) { a in
                try await watch(store.observe(query)) { b in
                    _ = (try await a.next(), try await b.next())
                    try await store.add([TravelBuilder(seed: 4).build()])
                    try expect(try await b.next().travels.count, equals: 4, "the number of travels")
                }
                try expect(try await a.next().travels.count, equals: 4, "the number of travels")
                try await store.add([TravelBuilder(seed: 5).build()])
                try expect(try await a.next().travels.count, equals: 5, "the number of travels")
            }
        },
    ]

    private static let travels: [ContractCheck<Subject>] = [
        check("a like that is given while an observation of a travel begins is not missed") { store in
            for round in 0..<40 {
                let isLiked = round.isMultiple(of: 2)
                try await watch(store.observeTravel(first, viewer: viewer)) { inbox in
                    for _ in 0..<round { await Task.yield() }
                    try await store.setLiked(isLiked, travel: first, by: viewer)
                    while try await inbox.next().isLiked != isLiked {}
                }
            }
        },
        check("a travel is emitted immediately, and again when it is liked or changed") { store in
            try await watch(store.observeTravel(first, viewer: viewer)) { inbox in
                try expect(try await inbox.next().likeCount, equals: 0, "the likes")
                try await store.setLiked(true, travel: first, by: viewer)
                let liked = try await inbox.next()
                try expect(liked.likeCount, equals: 1, "the likes afterwards")
                try expect(liked.isLiked, equals: true, "whether the viewer likes it")
                let changed = try TravelBuilder(seed: 9).with { $0.title = "바다" }.build().content
                try await store.update(first, by: author) { travel throws(TravelError) in
                    try travel.with(changed)
                }
                try expect(try await inbox.next().title.text, equals: "바다", "the title afterwards")
            }
        },
        check("changes to other travels do not emit a travel again") { store in
            try await watch(store.observeTravel(first, viewer: nil)) { inbox in
                _ = try await inbox.next()
                try await store.setLiked(true, travel: Travel.ID(seed: 2), by: viewer)
                try await store.add([TravelBuilder(seed: 4).build()])
                try await store.setLiked(true, travel: first, by: viewer)
                try expect(try await inbox.next().likeCount, equals: 1, "the likes of the next value")
            }
        },
        check("the observation of a travel throws notFound when it is removed") { store in
            try await watch(store.observeTravel(first, viewer: nil)) { inbox in
                _ = try await inbox.next()
                try await store.update(first, by: author) { _ in nil }
                try await expect(.notFound(.travel(first)), from: "the next value") { try await inbox.next() }
            }
        },
        check("the observation of a travel throws notFound when it does not exist") { store in
            let id = Travel.ID(seed: 50)
            try await watch(store.observeTravel(id, viewer: nil)) { inbox in
                try await expect(.notFound(.travel(id)), from: "the first value") { try await inbox.next() }
            }
        },
    ]

    private static let timelines: [ContractCheck<Subject>] = [
        check("a timeline is emitted immediately, and again when an entry is added or deleted") { store in
            let entry = try TravelRepositoryContract.entry(1)
            try await watch(store.observeTimeline(of: first, viewer: nil)) { inbox in
                try expect(try await inbox.next(), equals: [], "the timeline")
                try await store.update(first, by: author) { travel throws(TravelError) in
                    try travel.saving(entry)
                }
                try expect(try await inbox.next(), equals: [entry], "the timeline afterwards")
                try await store.update(first, by: author) { travel throws(TravelError) in
                    try travel.removing(entry.id)
                }
                try expect(try await inbox.next(), equals: [], "the timeline after that")
            }
        },
        check("the observation of a timeline throws notFound when the author is removed") { store in
            try await watch(store.observeTimeline(of: first, viewer: nil)) { inbox in
                _ = try await inbox.next()
                try await store.removeUser(author, by: author)
                try await expect(.notFound(.travel(first)), from: "the next value") { try await inbox.next() }
            }
        },
    ]

    static func ids(_ seeds: UInt64...) -> [Travel.ID] { seeds.map { Travel.ID(seed: $0) } }
}
