public import TravelDomain

/// The contract of images, thumbnails and pictures of people, as checks for any implementation that also stores and
/// edits trips.
///
/// Each check requires a new, empty repository. ``TripRepositoryContract`` shows how to run them.
public enum ImageContract {
    /// An implementation of all these protocols.
    public typealias Subject = any ImageRepository & TripRepository & TripEditingRepository & ModerationRepository
        & UserRepository

    public static let checks: [ContractCheck<Subject>] =
        roundTrips + pictures + thumbnails + removals + additions + refusals + lookups + avatars

    static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("images", promise, body)
    }

    private static let roundTrips: [ContractCheck<Subject>] = [
        check("an image is returned byte for byte to every viewer") { store in
            let image = try TripImage(seed: 1, size: 1_000)
            let trip = try await add([try entry(1, showing: image)], with: [image], to: store)
            for viewer in [nil, trip.author.id, User.ID(seed: 77)] {
                try await expectImages([image], in: store, viewer: viewer)
            }
            try expect(try await store.timeline(of: trip.id, viewer: nil), equals: trip.timeline, "the timeline")
        },
        check("images of 8 bytes and of 10 MiB are returned") { store in
            let images = [try TripImage(seed: 1, size: 8), try TripImage(seed: 2, size: TripImage.maximumSize)]
            let entries = [try entry(1, showing: images[0]), try entry(2, showing: images[1])]
            try await add(entries, with: images, to: store)
            try await expectImages(images, in: store)
        },
        check("200 images are all stored") { store in
            let images = try (0..<200).map { try TripImage(seed: $0) }
            try await add(try images.enumerated().map { try entry(UInt64($0), showing: $1) }, with: images, to: store)
            try await expectImages(images, in: store)
        },
        check("several entries and the thumbnail can show the same image") { store in
            let image = try TripImage(seed: 1)
            let trip = try await add(
                [try entry(1, showing: image), try entry(2, showing: image)], thumbnail: image, with: [image], to: store
            )
            try await edit(trip, in: store) { trip throws(TravelError) in try trip.removing(entryID(1)) }
            try await expectImages([image], in: store)
            try await edit(trip, in: store) { trip throws(TravelError) in try trip.removing(entryID(2)) }
            try await expectImages([image], in: store)
            try await expectThumbnail(image, of: trip, in: store)
        },
    ]

    private static let lookups: [ContractCheck<Subject>] = [
        check("an unknown image is not found") { store in
            try await expectMissing([TripImage(seed: 1)], in: store)
        },
        check("the images of a hidden trip are visible to its author only") { store in
            let image = try TripImage(seed: 1)
            let trip = try await add([try entry(1, showing: image)], with: [image], to: store)
            try await store.add((2...7).map { try TripBuilder(seed: $0).build() })
            for user in UInt64(2)...7 { try await store.report(trip.id, by: User.ID(seed: user)) }
            for viewer in [nil, User.ID(seed: 2), User.ID(seed: 77)] {
                try await expectMissing([image], in: store, viewer: viewer)
            }
            try await expectImages([image], in: store, viewer: trip.author.id)
        },
        check("the images of a blocked author are hidden only from the user who blocked them") { store in
            let image = try TripImage(seed: 1)
            let trip = try await add([try entry(1, showing: image)], with: [image], to: store)
            try await store.add((2...3).map { try TripBuilder(seed: $0).build() })
            try await store.block(trip.author.id, by: User.ID(seed: 2))
            try await expectMissing([image], in: store, viewer: User.ID(seed: 2))
            try await expectImages([image], in: store, viewer: User.ID(seed: 3))
            try await store.unblock(trip.author.id, by: User.ID(seed: 2))
            try await expectImages([image], in: store, viewer: User.ID(seed: 2))
        },
        check("a lookup in a cancelled task throws CancellationError") { store in
            let image = try TripImage(seed: 1)
            try await add([try entry(1, showing: image)], with: [image], to: store)
            try await expectCancellation(of: "a lookup") { _ = try await store.image(image.id, viewer: nil) }
        },
    ]
}

