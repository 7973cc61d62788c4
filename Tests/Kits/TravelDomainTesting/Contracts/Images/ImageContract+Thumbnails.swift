import TravelDomain

extension ImageContract {
    static let thumbnails: [ContractCheck<Subject>] = [
        check("a travel without an image has no thumbnail") { store in
            let travel = try await add([try entry(1)], with: [], to: store)
            try await expectThumbnail(nil, of: travel, in: store)
        },
        check("the thumbnail is the first image of the timeline by day and time, regardless of insertion order") {
            store in
            let images = try (0..<4).map { try TravelImage(seed: $0) }
            let travel = try await add(
                [
                    try entry(1, day: 2, minutes: 0, showing: images[1]), try entry(2, day: 1, minutes: 700),
                    try entry(3, day: 1, minutes: 900, showing: images[2]),
                    try entry(4, day: 1, minutes: 899, showing: images[3]),
                    try entry(5, day: 3, minutes: 5, showing: images[0]),
                ], with: images, to: store)
            try await expectThumbnail(images[3], of: travel, in: store)
        },
        check("of two entries in the same minute, the one with the lesser ID provides the thumbnail") { store in
            let images = [try TravelImage(seed: 1), try TravelImage(seed: 2)]
            let entries = [
                try entry(1, minutes: 60, showing: images[0]), try entry(2, minutes: 60, showing: images[1]),
            ]
            let travel = try await add(entries, with: images, to: store)
            let first = entries.min { $0.id < $1.id }
            try await expectThumbnail(images.first { $0.id == first?.image }, of: travel, in: store)
        },
        check("deleting the entry of the thumbnail selects the next image, or none after the last") { store in
            let images = try (1...3).map { try TravelImage(seed: $0) }
            let travel = try await add(
                [
                    try entry(1, day: 1, showing: images[0]), try entry(4, day: 1, minutes: 800),
                    try entry(2, day: 2, showing: images[1]), try entry(3, day: 3, showing: images[2]),
                ], with: images, to: store)
            for seed in UInt64(1)...3 {
                try await expectThumbnail(images[Int(seed) - 1], of: travel, in: store)
                try await edit(travel, in: store) { travel throws(TravelError) in try travel.removing(entryID(seed)) }
            }
            try await expectThumbnail(nil, of: travel, in: store)
        },
        check("moving an entry to the front makes its image the thumbnail") { store in
            let images = [try TravelImage(seed: 1), try TravelImage(seed: 2)]
            let travel = try await add(
                [try entry(1, day: 1, showing: images[0]), try entry(2, day: 2, showing: images[1])], with: images,
                to: store)
            let moved = try entry(2, day: 1, minutes: 0, showing: images[1])
            try await edit(travel, in: store) { travel throws(TravelError) in try travel.saving(moved) }
            try await expectThumbnail(images[1], of: travel, in: store)
        },
        check("the author's choice takes precedence over the timeline until it is withdrawn") { store in
            let (chosen, first) = (try TravelImage(seed: 1), try TravelImage(seed: 2))
            let travel = try await add(
                [try entry(1, showing: first)], thumbnail: chosen, with: [chosen, first], to: store)
            try await expectThumbnail(chosen, of: travel, in: store)
            try await edit(travel, in: store) { travel throws(TravelError) in try travel.removing(entryID(1)) }
            try await expectThumbnail(chosen, of: travel, in: store)
            let another = try TravelImage(seed: 3)
            try await show(another, of: travel, in: store)
            try await expectThumbnail(another, of: travel, in: store)
            try await expectMissing([chosen], in: store)
            try await show(nil, of: travel, in: store)
            try await expectThumbnail(nil, of: travel, in: store)
            try await expectMissing([another], in: store)
        },
        check("an image of the timeline can be chosen, and another one later") { store in
            let images = try (1...3).map { try TravelImage(seed: $0) }
            let travel = try await add(
                try images.enumerated().map { try entry(UInt64($0), day: $0 + 1, showing: $1) }, with: images, to: store
            )
            for image in [images[2], images[1], images[0], images[2]] {
                try await show(image, adding: [], of: travel, in: store)
                try await expectThumbnail(image, of: travel, in: store)
            }
            try await show(nil, of: travel, in: store)
            try await expectThumbnail(images[0], of: travel, in: store)
            try await expectImages(images, in: store)
        },
        check("each travel has its own thumbnail") { store in
            let images = try (1...3).map { try TravelImage(seed: $0) }
            let travels = [
                try TravelBuilder(seed: 1).with { $0.timeline = [try entry(1, showing: images[0])] }.build(),
                try TravelBuilder(seed: 2).build(),
                try TravelBuilder(seed: 3).with {
                    $0.timeline = [try entry(3, showing: images[1])]
                    $0.thumbnail = images[2].id
                }.build(),
            ]
            try await store.add(travels, images: images)
            for (travel, image) in zip(travels, [images[0], nil, images[2]]) {
                try await expectThumbnail(image, of: travel, in: store)
            }
        },
    ]

    /// Sets or clears the image that the author chose.
    private static func show(
        _ image: TravelImage?, adding images: [TravelImage]? = nil, of travel: RecordedTravel, in store: Subject
    ) async throws {
        try await store.update(travel.id, by: travel.author.id, adding: images ?? image.map { [$0] } ?? []) {
            travel throws(TravelError) in
            var content = travel.content
            content.thumbnail = image?.id
            return try travel.with(content)
        }
    }
}
