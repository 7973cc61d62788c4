public import TravelDomain

/// The contract of `TripCache`, as checks for any store that also implements it.
///
/// Each check requires a new, empty store. ``TripRepositoryContract`` shows how to run them.
public enum TripCacheContract {
    /// A store that also stores what another one has answered.
    public typealias Subject = any TravelStore & TripCache

    public static let checks: [ContractCheck<Subject>] = trips + likes + images + users + blocks + answers

    private static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("cache", promise, body)
    }

    private static let id = Trip.ID(seed: 1)
    private static let author = User.ID(seed: 1)
    private static let viewer = User.ID(seed: 2)

    private static let trips: [ContractCheck<Subject>] = [
        check("a trip that was fetched is found by lookups, searches and titles, and its timeline is unknown") {
            store in
            try expect(try await store.knowledge(of: id), equals: .unknown, "what is known before")
            let trip = try fetched(TripBuilder(seed: 1).with { $0.title = "바다" }, likes: 7)
            try await see([trip], in: store)
            try expect(try await store.trip(id, viewer: nil), equals: trip, "the trip")
            try expect(try await store.onlyTrip(), equals: trip, "the trip found")
            try expect(try await store.ids(TripCriteria(keyword: Keyword("바다"))), equals: [id], "the trips found")
            if let text = Keyword("바") {
                let titles = try await store.titles(containing: text, viewer: nil, limit: 5).map(\.text)
                try expect(titles, equals: ["바다"], "the titles")
            }
            try expect(try await store.knowledge(of: id), equals: .withoutTimeline, "what is known")
        },
        check("a trip that was fetched with its timeline is complete") { store in
            let trip = try builder(entries: 1, 2).build()
            try await see(trip, in: store)
            try expect(try await store.knowledge(of: id), equals: .complete(trip), "what is known")
            try expect(try await store.timeline(of: id, viewer: nil), equals: trip.timeline, "the timeline")
        },
        check("a complete trip has the current nickname of its author") { store in
            let trip = try builder(entries: 1).build()
            try await see(trip, in: store)
            try await store.rename(author, to: Nickname("Sora"), by: author)
            let renamed = try trip.with(author: User(seed: 1, nickname: "Sora"))
            try expect(try await store.knowledge(of: id), equals: .complete(renamed), "what is known")
        },
        check("a trip of another author or time under the ID of a known one replaces it with all that belongs to it") {
            store in
            let others = [
                try builder().with { $0.createdAt += 60 }, try builder().with { $0.author = try User(seed: 3) },
            ]
            for other in others {
                try await see(builder(entries: 1).build(), in: store)
                try await store.setLiked(true, trip: id, by: author)
                let trip = try fetched(other, likes: 1)
                try await see([trip], in: store)
                try expect(try await store.knowledge(of: id), equals: .withoutTimeline, "what is known")
                try expect(try await store.trip(id, viewer: nil), equals: trip, "the trip")
                try expect(
                    try await store.ids(TripCriteria(likedBy: author)), equals: [], "what the other user likes")
            }
        },
        check("a trip that was fetched with its timeline has its track, and loses it with a version without") {
            store in
            let track = try TripGenerator.track(seed: 1)
            let trip = try builder(entries: 1).with { $0.track = track }.build()
            try await see(trip, in: store)
            try expect(try await store.knowledge(of: id), equals: .complete(trip), "what is known")
            try expect(try await store.track(of: id, viewer: nil), equals: track, "the track")
            try await see(builder(version: 2, entries: 1).build(), in: store)
            try expect(try await store.track(of: id, viewer: nil), equals: nil, "the track of the next version")
        },
        check("a new version without its timeline does not replace the content of a complete trip") { store in
            let trip = try builder(entries: 1).build()
            try await see(trip, in: store)
            let newer = try builder(version: 2).with { $0.title = "New" }
            try await see([fetched(newer, likes: 3)], in: store)
            try expect(try await store.knowledge(of: id), equals: .complete(trip), "what is known")
            try expect(try await store.trip(id, viewer: nil).likeCount, equals: 3, "the likes")
        },
        check("a new version without its timeline replaces a trip whose timeline is unknown") { store in
            try await see([fetched(builder(), likes: 0)], in: store)
            let newer = try fetched(builder(version: 2).with { $0.title = "New" }, likes: 0)
            try await see([newer], in: store)
            try expect(try await store.trip(id, viewer: nil), equals: newer, "the trip")
        },
        check("a version with its timeline replaces any version") { store in
            for (version, entry) in [(2, UInt64(1)), (3, 2), (3, 3), (1, 4)] {
                let trip = try builder(version: version, entries: entry).with { $0.title = "Title \(entry)" }.build()
                try await see(trip, in: store)
                try expect(try await store.knowledge(of: id), equals: .complete(trip), "what is known")
            }
            try expect(try await store.ids(TripCriteria(keyword: Keyword("title 4"))), equals: [id], "those found")
            try expect(try await store.ids(TripCriteria(keyword: Keyword("title 3"))), equals: [], "those found")
        },
        check("searches find the entries of the version with its timeline that was fetched last") { store in
            for (version, place) in [(1, "등대"), (2, "시장"), (3, "등대")] {
                let entry = try TripRepositoryContract.found(UInt64(version), "점심", at: place)
                try await see(builder(version: version).with { $0.timeline = [entry] }.build(), in: store)
                for text in ["등대", "시장"] {
                    try await TripRepositoryContract.expectEntries(
                        text == place ? [1: UInt64(version)] : [:], for: text, in: store)
                }
            }
        },
        check("a trip that was fetched can be edited, liked and removed") { store in
            try await see(builder(entries: 1).build(), in: store)
            try await store.add(User(seed: 2))
            try await store.setLiked(true, trip: id, by: viewer)
            let edited = try await store.update(id, by: author) { trip throws(TravelError) in
                try trip.removing(TimelineEntry.ID(seed: 1))
            }
            try expect(edited?.timeline, equals: [], "the timeline")
            try await store.update(id, by: author) { _ in nil }
            try expect(try await store.knowledge(of: id), equals: .unknown, "what is known")
        },
        check("a missing trip is removed, and an unknown one is ignored") { store in
            try await see(builder(entries: 1).build(), in: store)
            var gone = FetchedTrips(viewer: nil)
            gone.missingTrips = [id, Trip.ID(seed: 9)]
            try await store.store(gone)
            try expect(try await store.knowledge(of: id), equals: .unknown, "what is known")
            try await see(builder(entries: 1).build(), in: store)
        },
        check("a trip of another author under the ID of one that was removed here is stored") { store in
            let own = try builder(entries: 1).build()
            let foreign = try builder(entries: 2).with { $0.author = try User(seed: 3) }.build()
            for isComplete in [false, true] {
                try await see(own, in: store)
                try await store.update(id, by: author) { _ in nil }
                if isComplete {
                    try await see(foreign, in: store)
                    try expect(try await store.knowledge(of: id), equals: .complete(foreign), "what is known")
                } else {
                    let seen = try fetched(builder().with { $0.author = try User(seed: 3) }, likes: 2)
                    try await see([seen], in: store)
                    try expect(try await store.trip(id, viewer: nil), equals: seen, "the trip")
                }
            }
            var gone = FetchedTrips(viewer: author)
            gone.missingTrips = [id]
            try await store.store(gone)
            try await see(own, in: store)
            try expect(try await store.knowledge(of: id), equals: .complete(own), "what is known in the end")
        },
        check("a trip that has an entry of another one here replaces it") { store in
            try await see(builder(entries: 1, 2).build(), in: store)
            let other = try TripBuilder(seed: 3).with { $0.timeline = [try TripRepositoryContract.entry(2)] }
                .build()
            try await see(other, in: store)
            try expect(try await store.knowledge(of: id), equals: .unknown, "what is known of the first")
            try expect(try await store.knowledge(of: other.id), equals: .complete(other), "what is known of the other")
        },
        check("a trip that shows an image of another one here replaces it") { store in
            let image = TripImage.ID(seed: 1)
            try await see(builder().with { $0.timeline = [try entry(1, image: image)] }.build(), in: store)
            let other = try TripBuilder(seed: 3).with { $0.timeline = [try entry(2, image: image)] }.build()
            try await see(other, in: store)
            try expect(try await store.knowledge(of: id), equals: .unknown, "what is known of the first")
            try expect(try await store.knowledge(of: other.id), equals: .complete(other), "what is known of the other")
        },
        check("what was fetched reaches observers") { store in
            try await see([fetched(builder(), likes: 0)], in: store)
            try await watch(store.observeTrip(id, viewer: nil)) { trips in
                try await watch(store.observe(TripQuery(TripCriteria(), viewer: nil))) { pages in
                    _ = (try await trips.next(), try await pages.next())
                    try await see([fetched(builder(), likes: 5)], in: store)
                    try expect(try await trips.next().likeCount, equals: 5, "the likes")
                    try expect(try await pages.next().trips.map(\.likeCount), equals: [5], "the likes on the page")
                }
            }
        },
    ]

    private static let likes: [ContractCheck<Subject>] = [
        check("likes of unknown users count, and order the trips") { store in
            let other = try fetched(TripBuilder(seed: 2), likes: 40)
            try await see([fetched(builder(), likes: 41), other], in: store)
            try expect(
                try await store.ids(TripCriteria(sort: .mostLiked)), equals: [id, other.id], "the order by likes")
            try await store.setLiked(true, trip: other.id, by: author)
            try await store.setLiked(true, trip: other.id, by: other.author.id)
            try expect(
                try await store.ids(TripCriteria(sort: .mostLiked)), equals: [other.id, id], "the order by likes")
            try expect(try await store.trip(other.id, viewer: author).likeCount, equals: 42, "the likes")
        },
        check("the viewer's own like is that of the answer") { store in
            try await store.add(User(seed: 2))
            for isLiked in [true, false, true] {
                try await see([fetched(builder(), likes: 3, isLiked: isLiked)], by: viewer, in: store)
                let trip = try await store.trip(id, viewer: viewer)
                try expect(trip.isLiked, equals: isLiked, "whether the viewer likes it")
                try expect(trip.likeCount, equals: 3, "the likes")
                let liked = try await store.ids(TripCriteria(likedBy: viewer))
                try expect(liked, equals: isLiked ? [id] : [], "the trips that the viewer likes")
            }
            try await store.setLiked(false, trip: id, by: viewer)
            try expect(
                try await store.trip(id, viewer: viewer).likeCount, equals: 2, "the likes without the viewer's")
        },
        check("the like of a viewer whose own profile is unknown is stored") { store in
            try await see([fetched(builder(), likes: 3, isLiked: true)], by: viewer, in: store)
            let trip = try await store.trip(id, viewer: viewer)
            try expect(trip.isLiked, equals: true, "whether the viewer likes it")
            try expect(trip.likeCount, equals: 3, "the likes")
            let liked = try await store.ids(TripCriteria(likedBy: viewer))
            try expect(liked, equals: [id], "the trips that the viewer likes")
            try await expectUnknownProfile(of: viewer, in: store)
            try await store.setLiked(false, trip: id, by: viewer)
            try expect(
                try await store.trip(id, viewer: viewer).likeCount, equals: 2, "the likes without the viewer's")
            try await see([fetched(builder(), likes: 3, isLiked: true)], by: viewer, in: store)
            try await learnProfile(of: viewer, in: store)
            try expect(
                try await store.trip(id, viewer: viewer).isLiked, equals: true, "whether the viewer still likes it")
        },
        check("fewer likes than are known remove those of others, not of the viewer") { store in
            try await store.add((1...5).map { try TripBuilder(seed: $0).build() })
            let likedBy = (UInt64(1)...5).map { User.ID(seed: $0) }
            for viewer in likedBy {
                for likingUser in likedBy { try await store.setLiked(true, trip: id, by: likingUser) }
                try await see([fetched(builder(), likes: 1, isLiked: true)], by: viewer, in: store)
                let trip = try await store.trip(id, viewer: viewer)
                try expect(trip.likeCount, equals: 1, "the likes")
                try expect(trip.isLiked, equals: true, "whether the viewer likes it")
            }
        },
        check("a trip that somebody sees has at most five reports") { store in
            try await store.add((1...8).map { try TripBuilder(seed: $0).build() })
            for user in UInt64(3)...8 { try await store.report(id, by: User.ID(seed: user)) }
            try await see([fetched(builder(), likes: 0)], by: author, in: store)
            try await expect(.notFound(.trip(id)), from: "the lookup") { try await store.trip(id, viewer: viewer) }
            try await see([fetched(builder(), likes: 0)], by: viewer, in: store)
            try expect(try await store.trip(id, viewer: viewer).id, equals: id, "the trip")
        },
    ]

    private static let images: [ContractCheck<Subject>] = [
        check("images are known by their IDs first, and with their bytes once they were fetched") { store in
            let (image, other) = (try TripImage(seed: 1), try TripImage(seed: 2))
            let trip = try builder().with {
                $0.thumbnail = other.id
                $0.timeline = [try entry(1, image: image.id)]
            }.build()
            try await see(trip, in: store)
            try expect(try await store.knowledge(of: id), equals: .complete(trip), "what is known")
            try expect(try await store.trip(id, viewer: nil).thumbnail, equals: other.id, "the thumbnail")
            for image in [image, other] {
                try expect(try await store.lacksBytes(of: image.id), equals: true, "whether the bytes are unknown")
                try await expect(.notFound(.image(image.id)), from: "the image") {
                    try await store.image(image.id, viewer: nil)
                }
                var fetched = FetchedTrips(viewer: nil)
                fetched.images = [image]
                try await store.store(fetched)
                try await store.store(fetched)
                try expect(try await store.lacksBytes(of: image.id), equals: false, "whether the bytes are unknown")
                try expect(try await store.image(image.id, viewer: nil), equals: image, "the image")
            }
            try await see(trip, in: store)
            try expect(try await store.image(image.id, viewer: nil), equals: image, "the image afterwards")
        },
        check("an image that the next version of a trip does not show is removed with its bytes") { store in
            let image = try TripImage(seed: 1)
            try await see(builder().with { $0.timeline = [try entry(1, image: image.id)] }.build(), in: store)
            var fetched = FetchedTrips(viewer: nil)
            fetched.images = [image]
            try await store.store(fetched)
            try await see(builder(version: 2).build(), in: store)
            try expect(try await store.lacksBytes(of: image.id), equals: false, "whether the bytes are unknown")
            try await expect(.notFound(.image(image.id)), from: "the image") {
                try await store.image(image.id, viewer: nil)
            }
        },
        check("the thumbnail of a trip without its timeline is known, and remains when the timeline is fetched") {
            store in
            let image = try TripImage(seed: 1)
            let complete = try builder().with { $0.timeline = [try entry(1, image: image.id)] }.build()
            let trip = try Trip(
                id: id, author: complete.author, content: complete.content, createdAt: complete.createdAt, likeCount: 0,
                isLiked: false, isMine: false, thumbnail: image.id)
            try await see([trip], in: store)
            try expect(try await store.trip(id, viewer: nil), equals: trip, "the trip")
            try expect(try await store.lacksBytes(of: image.id), equals: true, "whether the bytes are unknown")
            var fetched = FetchedTrips(viewer: nil)
            fetched.images = [image]
            try await store.store(fetched)
            try expect(try await store.image(image.id, viewer: nil), equals: image, "the image")
            try await see(complete, in: store)
            try expect(try await store.image(image.id, viewer: nil), equals: image, "the image afterwards")
            try expect(try await store.trip(id, viewer: nil).thumbnail, equals: image.id, "the thumbnail")
            try await store.update(id, by: author) { trip throws(TravelError) in
                try trip.removing(TimelineEntry.ID(seed: 1))
            }
            try await expect(.notFound(.image(image.id)), from: "the removed image") {
                try await store.image(image.id, viewer: nil)
            }
        },
        check("images that no trip shows are ignored") { store in
            let image = try TripImage(seed: 1)
            var fetched = FetchedTrips(viewer: nil)
            fetched.images = [image]
            try await store.store(fetched)
            try expect(try await store.lacksBytes(of: image.id), equals: false, "whether the bytes are unknown")
            try await expect(.notFound(.image(image.id)), from: "the image") {
                try await store.image(image.id, viewer: nil)
            }
        },
    ]

    private static let users: [ContractCheck<Subject>] = [
        check("users are stored with the nicknames of the answer, which need not be unique") { store in
            try await store.add(User(seed: 1, nickname: "Mina"))
            var fetched = FetchedTrips(viewer: nil)
            fetched.users = [try User(seed: 2, nickname: "Mina"), try User(seed: 1, nickname: "Sora")]
            try await store.store(fetched)
            for user in fetched.users { try expect(try await store.user(user.id), equals: user, "the user") }
            let renamed = try TripBuilder(seed: 5, author: User(seed: 1, nickname: "Jihun"))
            try await see([Self.fetched(renamed, likes: 0)], in: store)
            try expect(try await store.user(author).nickname.text, equals: "Jihun", "the nickname of an author")
        },
        check("the picture of a user is known by its ID first, and with its bytes once they were fetched") { store in
            let image = try TripImage(seed: 1)
            var fetched = FetchedTrips(viewer: nil)
            fetched.users = [try User(id: author, nickname: Nickname("Mina"), avatar: image.id)]
            try await store.store(fetched)
            try expect(try await store.user(author), equals: fetched.users[0], "the user")
            try expect(try await store.lacksBytes(of: image.id), equals: true, "whether the bytes are unknown")
            try await expect(.notFound(.image(image.id)), from: "the picture") {
                try await store.image(image.id, viewer: nil)
            }
            var bytes = FetchedTrips(viewer: nil)
            bytes.images = [image]
            try await store.store(bytes)
            try expect(try await store.lacksBytes(of: image.id), equals: false, "whether the bytes are unknown")
            try expect(try await store.image(image.id, viewer: nil), equals: image, "the picture")
            // The same answer again keeps the bytes.
            try await store.store(fetched)
            try expect(try await store.image(image.id, viewer: nil), equals: image, "the picture afterwards")
            try expect(try await store.lacksBytes(of: image.id), equals: false, "whether the bytes are unknown")
        },
        check("another picture of a user replaces the former one with its bytes") { store in
            let images = [try TripImage(seed: 1), try TripImage(seed: 2)]
            for image in images {
                var fetched = FetchedTrips(viewer: nil)
                fetched.users = [try User(id: author, nickname: Nickname("Mina"), avatar: image.id)]
                // Of the second one, only the ID is known.
                if image == images[0] { fetched.images = [image] }
                try await store.store(fetched)
                let isLacking = try await store.lacksBytes(of: image.id)
                try expect(isLacking, equals: image != images[0], "whether the bytes are unknown")
            }
            for image in images {
                try await expect(.notFound(.image(image.id)), from: "the picture") {
                    try await store.image(image.id, viewer: nil)
                }
            }
            try expect(try await store.lacksBytes(of: images[0].id), equals: false, "whether the bytes are unknown")
        },
        check("a missing user is removed with everything they own") { store in
            try await see(builder(entries: 1).build(), in: store)
            try await see(TripBuilder(seed: 2).build(), in: store)
            var fetched = FetchedTrips(viewer: nil)
            fetched.missingUsers = [author, User.ID(seed: 9)]
            try await store.store(fetched)
            try await expect(.notFound(.user(author)), from: "the lookup") { try await store.user(author) }
            try expect(try await store.ids(TripCriteria()), equals: [Trip.ID(seed: 2)], "the trips that remain")
        },
        check("the blocks by a user are those of the answer") { store in
            try await store.add([builder().build(), TripBuilder(seed: 2).build(), TripBuilder(seed: 3).build()])
            try await store.block(author, by: viewer)
            var fetched = FetchedTrips(viewer: viewer)
            fetched.blocked[viewer] = [try User(seed: 3), try User(seed: 7)]
            try await store.store(fetched)
            let blocked = try [User(seed: 3), User(seed: 7)].sorted { $0.id < $1.id }
            try expect(try await store.blocked(by: viewer), equals: blocked, "the blocked users")
            _ = try await store.trip(id, viewer: viewer)
            try await expect(.notFound(.trip(Trip.ID(seed: 3))), from: "the lookup") {
                try await store.trip(Trip.ID(seed: 3), viewer: viewer)
            }
        },
    ]

    private static let blocks: [ContractCheck<Subject>] = [
        check("the blocks by a user whose own profile is unknown are stored") { store in
            try await store.add([builder().build(), TripBuilder(seed: 3).build()])
            var fetched = FetchedTrips(viewer: viewer)
            fetched.blocked[viewer] = [try User(seed: 3)]
            try await store.store(fetched)
            try expect(try await store.blocked(by: viewer), equals: [User(seed: 3)], "the blocked users")
            let hidden = Trip.ID(seed: 3)
            try await expect(.notFound(.trip(hidden)), from: "the lookup") {
                try await store.trip(hidden, viewer: viewer)
            }
            try await expectUnknownProfile(of: viewer, in: store)
            try await learnProfile(of: viewer, in: store)
            try expect(try await store.blocked(by: viewer), equals: [User(seed: 3)], "the blocked users afterwards")
            try await store.unblock(User.ID(seed: 3), by: viewer)
            try expect(try await store.blocked(by: viewer), equals: [], "the blocked users in the end")
            try expect(try await store.trip(hidden, viewer: viewer).id, equals: hidden, "the trip")
        },
        check("a trip that the viewer sees ends their block of its author, and no other block") { store in
            try await store.add((1...4).map { try TripBuilder(seed: $0).build() })
            try await store.block(author, by: viewer)
            try await store.block(User.ID(seed: 3), by: viewer)
            try await store.block(author, by: User.ID(seed: 4))
            try await see([fetched(builder(), likes: 0)], in: store)
            try await expect(.notFound(.trip(id)), from: "the lookup before") {
                try await store.trip(id, viewer: viewer)
            }
            try await see([fetched(builder(), likes: 0)], by: viewer, in: store)
            try expect(try await store.trip(id, viewer: viewer).id, equals: id, "the trip")
            try expect(try await store.blocked(by: viewer), equals: [User(seed: 3)], "the blocked users")
            try expect(
                try await store.blocked(by: User.ID(seed: 4)).map(\.id), equals: [author], "the blocks by others")
        },
    ]

    /// Expects that nothing is known of a user who likes or blocks something.
    private static func expectUnknownProfile(of user: User.ID, in store: Subject) async throws {
        try await expect(.notFound(.user(user)), from: "the lookup of the user") { try await store.user(user) }
        for name in ["??", "Sora"] {
            try expect(
                try await store.isTaken(Nickname(name), exceptBy: nil), equals: false, "whether \(name) is taken")
        }
    }

    private static func learnProfile(of user: User.ID, in store: Subject) async throws {
        var fetched = FetchedTrips(viewer: nil)
        fetched.users = [User(id: user, nickname: try Nickname("Sora"))]
        try await store.store(fetched)
        try expect(try await store.user(user).nickname.text, equals: "Sora", "the nickname of the user")
        try expect(
            try await store.isTaken(Nickname("Sora"), exceptBy: nil), equals: true, "whether the nickname is taken")
    }

    private static let answers: [ContractCheck<Subject>] = [
        check("the time of the last answer to a question is stored") { store in
            try expect(try await store.lastAnswer(to: "새로운"), equals: nil, "the time before")
            for time in [1_000.25, 2_000, 500] {
                var fetched = FetchedTrips(viewer: nil)
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
        check("a lookup in a cancelled task throws CancellationError") { store in
            try await expectCancellation(of: "the lookup of an answer") { _ = try await store.lastAnswer(to: "새로운") }
            try await expectCancellation(of: "the lookup of what is known") { _ = try await store.knowledge(of: id) }
            try await expectCancellation(of: "the lookup of missing bytes") {
                _ = try await store.lacksBytes(of: TripImage.ID(seed: 1))
            }
        },
    ]

    private static func builder(version: Int = 1, entries: UInt64...) throws -> TripBuilder {
        try TripBuilder(seed: 1).with {
            $0.version = TripVersion(number: version) ?? .first
            $0.timeline = try entries.map { try TripRepositoryContract.entry($0) }
        }
    }

    private static func entry(_ seed: UInt64, image: TripImage.ID) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"),
            text: EntryText("Text"), pictures: [Picture(image)])
    }

    /// The trip of a builder, as others see it.
    private static func fetched(_ builder: TripBuilder, likes: Int, isLiked: Bool = false) throws -> Trip {
        let trip = try builder.build()
        return try Trip(
            id: trip.id, author: trip.author, content: trip.content, createdAt: trip.createdAt,
            updatedAt: trip.updatedAt, version: trip.version, likeCount: likes, isLiked: isLiked, isMine: false,
            thumbnail: trip.thumbnail)
    }

    private static func see(_ trips: [Trip], by viewer: User.ID? = nil, in store: Subject) async throws {
        var fetched = FetchedTrips(viewer: viewer)
        fetched.trips = trips
        try await store.store(fetched)
    }

    /// Stores a complete trip without likes.
    private static func see(_ trip: RecordedTrip, in store: Subject) async throws {
        var fetched = FetchedTrips(viewer: nil)
        fetched.trips = [
            try Trip(
                id: trip.id, author: trip.author, content: trip.content, createdAt: trip.createdAt,
                updatedAt: trip.updatedAt, version: trip.version, likeCount: 0, isLiked: false, isMine: false,
                thumbnail: trip.thumbnail)
        ]
        fetched.timelines[trip.id] = trip.timeline
        fetched.tracks[trip.id] = trip.track
        try await store.store(fetched)
    }
}
