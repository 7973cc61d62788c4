import ContractTesting
import TravelDomain

/// The contract of audiences, links and their keys, across the parts of a store: ``TravelStoreContract`` has its checks.
enum AudienceContract {
    static let checks: [ContractCheck<any TravelStore>] = lookups + lists + writes + observations

    /// A trip with an entry, a track and an image of which a store may keep a small picture, by the user of seed 1, to be
    /// looked up by those of seeds 1 and 2.
    private struct Scene: Sendable {
        let trip: RecordedTrip
        let image: TripImage
        let key = LinkKey()
        let owner = User.ID(seed: 1)
        let other = User.ID(seed: 2)

        init(_ level: Audience.Level, in store: any TravelStore) async throws {
            let image = try TripImage(seed: 1)
            self.image = image
            let key = key
            trip = try TripBuilder(seed: 1).with {
                $0.title = "Harbour walk"
                $0.timeline = [try TimelineEntry(seed: 1, day: 1, image: image.id)]
                $0.track = try TripGenerator.track(seed: 1)
                $0.audience = Audience.onlyMe.changed(to: level, newKey: key)
            }.build()
            try await store.add(User(seed: 1))
            try await store.add(User(seed: 2))
            try await store.add([trip], images: [image])
            try await store.keep(Self.small, of: image, in: .small)
        }

        static let small = Data("small".utf8)

        /// Gives the trip another audience.
        func share(_ audience: Audience, in store: any TravelStore) async throws {
            try await store.update(trip.id, by: owner) { trip throws(TravelError) in try trip.with(audience) }
        }
    }

    /// Expects that all lookups find the trip, or that none does.
    private static func expectTrip(
        of scene: Scene, isSeen: Bool, by viewer: User.ID?, in store: any TravelStore, _ who: String
    ) async throws {
        let (id, image) = (scene.trip.id, scene.image)
        if isSeen {
            try expect(
                try await store.trip(id, viewer: viewer).content, equals: scene.trip.content, "the trip of \(who)")
            try expect(
                try await store.timeline(of: id, viewer: viewer), equals: scene.trip.timeline, "the timeline of \(who)")
            try expect(
                try await store.track(of: id, viewer: viewer), equals: scene.trip.track, "the track of \(who)")
            try expect(
                try await store.details(of: id, viewer: viewer).timeline, equals: scene.trip.timeline,
                "the details of \(who)")
            try expect(
                try await store.image(image.id, viewer: viewer), equals: image, "the image of \(who)")
            for size in PictureSize.allCases + [nil] {
                switch try await store.picture(image.id, in: size, viewer: viewer) {
                case .kept(let picture):
                    try expect(size == .small && picture == Scene.small, "the \(size as Any) picture of \(who)")
                case .original(let original, let isMine):
                    try expect(original == image, "the original of \(who)")
                    try expect(!isMine || viewer == scene.owner, "the image is not that of \(who)")
                }
            }
        } else {
            try await expect(TravelError.notFound(.trip(id)), from: "the trip of \(who)") {
                _ = try await store.trip(id, viewer: viewer)
            }
            try await expect(TravelError.notFound(.trip(id)), from: "the timeline of \(who)") {
                _ = try await store.timeline(of: id, viewer: viewer)
            }
            try await expect(TravelError.notFound(.trip(id)), from: "the track of \(who)") {
                _ = try await store.track(of: id, viewer: viewer)
            }
            try await expect(TravelError.notFound(.trip(id)), from: "the details of \(who)") {
                _ = try await store.details(of: id, viewer: viewer)
            }
            try await expect(TravelError.notFound(.image(image.id)), from: "the image of \(who)") {
                _ = try await store.image(image.id, viewer: viewer)
            }
            for size in PictureSize.allCases + [nil] {
                try await expect(
                    TravelError.notFound(.image(image.id)), from: "the \(size as Any) picture of \(who)"
                ) {
                    _ = try await store.picture(image.id, in: size, viewer: viewer)
                }
            }
        }
    }