extension ImageContract {
    static let avatars: [ContractCheck<Subject>] = [
        check("the picture of a user is returned to everyone, and shown with all their trips") { store in
            let (user, picture) = (try User(seed: 1), try TripImage(seed: 50, size: 1_000))
            try await store.add((1...2).map { try TripBuilder(seed: $0, author: user).build() })
            try await store.add(User(seed: 2))
            try await store.block(user.id, by: User.ID(seed: 2))
            try await store.setAvatar(picture, of: user.id, by: user.id)
            for viewer in [nil, user.id, User.ID(seed: 2), User.ID(seed: 77)] {
                try await expectImages([picture], in: store, viewer: viewer)
            }
            try await expectAvatar(picture, of: user, in: store)
            try expect(try await store.blocked(by: User.ID(seed: 2)).map(\.avatar), equals: [picture.id], "the picture")
            let page = try await store.search(TripQuery(TripCriteria(), viewer: nil))
            try expect(
                page.trips.map(\.author.avatar), equals: [picture.id, picture.id], "the pictures of the authors")
            let edited = try await store.update(Trip.ID(seed: 1), by: user.id) { trip throws(TravelError) in
                guard trip.author.avatar == picture.id else { throw TravelError.notFound(.image(picture.id)) }
                return trip
            }
            try expect(edited?.author.avatar, equals: picture.id, "the picture of the author of an edited trip")
        },
        check("another picture replaces the former one, and both can be removed") { store in
            let (user, first, second) = (try User(seed: 1), try TripImage(seed: 50), try TripImage(seed: 51))
            try await store.add(user)
            try await store.setAvatar(nil, of: user.id, by: user.id)
            try await store.setAvatar(first, of: user.id, by: user.id)
            try await store.setAvatar(first, of: user.id, by: user.id)
            try await expectImages([first], in: store)
            try await store.setAvatar(second, of: user.id, by: user.id)
            try await expectAvatar(second, of: user, in: store)
            try await expectImages([second], in: store)
            try await expectMissing([first], in: store)
            try await store.setAvatar(nil, of: user.id, by: user.id)
            try await expectAvatar(nil, of: user, in: store)
            try await expectMissing([first, second], in: store)
            try await store.setAvatar(first, of: user.id, by: user.id)
            try await expectImages([first], in: store)
        },
        check("a new nickname keeps the picture, and pictures of several users are independent") { store in
            let users = try (1...3).map { try User(seed: $0) }
            let pictures = try (50...52).map { try TripImage(seed: $0) }
            for (user, picture) in zip(users, pictures) {
                try await store.add(user)
                try await store.setAvatar(picture, of: user.id, by: user.id)
            }
            try await store.rename(users[0].id, to: Nickname("Sora"), by: users[0].id)
            try await store.setAvatar(nil, of: users[1].id, by: users[1].id)
            try await expectAvatar(pictures[0], of: users[0], in: store)
            try await expectAvatar(nil, of: users[1], in: store)
            try await expectAvatar(pictures[2], of: users[2], in: store)
        },
        check("an added user and the author of an added trip have no picture, whatever they say") { store in
            let (user, author) = (try User(seed: 1), try User(seed: 2))
            let (picture, other) = (TripImage.ID(seed: 50), TripImage.ID(seed: 51))
            try await store.add(User(id: user.id, nickname: user.nickname, avatar: picture))
            let shown = User(id: author.id, nickname: author.nickname, avatar: other)
            try await store.add([TripBuilder(seed: 2, author: shown).build()])
            try expect(try await store.user(user.id), equals: user, "the user")
            try expect(try await store.user(author.id), equals: author, "the author")
            try expect(try await store.trip(Trip.ID(seed: 2), viewer: nil).author, equals: author, "the author")
        },
        check("users can only set their own picture, and a refused call changes nothing") { store in
            let (user, picture, other) = (try User(seed: 1), try TripImage(seed: 50), try TripImage(seed: 51))
            try await store.add(user)
            try await store.add(User(seed: 2))
            try await store.setAvatar(picture, of: user.id, by: user.id)
            for stranger in [User.ID(seed: 2), User.ID(seed: 77)] {
                for image in [other, nil] {
                    try await expect(.forbidden(.user(user.id)), from: "the change of a picture") {
                        try await store.setAvatar(image, of: user.id, by: stranger)
                    }
                }
            }
            let unknown = User.ID(seed: 77)
            try await expect(.notFound(.user(unknown)), from: "the change of a picture") {
                try await store.setAvatar(other, of: unknown, by: unknown)
            }
            try await expectAvatar(picture, of: user, in: store)
            try await expectMissing([other], in: store)
        },
        check("a picture cannot be an image of a trip or of someone else, nor the reverse") { store in
            let (image, picture) = (try TripImage(seed: 1), try TripImage(seed: 50))
            let trip = try await add([try entry(1, showing: image)], with: [image], to: store)
            try await store.add(User(seed: 2))
            try await store.setAvatar(picture, of: User.ID(seed: 2), by: User.ID(seed: 2))
            for taken in [image, picture] {
                try await expect(.conflict(.image(taken.id)), from: "the change of a picture") {
                    try await store.setAvatar(taken, of: trip.author.id, by: trip.author.id)
                }
            }
            let entry = try entry(2, showing: picture)
            try await expect(.conflict(.image(picture.id)), from: "the edit") {
                try await edit(trip, adding: [picture], in: store) { trip throws(TravelError) in
                    try trip.saving(entry)
                }
            }
            try await expect(.conflict(.image(picture.id)), from: "the addition") {
                try await store.add(
                    [TripBuilder(seed: 3).with { $0.thumbnail = picture.id }.build()], images: [picture])
            }
            try expect(try await store.user(trip.author.id).avatar, equals: nil, "the picture of the author")
            try await expectImages([image, picture], in: store)
        },
        check("removing a user removes their picture") { store in
            let (user, picture) = (try User(seed: 1), try TripImage(seed: 50))
            try await store.add(user)
            try await store.setAvatar(picture, of: user.id, by: user.id)
            try await store.removeUser(user.id, by: user.id)
            try await expectMissing([picture], in: store)
            try await store.add(user)
            try await expectAvatar(nil, of: user, in: store)
            try await store.setAvatar(picture, of: user.id, by: user.id)
        },
        check("a change of a picture in a cancelled task throws CancellationError and changes nothing") { store in
            let (user, picture) = (try User(seed: 1), try TripImage(seed: 50))
            try await store.add(user)
            try await expectCancellation(of: "a change of a picture") {
                try await store.setAvatar(picture, of: user.id, by: user.id)
            }
            try await expectAvatar(nil, of: user, in: store)
            try await expectMissing([picture], in: store)
        },
    ]

