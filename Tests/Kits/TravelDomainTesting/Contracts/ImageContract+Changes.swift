import TravelDomain

extension ImageContract {
    static let removals: [ContractCheck<Subject>] = [
        check("removing the last entry that shows an image removes the image only") { store in
            let images = [try TripImage(seed: 1), try TripImage(seed: 2)]
            let trip = try await add(
                [try entry(1, showing: images[0]), try entry(2, showing: images[1])], with: images, to: store)
            try await edit(trip, in: store) { trip throws(TravelError) in try trip.removing(entryID(1)) }
            try await expectMissing([images[0]], in: store)
            try await expectImages([images[1]], in: store)
        },
        check("replacing the image of an entry removes the old image") { store in
            let images = [try TripImage(seed: 1), try TripImage(seed: 2)]
            let trip = try await add([try entry(1, showing: images[0])], with: [images[0]], to: store)
            let rewritten = try entry(1, showing: images[1])
            try await edit(trip, adding: [images[1]], in: store) { trip throws(TravelError) in
                try trip.saving(rewritten)
            }
            try await expectMissing([images[0]], in: store)
            try await expectImages([images[1]], in: store)
            try await expectThumbnail(images[1], of: trip, in: store)
        },
        check("deleting a trip removes its images only") { store in
            let images = try (1...3).map { try TripImage(seed: $0) }
            let trip = try await add(
                [try entry(1, showing: images[0])], thumbnail: images[1], with: Array(images[0...1]), to: store)
            let other = try TripBuilder(seed: 2).with { $0.timeline = [try entry(2, showing: images[2])] }.build()
            try await store.add([other], images: [images[2]])
            try await store.update(trip.id, by: trip.author.id) { _ in nil }
            try await expectMissing(Array(images[0...1]), in: store)
            try await expectImages([images[2]], in: store)
        },
        check("removing a user removes the images of all their trips only") { store in
            let images = try (1...3).map { try TripImage(seed: $0) }
            let author = try User(seed: 9)
            let trips = try (0..<3).map { index in
                try TripBuilder(seed: UInt64(index), author: index < 2 ? author : nil).with {
                    $0.timeline = [try entry(UInt64(index), showing: images[index])]
                }.build()
            }
            try await store.add(trips, images: images)
            try await store.removeUser(author.id, by: author.id)
            try await expectMissing(Array(images[0...1]), in: store)
            try await expectImages([images[2]], in: store)
        },
        check("a removed image can be added again with the same ID and other bytes") { store in
            let image = try TripImage(seed: 1)
            for size in [10, 20, 15] {
                let again = try TripImage(id: image.id, bytes: TripImage(seed: UInt64(size), size: size).bytes)
                let trip = try await add([try entry(1, showing: again)], with: [again], to: store)
                try await expectImages([again], in: store)
                try await store.update(trip.id, by: trip.author.id) { _ in nil }
                try await expectMissing([again], in: store)
            }
        },
    ]

