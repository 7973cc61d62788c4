public import TravelDomain

/// The contract of `TripObservingRepository`, as checks for any implementation that also stores, edits and hides
/// trips.
///
/// Each check requires a new, empty repository. ``TripRepositoryContract`` shows how to run them. Run them with a time limit,
/// because a check of a repository that misses a change waits for that change forever.
public enum TripObservingContract {
    /// An implementation of all these protocols.
    public typealias Subject = any TripRepository & TripObservingRepository & TripEditingRepository
        & ModerationRepository & UserRepository

    public static let checks: [ContractCheck<Subject>] =
        pages + trips + timelines + days + visibility + lives

    static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("observing", promise) { store in
            try await store.add((UInt64(1)...3).map { try TripBuilder(seed: $0).build() })
            try await body(store)
        }
    }

    static let first = Trip.ID(seed: 1)
    static let author = User.ID(seed: 1)
    static let viewer = User.ID(seed: 2)

    private static let pages: [ContractCheck<Subject>] = [
        check("a page is emitted immediately, and again when a trip is added to it") { store in
            let query = try TripQuery(TripCriteria(), viewer: nil)
            try await watch(store.observe(query)) { inbox in
                try expect(try await inbox.next().trips.map(\.id), equals: ids(3, 2, 1), "the first page")
                try await store.add([TripBuilder(seed: 4).build()])
                try expect(try await inbox.next().trips.map(\.id), equals: ids(4, 3, 2, 1), "the page afterwards")
            }
        },
        check("changes that do not affect a page do not emit it again") { store in
            let query = try TripQuery(TripCriteria(regions: [.jeju]), viewer: nil)
            try await watch(store.observe(query)) { inbox in
                try expect(try await inbox.next().trips, equals: [], "the first page")
                try await store.add([TripBuilder(seed: 4).build()])
                try await store.setLiked(true, trip: first, by: viewer)
                try await store.add([TripBuilder(seed: 5).with { $0.region = .jeju }.build()])
                try expect(try await inbox.next().trips.map(\.id), equals: ids(5), "the second page")
            }
        },
        check("likes change the order of the most liked") { store in
            let query = try TripQuery(TripCriteria(sort: .mostLiked), viewer: nil, limit: 1)
            try await watch(store.observe(query)) { inbox in
                let top = try await inbox.next().trips.map(\.id)
                let other = ids(1, 2, 3).first { !top.contains($0) } ?? first
                try await store.setLiked(true, trip: other, by: viewer)
                try expect(try await inbox.next().trips.map(\.id), equals: [other], "the most liked afterwards")
            }
        },
        check("entries that get, change and lose the keyword of a page emit it again") { store in
            let query = try TripQuery(TripCriteria(keyword: Keyword("등대")), viewer: nil)
            func save(_ entry: TimelineEntry) async throws {
                try await store.update(first, by: author) { trip throws(TravelError) in try trip.saving(entry) }
            }
            try await watch(store.observe(query)) { inbox in
                try expect(try await inbox.next().trips, equals: [], "the first page")
                for (title, place) in [("점심", "등대"), ("저녁", "등대"), ("저녁", "등대 식당"), ("등대", nil)] {
                    let entry = try TripRepositoryContract.found(30, title, at: place)
                    try await save(entry)
                    try expect(
                        try await inbox.next().matchedEntries, equals: [first: MatchedEntry(entry)],
                        "the entries of the page")
                }
                // Another one is first.
                let earlier = try TripRepositoryContract.found(31, "등대", hour: 7)
                try await save(earlier)
                try expect(
                    try await inbox.next().matchedEntries, equals: [first: MatchedEntry(earlier)], "the first entry")
                try await save(TripRepositoryContract.found(31, "점심", hour: 7))
                _ = try await inbox.next()
                try await save(TripRepositoryContract.found(30, "점심", at: "시장"))
                try expect(try await inbox.next().trips, equals: [], "the page without it")
                // Former words again.
                let again = try TripRepositoryContract.found(30, "점심", at: "등대")
                try await save(again)
                try expect(
                    try await inbox.next().matchedEntries, equals: [first: MatchedEntry(again)], "the entry again")
                try await store.update(first, by: author) { _ in nil }
                try expect(try await inbox.next().trips, equals: [], "the page after the removal")
            }
        },
        check("a block removes trips only from the page of the user who blocks") { store in
            let mine = try TripQuery(TripCriteria(), viewer: viewer)
            try await watch(store.observe(mine)) { inbox in
                try expect(try await inbox.next().trips.count, equals: 3, "the number of trips on the first page")
                try await store.block(User.ID(seed: 1), by: viewer)
                try expect(try await inbox.next().trips.map(\.id), equals: ids(3, 2), "the page afterwards")
                try await store.unblock(User.ID(seed: 1), by: viewer)
                try expect(try await inbox.next().trips.map(\.id), equals: ids(3, 2, 1), "the page after that")
            }
        },
        check("a page of an author's trips is emitted again only when they record or remove one") { store in
            let query = try TripQuery(TripCriteria(author: author), viewer: nil)
            try await watch(store.observe(query)) { inbox in
                try expect(try await inbox.next().trips.map(\.id), equals: ids(1), "the first page")
                try await store.add([TripBuilder(seed: 4).build()])
                try await store.add([TripBuilder(seed: 5, author: User(seed: 1)).build()])
                try expect(try await inbox.next().trips.map(\.id), equals: ids(5, 1), "the page afterwards")
                try await store.update(first, by: author) { _ in nil }
                try expect(try await inbox.next().trips.map(\.id), equals: ids(5), "the page after the removal")
            }
        },
        check("a page of the trips that a user likes is emitted again when they like another one") { store in
            let query = try TripQuery(TripCriteria(likedBy: viewer), viewer: nil)
            try await watch(store.observe(query)) { inbox in
                try expect(try await inbox.next().trips, equals: [], "the first page")
                try await store.setLiked(true, trip: first, by: User.ID(seed: 3))
                try await store.setLiked(true, trip: Trip.ID(seed: 3), by: viewer)
                try expect(try await inbox.next().trips.map(\.id), equals: ids(3), "the page afterwards")
                try await store.setLiked(false, trip: Trip.ID(seed: 3), by: viewer)
                try expect(try await inbox.next().trips, equals: [], "the page after the like is taken back")
            }
        },
        check("a new nickname updates the page") { store in
            let query = try TripQuery(TripCriteria(), viewer: nil, limit: 1)
            try await watch(store.observe(query)) { inbox in
                _ = try await inbox.next()
                try await store.rename(User.ID(seed: 3), to: Nickname("Sora"), by: User.ID(seed: 3))
                let names = try await inbox.next().trips.map(\.author.nickname.text)
                try expect(names, equals: ["Sora"], "the nickname afterwards")
            }
        },
        check("each iteration begins with the current page") { store in
            let pages = store.observe(try TripQuery(TripCriteria(), viewer: nil))
            for count in 3...5 {
                try await watch(pages) { inbox in
                    try expect(try await inbox.next().trips.count, equals: count, "the number of trips")
                }
                try await store.add([TripBuilder(seed: UInt64(count) + 1).build()])
            }
        },
        check("a trip that is added while an observation of a page begins is not missed") { store in
            for round in 0..<40 {
                let new = try TripBuilder(seed: UInt64(100 + round)).build()
                let query = try TripQuery(TripCriteria(), viewer: nil)
                try await watch(store.observe(query)) { inbox in
                    // Each round lets the observation proceed a bit further before the change.
                    for _ in 0..<round { await Task.yield() }
                    try await store.add([new])
                    while try await !inbox.next().trips.contains(where: { $0.id == new.id }) {}
                }
            }
        },
        check("concurrent observations end independently") { store in
            let query = try TripQuery(TripCriteria(), viewer: nil)
            try await watch(store.observe(query)) { a in
                try await watch(store.observe(query)) { b in
                    _ = (try await a.next(), try await b.next())
                    try await store.add([TripBuilder(seed: 4).build()])
                    try expect(try await b.next().trips.count, equals: 4, "the number of trips")
                }
                try expect(try await a.next().trips.count, equals: 4, "the number of trips")
                try await store.add([TripBuilder(seed: 5).build()])
                try expect(try await a.next().trips.count, equals: 5, "the number of trips")
            }
        },
    ]

    private static let trips: [ContractCheck<Subject>] = [
        check("a like that is given while an observation of a trip begins is not missed") { store in
            for round in 0..<40 {
                let isLiked = round.isMultiple(of: 2)
                try await watch(store.observeTrip(first, viewer: viewer)) { inbox in
                    for _ in 0..<round { await Task.yield() }
                    try await store.setLiked(isLiked, trip: first, by: viewer)
                    while try await inbox.next().isLiked != isLiked {}
                }
            }
        },
        check("a trip is emitted immediately, and again when it is liked or changed") { store in
            try await watch(store.observeTrip(first, viewer: viewer)) { inbox in
                try expect(try await inbox.next().likeCount, equals: 0, "the likes")
                try await store.setLiked(true, trip: first, by: viewer)
                let liked = try await inbox.next()
                try expect(liked.likeCount, equals: 1, "the likes afterwards")
                try expect(liked.isLiked, equals: true, "whether the viewer likes it")
                let changed = try TripBuilder(seed: 9).with { $0.title = "바다" }.build().content
                try await store.update(first, by: author) { trip throws(TravelError) in
                    try trip.with(changed)
                }
                try expect(try await inbox.next().title.text, equals: "바다", "the title afterwards")
            }
        },
        check("changes to other trips do not emit a trip again") { store in
            try await watch(store.observeTrip(first, viewer: nil)) { inbox in
                _ = try await inbox.next()
                try await store.setLiked(true, trip: Trip.ID(seed: 2), by: viewer)
                try await store.add([TripBuilder(seed: 4).build()])
                try await store.setLiked(true, trip: first, by: viewer)
                try expect(try await inbox.next().likeCount, equals: 1, "the likes of the next value")
            }
        },
        check("the observation of a trip throws notFound when it is removed") { store in
            try await watch(store.observeTrip(first, viewer: nil)) { inbox in
                _ = try await inbox.next()
                try await store.update(first, by: author) { _ in nil }
                try await expect(.notFound(.trip(first)), from: "the next value") { try await inbox.next() }
            }
        },
        check("the observation of a trip throws notFound when it does not exist") { store in
            let id = Trip.ID(seed: 50)
            try await watch(store.observeTrip(id, viewer: nil)) { inbox in
                try await expect(.notFound(.trip(id)), from: "the first value") { try await inbox.next() }
            }
        },
    ]

    private static let timelines: [ContractCheck<Subject>] = [
        check("a timeline is emitted immediately, and again when an entry is added or deleted") { store in
            let entry = try TripRepositoryContract.entry(1)
            try await watch(store.observeTimeline(of: first, day: nil, viewer: nil)) { inbox in
                try expect(try await inbox.next(), equals: [], "the timeline")
                try await store.update(first, by: author) { trip throws(TravelError) in
                    try trip.saving(entry)
                }
                try expect(try await inbox.next(), equals: [entry], "the timeline afterwards")
                try await store.update(first, by: author) { trip throws(TravelError) in
                    try trip.removing(entry.id)
                }
                try expect(try await inbox.next(), equals: [], "the timeline after that")
            }
        },
        check("the observation of a timeline throws notFound when the author is removed") { store in
            try await watch(store.observeTimeline(of: first, day: nil, viewer: nil)) { inbox in
                _ = try await inbox.next()
                try await store.removeUser(author, by: author)
                try await expect(.notFound(.trip(first)), from: "the next value") { try await inbox.next() }
            }
        },
    ]

    static func ids(_ seeds: UInt64...) -> [Trip.ID] { seeds.map { Trip.ID(seed: $0) } }
}

