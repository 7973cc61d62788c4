import TravelDomain

extension TravelObservingContract {
    static let days: [ContractCheck<Subject>] = [
        day("a day is emitted immediately, and again when one of its entries is added, replaced or deleted") {
            store, inbox in
            try expect(try await inbox.next().map(\.id), equals: entryIDs(1, 2), "the second day")
            try await save(entry(3, day: 2, minutes: 0), in: store)
            try expect(try await inbox.next().map(\.id), equals: entryIDs(3, 1, 2), "the day with a new entry")
            try await save(entry(1, day: 2, minutes: 1_000), in: store)
            try expect(try await inbox.next().map(\.id), equals: entryIDs(3, 2, 1), "the day in another order")
            try await edit(in: store) { travel throws(TravelError) in try travel.removing(entryID(2)) }
            try expect(try await inbox.next().map(\.id), equals: entryIDs(3, 1), "the day without an entry")
        },
        day("changes to other days, travels and likes do not emit a day again") { store, inbox in
            _ = try await inbox.next()
            try await save(entry(4, day: 1), in: store)
            try await save(entry(5, day: 3), in: store)
            try await edit(in: store) { travel throws(TravelError) in try travel.removing(entryID(4)) }
            try await edit(in: store) { travel throws(TravelError) in
                var content = travel.content
                content.title = try Title("바다")
                return try travel.with(content)
            }
            try await store.setLiked(true, travel: first, by: viewer)
            try await store.add([TravelBuilder(seed: 8).with { $0.timeline = [try entry(8, day: 1)] }.build()])
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
        day("a day without entries and a day that the travel does not have are empty") { store, inbox in
            _ = try await inbox.next()
            for day in [1, 4, 0, -1] {
                try await watch(store.observeTimeline(of: first, day: day, viewer: nil)) { inbox in
                    try expect(try await inbox.next(), equals: [], "day \(day)")
                }
            }
        },
        day("a day can be observed before the travel has it") { store, inbox in
            _ = try await inbox.next()
            try await watch(store.observeTimeline(of: first, day: 5, viewer: nil)) { inbox in
                try expect(try await inbox.next(), equals: [], "a day after the last")
                let added = try entry(9, day: 5)
                try await edit(in: store) { travel throws(TravelError) in
                    var content = travel.content
                    content.days = DayRange(content.days.first, days: 5)
                    return try travel.with(content).saving(added)
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
        day("the observation of a day throws notFound when the travel is removed") { store, inbox in
            _ = try await inbox.next()
            try await store.update(first, by: author) { _ in nil }
            try await expect(.notFound(.travel(first)), from: "the next value") { try await inbox.next() }
        },
        check("the observation of a day throws notFound when the travel does not exist") { store in
            let id = Travel.ID(seed: 50)
            try await watch(store.observeTimeline(of: id, day: 1, viewer: nil)) { inbox in
                try await expect(.notFound(.travel(id)), from: "the first value") { try await inbox.next() }
            }
        },
    ]

    /// A check that observes the second day of a travel of three days; that day has the entries of seeds 1 and 2.
    private static func day(
        _ promise: String, _ body: @escaping @Sendable (Subject, ObservedValues<[TimelineEntry]>) async throws -> Void
    ) -> ContractCheck<Subject> {
        check(promise) { store in
            let entries = [try entry(1, day: 2, minutes: 60), try entry(2, day: 2, minutes: 120)]
            try await edit(in: store) { travel throws(TravelError) in
                var content = travel.content
                content.days = DayRange(content.days.first, days: 3)
                return try travel.with(content).saving(entries[0]).saving(entries[1])
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
        try await edit(in: store) { travel throws(TravelError) in try travel.saving(entry) }
    }

    private static func edit(
        in store: Subject, _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel
    ) async throws {
        try await store.update(first, by: author) { travel throws(TravelError) in try change(travel) }
    }

    private static func entryID(_ seed: UInt64) -> TimelineEntry.ID { TimelineEntry.ID(seed: seed) }
    private static func entryIDs(_ seeds: UInt64...) -> [TimelineEntry.ID] { seeds.map(entryID) }
}
