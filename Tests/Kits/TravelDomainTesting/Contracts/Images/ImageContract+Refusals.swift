import TravelDomain

extension ImageContract {
    static let refusals: [ContractCheck<Subject>] = [
        check("an entry cannot show an unknown image, and nothing changes") { store in
            let kept = try TravelImage(seed: 1)
            let travel = try await add([try entry(1, showing: kept)], with: [kept], to: store)
            let (missing, brought) = (try TravelImage(seed: 2), try TravelImage(seed: 3))
            let (shown, other) = (try entry(1, showing: missing), try entry(2, showing: brought))
            try await expect(.notFound(.image(missing.id)), from: "the edit") {
                try await edit(travel, adding: [brought], in: store) { travel throws(TravelError) in
                    try travel.saving(shown).saving(other)
                }
            }
            try await expectUnchanged(travel, [kept], without: [brought], in: store)
        },
        check("a new travel cannot show an unknown image, and nothing is added") { store in
            let (missing, brought) = (try TravelImage(seed: 2), try TravelImage(seed: 3))
            let travels = [
                try TravelBuilder(seed: 1).with { $0.timeline = [try entry(1, showing: brought)] }.build(),
                try TravelBuilder(seed: 2).with { $0.thumbnail = missing.id }.build(),
            ]
            try await expect(.notFound(.image(missing.id)), from: "the addition") {
                try await store.add(travels, images: [brought])
            }
            try expect(try await store.ids(TravelCriteria()), equals: [], "the IDs of all travels")
            try await expectMissing([brought], in: store)
        },
        check("a travel cannot show an image of another travel, and nothing changes") { store in
            let images = [try TravelImage(seed: 1), try TravelImage(seed: 2)]
            let travel = try await add([try entry(1, showing: images[0])], with: [images[0]], to: store)
            let other = try TravelBuilder(seed: 2).with { $0.timeline = [try entry(2, showing: images[1])] }.build()
            try await store.add([other], images: [images[1]])
            let shown = try entry(1, showing: images[1])
            try await expect(.notFound(.image(images[1].id)), from: "the edit") {
                try await edit(travel, in: store) { travel throws(TravelError) in try travel.saving(shown) }
            }
            try await expect(.conflict(.image(images[1].id)), from: "the edit that adds it") {
                try await edit(travel, adding: [images[1]], in: store) { travel throws(TravelError) in
                    try travel.saving(shown)
                }
            }
            try await expectUnchanged(travel, [images[0]], in: store)
            try await expectUnchanged(other, [images[1]], in: store)
        },
        check("adding an existing image throws a conflict and stores nothing") { store in
            let images = [try TravelImage(seed: 1), try TravelImage(seed: 2)]
            let travel = try await add([try entry(1, showing: images[0])], with: [images[0]], to: store)
            let again = try TravelBuilder(seed: 2).with {
                $0.timeline = [try entry(2, showing: images[1]), try entry(3, showing: images[0])]
            }.build()
            try await expect(.conflict(.image(images[0].id)), from: "the addition") {
                try await store.add([again], images: images)
            }
            try await expectUnchanged(travel, [images[0]], without: [images[1]], in: store)
        },
        check("two new travels cannot show the same image") { store in
            let image = try TravelImage(seed: 1)
            let travels = try (1...2).map { seed in
                try TravelBuilder(seed: seed).with { $0.timeline = [try entry(seed, showing: image)] }.build()
            }
            try await expect(.conflict(.image(image.id)), from: "the addition") {
                try await store.add(travels, images: [image])
            }
            try expect(try await store.ids(TravelCriteria()), equals: [], "the IDs of all travels")
        },
        check("adding the same image twice throws a conflict") { store in
            let image = try TravelImage(seed: 1)
            try await expect(.conflict(.image(image.id)), from: "the addition") {
                try await add([try entry(1, showing: image)], with: [image, image], to: store)
            }
            try await expectMissing([image], in: store)
        },
        check("only the author can add, replace or remove images, and a refused edit changes nothing") { store in
            let (kept, brought) = (try TravelImage(seed: 1), try TravelImage(seed: 2))
            let travel = try await add([try entry(1, showing: kept)], with: [kept], to: store)
            try await store.add(TravelBuilder(seed: 2))
            let (rewritten, added) = (try entry(1, showing: brought), try entry(2, showing: brought))
            let attempts = [
                try travel.saving(added), try travel.saving(rewritten), try travel.removing(entryID(1)), nil,
            ]
            for person in [User.ID(seed: 2), User.ID(seed: 3)] {
                for changed in attempts {
                    try await expect(.forbidden(.travel(travel.id)), from: "the edit") {
                        try await store.update(travel.id, by: person, adding: [brought]) { _ in changed }
                    }
                }
            }
            try await expectUnchanged(travel, [kept], without: [brought], in: store)
        },
        check("an edit rethrows the error of its change, and no image is added or removed") { store in
            let (kept, brought) = (try TravelImage(seed: 1), try TravelImage(seed: 2))
            let travel = try await add([try entry(1, showing: kept)], with: [kept], to: store)
            let error = TravelError.invalid(.init(.title, .empty))
            try await expect(error, from: "the edit") {
                try await edit(travel, adding: [brought], in: store) { _ throws(TravelError) in throw error }
            }
            try await expectUnchanged(travel, [kept], without: [brought], in: store)
        },
        check("an edit in a cancelled task throws CancellationError, and no image is added or removed") { store in
            let (kept, brought) = (try TravelImage(seed: 1), try TravelImage(seed: 2))
            let travel = try await add([try entry(1, showing: kept)], with: [kept], to: store)
            let rewritten = try entry(1, showing: brought)
            try await expectCancellation(of: "an edit") {
                try await edit(travel, adding: [brought], in: store) { travel throws(TravelError) in
                    try travel.saving(rewritten)
                }
            }
            try await expectUnchanged(travel, [kept], without: [brought], in: store)
        },
    ]

    private static func expectUnchanged(
        _ travel: RecordedTravel, _ images: [TravelImage], without others: [TravelImage] = [], in store: Subject
    ) async throws {
        try expect(try await store.timeline(of: travel.id, viewer: nil), equals: travel.timeline, "the timeline")
        try await expectImages(images, in: store)
        try await expectMissing(others, in: store)
        try expect(
            try await store.travel(travel.id, viewer: nil).thumbnail, equals: travel.thumbnail, "the thumbnail")
    }
}
