import TravelDomain

extension ImageContract {
    static let avatars: [ContractCheck<Subject>] = [
        check("the picture of a person is returned to everyone, and shown with all their travels") { store in
            let (person, picture) = (try User(seed: 1), try TravelImage(seed: 50, size: 1_000))
            try await store.add((1...2).map { try TravelBuilder(seed: $0, author: person).build() })
            try await store.add(User(seed: 2))
            try await store.block(person.id, by: User.ID(seed: 2))
            try await store.setAvatar(picture, of: person.id, by: person.id)
            for viewer in [nil, person.id, User.ID(seed: 2), User.ID(seed: 77)] {
                try await expectImages([picture], in: store, viewer: viewer)
            }
            try await expectAvatar(picture, of: person, in: store)
            try expect(try await store.blocked(by: User.ID(seed: 2)).map(\.avatar), equals: [picture.id], "the picture")
            let page = try await store.search(TravelQuery(TravelCriteria(), viewer: nil))
            try expect(
                page.travels.map(\.author.avatar), equals: [picture.id, picture.id], "the pictures of the authors")
            let edited = try await store.update(Travel.ID(seed: 1), by: person.id) { travel throws(TravelError) in
                guard travel.author.avatar == picture.id else { throw TravelError.notFound(.image(picture.id)) }
                return travel
            }
            try expect(edited?.author.avatar, equals: picture.id, "the picture of the author of an edited travel")
        },
        check("another picture replaces the former one, and both can be removed") { store in
            let (person, first, second) = (try User(seed: 1), try TravelImage(seed: 50), try TravelImage(seed: 51))
            try await store.add(person)
            try await store.setAvatar(nil, of: person.id, by: person.id)
            try await store.setAvatar(first, of: person.id, by: person.id)
            try await store.setAvatar(first, of: person.id, by: person.id)
            try await expectImages([first], in: store)
            try await store.setAvatar(second, of: person.id, by: person.id)
            try await expectAvatar(second, of: person, in: store)
            try await expectImages([second], in: store)
            try await expectMissing([first], in: store)
            try await store.setAvatar(nil, of: person.id, by: person.id)
            try await expectAvatar(nil, of: person, in: store)
            try await expectMissing([first, second], in: store)
            try await store.setAvatar(first, of: person.id, by: person.id)
            try await expectImages([first], in: store)
        },
        check("a new nickname keeps the picture, and pictures of several people are independent") { store in
            let people = try (1...3).map { try User(seed: $0) }
            let pictures = try (50...52).map { try TravelImage(seed: $0) }
            for (person, picture) in zip(people, pictures) {
                try await store.add(person)
                try await store.setAvatar(picture, of: person.id, by: person.id)
            }
            try await store.rename(people[0].id, to: Nickname("Sora"), by: people[0].id)
            try await store.setAvatar(nil, of: people[1].id, by: people[1].id)
            try await expectAvatar(pictures[0], of: people[0], in: store)
            try await expectAvatar(nil, of: people[1], in: store)
            try await expectAvatar(pictures[2], of: people[2], in: store)
        },
        check("an added person and the author of an added travel have no picture, whatever they say") { store in
            let (person, author) = (try User(seed: 1), try User(seed: 2))
            let (picture, other) = (TravelImage.ID(seed: 50), TravelImage.ID(seed: 51))
            try await store.add(User(id: person.id, nickname: person.nickname, avatar: picture))
            let shown = User(id: author.id, nickname: author.nickname, avatar: other)
            try await store.add([TravelBuilder(seed: 2, author: shown).build()])
            try expect(try await store.user(person.id), equals: person, "the person")
            try expect(try await store.user(author.id), equals: author, "the author")
            try expect(try await store.travel(Travel.ID(seed: 2), viewer: nil).author, equals: author, "the author")
        },
        check("people can only set their own picture, and a refused call changes nothing") { store in
            let (person, picture, other) = (try User(seed: 1), try TravelImage(seed: 50), try TravelImage(seed: 51))
            try await store.add(person)
            try await store.add(User(seed: 2))
            try await store.setAvatar(picture, of: person.id, by: person.id)
            for stranger in [User.ID(seed: 2), User.ID(seed: 77)] {
                for image in [other, nil] {
                    try await expect(.forbidden(.user(person.id)), from: "the change of a picture") {
                        try await store.setAvatar(image, of: person.id, by: stranger)
                    }
                }
            }
            let unknown = User.ID(seed: 77)
            try await expect(.notFound(.user(unknown)), from: "the change of a picture") {
                try await store.setAvatar(other, of: unknown, by: unknown)
            }
            try await expectAvatar(picture, of: person, in: store)
            try await expectMissing([other], in: store)
        },
        check("a picture cannot be an image of a travel or of someone else, nor the reverse") { store in
            let (image, picture) = (try TravelImage(seed: 1), try TravelImage(seed: 50))
            let travel = try await add([try entry(1, showing: image)], with: [image], to: store)
            try await store.add(User(seed: 2))
            try await store.setAvatar(picture, of: User.ID(seed: 2), by: User.ID(seed: 2))
            for taken in [image, picture] {
                try await expect(.conflict(.image(taken.id)), from: "the change of a picture") {
                    try await store.setAvatar(taken, of: travel.author.id, by: travel.author.id)
                }
            }
            let entry = try entry(2, showing: picture)
            try await expect(.conflict(.image(picture.id)), from: "the edit") {
                try await edit(travel, adding: [picture], in: store) { travel throws(TravelError) in
                    try travel.saving(entry)
                }
            }
            try await expect(.conflict(.image(picture.id)), from: "the addition") {
                try await store.add(
                    [TravelBuilder(seed: 3).with { $0.thumbnail = picture.id }.build()], images: [picture])
            }
            try expect(try await store.user(travel.author.id).avatar, equals: nil, "the picture of the author")
            try await expectImages([image, picture], in: store)
        },
        check("removing a person removes their picture") { store in
            let (person, picture) = (try User(seed: 1), try TravelImage(seed: 50))
            try await store.add(person)
            try await store.setAvatar(picture, of: person.id, by: person.id)
            try await store.removeUser(person.id, by: person.id)
            try await expectMissing([picture], in: store)
            try await store.add(person)
            try await expectAvatar(nil, of: person, in: store)
            try await store.setAvatar(picture, of: person.id, by: person.id)
        },
        check("a change of a picture in a cancelled task throws CancellationError and changes nothing") { store in
            let (person, picture) = (try User(seed: 1), try TravelImage(seed: 50))
            try await store.add(person)
            try await expectCancellation(of: "a change of a picture") {
                try await store.setAvatar(picture, of: person.id, by: person.id)
            }
            try await expectAvatar(nil, of: person, in: store)
            try await expectMissing([picture], in: store)
        },
    ]

    private static func expectAvatar(_ image: TravelImage?, of person: User, in store: Subject) async throws {
        try expect(try await store.user(person.id).avatar, equals: image?.id, "the picture of \(person.nickname)")
    }
}