    static let additions: [ContractCheck<Subject>] = [
        check("images that no trip shows are not stored") { store in
            let images = try (1...4).map { try TripImage(seed: $0) }
            let trip = try await add(
                [try entry(1, showing: images[0])], with: [images[0], images[1]], to: store)
            try await edit(trip, adding: [images[2], images[3]], in: store) { trip throws(TravelError) in trip }
            try await expectImages([images[0]], in: store)
            try await expectMissing(Array(images[1...]), in: store)
        },
        check("passing an image that the trip already has leaves it unchanged") { store in
            let image = try TripImage(seed: 1)
            let trip = try await add([try entry(1, showing: image)], with: [image], to: store)
            let other = try TripImage(id: image.id, bytes: TripImage(seed: 2, size: 30).bytes)
            let added = try entry(2, showing: image)
            try await edit(trip, adding: [other], in: store) { trip throws(TravelError) in try trip.saving(added)
            }
            try await expectImages([image], in: store)
        },
        check("an image that was not stored can be added later") { store in
            let image = try TripImage(seed: 1)
            let trip = try await add([], with: [image], to: store)
            let shown = try entry(1, showing: image)
            try await edit(trip, adding: [image], in: store) { trip throws(TravelError) in try trip.saving(shown)
            }
            try await expectImages([image], in: store)
        },
        check("images that several tasks add concurrently are all stored") { store in
            let trip = try await add([], with: [], to: store)
            let images = try (1...12).map { try TripImage(seed: $0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (seed, image) in images.enumerated() {
                    let shown = try entry(UInt64(seed), showing: image)
                    group.addTask {
                        try await edit(trip, adding: [image], in: store) { trip throws(TravelError) in
                            try trip.saving(shown)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await expectImages(images, in: store)
        },
        check("an edit without new images keeps the existing ones") { store in
            let images = [try TripImage(seed: 1), try TripImage(seed: 2)]
            let trip = try await add(
                [try entry(1, showing: images[0])], thumbnail: images[1], with: images, to: store)
            var content = trip.content
            content.title = try Title("제주 산책")
            let (changed, added) = (content, try entry(2))
            try await edit(trip, in: store) { trip throws(TravelError) in try trip.with(changed).saving(added) }
            try await expectImages(images, in: store)
            try await expectThumbnail(images[1], of: trip, in: store)
        },
    ]
}

extension ImageContract {
    static let refusals: [ContractCheck<Subject>] = [
        check("an entry cannot show an unknown image, and nothing changes") { store in
            let kept = try TripImage(seed: 1)
            let trip = try await add([try entry(1, showing: kept)], with: [kept], to: store)
            let (missing, brought) = (try TripImage(seed: 2), try TripImage(seed: 3))
            let (shown, other) = (try entry(1, showing: missing), try entry(2, showing: brought))
            try await expect(.notFound(.image(missing.id)), from: "the edit") {
                try await edit(trip, adding: [brought], in: store) { trip throws(TravelError) in
                    try trip.saving(shown).saving(other)
                }
            }
            try await expectUnchanged(trip, [kept], without: [brought], in: store)
        },
        check("a new trip cannot show an unknown image, and nothing is added") { store in
            let (missing, brought) = (try TripImage(seed: 2), try TripImage(seed: 3))
            let trips = [
                try TripBuilder(seed: 1).with { $0.timeline = [try entry(1, showing: brought)] }.build(),
                try TripBuilder(seed: 2).with { $0.thumbnail = missing.id }.build(),
            ]
            try await expect(.notFound(.image(missing.id)), from: "the addition") {
                try await store.add(trips, images: [brought])
            }
            try expect(try await store.ids(TripCriteria()), equals: [], "the IDs of all trips")
            try await expectMissing([brought], in: store)
        },
        check("a trip cannot show an image of another trip, and nothing changes") { store in
            let images = [try TripImage(seed: 1), try TripImage(seed: 2)]
            let trip = try await add([try entry(1, showing: images[0])], with: [images[0]], to: store)
            let other = try TripBuilder(seed: 2).with { $0.timeline = [try entry(2, showing: images[1])] }.build()
            try await store.add([other], images: [images[1]])
            let shown = try entry(1, showing: images[1])
            try await expect(.notFound(.image(images[1].id)), from: "the edit") {
                try await edit(trip, in: store) { trip throws(TravelError) in try trip.saving(shown) }
            }
            try await expect(.conflict(.image(images[1].id)), from: "the edit that adds it") {
                try await edit(trip, adding: [images[1]], in: store) { trip throws(TravelError) in
                    try trip.saving(shown)
                }
            }
            try await expectUnchanged(trip, [images[0]], in: store)
            try await expectUnchanged(other, [images[1]], in: store)
        },
        check("adding an existing image throws a conflict and stores nothing") { store in
            let images = [try TripImage(seed: 1), try TripImage(seed: 2)]
            let trip = try await add([try entry(1, showing: images[0])], with: [images[0]], to: store)
            let again = try TripBuilder(seed: 2).with {
                $0.timeline = [try entry(2, showing: images[1]), try entry(3, showing: images[0])]
            }.build()
            try await expect(.conflict(.image(images[0].id)), from: "the addition") {
                try await store.add([again], images: images)
            }
            try await expectUnchanged(trip, [images[0]], without: [images[1]], in: store)
        },
        check("two new trips cannot show the same image") { store in
            let image = try TripImage(seed: 1)
            let trips = try (1...2).map { seed in
                try TripBuilder(seed: seed).with { $0.timeline = [try entry(seed, showing: image)] }.build()
            }
            try await expect(.conflict(.image(image.id)), from: "the addition") {
                try await store.add(trips, images: [image])
            }
            try expect(try await store.ids(TripCriteria()), equals: [], "the IDs of all trips")
        },
        check("adding the same image twice throws a conflict") { store in
            let image = try TripImage(seed: 1)
            try await expect(.conflict(.image(image.id)), from: "the addition") {
                try await add([try entry(1, showing: image)], with: [image, image], to: store)
            }
            try await expectMissing([image], in: store)
        },
        check("only the author can add, replace or remove images, and a refused edit changes nothing") { store in
            let (kept, brought) = (try TripImage(seed: 1), try TripImage(seed: 2))
            let trip = try await add([try entry(1, showing: kept)], with: [kept], to: store)
            try await store.add(TripBuilder(seed: 2))
            let (rewritten, added) = (try entry(1, showing: brought), try entry(2, showing: brought))
            let attempts = [
                try trip.saving(added), try trip.saving(rewritten), try trip.removing(entryID(1)), nil,
            ]
            for user in [User.ID(seed: 2), User.ID(seed: 3)] {
                for changed in attempts {
                    try await expect(.forbidden(.trip(trip.id)), from: "the edit") {
                        try await store.update(trip.id, by: user, adding: [brought]) { _ in changed }
                    }
                }
            }
            try await expectUnchanged(trip, [kept], without: [brought], in: store)
        },
        check("an edit rethrows the error of its change, and no image is added or removed") { store in
            let (kept, brought) = (try TripImage(seed: 1), try TripImage(seed: 2))
            let trip = try await add([try entry(1, showing: kept)], with: [kept], to: store)
            let error = TravelError.invalid(.init(.title, .empty))
            try await expect(error, from: "the edit") {
                try await edit(trip, adding: [brought], in: store) { _ throws(TravelError) in throw error }
            }
            try await expectUnchanged(trip, [kept], without: [brought], in: store)
        },
        check("an edit in a cancelled task throws CancellationError, and no image is added or removed") { store in
            let (kept, brought) = (try TripImage(seed: 1), try TripImage(seed: 2))
            let trip = try await add([try entry(1, showing: kept)], with: [kept], to: store)
            let rewritten = try entry(1, showing: brought)
            try await expectCancellation(of: "an edit") {
                try await edit(trip, adding: [brought], in: store) { trip throws(TravelError) in
                    try trip.saving(rewritten)
                }
            }
            try await expectUnchanged(trip, [kept], without: [brought], in: store)
        },
    ]

    private static func expectUnchanged(
        _ trip: RecordedTrip, _ images: [TripImage], without others: [TripImage] = [], in store: Subject
    ) async throws {
        try expect(try await store.timeline(of: trip.id, viewer: nil), equals: trip.timeline, "the timeline")
        try await expectImages(images, in: store)
        try await expectMissing(others, in: store)
        try expect(
            try await store.trip(trip.id, viewer: nil).thumbnail, equals: trip.thumbnail, "the thumbnail")
    }
}

extension ImageContract {
    static func entryID(_ seed: UInt64) -> TimelineEntry.ID { TimelineEntry.ID(seed: seed) }

    static func entry(
        _ seed: UInt64, day: Int = 1, minutes: Int = 540, showing image: TripImage? = nil
    ) throws -> TimelineEntry {
        try TimelineEntry(
            id: entryID(seed), day: day, time: TimeOfDay(minutesSinceMidnight: minutes), title: Title("Entry"),
            text: EntryText("Text"), pictures: image.map { [Picture($0.id)] } ?? [])
    }

    /// Adds the trip of seed 1, with three days and these entries.
    @discardableResult
    static func add(
        _ entries: [TimelineEntry], thumbnail: TripImage? = nil, with images: [TripImage], to store: Subject
    ) async throws -> RecordedTrip {
        let trip = try TripBuilder(seed: 1).with {
            $0.numberOfDays = 3
            $0.timeline = entries
            $0.thumbnail = thumbnail?.id
        }.build()
        try await store.add([trip], images: images)
        return trip
    }

    static func edit(
        _ trip: RecordedTrip, adding images: [TripImage] = [], in store: Subject,
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip
    ) async throws {
        try await store.update(trip.id, by: trip.author.id, adding: images) { trip throws(TravelError) in
            try change(trip)
        }
    }

    /// Expects the trip to have that thumbnail in a lookup and in searches of both orders.
    static func expectThumbnail(
        _ image: TripImage?, of trip: RecordedTrip, in store: Subject
    ) async throws {
        try expect(try await store.trip(trip.id, viewer: nil).thumbnail, equals: image?.id, "the thumbnail")
        for sort in TripSort.allCases {
            let page = try await store.search(TripQuery(TripCriteria(sort: sort), viewer: nil))
            let found = page.trips.first { $0.id == trip.id }
            try expect(found?.thumbnail, equals: image?.id, "the thumbnail in a search")
        }
    }

    static func expectImages(_ images: [TripImage], in store: Subject, viewer: User.ID? = nil) async throws {
        for image in images {
            let found = try await store.image(image.id, viewer: viewer)
            try expect(found == image, "expected image \(image.id); found another one with \(found.bytes.count) bytes")
        }
    }

    static func expectMissing(_ images: [TripImage], in store: Subject, viewer: User.ID? = nil) async throws {
        for image in images {
            try await expect(.notFound(.image(image.id)), from: "the lookup of the image") {
                try await store.image(image.id, viewer: viewer)
            }
        }
    }
}
