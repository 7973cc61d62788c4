public import TravelDomain

/// The contract of `TripEditingRepository`, as checks for any implementation that also stores and finds trips.
///
/// Each check requires a new, empty repository. ``TripRepositoryContract`` shows how to run them.
public enum TripEditingContract {
    /// An implementation of all three protocols.
    public typealias Subject = any TripRepository & TripEditingRepository & TitleRepository

    /// All checks: individual and generated ones.
    public static let checks: [ContractCheck<Subject>] =
        contents + timelines + searchesOfEntries + removals + refusals + versions + generated(seeds: 1...5)

    /// One check for each seed: after random edits and removals, searches, trips and timelines equal those of a
    /// plain list with the same edits.
    public static func generated(seeds: some Sequence<UInt64>) -> [ContractCheck<Subject>] {
        seeds.map { seed in
            ContractCheck(
                "editing", "edits of seed \(seed) have the same effect as on a plain list",
                repeating: { make in
                    try await GeneratedHistory.check(seed: seed, count: GeneratedHistory.count(changes: 40)) {
                        HistorySubject(editing: try await make())
                    }
                })
        }
    }

    static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("editing", promise, body)
    }

    private static let contents: [ContractCheck<Subject>] = [
        check("every viewer sees the new content") { store in
            let before = try await addBusan(to: store)
            let changed = try TripBuilder(seed: 9).with {
                $0.title = "제주 산책"
                $0.region = .jeju
                $0.firstDay = "2023-12-31"
                $0.numberOfDays = 8
                $0.themes = Set(Theme.allCases)
                $0.companions = [.pets]
                $0.headcount = .four
                $0.transportation = .ownCar
            }.build().content
            try await edit(before, in: store) { trip throws(TravelError) in try trip.with(changed) }
            let after = try await store.trip(before.id, viewer: nil)
            try expect(after.content, equals: changed, "the content")
            try expect(after.createdAt, equals: before.createdAt, "the time of recording")
            try expect(after.author, equals: before.author, "the author")
            try expect(try await store.timeline(of: before.id, viewer: nil), equals: before.timeline, "the timeline")
        },
        check("searches match the new content and not the old") { store in
            let before = try await addBusan(to: store)
            var content = before.content
            content.title = try Title("제주 산책")
            content.region = .jeju
            content.headcount = .two
            let changed = content
            try await edit(before, in: store) { trip throws(TravelError) in try trip.with(changed) }
            for criteria in [
                TripCriteria(keyword: Keyword("산책")), TripCriteria(regions: [.jeju]),
                TripCriteria(headcount: .two),
            ] {
                for sort in TripSort.allCases {
                    var criteria = criteria
                    criteria.sort = sort
                    try expect(try await store.ids(criteria), equals: [before.id], "the trips found")
                }
            }
            for criteria in [TripCriteria(keyword: Keyword("바다")), TripCriteria(regions: [.busan])] {
                try expect(try await store.ids(criteria), equals: [], "the trips found")
            }
        },
        check("titles are suggested as long as any trip has them") { store in
            let before = try await addBusan(to: store)
            try await store.add(TripBuilder(seed: 2).with { $0.title = "여수 밤바다" })
            try await edit(before, in: store) { trip throws(TravelError) in
                try trip.changing(\.title, to: Title("제주 산책"))
            }
            try await expectTitles(["여수 밤바다"], for: "바다", in: store)
            try await expectTitles(["제주 산책"], for: "산책", in: store)
            try await edit(before, in: store) { trip throws(TravelError) in
                try trip.changing(\.title, to: Title("여수 밤바다"))
            }
            try await store.update(before.id, by: before.author.id) { _ in nil }
            try await expectTitles(["여수 밤바다"], for: "바다", in: store)
            try await expectTitles([], for: "산책", in: store)
        },
        check("an edit keeps the likes") { store in
            let before = try await addBusan(to: store)
            try await store.setLiked(true, trip: before.id, by: before.author.id)
            try await edit(before, in: store) { trip throws(TravelError) in
                try trip.changing(\.budget, to: .over100)
            }
            let after = try await store.trip(before.id, viewer: before.author.id)
            try expect(after.likeCount, equals: 1, "the likes")
            try expect(after.isLiked, equals: true, "whether the viewer likes it")
            try expect(try await store.ids(TripCriteria(sort: .mostLiked)), equals: [before.id], "the most liked")
        },
        check("an edit keeps the ID, the author and the time of recording, whatever the change returns") { store in
            let before = try await addBusan(to: store)
            let other = try TripBuilder(seed: 77).build()
            try await store.update(before.id, by: before.author.id) { _ in other }
            let after = try await store.trip(before.id, viewer: nil)
            try expect(after.author, equals: before.author, "the author")
            try expect(after.createdAt, equals: before.createdAt, "the time of recording")
            try expect(after.content, equals: other.content, "the content")
            try expect(try await store.ids(TripCriteria()), equals: [before.id], "the IDs of all trips")
        },
    ]

    private static let entryTime = TimeOfDay(minutesSinceMidnight: 721)

    /// An entry at the time of ``entryTime``, at which the trips of this contract have no other.
    private static func entry(_ seed: UInt64, title: String) throws(TravelError) -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: 1, time: entryTime, title: Title(title), text: EntryText("Text"))
    }

    private static let timelines: [ContractCheck<Subject>] = [
        check("entries can be added, replaced and removed, and stay in order") { store in
            let before = try await addBusan(to: store)
            let early = try TripRepositoryContract.entry(0)
            let rewritten = try TimelineEntry(
                id: before.timeline[0].id, day: 2, time: TimeOfDay(hour: 23), title: Title("새로"), text: EntryText("쓴 글")
            )
            try await edit(before, in: store) { trip throws(TravelError) in try trip.saving(early).saving(rewritten)
            }
            try expect(
                try await store.timeline(of: before.id, viewer: nil), equals: [early, before.timeline[1], rewritten],
                "the timeline")
            try await edit(before, in: store) { trip throws(TravelError) in try trip.removing(early.id) }
            try expect(
                try await store.timeline(of: before.id, viewer: nil), equals: [before.timeline[1], rewritten],
                "the timeline")
        },
        check("an entry that is written at the same time as others follows them, also after it was rewritten") {
            store in
            let before = try await addBusan(to: store)
            for seed: UInt64 in [13, 11, 12] {
                try await edit(before, in: store) { trip throws(TravelError) in
                    try trip.saving(entry(seed, title: "new"))
                }
            }
            try await edit(before, in: store) { trip throws(TravelError) in
                try trip.saving(entry(13, title: "rewritten"))
            }
            let written = try await store.timeline(of: before.id, viewer: nil).filter { $0.time == entryTime }
            try expect(
                written.map(\.id), equals: [13, 11, 12].map { TimelineEntry.ID(seed: $0) }, "the entries at one time")
            try expect(written.first?.title.text, equals: "rewritten", "the title")
        },
        check("entries at the same time can be moved, each move is a version, and the others keep their order") {
            store in
            let before = try await addBusan(to: store)
            let ids = [14, 11, 13, 12].map { TimelineEntry.ID(seed: $0) }
            for seed: UInt64 in [14, 11, 13, 12] {
                try await edit(before, in: store) { trip throws(TravelError) in
                    try trip.saving(entry(seed, title: "new"))
                }
            }
            var expected = ids
            for (moved, placement, order) in [
                (ids[3], .before(ids[0]), [3, 0, 1, 2]), (ids[3], .after(ids[0]), [0, 3, 1, 2]),
                (ids[0], .after(ids[2]), [3, 1, 2, 0]), (ids[1], .before(ids[2]), [3, 1, 2, 0]),
            ] as [(TimelineEntry.ID, TimelineEntry.Placement, [Int])] {
                let version = try await store.trip(before.id, viewer: nil).version
                try await edit(before, in: store) { trip throws(TravelError) in try trip.moving(moved, placement) }
                let isMoved = expected != order.map { ids[$0] }
                expected = order.map { ids[$0] }
                let written = try await store.timeline(of: before.id, viewer: nil).filter { $0.time == entryTime }
                try expect(written.map(\.id), equals: expected, "the entries after a move")
                try expect(
                    try await store.trip(before.id, viewer: nil).version, equals: isMoved ? version.next : version,
                    "the version after a move")
            }
        },
        check("an entry that was removed can be added to another trip") { store in
            let before = try await addBusan(to: store)
            let entry = before.timeline[0]
            try await edit(before, in: store) { trip throws(TravelError) in try trip.removing(entry.id) }
            try await store.add(TripBuilder(seed: 2).with { $0.timeline = [entry] })
            try expect(
                try await store.timeline(of: Trip.ID(seed: 2), viewer: nil), equals: [entry],
                "the timeline of the other trip")
        },
        check("adding an entry of another trip throws a conflict and changes nothing") { store in
            let before = try await addBusan(to: store)
            let entry = try TripRepositoryContract.entry(50)
            try await store.add(TripBuilder(seed: 2).with { $0.timeline = [entry] })
            try await expect(.conflict(.entry(entry.id)), from: "the edit") {
                try await edit(before, in: store) { trip throws(TravelError) in
                    try trip.changing(\.title, to: Title("제주 산책")).saving(entry)
                }
            }
            try await expectUnchanged(before, in: store)
            try expect(
                try await store.timeline(of: Trip.ID(seed: 2), viewer: nil), equals: [entry],
                "the timeline of the other trip")
        },
        check("entries that several tasks add concurrently are all stored") { store in
            let before = try await addBusan(to: store)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in UInt64(100)..<120 {
                    let entry = try TripRepositoryContract.entry(seed)
                    group.addTask {
                        try await edit(before, in: store) { trip throws(TravelError) in try trip.saving(entry) }
                    }
                }
                try await group.waitForAll()
            }
            try expect(try await store.timeline(of: before.id, viewer: nil).count, equals: 22, "the number of entries")
        },
        check("an edit that repeats an entry throws a conflict and changes nothing") { store in
            let before = try await addBusan(to: store)
            let new = try TripRepositoryContract.entry(77)
            for entry in [new, before.timeline[0]] {
                try await expect(.conflict(.entry(entry.id)), from: "the edit") {
                    try await edit(before, in: store) { trip throws(TravelError) in
                        try trip.with(timeline: trip.timeline + (entry.id == new.id ? [entry, entry] : [entry]))
                    }
                }
                try expect(
                    try await store.timeline(of: before.id, viewer: nil), equals: before.timeline, "the timeline")
            }
        },
        check("an edit keeps the recorded track, and another track is a new version") { store in
            let first = try TripGenerator.track(seed: 1)
            let before = try TripBuilder(seed: 1).with { $0.track = first }.build()
            try await store.add([before])
            let renamed = try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in
                return try trip.changing(\.title, to: Title("New"))
            }
            try expect(renamed?.track, equals: first, "the track of the edited trip")
            try expect(try await store.track(of: before.id, viewer: nil), equals: first, "the track")
            for track in [try TripGenerator.track(seed: 2), nil] {
                let stored = try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in
                    try RecordedTrip(
                        id: trip.id, author: trip.author, createdAt: trip.createdAt, version: trip.version,
                        content: trip.content, timeline: trip.timeline, track: track)
                }
                try expect(try await store.track(of: before.id, viewer: nil), equals: track, "the new track")
                try expect(stored?.version.number, equals: track == nil ? 4 : 3, "the version")
            }
        },
        check("an edit that does not know the times of the track keeps them, and makes no version by itself") { store in
            let path = try (0..<3).map { number in
                TrackPoint(
                    coordinate: try Coordinate(latitude: Double(number), longitude: 127),
                    time: Date(timeIntervalSince1970: Double(number)))
            }
            let track = try TrackGeometry(points: [path])
            let before = try TripBuilder(seed: 1).with { $0.track = track }.build()
            try await store.add([before])
            for (title, version) in [(before.content.title.text, 1), ("New", 2)] {
                let stored = try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in
                    try RecordedTrip(
                        id: trip.id, author: trip.author, createdAt: trip.createdAt, version: trip.version,
                        content: trip.changing(\.title, to: Title(title)).content, timeline: trip.timeline,
                        track: track.withoutTimes)
                }
                try expect(stored?.version.number, equals: version, "the version")
                try expect(try await store.track(of: before.id, viewer: nil), equals: track, "the track")
            }
        },
        check("a full timeline takes no further entry, and its entries can be replaced") { store in
            let count = RecordedTrip.maximumEntryCount
            let entries = try (0..<count).map { number in
                try TimelineEntry(
                    id: TimelineEntry.ID(seed: UInt64(1_000 + number)), day: 1,
                    time: TimeOfDay(minutesSinceMidnight: number), title: Title("기록"), text: EntryText("글"))
            }
            let full = try TripBuilder(seed: 1).with { $0.timeline = entries }.build()
            try await store.add([full])
            let further = try TripRepositoryContract.entry(0)
            try await expect(.invalid(Violation(.timeline, .tooMany(maximum: count))), from: "the edit") {
                try await edit(full, in: store) { trip throws(TravelError) in try trip.saving(further) }
            }
            try expect(try await store.timeline(of: full.id, viewer: nil), equals: entries, "the timeline")
            let last = try TimelineEntry(
                id: entries[7].id, day: 1, time: TimeOfDay(hour: 23, minute: 59), title: Title("새로"),
                text: EntryText("글"))
            try await edit(full, in: store) { trip throws(TravelError) in try trip.saving(last) }
            try expect(
                try await store.timeline(of: full.id, viewer: nil),
                equals: entries.filter { $0.id != last.id } + [last],
                "the timeline")
        },
    ]

    private static let removals: [ContractCheck<Subject>] = [
        check("removing a trip removes its timeline, and keeps other trips") { store in
            let before = try await addBusan(to: store)
            try await store.add(TripBuilder(seed: 2))
            try await store.update(before.id, by: before.author.id) { _ in nil }
            try await expect(.notFound(.trip(before.id)), from: "the trip") {
                try await store.trip(before.id, viewer: nil)
            }
            try await expect(.notFound(.trip(before.id)), from: "the timeline") {
                try await store.timeline(of: before.id, viewer: nil)
            }
            for sort in TripSort.allCases {
                try expect(
                    try await store.ids(TripCriteria(sort: sort)), equals: [Trip.ID(seed: 2)],
                    "the IDs of all trips")
            }
            try expect(try await store.ids(TripCriteria(keyword: Keyword("바다"))), equals: [], "the trips found")
        },
        check("a removed trip can be added again and then has no likes") { store in
            let before = try await addBusan(to: store)
            try await store.setLiked(true, trip: before.id, by: before.author.id)
            try await store.update(before.id, by: before.author.id) { _ in nil }
            try await store.add([before])
            let again = try await store.trip(before.id, viewer: before.author.id)
            try expect(again.likeCount, equals: 0, "the likes")
            try expect(again.isLiked, equals: false, "whether the viewer likes it")
            try await expectUnchanged(before, in: store)
        },
        check("the ID of a removed trip is never that of another author's") { store in
            let before = try await addBusan(to: store)
            try await store.update(before.id, by: before.author.id) { _ in nil }
            let other = try TripBuilder(seed: 2).build()
            let taken = try RecordedTrip(
                id: before.id, author: other.author, createdAt: other.createdAt, content: other.content, timeline: [])
            try await expect(.conflict(.trip(before.id)), from: "adding a trip of another author") {
                try await store.add([other, taken])
            }
            try expect(try await store.ids(TripCriteria()), equals: [], "the IDs of all trips")
            try await store.add([before])
            try await store.update(before.id, by: before.author.id) { _ in nil }
            try await expect(.conflict(.trip(before.id)), from: "adding it after a second removal") {
                try await store.add([taken])
            }
        },
        check("the next page is correct after the last trip of a page is removed") { store in
            let ids = try await TripRepositoryContract.addAtOnce(12, to: store).sorted(by: >)
            let first = try await store.search(TripQuery(TripCriteria(), viewer: nil, limit: 5))
            if let last = first.trips.last { try await store.update(last.id, by: last.author.id) { _ in nil } }
            let rest = try await store.search(TripQuery(TripCriteria(), viewer: nil, after: first.next))
            try expect(rest.trips.map(\.id), equals: Array(ids[5...]), "the next page")
        },
    ]

    private static let refusals: [ContractCheck<Subject>] = [
        check("an unknown trip cannot be changed") { store in
            let id = Trip.ID(seed: 5)
            try await expect(.notFound(.trip(id)), from: "the edit") {
                try await store.update(id, by: User.ID(seed: 5)) { $0 }
            }
        },
        check("only the author can change or remove a trip, and a refused edit changes nothing") { store in
            let before = try await addBusan(to: store)
            try await store.add(TripBuilder(seed: 2))
            for user in [User.ID(seed: 2), User.ID(seed: 3)] {
                for removes in [true, false] {
                    try await expect(.forbidden(.trip(before.id)), from: "the edit") {
                        try await store.update(before.id, by: user) { removes ? nil : $0 }
                    }
                }
            }
            try await expectUnchanged(before, in: store)
        },
        check("an edit that is not allowed does not call its change") { store in
            let before = try await addBusan(to: store)
            let error = TravelError.invalid(.init(.title, .empty))
            try await expect(.forbidden(.trip(before.id)), from: "the edit") {
                try await store.update(before.id, by: User.ID(seed: 2)) { _ throws(TravelError) in throw error }
            }
            let missing = Trip.ID(seed: 2)
            try await expect(.notFound(.trip(missing)), from: "the edit of an unknown trip") {
                try await store.update(missing, by: before.author.id) { _ throws(TravelError) in throw error }
            }
        },
        check("the change receives the current content, timeline, author and time of recording") { store in
            let before = try await addBusan(to: store)
            let entry = try TripRepositoryContract.entry(30)
            try await edit(before, in: store) { trip throws(TravelError) in try trip.saving(entry) }
            let expected = try before.saving(entry).revision(of: before)
            try await edit(before, in: store) { trip throws(TravelError) in
                guard trip == expected else { throw TravelError.notFound(.trip(trip.id)) }
                return trip
            }
        },
        check("an edit rethrows the error of its change and changes nothing") { store in
            let before = try await addBusan(to: store)
            for error in [
                TravelError.invalid(.init(.title, .empty)), .notFound(.entry(TimelineEntry.ID(seed: 3))),
                .forbidden(.user(User.ID(seed: 3))),
            ] {
                try await expect(error, from: "the edit") {
                    try await edit(before, in: store) { _ throws(TravelError) in throw error }
                }
            }
            try await expectUnchanged(before, in: store)
        },
        check("an edit in a cancelled task throws CancellationError and changes nothing") { store in
            let before = try await addBusan(to: store)
            try await expectCancellation(of: "an edit") {
                try await store.update(before.id, by: before.author.id) { _ in nil }
            }
            try await expectUnchanged(before, in: store)
        },
    ]

    /// Adds a trip with two days and two entries, by the user of seed 1.
    static func addBusan(to store: Subject) async throws -> RecordedTrip {
        let recorded = try TripBuilder(seed: 1).with {
            $0.title = "부산 밤바다"
            $0.region = .busan
            $0.numberOfDays = 2
            $0.timeline = [try TripRepositoryContract.entry(10), try TripRepositoryContract.entry(20)]
        }.build()
        try await store.add([recorded])
        return recorded
    }

    private static func edit(
        _ trip: RecordedTrip, in store: Subject,
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip
    ) async throws {
        try await store.update(trip.id, by: trip.author.id) { trip throws(TravelError) in try change(trip) }
    }

    static func expectUnchanged(_ trip: RecordedTrip, in store: Subject) async throws {
        let found = try await store.trip(trip.id, viewer: nil)
        try expect(found.content, equals: trip.content, "the content afterwards")
        try expect(
            try await store.timeline(of: trip.id, viewer: nil), equals: trip.timeline, "the timeline afterwards")
        let keyword = Keyword(trip.content.title.text)
        try expect(
            try await store.ids(TripCriteria(keyword: keyword)), equals: [trip.id], "the trips found by its title"
        )
    }

    private static func expectTitles(_ titles: [String], for text: String, in store: Subject) async throws {
        guard let keyword = Keyword(text) else { return }
        try expect(
            try await store.titles(containing: keyword, viewer: nil, limit: 10).map(\.text), equals: titles,
            "the titles that contain '\(text)'")
    }
}