extension TripObservingContract {
    static let days: [ContractCheck<Subject>] = [
        day("a day is emitted immediately, and again when one of its entries is added, replaced or deleted") {
            store, inbox in
            try expect(try await inbox.next().map(\.id), equals: entryIDs(1, 2), "the second day")
            try await save(entry(3, day: 2, minutes: 0), in: store)
            try expect(try await inbox.next().map(\.id), equals: entryIDs(3, 1, 2), "the day with a new entry")
            try await save(entry(1, day: 2, minutes: 1_000), in: store)
            try expect(try await inbox.next().map(\.id), equals: entryIDs(3, 2, 1), "the day in another order")
            try await edit(in: store) { trip throws(TravelError) in try trip.removing(entryID(2)) }
            try expect(try await inbox.next().map(\.id), equals: entryIDs(3, 1), "the day without an entry")
        },
        day("changes to other days, trips and likes do not emit a day again") { store, inbox in
            _ = try await inbox.next()
            try await save(entry(4, day: 1), in: store)
            try await save(entry(5, day: 3), in: store)
            try await edit(in: store) { trip throws(TravelError) in try trip.removing(entryID(4)) }
            try await edit(in: store) { trip throws(TravelError) in
                return try trip.changing(\.title, to: Title("바다"))
            }
            try await store.setLiked(true, trip: first, by: viewer)
            try await store.add([TripBuilder(seed: 8).with { $0.timeline = [try entry(8, day: 1)] }.build()])
            try await save(entry(6, day: 2, minutes: 0), in: store)
            try expect(try await inbox.next().map(\.id), equals: entryIDs(6, 1, 2), "the next value")
        },
        day("moving an entry away from a day and back emits the day each time") { store, inbox in
            _ = try await inbox.next()
            try await save(entry(1, day: 3), in: store)
            try expect(try await inbox.next().map(\.id), equals: entryIDs(2), "the day without the entry")
            try await save(entry(1, day: 2, minutes: 5), in: store)
            try expect(try await inbox.next().map(\.id), equals: entryIDs(1, 2), "the day with the entry")
        },
        day("a day without entries and a day that the trip does not have are empty") { store, inbox in
            _ = try await inbox.next()
            for day in [1, 4, 0, -1] {
                try await watch(store.observeTimeline(of: first, day: day, viewer: nil)) { inbox in
                    try expect(try await inbox.next(), equals: [], "day \(day)")
                }
            }
        },
        day("a day can be observed before the trip has it") { store, inbox in
            _ = try await inbox.next()
            try await watch(store.observeTimeline(of: first, day: 5, viewer: nil)) { inbox in
                try expect(try await inbox.next(), equals: [], "a day after the last")
                let added = try entry(9, day: 5)
                try await edit(in: store) { trip throws(TravelError) in
                    return try trip.changing(\.days, to: DayRange(trip.content.days.first, days: 5)).saving(added)
                }
                try expect(try await inbox.next(), equals: [added], "the new day")
            }
        },
        day("several days can be observed independently at the same time") { store, inbox in
            _ = try await inbox.next()
            try await watch(store.observeTimeline(of: first, day: 1, viewer: nil)) { other in
                _ = try await other.next()
                try await save(entry(4, day: 1), in: store)
                try expect(try await other.next().map(\.id), equals: entryIDs(4), "the first day")
                try await save(entry(5, day: 2, minutes: 0), in: store)
                try expect(try await inbox.next().map(\.id), equals: entryIDs(5, 1, 2), "the second day")
            }
        },
        day("the observation of a day throws notFound when the trip is removed") { store, inbox in
            _ = try await inbox.next()
            try await store.update(first, by: author) { _ in nil }
            try await expect(.notFound(.trip(first)), from: "the next value") { try await inbox.next() }
        },
        check("the observation of a day throws notFound when the trip does not exist") { store in
            let id = Trip.ID(seed: 50)
            try await watch(store.observeTimeline(of: id, day: 1, viewer: nil)) { inbox in
                try await expect(.notFound(.trip(id)), from: "the first value") { try await inbox.next() }
            }
        },
    ]

