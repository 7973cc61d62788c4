import TravelDomain

extension ImageContract {
    static func entryID(_ seed: UInt64) -> TimelineEntry.ID { TimelineEntry.ID(seed: seed) }

    static func entry(
        _ seed: UInt64, day: Int = 1, minutes: Int = 540, showing image: TravelImage? = nil
    ) throws -> TimelineEntry {
        try TimelineEntry(
            id: entryID(seed), day: day, time: TimeOfDay(minutesSinceMidnight: minutes), title: Title("Entry"),
            text: EntryText("Text"), image: image?.id)
    }

    /// Adds the travel of seed 1, with three days and these entries.
    @discardableResult
    static func add(
        _ entries: [TimelineEntry], thumbnail: TravelImage? = nil, with images: [TravelImage], to store: Subject
    ) async throws -> RecordedTravel {
        let travel = try TravelBuilder(seed: 1).with {
            $0.numberOfDays = 3
            $0.timeline = entries
            $0.thumbnail = thumbnail?.id
        }.build()
        try await store.add([travel], images: images)
        return travel
    }

    static func edit(
        _ travel: RecordedTravel, adding images: [TravelImage] = [], in store: Subject,
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel
    ) async throws {
        try await store.update(travel.id, by: travel.author.id, adding: images) { travel throws(TravelError) in
            try change(travel)
        }
    }

    /// Expects the travel to have that thumbnail in a lookup and in searches of both orders.
    static func expectThumbnail(
        _ image: TravelImage?, of travel: RecordedTravel, in store: Subject
    ) async throws {
        try expect(try await store.travel(travel.id, viewer: nil).thumbnail, equals: image?.id, "the thumbnail")
        for sort in TravelSort.allCases {
            let page = try await store.search(TravelQuery(TravelCriteria(sort: sort), viewer: nil))
            let found = page.travels.first { $0.id == travel.id }
            try expect(found?.thumbnail, equals: image?.id, "the thumbnail in a search")
        }
    }

    static func expectImages(_ images: [TravelImage], in store: Subject, viewer: User.ID? = nil) async throws {
        for image in images {
            let found = try await store.image(image.id, viewer: viewer)
            try expect(found == image, "expected image \(image.id); found another one with \(found.bytes.count) bytes")
        }
    }

    static func expectMissing(_ images: [TravelImage], in store: Subject, viewer: User.ID? = nil) async throws {
        for image in images {
            try await expect(.notFound(.image(image.id)), from: "the lookup of the image") {
                try await store.image(image.id, viewer: viewer)
            }
        }
    }
}