    private static func expectAvatar(_ image: TripImage?, of user: User, in store: Subject) async throws {
        try expect(try await store.user(user.id).avatar, equals: image?.id, "the picture of \(user.nickname)")
    }
}

extension ImageContract {
    static let thumbnails: [ContractCheck<Subject>] = [
        check("a trip without an image has no thumbnail") { store in
            let trip = try await add([try entry(1)], with: [], to: store)
            try await expectThumbnail(nil, of: trip, in: store)
        },
        check("the thumbnail is the first image of the timeline by day and time, regardless of insertion order") {
            store in
            let images = try (0..<4).map { try TripImage(seed: $0) }
            let trip = try await add(
                [
                    try entry(1, day: 2, minutes: 0, showing: images[1]), try entry(2, day: 1, minutes: 700),
                    try entry(3, day: 1, minutes: 900, showing: images[2]),
                    try entry(4, day: 1, minutes: 899, showing: images[3]),
                    try entry(5, day: 3, minutes: 5, showing: images[0]),
                ], with: images, to: store)
            try await expectThumbnail(images[3], of: trip, in: store)
        },
        check("of two entries in the same minute, the one with the lesser ID provides the thumbnail") { store in
            let images = [try TripImage(seed: 1), try TripImage(seed: 2)]
            let entries = [
                try entry(1, minutes: 60, showing: images[0]), try entry(2, minutes: 60, showing: images[1]),
            ]
            let trip = try await add(entries, with: images, to: store)
            let first = entries.min { $0.id < $1.id }
            try await expectThumbnail(images.first { $0.id == first?.image }, of: trip, in: store)
        },
        check("deleting the entry of the thumbnail selects the next image, or none after the last") { store in
            let images = try (1...3).map { try TripImage(seed: $0) }
            let trip = try await add(
                [
                    try entry(1, day: 1, showing: images[0]), try entry(4, day: 1, minutes: 800),
                    try entry(2, day: 2, showing: images[1]), try entry(3, day: 3, showing: images[2]),
                ], with: images, to: store)
            for seed in UInt64(1)...3 {
                try await expectThumbnail(images[Int(seed) - 1], of: trip, in: store)
                try await edit(trip, in: store) { trip throws(TravelError) in try trip.removing(entryID(seed)) }
            }
            try await expectThumbnail(nil, of: trip, in: store)
        },
        check("moving an entry to the front makes its image the thumbnail") { store in
            let images = [try TripImage(seed: 1), try TripImage(seed: 2)]
            let trip = try await add(
                [try entry(1, day: 1, showing: images[0]), try entry(2, day: 2, showing: images[1])], with: images,
                to: store)
            let moved = try entry(2, day: 1, minutes: 0, showing: images[1])
            try await edit(trip, in: store) { trip throws(TravelError) in try trip.saving(moved) }
            try await expectThumbnail(images[1], of: trip, in: store)
        },
        check("the author's choice takes precedence over the timeline until it is withdrawn") { store in
            let (chosen, first) = (try TripImage(seed: 1), try TripImage(seed: 2))
            let trip = try await add(
                [try entry(1, showing: first)], thumbnail: chosen, with: [chosen, first], to: store)
            try await expectThumbnail(chosen, of: trip, in: store)
            try await edit(trip, in: store) { trip throws(TravelError) in try trip.removing(entryID(1)) }
            try await expectThumbnail(chosen, of: trip, in: store)
            let another = try TripImage(seed: 3)
            try await show(another, of: trip, in: store)
            try await expectThumbnail(another, of: trip, in: store)
            try await expectMissing([chosen], in: store)
            try await show(nil, of: trip, in: store)
            try await expectThumbnail(nil, of: trip, in: store)
            try await expectMissing([another], in: store)
        },
        check("an image of the timeline can be chosen, and another one later") { store in
            let images = try (1...3).map { try TripImage(seed: $0) }
            let trip = try await add(
                try images.enumerated().map { try entry(UInt64($0), day: $0 + 1, showing: $1) }, with: images, to: store
            )
            for image in [images[2], images[1], images[0], images[2]] {
                try await show(image, adding: [], of: trip, in: store)
                try await expectThumbnail(image, of: trip, in: store)
            }
            try await show(nil, of: trip, in: store)
            try await expectThumbnail(images[0], of: trip, in: store)
            try await expectImages(images, in: store)
        },
        check("each trip has its own thumbnail") { store in
            let images = try (1...3).map { try TripImage(seed: $0) }
            let trips = [
                try TripBuilder(seed: 1).with { $0.timeline = [try entry(1, showing: images[0])] }.build(),
                try TripBuilder(seed: 2).build(),
                try TripBuilder(seed: 3).with {
                    $0.timeline = [try entry(3, showing: images[1])]
                    $0.thumbnail = images[2].id
                }.build(),
            ]
            try await store.add(trips, images: images)
            for (trip, image) in zip(trips, [images[0], nil, images[2]]) {
                try await expectThumbnail(image, of: trip, in: store)
            }
        },
    ]

    /// Sets or clears the image that the author chose.
    private static func show(
        _ image: TripImage?, adding images: [TripImage]? = nil, of trip: RecordedTrip, in store: Subject
    ) async throws {
        try await store.update(trip.id, by: trip.author.id, adding: images ?? image.map { [$0] } ?? []) {
            trip throws(TravelError) in
            return try trip.changing(\.thumbnail, to: image?.id)
        }
    }
}
