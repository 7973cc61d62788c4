import TravelDomain

extension TripEditingContract {
    private static let later = Date(timeIntervalSinceReferenceDate: 800_000_000.1)

    static let versions: [ContractCheck<Subject>] = counting + expecting

    private static let counting: [ContractCheck<Subject>] = [
        check("each change of content or timeline increases the version, and stores its time") { store in
            let before = try await addBusan(to: store)
            try await expectVersion(1, before.createdAt, of: before, in: store)
            let (content, entry) = (try renamed(before), try TripRepositoryContract.entry(30))
            let author = before.author.id
            try await store.update(before.id, by: author) { trip throws(TravelError) in
                try trip.with(content, at: later)
            }
            try await expectVersion(2, later, of: before, in: store)
            try await store.update(before.id, by: author) { trip throws(TravelError) in
                try trip.saving(entry, at: later.addingTimeInterval(60))
            }
            try await expectVersion(3, later.addingTimeInterval(60), of: before, in: store)
            try await store.update(before.id, by: author) { trip throws(TravelError) in
                try trip.removing(entry.id, at: later.addingTimeInterval(30))
            }
            try await expectVersion(4, later.addingTimeInterval(30), of: before, in: store)
        },
        check("an edit that changes nothing keeps the version and the time of the last change") { store in
            let before = try await addBusan(to: store)
            let content = try renamed(before)
            try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in
                try trip.with(content, at: later)
            }
            for _ in 0..<2 {
                try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in
                    try trip.with(content, at: later.addingTimeInterval(60))
                }
            }
            try await store.update(before.id, by: before.author.id) { $0 }
            try await expectVersion(2, later, of: before, in: store)
        },
        check("likes keep the version and the time of the last change") { store in
            let before = try await addBusan(to: store)
            try await store.setLiked(true, trip: before.id, by: before.author.id)
            try await store.setLiked(false, trip: before.id, by: before.author.id)
            try await expectVersion(1, before.createdAt, of: before, in: store)
        },
        check("an edit returns the trip as it is stored, and a removal nothing") { store in
            let before = try await addBusan(to: store)
            let content = try renamed(before)
            let expected = try before.with(content, at: later).revision(of: before)
            for _ in 0..<2 {
                let edited = try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in
                    try trip.with(content, at: later)
                }
                try expect(edited, equals: expected, "the returned trip")
            }
            let removed = try await store.update(before.id, by: before.author.id) { _ in nil }
            try expect(removed, equals: nil, "what the removal returned")
        },
    ]

    private static let expecting: [ContractCheck<Subject>] = [
        check("an edit of another version throws the current trip without calling its change") { store in
            let before = try await addBusan(to: store)
            let entry = try TripRepositoryContract.entry(30)
            try await store.update(before.id, by: before.author.id) { trip throws(TravelError) in
                try trip.saving(entry, at: later)
            }
            let current = try before.saving(entry, at: later).revision(of: before)
            for expected in [TripVersion.first, current.version.next] {
                for removes in [true, false] {
                    try await expect(.outdated(current), from: "the edit") {
                        try await store.update(before.id, expecting: expected, by: before.author.id, adding: []) {
                            _ throws(TravelError) in
                            if removes { return nil }
                            throw .forbidden(.trip(before.id))
                        }
                    }
                }
            }
            try expect(
                try await store.timeline(of: before.id, viewer: nil), equals: current.timeline,
                "the timeline afterwards")
            try await expectVersion(2, later, of: before, in: store)
        },
        check("an edit of the current version is stored") { store in
            let before = try await addBusan(to: store)
            let entry = try TripRepositoryContract.entry(30)
            let edited = try await store.update(before.id, expecting: .first, by: before.author.id, adding: []) {
                trip throws(TravelError) in try trip.saving(entry, at: later)
            }
            try await store.update(before.id, expecting: edited?.version, by: before.author.id, adding: []) {
                trip throws(TravelError) in try trip.removing(entry.id)
            }
            try await expectVersion(3, later, of: before, in: store)
            let third = TripVersion.first.next.next
            try await store.update(before.id, expecting: third, by: before.author.id, adding: []) { _ in nil }
            try await expect(.notFound(.trip(before.id)), from: "the trip") {
                try await store.trip(before.id, viewer: nil)
            }
        },
        check("someone else's edit is forbidden, whichever version it expects") { store in
            let before = try await addBusan(to: store)
            for version in [TripVersion.first, .first.next] {
                try await expect(.forbidden(.trip(before.id)), from: "the edit") {
                    try await store.update(before.id, expecting: version, by: User.ID(seed: 2), adding: []) { $0 }
                }
            }
            try await expectUnchanged(before, in: store)
        },
        check("of several tasks that expect the same version, exactly one changes the trip") { store in
            let before = try await addBusan(to: store)
            let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
                for seed in UInt64(100)..<110 {
                    let entry = try TripRepositoryContract.entry(seed)
                    group.addTask {
                        do {
                            try await store.update(before.id, expecting: .first, by: before.author.id, adding: []) {
                                trip throws(TravelError) in try trip.saving(entry)
                            }
                            return true
                        } catch TravelError.outdated {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expect(successes, equals: 1, "the number of tasks that changed the trip")
            try expect(try await store.timeline(of: before.id, viewer: nil).count, equals: 3, "the number of entries")
        },
    ]

    private static func renamed(_ trip: RecordedTrip) throws -> TripContent {
        var content = trip.content
        content.title = try Title("제주 산책")
        return content
    }

    private static func expectVersion(
        _ number: Int, _ time: Date, of trip: RecordedTrip, in store: Subject
    ) async throws {
        for trip in [
            try await store.trip(trip.id, viewer: nil),
            try await store.search(TripQuery(TripCriteria(), viewer: nil)).trips.first,
        ] {
            try expect(trip?.version.number, equals: number, "the version")
            try expect(trip?.updatedAt, equals: time, "the time of the last change")
        }
    }
}
