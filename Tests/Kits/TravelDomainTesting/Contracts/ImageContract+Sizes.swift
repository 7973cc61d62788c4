import ContractTesting
internal import TravelDomain

extension ImageContract {
    /// The checks for a store that keeps smaller pictures of its images, besides ``checks``, and knows whose images they are.
    public static let smallerPictures: [ContractCheck<Subject>] = [
        check("a smaller picture is kept beside its image, in each size") { store in
            let images = [try TripImage(seed: 1), try TripImage(seed: 2)]
            let trip = try await add(
                [try entry(1, showing: images[0])], thumbnail: images[1], with: images, to: store)
            let owner = trip.author.id
            for image in images {
                try await expectPictures([:], of: image, ownedBy: owner, in: store)
                try await store.keep(small, of: image, in: .small)
                try await expectPictures([.small: small], of: image, ownedBy: owner, in: store)
                try await store.keep(middle, of: image, in: .middle)
                try await expectPictures([.small: small, .middle: middle], of: image, ownedBy: owner, in: store)
            }
            try await expectImages(images, in: store)
            try expect(try await store.timeline(of: trip.id, viewer: nil), equals: trip.timeline, "the timeline")
        },
        check("a smaller picture of 1 MiB and one of a picture of 10 MiB are kept") { store in
            let image = try TripImage(seed: 1, size: TripImage.maximumSize)
            let trip = try await add([try entry(1, showing: image)], with: [image], to: store)
            let large = Data(repeating: 7, count: 1 << 20)
            try await store.keep(large, of: image, in: .middle)
            try await expectPictures([.middle: large], of: image, ownedBy: trip.author.id, in: store)
        },
        check("the first of several pictures in one size stays, however many are kept at once") { store in
            let image = try TripImage(seed: 1)
            let trip = try await add([try entry(1, showing: image)], with: [image], to: store)
            let pictures = (UInt8(0)..<8).map { Data(repeating: $0, count: 50_000) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for picture in pictures { group.addTask { try await store.keep(picture, of: image, in: .small) } }
                try await group.waitForAll()
            }
            guard case .kept(let kept) = try await store.picture(image.id, in: .small, viewer: nil) else {
                throw UnmetExpectation("expected a small picture")
            }
            try expect(pictures.contains(kept), "the picture is one of those that were kept, as a whole")
            try await store.keep(small, of: image, in: .small)
            try await expectPictures([.small: kept], of: image, ownedBy: trip.author.id, in: store)
        },
        check("smaller pictures go with their image, and those of an image that is gone are not kept") { store in
            let image = try TripImage(seed: 1)
            for _ in 1...2 {
                let trip = try await add([try entry(1, showing: image)], with: [image], to: store)
                try await expectPictures([:], of: image, ownedBy: trip.author.id, in: store)
                try await store.keep(small, of: image, in: .small)
                try await store.update(trip.id, by: trip.author.id) { _ in nil }
                try await expectNoPictures(of: image, in: store)
                try await store.keep(middle, of: image, in: .middle)
                try await expectNoPictures(of: image, in: store)
            }
            try await store.keep(small, of: TripImage(seed: 2), in: .small)
        },
        check("another image with the same ID has no picture of the former one, also when it is kept late") { store in
            let image = try TripImage(seed: 1, size: 40)
            let other = try TripImage(id: image.id, bytes: TripImage(seed: 9, size: 40).bytes)
            let trip = try await add([try entry(1, showing: image)], with: [image], to: store)
            try await store.keep(small, of: image, in: .small)
            try await store.update(trip.id, by: trip.author.id) { _ in nil }
            try await add([try entry(1, showing: other)], with: [other], to: store)
            try await expectPictures([:], of: other, ownedBy: trip.author.id, in: store)
            for size in PictureSize.allCases { try await store.keep(small, of: image, in: size) }
            try await expectPictures([:], of: other, ownedBy: trip.author.id, in: store)
            try await store.keep(middle, of: other, in: .middle)
            try await expectPictures([.middle: middle], of: other, ownedBy: trip.author.id, in: store)
        },
        check("smaller pictures of users are kept, and go with them") { store in
            let (user, image, next) = (try User(seed: 1), try TripImage(seed: 50), try TripImage(seed: 51))
            try await store.add(user)
            try await store.setAvatar(image, of: user.id, by: user.id)
            try await expectPictures([:], of: image, ownedBy: user.id, in: store)
            try await store.keep(small, of: image, in: .small)
            try await expectPictures([.small: small], of: image, ownedBy: user.id, in: store)
            try await store.setAvatar(next, of: user.id, by: user.id)
            try await expectNoPictures(of: image, in: store)
            try await expectPictures([:], of: next, ownedBy: user.id, in: store)
            try await store.setAvatar(image, of: user.id, by: user.id)
            try await expectPictures([:], of: image, ownedBy: user.id, in: store)
        },
        check("a picture that is looked up or kept in a cancelled task throws CancellationError") { store in
            let image = try TripImage(seed: 1)
            let trip = try await add([try entry(1, showing: image)], with: [image], to: store)
            try await expectCancellation(of: "a lookup") {
                _ = try await store.picture(image.id, in: .small, viewer: nil)
            }
            try await expectCancellation(of: "keeping") { try await store.keep(small, of: image, in: .small) }
            try await expectPictures([:], of: image, ownedBy: trip.author.id, in: store)
        },
    ]

    private static let small = Data("small".utf8)
    private static let middle = Data("middle".utf8)

    private static func expectPictures(
        _ kept: [PictureSize: Data], of image: TripImage, ownedBy owner: User.ID, in store: Subject
    ) async throws {
        for viewer in [nil, owner, User.ID(seed: 77)] {
            for size in PictureSize.allCases + [nil] {
                let expected = size.flatMap { kept[$0] }.map { StoredPicture.kept($0) }
                let picture = try await store.picture(image.id, in: size, viewer: viewer)
                try expect(
                    picture == expected ?? .original(image, isMine: viewer == owner),
                    "expected another \(size.map { "\($0) picture" } ?? "image")")
            }
        }
    }

    private static func expectNoPictures(of image: TripImage, in store: Subject) async throws {
        for size in PictureSize.allCases + [nil] {
            try await expect(.notFound(.image(image.id)), from: "the lookup of the picture") {
                _ = try await store.picture(image.id, in: size, viewer: nil)
            }
        }
    }
}