    /// A check that observes the second day of a trip of three days; that day has the entries of seeds 1 and 2.
    private static func day(
        _ promise: String, _ body: @escaping @Sendable (Subject, ObservedValues<[TimelineEntry]>) async throws -> Void
    ) -> ContractCheck<Subject> {
        check(promise) { store in
            let entries = [try entry(1, day: 2, minutes: 60), try entry(2, day: 2, minutes: 120)]
            try await edit(in: store) { trip throws(TravelError) in
                return try trip.changing(\.days, to: DayRange(trip.content.days.first, days: 3)).saving(entries[0])
                    .saving(entries[1])
            }
            try await watch(store.observeTimeline(of: first, day: 2, viewer: nil)) { try await body(store, $0) }
        }
    }

    private static func entry(_ seed: UInt64, day: Int, minutes: Int = 540) throws -> TimelineEntry {
        try TimelineEntry(
            id: entryID(seed), day: day, time: TimeOfDay(minutesSinceMidnight: minutes), title: Title("Entry"),
            text: EntryText("Text"))
    }

    private static func save(_ entry: TimelineEntry, in store: Subject) async throws {
        try await edit(in: store) { trip throws(TravelError) in try trip.saving(entry) }
    }

    private static func edit(
        in store: Subject, _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip
    ) async throws {
        try await store.update(first, by: author) { trip throws(TravelError) in try change(trip) }
    }