    private static let lookups: [ContractCheck<any TravelStore>] =
        Audience.Level.allCases.map { level in
            ContractCheck("audience", "a trip for \(level) is looked up by those whom it admits") { store in
                let scene = try await Scene(level, in: store)
                let (right, wrong) = (store.following(scene.key), store.following(LinkKey()))
                let (isPublic, isOpened) = (level == .everyone, level != .onlyMe)
                for (viewer, name) in [(nil, "nobody"), (scene.other, "another user")] {
                    try await expectTrip(of: scene, isSeen: isPublic, by: viewer, in: store, "\(name) without a key")
                    try await expectTrip(of: scene, isSeen: isPublic, by: viewer, in: wrong, "\(name) with a wrong key")
                    try await expectTrip(of: scene, isSeen: isOpened, by: viewer, in: right, "\(name) with the key")
                }
                for store in [store, wrong, right] {
                    try await expectTrip(of: scene, isSeen: true, by: scene.owner, in: store, "its author")
                }
            }
        } + [
            ContractCheck("audience", "a link that was withdrawn opens nothing, also when there is a new one") {
                store in
                let scene = try await Scene(.byLink, in: store)
                let (former, next) = (store.following(scene.key), LinkKey())
                try await scene.share(.onlyMe, in: store)
                try await expectTrip(of: scene, isSeen: false, by: nil, in: former, "nobody with the withdrawn key")
                try await scene.share(.byLink(next), in: store)
                try await expectTrip(
                    of: scene, isSeen: false, by: scene.other, in: former, "another user with the former key")
                let trip = try await store.following(next).trip(scene.trip.id, viewer: nil)
                try expect(trip.content.audience, equals: .byLink(next), "the audience")
                try await scene.share(.everyone, in: store)
                let open = try await store.trip(scene.trip.id, viewer: nil).content.audience
                try expect(open, equals: .everyone, "the audience afterwards")
            },
            ContractCheck("audience", "a link does not open a trip that reports hide, or whose author is blocked") {
                store in
                let scene = try await Scene(.byLink, in: store)
                let link = store.following(scene.key)
                _ = try await store.block(scene.owner, by: scene.other)
                try await expectTrip(
                    of: scene, isSeen: false, by: scene.other, in: link, "a user who has blocked the author")
                try await expectTrip(of: scene, isSeen: true, by: nil, in: link, "nobody")
                for seed in 3...8 as ClosedRange<UInt64> {
                    try await store.add(User(seed: seed))
                    try await link.report(scene.trip.id, by: User.ID(seed: seed))
                }
                try await expectTrip(of: scene, isSeen: false, by: nil, in: link, "nobody, after six reports")
                try expect(
                    try await store.trip(scene.trip.id, viewer: scene.owner).isHidden, "expected it to be hidden")
            },
            ContractCheck("audience", "its author is not told that a trip is hidden which is not public") { store in
                let scene = try await Scene(.onlyMe, in: store)
                let trip = try await store.trip(scene.trip.id, viewer: scene.owner)
                try expect(!trip.isHidden, "expected it not to be hidden")
            },
        ]

    private static let lists: [ContractCheck<any TravelStore>] =
        Audience.Level.allCases.flatMap { level in
            [
                ContractCheck("audience", "searches and titles of others have a trip for \(level) only if it is public")
                {
                    store in
                    let scene = try await Scene(level, in: store)
                    guard let text = Keyword("harbour") else { throw UnmetExpectation("expected a keyword") }
                    for subject in [store, store.following(scene.key)] {
                        for viewer in [nil, scene.other, scene.owner] {
                            let isListed = level == .everyone || viewer == scene.owner
                            for sort in TripSort.allCases {
                                for author in [nil, scene.owner] {
                                    var criteria = TripCriteria(sort: sort)
                                    criteria.author = author
                                    let page = try await subject.search(TripQuery(criteria, viewer: viewer))
                                    try expect(
                                        page.trips.map(\.id), equals: isListed ? [scene.trip.id] : [],
                                        "the trips sorted by \(sort)")
                                }
                            }
                            var criteria = TripCriteria()
                            criteria.keyword = text
                            criteria.regions = [.seoul]
                            let page = try await subject.search(TripQuery(criteria, viewer: viewer))
                            try expect(page.trips.count, equals: isListed ? 1 : 0, "the trips found")
                            let titles = try await subject.titles(containing: text, viewer: viewer, limit: 5)
                            try expect(titles.count, equals: isListed ? 1 : 0, "the titles")
                        }
                    }
                },
                ContractCheck("audience", "a search by likes has a trip for \(level) only if it is public") { store in
                    let scene = try await Scene(.everyone, in: store)
                    try await store.setLiked(true, trip: scene.trip.id, by: scene.other)
                    try await scene.share(scene.trip.content.audience.changed(to: level), in: store)
                    var criteria = TripCriteria()
                    criteria.likedBy = scene.other
                    for viewer in [nil, scene.other] {
                        let page = try await store.search(TripQuery(criteria, viewer: viewer))
                        try expect(page.trips.count, equals: level == .everyone ? 1 : 0, "the trips")
                    }
                },
            ]
        } + [
            ContractCheck("audience", "pages of a search have every public trip once, among many that are not") {
                store in
                let owner = try User(seed: 1)
                try await store.add(owner)
                var trips: [RecordedTrip] = []
                for seed in 1...60 as ClosedRange<UInt64> {
                    trips.append(
                        try TripBuilder(seed: seed, author: seed % 2 == 0 ? owner : User(seed: 100)).with {
                            $0.audience = seed % 10 == 0 ? .everyone : seed % 3 == 0 ? .byLink(LinkKey()) : .onlyMe
                        }.build())
                }
                try await store.add(trips)
                for (viewer, count) in [(nil, 6), (owner.id, 30), (User.ID(seed: 2), 6)] {
                    for sort in TripSort.allCases {
                        var (found, cursor): ([Trip.ID], TripCursor?) = ([], nil)
                        repeat {
                            let query = try TripQuery(
                                TripCriteria(sort: sort), viewer: viewer, after: cursor, limit: 4)
                            let page = try await store.search(query)
                            found += page.trips.map(\.id)
                            cursor = page.next
                        } while cursor != nil
                        try expect(found.count, equals: count, "the trips sorted by \(sort)")
                        try expect(Set(found).count, equals: count, "the different trips")
                    }
                }
            }
        ]

