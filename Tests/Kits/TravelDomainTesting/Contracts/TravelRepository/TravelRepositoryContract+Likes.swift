import TravelDomain

extension TravelRepositoryContract {
    static let likes: [ContractCheck<any TravelRepository>] = [
        check("likes", "each person who likes a travel counts once") { travels in
            try await expectLikes(in: travels, after: [(0, true), (1, true), (2, true)], equal: 3)
        },
        check("likes", "liking twice has the same effect as once") { travels in
            try await expectLikes(in: travels, after: [(0, true), (0, true), (0, true)], equal: 1)
        },
        check("likes", "a like can be withdrawn") { travels in
            try await expectLikes(in: travels, after: [(0, true), (1, true), (0, false)], equal: 1)
        },
        check("likes", "withdrawing a like twice has the same effect as once") { travels in
            try await expectLikes(in: travels, after: [(0, true), (1, true), (0, false), (0, false)], equal: 1)
        },
        check("likes", "withdrawing a like that does not exist changes nothing") { travels in
            try await expectLikes(in: travels, after: [(0, false), (1, true), (2, false)], equal: 1)
        },
        check("likes", "a like can be given again") { travels in
            try await expectLikes(in: travels, after: [(0, true), (0, false), (0, true)], equal: 1)
        },
        check("likes", "concurrent likes by 20 people all count") { travels in
            try await travels.add((0..<20).map { try TravelBuilder(seed: $0).build() })
            try await setLikedAtOnce(in: travels, by: Array(0..<20))
            let travel = try await travels.travel(Travel.ID(seed: 0), viewer: nil)
            try expect(travel.likeCount, equals: 20, "the likes")
        },
        check("likes", "concurrent likes by one person count once") { travels in
            try await travels.add(TravelBuilder(seed: 0))
            try await setLikedAtOnce(in: travels, by: Array(repeating: 0, count: 20))
            try expect(try await travels.onlyTravel().likeCount, equals: 1, "the likes")
        },
        check("likes", "adding travels keeps existing likes") { travels in
            try await addWithLikes([2, 1], to: travels)
            try await travels.add(TravelBuilder(seed: 9, author: User(seed: 0, nickname: "Renamed")))
            let travel = try await travels.travel(Travel.ID(seed: 0), viewer: User.ID(seed: 0))
            try expect(travel.likeCount, equals: 2, "the likes")
            try expect(travel.isLiked, equals: true, "whether the viewer still likes it")
        },
        check("likes", "an unknown travel cannot be liked") { travels in
            try await travels.add(TravelBuilder(seed: 1))
            for isLiked in [true, false] {
                let id = Travel.ID(seed: 2)
                try await expect(.notFound(.travel(id)), from: "the like") {
                    try await travels.setLiked(isLiked, travel: id, by: User.ID(seed: 1))
                }
            }
        },
        check("likes", "an unknown person cannot like a travel, and nothing changes") { travels in
            try await travels.add(TravelBuilder(seed: 1))
            for isLiked in [true, false] {
                let person = User.ID(seed: 2)
                try await expect(.notFound(.user(person)), from: "the like") {
                    try await travels.setLiked(isLiked, travel: Travel.ID(seed: 1), by: person)
                }
            }
            try expect(try await travels.onlyTravel().likeCount, equals: 0, "the likes")
        },
    ]

    /// Applies likes by people, given by seed, and expects the number of likes and the last state of each person.
    private static func expectLikes(
        in travels: any TravelRepository, after steps: [(person: UInt64, isLiked: Bool)], equal count: Int
    ) async throws {
        try await travels.add((0..<3).map { try TravelBuilder(seed: $0).build() })
        let id = Travel.ID(seed: 1)
        var last: [UInt64: Bool] = [:]
        for step in steps {
            try await travels.setLiked(step.isLiked, travel: id, by: User.ID(seed: step.person))
            last[step.person] = step.isLiked
        }
        for (person, isLiked) in last {
            let travel = try await travels.travel(id, viewer: User.ID(seed: person))
            try expect(travel.likeCount, equals: count, "the likes")
            try expect(travel.isLiked, equals: isLiked, "whether person \(person) likes it")
        }
    }

    private static func setLikedAtOnce(in travels: any TravelRepository, by people: [UInt64]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in people {
                group.addTask {
                    try await travels.setLiked(true, travel: Travel.ID(seed: 0), by: User.ID(seed: person))
                }
            }
            try await group.waitForAll()
        }
    }
}