    private static func entryID(_ seed: UInt64) -> TimelineEntry.ID { TimelineEntry.ID(seed: seed) }
    private static func entryIDs(_ seeds: UInt64...) -> [TimelineEntry.ID] { seeds.map(entryID) }
}

extension TripObservingContract {
    static let visibility: [ContractCheck<Subject>] = [
        check("the sixth report ends the observations of others, but not those of the author") { store in
            try await store.add((UInt64(10)...15).map { try TripBuilder(seed: $0).build() })
            try await watch(store.observeTrip(first, viewer: author)) { mine in
                _ = try await mine.next()
                try await expectEnd(of: store, for: viewer) {
                    for user in UInt64(10)...15 { try await store.report(first, by: User.ID(seed: user)) }
                }
                try expect(try await mine.next().isHidden, equals: true, "whether the author is told")
                try await store.setLiked(true, trip: first, by: author)
                try expect(try await mine.next().likeCount, equals: 1, "the likes that the author sees")
            }
        },
        check("a block ends only the observations of the user who blocks") { store in
            try await watch(store.observeTrip(first, viewer: User.ID(seed: 3))) { others in
                _ = try await others.next()
                try await expectEnd(of: store, for: viewer) { try await store.block(author, by: viewer) }
                try await store.setLiked(true, trip: first, by: User.ID(seed: 3))
                try expect(try await others.next().likeCount, equals: 1, "the likes that others see")
            }
        },
        check("someone who does not see a trip observes nothing of it while others observe it") { store in
            try await store.block(author, by: viewer)
            try await watch(store.observeTrip(first, viewer: nil)) { trip in
                try await watch(store.observeTimeline(of: first, day: nil, viewer: nil)) { timeline in
                    try await watch(store.observeTimeline(of: first, day: 1, viewer: nil)) { day in
                        _ = (try await trip.next(), try await timeline.next(), try await day.next())
                        try await expectNothing(in: store.observeTrip(first, viewer: viewer))
                        for day in [nil, 1] {
                            try await expectNothing(in: store.observeTimeline(of: first, day: day, viewer: viewer))
                        }
                    }
                }
            }
        },
        check("an image of the timeline becomes the thumbnail in observed trips and pages") { store in
            let image = try TripImage(seed: 1)
            let entry = try TimelineEntry(
                day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"), text: EntryText("Text"),
                pictures: [Picture(image.id)])
            let query = try TripQuery(TripCriteria(), viewer: nil)
            try await watch(store.observeTrip(first, viewer: nil)) { trip in
                try await watch(store.observe(query)) { page in
                    try expect(try await trip.next().thumbnail, equals: nil, "the thumbnail")
                    _ = try await page.next()
                    try await store.update(first, by: author, adding: [image]) { trip throws(TravelError) in
                        try trip.saving(entry)
                    }
                    try expect(try await trip.next().thumbnail, equals: image.id, "the thumbnail afterwards")
                    let thumbnails = try await page.next().trips.map(\.thumbnail)
                    try expect(thumbnails, equals: [nil, nil, image.id], "the thumbnails on the page")
                }
            }
        },
    ]

