public import TravelDomain

/// The contract of `TravelCache`, as checks for any store that also implements it.
///
/// Each check requires a new, empty store. ``TravelRepositoryContract`` shows how to run them.
public enum TravelCacheContract {
    /// A store that also stores what another one has answered.
    public typealias Subject = any TravelStore & TravelCache

    public static let checks: [ContractCheck<Subject>] = travels + likes + images + people + blocks + answers

    private static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("cache", promise, body)
    }

    private static let id = Travel.ID(seed: 1)
    private static let author = User.ID(seed: 1)
    private static let viewer = User.ID(seed: 2)

    private static let travels: [ContractCheck<Subject>] = [
        check("a trip that was fetched is found by lookups, searches and titles, and its timeline is unknown") {
            store in
            try expect(try await store.knowledge(of: id), equals: .unknown, "what is known before")
            let travel = try fetched(TravelBuilder(seed: 1).with { $0.title = "바다" }, likes: 7)
            try await see([travel], in: store)
            try expect(try await store.travel(id, viewer: nil), equals: travel, "the trip")
            try expect(try await store.onlyTravel(), equals: travel, "the trip found")
            try expect(try await store.ids(TravelCriteria(keyword: Keyword("바다"))), equals: [id], "the trips found")
            if let text = Keyword("바") {
                let titles = try await store.titles(containing: text, viewer: nil, limit: 5).map(\.text)
                try expect(titles, equals: ["바다"], "the titles")
            }
            try expect(try await store.knowledge(of: id), equals: .withoutTimeline, "what is known")
        },
        check("a trip that was fetched with its timeline is complete") { store in
            let travel = try builder(entries: 1, 2).build()
            try await see(travel, in: store)
            try expect(try await store.knowledge(of: id), equals: .complete(travel), "what is known")
            try expect(try await store.timeline(of: id, viewer: nil), equals: travel.timeline, "the timeline")
        },
        check("a trip that was fetched with its timeline has its track, and loses it with a version without") {
            store in
            let track = try TravelGenerator.track(seed: 1)
            let travel = try builder(entries: 1).with { $0.track = track }.build()
            try await see(travel, in: store)
            try expect(try await store.knowledge(of: id), equals: .complete(travel), "what is known")
            try expect(try await store.track(of: id, viewer: nil), equals: track, "the track")
            try await see(builder(version: 2, entries: 1).build(), in: store)
            try expect(try await store.track(of: id, viewer: nil), equals: nil, "the track of the next version")
        },
        check("a new version without its timeline does not replace the content of a complete trip") { store in
            let travel = try builder(entries: 1).build()
            try await see(travel, in: store)
            let newer = try builder(version: 2).with { $0.title = "New" }
            try await see([fetched(newer, likes: 3)], in: store)
            try expect(try await store.knowledge(of: id), equals: .complete(travel), "what is known")
            try expect(try await store.travel(id, viewer: nil).likeCount, equals: 3, "the likes")
        },
        check("a new version without its timeline replaces a trip whose timeline is unknown") { store in
            try await see([fetched(builder(), likes: 0)], in: store)
            let newer = try fetched(builder(version: 2).with { $0.title = "New" }, likes: 0)
            try await see([newer], in: store)
            try expect(try await store.travel(id, viewer: nil), equals: newer, "the trip")
        },
        check("a version with its timeline replaces any version") { store in
            for (version, entry) in [(2, UInt64(1)), (3, 2), (3, 3), (1, 4)] {
                let travel = try builder(version: version, entries: entry).with { $0.title = "Title \(entry)" }.build()
                try await see(travel, in: store)
                try expect(try await store.knowledge(of: id), equals: .complete(travel), "what is known")
            }
            try expect(try await store.ids(TravelCriteria(keyword: Keyword("title 4"))), equals: [id], "those found")
            try expect(try await store.ids(TravelCriteria(keyword: Keyword("title 3"))), equals: [], "those found")
        },
        check("a trip that was fetched can be edited, liked and removed") { store in
            try await see(builder(entries: 1).build(), in: store)
            try await store.add(User(seed: 2))
            try await store.setLiked(true, travel: id, by: viewer)
            let edited = try await store.update(id, by: author) { travel throws(TravelError) in
                try travel.removing(TimelineEntry.ID(seed: 1))
            }
            try expect(edited?.timeline, equals: [], "the timeline")
            try await store.update(id, by: author) { _ in nil }
            try expect(try await store.knowledge(of: id), equals: .unknown, "what is known")
        },
        check("a missing trip is removed, and an unknown one is ignored") { store in
            try await see(builder(entries: 1).build(), in: store)
            var gone = FetchedTravels(viewer: nil)
            gone.missingTravels = [id, Travel.ID(seed: 9)]
            try await store.store(gone)
            try expect(try await store.knowledge(of: id), equals: .unknown, "what is known")
            try await see(builder(entries: 1).build(), in: store)
        },
        check("a trip that has an entry of another one here replaces it") { store in
            try await see(builder(entries: 1, 2).build(), in: store)
            let other = try TravelBuilder(seed: 3).with { $0.timeline = [try TravelRepositoryContract.entry(2)] }
                .build()
            try await see(other, in: store)
            try expect(try await store.knowledge(of: id), equals: .unknown, "what is known of the first")
            try expect(try await store.knowledge(of: other.id), equals: .complete(other), "what is known of the other")
        },
        check("what was fetched reaches observers") { store in
            try await see([fetched(builder(), likes: 0)], in: store)
            try await watch(store.observeTravel(id, viewer: nil)) { travels in
                try await watch(store.observe(TravelQuery(TravelCriteria(), viewer: nil))) { pages in
                    _ = (try await travels.next(), try await pages.next())
                    try await see([fetched(builder(), likes: 5)], in: store)
                    try expect(try await travels.next().likeCount, equals: 5, "the likes")
                    try expect(try await pages.next().travels.map(\.likeCount), equals: [5], "the likes on the page")
                }
            }
        },
    ]

    private static let likes: [ContractCheck<Subject>] = [
        check("likes of unknown users count, and order the trips") { store in
            let other = try fetched(TravelBuilder(seed: 2), likes: 40)
            try await see([fetched(builder(), likes: 41), other], in: store)
            try expect(
                try await store.ids(TravelCriteria(sort: .mostLiked)), equals: [id, other.id], "the order by likes")
            try await store.setLiked(true, travel: other.id, by: author)
            try await store.setLiked(true, travel: other.id, by: other.author.id)
            try expect(
                try await store.ids(TravelCriteria(sort: .mostLiked)), equals: [other.id, id], "the order by likes")
            try expect(try await store.travel(other.id, viewer: author).likeCount, equals: 42, "the likes")
        },
        check("the viewer's own like is that of the answer") { store in
            try await store.add(User(seed: 2))
            for isLiked in [true, false, true] {
                try await see([fetched(builder(), likes: 3, isLiked: isLiked)], by: viewer, in: store)
                let travel = try await store.travel(id, viewer: viewer)
                try expect(travel.isLiked, equals: isLiked, "whether the viewer likes it")
                try expect(travel.likeCount, equals: 3, "the likes")
                let liked = try await store.ids(TravelCriteria(likedBy: viewer))
                try expect(liked, equals: isLiked ? [id] : [], "the trips that the viewer likes")
            }
            try await store.setLiked(false, travel: id, by: viewer)
            try expect(
                try await store.travel(id, viewer: viewer).likeCount, equals: 2, "the likes without the viewer's")
        },
        check("the like of a viewer whose own profile is unknown is stored") { store in
            try await see([fetched(builder(), likes: 3, isLiked: true)], by: viewer, in: store)
            let travel = try await store.travel(id, viewer: viewer)
            try expect(travel.isLiked, equals: true, "whether the viewer likes it")
            try expect(travel.likeCount, equals: 3, "the likes")
            let liked = try await store.ids(TravelCriteria(likedBy: viewer))
            try expect(liked, equals: [id], "the trips that the viewer likes")
            try await expectUnknownProfile(of: viewer, in: store)
            try await store.setLiked(false, travel: id, by: viewer)
            try expect(
                try await store.travel(id, viewer: viewer).likeCount, equals: 2, "the likes without the viewer's")
            try await see([fetched(builder(), likes: 3, isLiked: true)], by: viewer, in: store)
            try await learnProfile(of: viewer, in: store)
            try expect(
                try await store.travel(id, viewer: viewer).isLiked, equals: true, "whether the viewer still likes it")
        },
        check("fewer likes than are known remove those of others, not of the viewer") { store in
            try await store.add((1...5).map { try TravelBuilder(seed: $0).build() })
            for person in UInt64(1)...5 { try await store.setLiked(true, travel: id, by: User.ID(seed: person)) }
            try await see([fetched(builder(), likes: 1, isLiked: true)], by: viewer, in: store)
            let travel = try await store.travel(id, viewer: viewer)
            try expect(travel.likeCount, equals: 1, "the likes")
            try expect(travel.isLiked, equals: true, "whether the viewer likes it")
        },
        check("a trip that somebody sees has at most five reports") { store in
            try await store.add((1...8).map { try TravelBuilder(seed: $0).build() })
            for person in UInt64(3)...8 { try await store.report(id, by: User.ID(seed: person)) }
            try await see([fetched(builder(), likes: 0)], by: author, in: store)
            try await expect(.notFound(.travel(id)), from: "the lookup") { try await store.travel(id, viewer: viewer) }
            try await see([fetched(builder(), likes: 0)], by: viewer, in: store)
            try expect(try await store.travel(id, viewer: viewer).id, equals: id, "the trip")
        },
    ]

    private static let images: [ContractCheck<Subject>] = [
        check("images are known by their IDs first, and with their bytes once they were fetched") { store in
            let (image, other) = (try TravelImage(seed: 1), try TravelImage(seed: 2))
            let travel = try builder().with {
                $0.thumbnail = other.id
                $0.timeline = [try entry(1, image: image.id)]
            }.build()
            try await see(travel, in: store)
            try expect(try await store.knowledge(of: id), equals: .complete(travel), "what is known")
            try expect(try await store.travel(id, viewer: nil).thumbnail, equals: other.id, "the thumbnail")
            for image in [image, other] {
                try expect(try await store.lacksBytes(of: image.id), equals: true, "whether the bytes are unknown")
                try await expect(.notFound(.image(image.id)), from: "the image") {
                    try await store.image(image.id, viewer: nil)
                }
                var fetched = FetchedTravels(viewer: nil)
                fetched.images = [image]
                try await store.store(fetched)
                try await store.store(fetched)
                try expect(try await store.lacksBytes(of: image.id), equals: false, "whether the bytes are unknown")
                try expect(try await store.image(image.id, viewer: nil), equals: image, "the image")
            }
            try await see(travel, in: store)
            try expect(try await store.image(image.id, viewer: nil), equals: image, "the image afterwards")
        },
        check("the thumbnail of a trip without its timeline is known, and remains when the timeline is fetched") {
            store in
            let image = try TravelImage(seed: 1)
            let complete = try builder().with { $0.timeline = [try entry(1, image: image.id)] }.build()
            let travel = try Travel(
                id: id, author: complete.author, content: complete.content, createdAt: complete.createdAt, likeCount: 0,
                isLiked: false, isMine: false, thumbnail: image.id)
            try await see([travel], in: store)
            try expect(try await store.travel(id, viewer: nil), equals: travel, "the trip")
            try expect(try await store.lacksBytes(of: image.id), equals: true, "whether the bytes are unknown")
            var fetched = FetchedTravels(viewer: nil)
            fetched.images = [image]
            try await store.store(fetched)
            try expect(try await store.image(image.id, viewer: nil), equals: image, "the image")
            try await see(complete, in: store)
            try expect(try await store.image(image.id, viewer: nil), equals: image, "the image afterwards")
            try expect(try await store.travel(id, viewer: nil).thumbnail, equals: image.id, "the thumbnail")
            try await store.update(id, by: author) { travel throws(TravelError) in
                try travel.removing(TimelineEntry.ID(seed: 1))
            }
            try await expect(.notFound(.image(image.id)), from: "the removed image") {
                try await store.image(image.id, viewer: nil)
            }
        },
        check("images that no trip shows are ignored") { store in
            let image = try TravelImage(seed: 1)
            var fetched = FetchedTravels(viewer: nil)
            fetched.images = [image]
            try await store.store(fetched)
            try expect(try await store.lacksBytes(of: image.id), equals: false, "whether the bytes are unknown")
            try await expect(.notFound(.image(image.id)), from: "the image") {
                try await store.image(image.id, viewer: nil)
            }
        },
    ]

    private static let people: [ContractCheck<Subject>] = [
        check("users are stored with the nicknames of the answer, which need not be unique") { store in
            try await store.add(User(seed: 1, nickname: "Mina"))
            var fetched = FetchedTravels(viewer: nil)
            fetched.people = [try User(seed: 2, nickname: "Mina"), try User(seed: 1, nickname: "Sora")]
            try await store.store(fetched)
            for person in fetched.people { try expect(try await store.user(person.id), equals: person, "the user") }
            let renamed = try TravelBuilder(seed: 5, author: User(seed: 1, nickname: "Jihun"))
            try await see([Self.fetched(renamed, likes: 0)], in: store)
            try expect(try await store.user(author).nickname.text, equals: "Jihun", "the nickname of an author")
        },
        check("the picture of a user is known by its ID first, and with its bytes once they were fetched") { store in
            let image = try TravelImage(seed: 1)
            var fetched = FetchedTravels(viewer: nil)
            fetched.people = [try User(id: author, nickname: Nickname("Mina"), avatar: image.id)]
            try await store.store(fetched)
            try expect(try await store.user(author), equals: fetched.people[0], "the user")
            try expect(try await store.lacksBytes(of: image.id), equals: true, "whether the bytes are unknown")
            try await expect(.notFound(.image(image.id)), from: "the picture") {
                try await store.image(image.id, viewer: nil)
            }
            var bytes = FetchedTravels(viewer: nil)
            bytes.images = [image]
            try await store.store(bytes)
            try expect(try await store.lacksBytes(of: image.id), equals: false, "whether the bytes are unknown")
            try expect(try await store.image(image.id, viewer: nil), equals: image, "the picture")
            // The same answer again keeps the bytes.
            try await store.store(fetched)
            try expect(try await store.image(image.id, viewer: nil), equals: image, "the picture afterwards")
            try expect(try await store.lacksBytes(of: image.id), equals: false, "whether the bytes are unknown")
        },
        check("a missing user is removed with everything they own") { store in
            try await see(builder(entries: 1).build(), in: store)
            try await see(TravelBuilder(seed: 2).build(), in: store)
            var fetched = FetchedTravels(viewer: nil)
            fetched.missingPeople = [author, User.ID(seed: 9)]
            try await store.store(fetched)
            try await expect(.notFound(.user(author)), from: "the lookup") { try await store.user(author) }
            try expect(try await store.ids(TravelCriteria()), equals: [Travel.ID(seed: 2)], "the trips that remain")
        },
        check("the blocks by a user are those of the answer") { store in
            try await store.add([builder().build(), TravelBuilder(seed: 2).build(), TravelBuilder(seed: 3).build()])
            try await store.block(author, by: viewer)
            var fetched = FetchedTravels(viewer: viewer)
            fetched.blocked[viewer] = [try User(seed: 3), try User(seed: 7)]
            try await store.store(fetched)
            let blocked = try [User(seed: 3), User(seed: 7)].sorted { $0.id < $1.id }
            try expect(try await store.blocked(by: viewer), equals: blocked, "the blocked users")
            _ = try await store.travel(id, viewer: viewer)
            try await expect(.notFound(.travel(Travel.ID(seed: 3))), from: "the lookup") {
                try await store.travel(Travel.ID(seed: 3), viewer: viewer)
            }
        },
    ]

    private static let blocks: [ContractCheck<Subject>] = [
        check("the blocks by a user whose own profile is unknown are stored") { store in
            try await store.add([builder().build(), TravelBuilder(seed: 3).build()])
            var fetched = FetchedTravels(viewer: viewer)
            fetched.blocked[viewer] = [try User(seed: 3)]
            try await store.store(fetched)
            try expect(try await store.blocked(by: viewer), equals: [User(seed: 3)], "the blocked users")
            let hidden = Travel.ID(seed: 3)
            try await expect(.notFound(.travel(hidden)), from: "the lookup") {
                try await store.travel(hidden, viewer: viewer)
            }
            try await expectUnknownProfile(of: viewer, in: store)
            try await learnProfile(of: viewer, in: store)
            try expect(try await store.blocked(by: viewer), equals: [User(seed: 3)], "the blocked users afterwards")
            try await store.unblock(User.ID(seed: 3), by: viewer)
            try expect(try await store.blocked(by: viewer), equals: [], "the blocked users in the end")
            try expect(try await store.travel(hidden, viewer: viewer).id, equals: hidden, "the trip")
        },
        check("a trip that the viewer sees ends their block of its author, and no other block") { store in
            try await store.add((1...4).map { try TravelBuilder(seed: $0).build() })
            try await store.block(author, by: viewer)
            try await store.block(User.ID(seed: 3), by: viewer)
            try await store.block(author, by: User.ID(seed: 4))
            try await see([fetched(builder(), likes: 0)], in: store)
            try await expect(.notFound(.travel(id)), from: "the lookup before") {
                try await store.travel(id, viewer: viewer)
            }
            try await see([fetched(builder(), likes: 0)], by: viewer, in: store)
            try expect(try await store.travel(id, viewer: viewer).id, equals: id, "the trip")
            try expect(try await store.blocked(by: viewer), equals: [User(seed: 3)], "the blocked users")
            try expect(
                try await store.blocked(by: User.ID(seed: 4)).map(\.id), equals: [author], "the blocks by others")
        },
    ]

    /// Expects that nothing is known of a person who likes or blocks something.
    private static func expectUnknownProfile(of person: User.ID, in store: Subject) async throws {
        try await expect(.notFound(.user(person)), from: "the lookup of the user") { try await store.user(person) }
        for name in ["??", "Sora"] {
            try expect(
                try await store.isTaken(Nickname(name), exceptBy: nil), equals: false, "whether \(name) is taken")
        }
    }

    private static func learnProfile(of person: User.ID, in store: Subject) async throws {
        var fetched = FetchedTravels(viewer: nil)
        fetched.people = [User(id: person, nickname: try Nickname("Sora"))]
        try await store.store(fetched)
        try expect(try await store.user(person).nickname.text, equals: "Sora", "the nickname of the user")
        try expect(
            try await store.isTaken(Nickname("Sora"), exceptBy: nil), equals: true, "whether the nickname is taken")
    }

    private static let answers: [ContractCheck<Subject>] = [
        check("the time of the last answer to a question is stored") { store in
            try expect(try await store.lastAnswer(to: "새로운"), equals: nil, "the time before")
            for time in [1_000.25, 2_000, 500] {
                var fetched = FetchedTravels(viewer: nil)
                fetched.answers["새로운"] = Date(timeIntervalSinceReferenceDate: time)
                try await store.store(fetched)
                try expect(
                    try await store.lastAnswer(to: "새로운"), equals: Date(timeIntervalSinceReferenceDate: time),
                    "the time")
            }
            try expect(try await store.lastAnswer(to: "most liked"), equals: nil, "the time of another question")
        },
        check("storing in a cancelled task throws CancellationError and changes nothing") { store in
            try await expectCancellation(of: "storing") { try await see(builder().build(), in: store) }
            try expect(try await store.knowledge(of: id), equals: .unknown, "what is known")
        },
    ]

    private static func builder(version: Int = 1, entries: UInt64...) throws -> TravelBuilder {
        try TravelBuilder(seed: 1).with {
            $0.version = TravelVersion(number: version) ?? .first
            $0.timeline = try entries.map { try TravelRepositoryContract.entry($0) }
        }
    }

    private static func entry(_ seed: UInt64, image: TravelImage.ID) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"),
            text: EntryText("Text"), image: image)
    }

    /// The travel of a builder, as others see it.
    private static func fetched(_ builder: TravelBuilder, likes: Int, isLiked: Bool = false) throws -> Travel {
        let travel = try builder.build()
        return try Travel(
            id: travel.id, author: travel.author, content: travel.content, createdAt: travel.createdAt,
            updatedAt: travel.updatedAt, version: travel.version, likeCount: likes, isLiked: isLiked, isMine: false,
            thumbnail: travel.thumbnail)
    }

    private static func see(_ travels: [Travel], by viewer: User.ID? = nil, in store: Subject) async throws {
        var fetched = FetchedTravels(viewer: viewer)
        fetched.travels = travels
        try await store.store(fetched)
    }

    /// Stores a complete travel without likes.
    private static func see(_ travel: RecordedTravel, in store: Subject) async throws {
        var fetched = FetchedTravels(viewer: nil)
        fetched.travels = [
            try Travel(
                id: travel.id, author: travel.author, content: travel.content, createdAt: travel.createdAt,
                updatedAt: travel.updatedAt, version: travel.version, likeCount: 0, isLiked: false, isMine: false,
                thumbnail: travel.thumbnail)
        ]
        fetched.timelines[travel.id] = travel.timeline
        fetched.tracks[travel.id] = travel.track
        try await store.store(fetched)
    }
}
