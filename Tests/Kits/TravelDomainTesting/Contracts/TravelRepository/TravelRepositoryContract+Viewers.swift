import TravelDomain

extension TravelRepositoryContract {
    static let viewers: [ContractCheck<any TravelRepository>] = [
        check("viewer", "a travel is marked as own for its author only") { travels in
            try await travels.add(TravelBuilder(seed: 1), TravelBuilder(seed: 2))
            for (viewer, isMine) in [(User.ID(seed: 1), true), (User.ID(seed: 2), false), (User.ID(seed: 3), false)] {
                try await expectSeen(travels, by: viewer, isLiked: false, isMine: isMine)
            }
            try await expectSeen(travels, by: nil, isLiked: false, isMine: false)
        },
        check("viewer", "a travel is marked as liked only for people who like it") { travels in
            try await travels.add(TravelBuilder(seed: 1), TravelBuilder(seed: 2), TravelBuilder(seed: 3))
            try await travels.setLiked(true, travel: Travel.ID(seed: 1), by: User.ID(seed: 2))
            try await expectSeen(travels, by: User.ID(seed: 2), isLiked: true, isMine: false)
            try await expectSeen(travels, by: User.ID(seed: 3), isLiked: false, isMine: false)
            try await expectSeen(travels, by: nil, isLiked: false, isMine: false)
        },
        check("viewer", "authors can like their own travels") { travels in
            try await travels.add(TravelBuilder(seed: 1))
            try await travels.setLiked(true, travel: Travel.ID(seed: 1), by: User.ID(seed: 1))
            try await expectSeen(travels, by: User.ID(seed: 1), isLiked: true, isMine: true)
        },
        check("viewer", "a like of one travel does not affect others") { travels in
            try await travels.add(TravelBuilder(seed: 1), TravelBuilder(seed: 2))
            try await travels.setLiked(true, travel: Travel.ID(seed: 1), by: User.ID(seed: 1))
            let other = try await travels.travel(Travel.ID(seed: 2), viewer: User.ID(seed: 1))
            try expect(other.isLiked, equals: false, "whether the other is liked")
            try expect(other.likeCount, equals: 0, "the likes of the other")
        },
        check("viewer", "an unknown travel is not found for any viewer") { travels in
            let id = Travel.ID(seed: 1)
            try await travels.add(TravelBuilder(seed: 2))
            for viewer in [nil, User.ID(seed: 1), User.ID(seed: 2)] {
                try await expect(.notFound(.travel(id)), from: "the travel") {
                    try await travels.travel(id, viewer: viewer)
                }
            }
        },
        check("viewer", "an existing author keeps their nickname when travels are added") { travels in
            let before = try User(seed: 1, nickname: "민지")
            let after = try User(seed: 1, nickname: "수연")
            try await travels.add(TravelBuilder(seed: 1, author: before))
            try await travels.add(TravelBuilder(seed: 2, author: after))
            for seed in UInt64(1)...2 {
                let travel = try await travels.travel(Travel.ID(seed: seed), viewer: nil)
                try expect(travel.author, equals: before, "the author of travel \(seed)")
            }
        },
        check("viewer", "the first of several nicknames in one batch counts") { travels in
            try await travels.add(
                TravelBuilder(seed: 1, author: User(seed: 9, nickname: "민지")),
                TravelBuilder(seed: 2, author: User(seed: 9, nickname: "수연")))
            let travel = try await travels.travel(Travel.ID(seed: 1), viewer: nil)
            try expect(travel.author.nickname.text, equals: "민지", "the nickname")
        },
        check("viewer", "two people can have travels with the same title and time") { travels in
            try await travels.add(
                TravelBuilder(seed: 1), TravelBuilder(seed: 2).with { $0.title = "Trip 1" })
            try expect(try await travels.ids(TravelCriteria()).count, equals: 2, "the number of travels")
        },
    ]

    /// Expects the travel of seed 1 to have these flags in a lookup and in searches.
    private static func expectSeen(
        _ travels: any TravelRepository, by viewer: User.ID?, isLiked: Bool, isMine: Bool
    ) async throws {
        let id = Travel.ID(seed: 1)
        let travel = try await travels.travel(id, viewer: viewer)
        try expect(travel.isLiked, equals: isLiked, "whether it is liked")
        try expect(travel.isMine, equals: isMine, "whether it is marked as own")
        for sort in TravelSort.allCases {
            let page = try await travels.search(TravelQuery(TravelCriteria(sort: sort), viewer: viewer))
            try expect(page.travels.first { $0.id == id }, equals: travel, "the travel in a search")
        }
    }
}