    static let lives: [ContractCheck<Subject>] = [
        check("a sequence can be iterated again after an error") { store in
            let (trips, id) = (store.observeTrip(Trip.ID(seed: 9), viewer: nil), Trip.ID(seed: 9))
            for _ in 0..<2 {
                try await watch(trips) { inbox in
                    try await expect(.notFound(.trip(id)), from: "the first value") { try await inbox.next() }
                }
                try await store.add([TripBuilder(seed: 9).build()])
                try await watch(trips) { inbox in
                    try expect(try await inbox.next().id, equals: id, "the trip")
                    try await store.update(id, by: User.ID(seed: 9)) { _ in nil }
                    try await expect(.notFound(.trip(id)), from: "the next value") { try await inbox.next() }
                }
            }
        },
        check("an observation that has thrown an error emits nothing more") { store in
            let id = Trip.ID(seed: 9)
            var trips = store.observeTrip(id, viewer: nil).makeAsyncIterator()
            try await expect(.notFound(.trip(id)), from: "the first value") {
                try await trips.next(isolation: #isolation)
            }
            try await store.add([TripBuilder(seed: 9).build()])
            try expect(try await trips.next(isolation: #isolation), equals: nil, "the value after the error")
        },
        check("rejected changes do not emit values") { store in
            let query = try TripQuery(TripCriteria(), viewer: nil)
            try await watch(store.observe(query)) { inbox in
                _ = try await inbox.next()
                _ = try await outcome {
                    try await store.add([TripBuilder(seed: 4).build(), TripBuilder(seed: 1).build()])
                }
                _ = try await outcome { try await store.update(first, by: viewer) { _ in nil } }
                _ = try await outcome { try await store.block(author, by: author) }
                try await store.add([TripBuilder(seed: 5).build()])
                try expect(try await inbox.next().trips.map(\.id), equals: ids(5, 3, 2, 1), "the next page")
            }
        },
        check("a slow consumer does not receive every intermediate value") { store in
            var trips = store.observeTrip(first, viewer: nil).makeAsyncIterator()
            _ = try await trips.next(isolation: #isolation)
            try await store.add((10..<40).map { try TripBuilder(seed: $0).build() })
            for user in UInt64(10)..<40 {
                try await store.setLiked(true, trip: first, by: User.ID(seed: user))
            }
            var (last, values) = (0, 0)
            while last < 30 {
                last = try await trips.next(isolation: #isolation)?.likeCount ?? Int.max
                values += 1
            }
            try expect(last, equals: 30, "the last number of likes")
            try expect(values <= 3, "expected at most 3 values after 30 changes; received \(values)")
        },
        check("a slow consumer eventually receives the latest value") { store in
            try await watch(store.observeTrip(first, viewer: nil)) { inbox in
                var last = try await inbox.next().likeCount
                try expect(last, equals: 0, "the initial likes")
                try await store.add((10..<40).map { try TripBuilder(seed: $0).build() })
                for user in UInt64(10)..<40 {
                    try await store.setLiked(true, trip: first, by: User.ID(seed: user))
                }
                while last < 30 {
                    let likes = try await inbox.next().likeCount
                    try expect(likes > last, "received \(likes) likes after \(last)")
                    last = likes
                }
            }
        },
    ]

    /// Expects an observation of the first trip to throw notFound in place of a value.
    private static func expectNothing(in values: some AsyncSequence<some Sendable, any Error> & Sendable) async throws {
        try await watch(values) { inbox in
            try await expect(.notFound(.trip(first)), from: "the first value") { try await inbox.next() }
        }
    }

    /// Expects every kind of observation of the first trip by `user` to throw notFound after `change`.
    private static func expectEnd(
        of store: Subject, for user: User.ID, _ change: () async throws -> Void
    ) async throws {
        try await watch(store.observeTrip(first, viewer: user)) { trip in
            try await watch(store.observeTimeline(of: first, day: nil, viewer: user)) { timeline in
                try await watch(store.observeTimeline(of: first, day: 1, viewer: user)) { day in
                    _ = (try await trip.next(), try await timeline.next(), try await day.next())
                    try await change()
                    try await expect(.notFound(.trip(first)), from: "the trip") { try await trip.next() }
                    try await expect(.notFound(.trip(first)), from: "the timeline") { try await timeline.next() }
                    try await expect(.notFound(.trip(first)), from: "the day") { try await day.next() }
                }
            }
        }
    }
}
