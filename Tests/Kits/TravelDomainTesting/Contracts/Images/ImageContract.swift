public import TravelDomain

/// The contract of images, thumbnails and pictures of people, as checks for any implementation that also stores and
/// edits travels.
///
/// Each check requires a new, empty repository. `ContractCheck` shows how to run them.
///
/// ```swift
/// @Test(arguments: ImageContract.checks)
/// func fulfilsItsContract(check: ContractCheck<ImageContract.Subject>) async throws {
///     try await check.run { InMemoryTravelRepository() }
/// }
/// ```
public enum ImageContract {
    /// An implementation of all these protocols.
    public typealias Subject = any ImageRepository & TravelRepository & TravelEditingRepository & ModerationRepository
        & UserRepository

    /// All checks.
    public static let checks: [ContractCheck<Subject>] =
        roundTrips + thumbnails + removals + additions + refusals + lookups + avatars

    static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("images", promise, body)
    }

    private static let roundTrips: [ContractCheck<Subject>] = [
        check("an image is returned byte for byte to every viewer") { store in
            let image = try TravelImage(seed: 1, size: 1_000)
            let travel = try await add([try entry(1, showing: image)], with: [image], to: store)
            for viewer in [nil, travel.author.id, User.ID(seed: 77)] {
                try await expectImages([image], in: store, viewer: viewer)
            }
            try expect(try await store.timeline(of: travel.id, viewer: nil), equals: travel.timeline, "the timeline")
        },
        check("images of 8 bytes and of 10 MiB are returned") { store in
            let images = [try TravelImage(seed: 1, size: 8), try TravelImage(seed: 2, size: TravelImage.maximumSize)]
            let entries = [try entry(1, showing: images[0]), try entry(2, showing: images[1])]
            try await add(entries, with: images, to: store)
            try await expectImages(images, in: store)
        },
        check("200 images are all stored") { store in
            let images = try (0..<200).map { try TravelImage(seed: $0) }
            try await add(try images.enumerated().map { try entry(UInt64($0), showing: $1) }, with: images, to: store)
            try await expectImages(images, in: store)
        },
        check("several entries and the thumbnail can show the same image") { store in
            let image = try TravelImage(seed: 1)
            let travel = try await add(
                [try entry(1, showing: image), try entry(2, showing: image)], thumbnail: image, with: [image], to: store
            )
            try await edit(travel, in: store) { travel throws(TravelError) in try travel.removing(entryID(1)) }
            try await expectImages([image], in: store)
            try await edit(travel, in: store) { travel throws(TravelError) in try travel.removing(entryID(2)) }
            try await expectImages([image], in: store)
            try await expectThumbnail(image, of: travel, in: store)
        },
    ]

    private static let lookups: [ContractCheck<Subject>] = [
        check("an unknown image is not found") { store in
            try await expectMissing([TravelImage(seed: 1)], in: store)
        },
        check("the images of a hidden travel are visible to its author only") { store in
            let image = try TravelImage(seed: 1)
            let travel = try await add([try entry(1, showing: image)], with: [image], to: store)
            try await store.add((2...7).map { try TravelBuilder(seed: $0).build() })
            for person in UInt64(2)...7 { try await store.report(travel.id, by: User.ID(seed: person)) }
            for viewer in [nil, User.ID(seed: 2), User.ID(seed: 77)] {
                try await expectMissing([image], in: store, viewer: viewer)
            }
            try await expectImages([image], in: store, viewer: travel.author.id)
        },
        check("the images of a blocked author are hidden only from the person who blocked them") { store in
            let image = try TravelImage(seed: 1)
            let travel = try await add([try entry(1, showing: image)], with: [image], to: store)
            try await store.add((2...3).map { try TravelBuilder(seed: $0).build() })
            try await store.block(travel.author.id, by: User.ID(seed: 2))
            try await expectMissing([image], in: store, viewer: User.ID(seed: 2))
            try await expectImages([image], in: store, viewer: User.ID(seed: 3))
            try await store.unblock(travel.author.id, by: User.ID(seed: 2))
            try await expectImages([image], in: store, viewer: User.ID(seed: 2))
        },
        check("a lookup in a cancelled task throws CancellationError") { store in
            let image = try TravelImage(seed: 1)
            try await add([try entry(1, showing: image)], with: [image], to: store)
            try await expectCancellation(of: "a lookup") { _ = try await store.image(image.id, viewer: nil) }
        },
    ]
}