    private static let writes: [ContractCheck<any TravelStore>] =
        Audience.Level.allCases.map { level in
            ContractCheck("audience", "a trip for \(level) is not there for writes of those whom it does not admit") {
                store in
                let scene = try await Scene(level, in: store)
                let id = scene.trip.id
                for (subject, admits) in [
                    (store, level == .everyone), (store.following(LinkKey()), level == .everyone),
                    (store.following(scene.key), level != .onlyMe),
                ] {
                    let refusal = TravelError.notFound(.trip(id))
                    try await expect(admits ? TravelError.forbidden(.trip(id)) : refusal, from: "an edit") {
                        _ = try await subject.update(id, by: scene.other) { $0 }
                    }
                    try await expect(admits ? TravelError.forbidden(.trip(id)) : refusal, from: "a removal") {
                        _ = try await subject.update(id, by: scene.other) { _ in nil }
                    }
                    if admits {
                        try await subject.setLiked(true, trip: id, by: scene.other)
                        try await subject.setLiked(false, trip: id, by: scene.other)
                        _ = try await subject.report(id, by: scene.other)
                    } else {
                        for isLiked in [true, false] {
                            try await expect(refusal, from: "a like") {
                                try await subject.setLiked(isLiked, trip: id, by: scene.other)
                            }
                        }
                        try await expect(refusal, from: "a report") {
                            _ = try await subject.report(id, by: scene.other)
                        }
                    }
                }
                try await expectTrip(of: scene, isSeen: true, by: scene.owner, in: store, "its author afterwards")
            }
        }

    private static let observations: [ContractCheck<any TravelStore>] =
        [Audience.Level.byLink, .everyone].map { level in
            ContractCheck("audience", "observers of a trip for \(level) see that it is not there once it is withdrawn")
            {
                store in
                let scene = try await Scene(level, in: store)
                let (id, link) = (scene.trip.id, store.following(scene.key))
                let subject = level == .byLink ? link : store
                let (values, begun) = AsyncStream<Void>.makeStream()
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        try await expect(
                            TravelError.notFound(.trip(id)), from: "the end of the observation of the trip"
                        ) {
                            for try await trip in subject.observeTrip(id, viewer: scene.other) {
                                try expect(
                                    trip.content.audience != .onlyMe, "the trip was observed after its withdrawal")
                                begun.yield()
                            }
                        }
                    }
                    group.addTask {
                        try await expect(
                            TravelError.notFound(.trip(id)), from: "the end of the observation of the timeline"
                        ) {
                            for try await entries in subject.observeTimeline(of: id, day: nil, viewer: nil) {
                                try expect(!entries.isEmpty, "the timeline was observed after the withdrawal")
                                begun.yield()
                            }
                        }
                    }
                    var count = 0
                    for await _ in values {
                        count += 1
                        if count == 2 { break }
                    }
                    try await scene.share(.onlyMe, in: store)
                    // A change that only an observer who still sees the trip notices.
                    try await store.update(id, by: scene.owner) { trip throws(TravelError) in
                        try trip.with(content: trip.content, timeline: [])
                    }
                    try await group.waitForAll()
                }
            }
        }
}
