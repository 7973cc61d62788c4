public import TravelDomain

/// The contract of `UserRepository`, as checks for any implementation that also stores trips.
///
/// Each check requires a new, empty repository. ``TripRepositoryContract`` shows how to run them.
public enum UserRepositoryContract {
    /// An implementation of all these protocols.
    public typealias Subject = any UserRepository & TripRepository & ModerationRepository & TitleRepository

    public static let checks: [ContractCheck<Subject>] = users + nicknames + accountDeletions + authorisation

    private static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("users", promise, body)
    }

    /// Valid nicknames whose folded form has more characters than they, or fewer.
    private static let longNicknames = [
        String(repeating: "👨‍👩‍👧‍👦", count: 3), String(repeating: "👨‍👩‍👧‍👦", count: 10),
        String(repeating: "🏳️‍🌈", count: 6), "🇰\u{200B}🇷", "e\u{200B}\u{301}",
    ]

    private static let users: [ContractCheck<Subject>] = [
        check("an added user is returned, with the nickname scalar by scalar") { store in
            let user = try User(seed: 1, nickname: "\u{1106}\u{1175}나 e\u{301}")
            try await store.add(user)
            let found = try await store.user(user.id)
            try expect(found, equals: user, "the user")
            try expect(
                Array(found.nickname.text.unicodeScalars), equals: Array(user.nickname.text.unicodeScalars),
                "the nickname, scalar by scalar")
        },
        check("a nickname of characters that consist of many scalars is kept") { store in
            for (seed, text) in zip(UInt64(1)..., longNicknames) {
                let user = try User(seed: seed, nickname: text)
                try expect(
                    try await store.isTaken(user.nickname, exceptBy: nil), equals: false, "whether it is taken")
                try await store.add(user)
                try await store.add([TripBuilder(seed: seed, author: user).build()])
                try expect(try await store.user(user.id), equals: user, "the user")
                try expect(
                    try await store.isTaken(user.nickname, exceptBy: nil), equals: true, "whether it is taken")
                try await store.rename(user.id, to: Nickname("Mina \(seed)"), by: user.id)
                try await store.rename(user.id, to: user.nickname, by: user.id)
            }
        },
        check("authors with nicknames of characters that consist of many scalars are stored") { store in
            let authors = try zip(UInt64(1)..., longNicknames).map { try User(seed: $0, nickname: $1) }
            try await store.add(
                zip(UInt64(1)..., authors).map { seed, author in try TripBuilder(seed: seed, author: author).build() }
            )
            for author in authors { try expect(try await store.user(author.id), equals: author, "the author") }
        },
        check("authors of trips are stored") { store in
            try await store.add([TripBuilder(seed: 1).build()])
            try expect(try await store.user(User.ID(seed: 1)), equals: User(seed: 1), "the author")
        },
        check("an unknown user is not found") { store in
            let id = User.ID(seed: 1)
            try await expect(.notFound(.user(id)), from: "the lookup") { try await store.user(id) }
            try await expect(.notFound(.user(id)), from: "the renaming") {
                try await store.rename(id, to: Nickname("Mina"), by: id)
            }
            try await expect(.notFound(.user(id)), from: "the removal") { try await store.removeUser(id, by: id) }
            try await store.add(User(seed: 2))
            try await expect(.notFound(.user(id)), from: "the renaming by someone else") {
                try await store.rename(id, to: Nickname("Mina"), by: User.ID(seed: 2))
            }
            try await expect(.notFound(.user(id)), from: "the removal by someone else") {
                try await store.removeUser(id, by: User.ID(seed: 2))
            }
        },
        check("adding a user twice throws a conflict and keeps the nickname") { store in
            try await store.add(User(seed: 1, nickname: "Mina"))
            try await expect(.conflict(.user(User.ID(seed: 1))), from: "the second addition") {
                try await store.add(User(seed: 1, nickname: "Sora"))
            }
            try expect(try await store.user(User.ID(seed: 1)).nickname.text, equals: "Mina", "the nickname")
        },
        check("a user without trips can like trips") { store in
            try await store.add(User(seed: 2))
            try await store.add([TripBuilder(seed: 1).build()])
            try await store.setLiked(true, trip: Trip.ID(seed: 1), by: User.ID(seed: 2))
            try expect(try await store.onlyTrip().likeCount, equals: 1, "the likes")
        },
        check("a lookup in a cancelled task throws CancellationError") { store in
            try await store.add(User(seed: 1))
            try await expectCancellation(of: "a lookup") { _ = try await store.user(User.ID(seed: 1)) }
        },
        check("an addition and a renaming in a cancelled task throw CancellationError and change nothing") { store in
            try await store.add(User(seed: 1, nickname: "Mina"))
            let sora = try Nickname("Sora")
            try await expectCancellation(of: "an addition") { try await store.add(User(seed: 2)) }
            try await expectCancellation(of: "a renaming") {
                try await store.rename(User.ID(seed: 1), to: sora, by: User.ID(seed: 1))
            }
            try await expectCancellation(of: "the check of a nickname") {
                _ = try await store.isTaken(sora, exceptBy: User.ID(seed: 1))
            }
            try await expect(.notFound(.user(User.ID(seed: 2))), from: "the lookup") {
                try await store.user(User.ID(seed: 2))
            }
            try expect(try await store.user(User.ID(seed: 1)).nickname.text, equals: "Mina", "the nickname")
        },
        check("a removal in a cancelled task throws CancellationError and removes nobody") { store in
            try await store.add(User(seed: 1))
            try await expectCancellation(of: "a removal") {
                try await store.removeUser(User.ID(seed: 1), by: User.ID(seed: 1))
            }
            _ = try await store.user(User.ID(seed: 1))
        },
    ]

    private static let nicknames: [ContractCheck<Subject>] =
        [
            ("Mina", "Mina", true), ("Mina", "mINA", true), ("École", "éCOLE", true), ("Mina", "Min", false),
            ("Mina", "Mína", false), ("부산", "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}", true),
            ("e\u{301}a", "éa", true), ("각하", "가하", false), ("🌊🌊", "🌊🏝️", false), ("a%", "ab", false),
            ("Mina", "Ｍina", true), ("Mina", "Мina", true), ("Мina", "mINA", true), ("민지", "민 지", true),
            ("민\u{200B}지", "민지", true), ("Strasse", "straße", true), ("Kim", "Κim", true), ("①②", "12", true),
            ("Mina", "Mila", false), ("Мила", "Mila", false), ("Mina", "rnina", true), ("Mina", "rnlNA", true),
            ("paypal", "PaypaI", true), ("r00t", "ROOT", true), ("B0B", "ВОВ", true), ("νονο", "vovo", true),
            ("ロロ", "口口", true), ("Nina", "Vina", false), ("user1", "user2", false), ("さくら", "サクラ", false),
        ].map { first, second, isSame in
            check("'\(second)' is \(isSame ? "taken" : "free") when someone else is '\(first)'") { store in
                try await store.add(User(seed: 1, nickname: first))
                try await store.add(User(seed: 2, nickname: "someone"))
                let nickname = try Nickname(second)
                try expect(
                    try await store.isTaken(nickname, exceptBy: User.ID(seed: 2)), equals: isSame, "whether it is taken"
                )
                try expect(
                    try await store.isTaken(nickname, exceptBy: User.ID(seed: 1)), equals: false,
                    "whether it is taken for the user who has it")
                if isSame {
                    let conflict = TravelError.conflict(.user(User.ID(seed: 1)))
                    try await expect(conflict, from: "the renaming") {
                        try await store.rename(User.ID(seed: 2), to: nickname, by: User.ID(seed: 2))
                    }
                    try await expect(conflict, from: "the addition") {
                        try await store.add(User(seed: 3, nickname: second))
                    }
                    try expect(try await store.user(User.ID(seed: 2)).nickname.text, equals: "someone", "the nickname")
                } else {
                    try await store.rename(User.ID(seed: 2), to: nickname, by: User.ID(seed: 2))
                    try expect(try await store.user(User.ID(seed: 2)).nickname, equals: nickname, "the nickname")
                }
            }
        } + [
            check("a new nickname appears on all trips, and the old one is free") { store in
                try await store.add([
                    TripBuilder(seed: 1, author: User(seed: 9, nickname: "Mina")).build(),
                    TripBuilder(seed: 2, author: User(seed: 9, nickname: "Mina")).build(),
                ])
                try await store.rename(User.ID(seed: 9), to: Nickname("Sora"), by: User.ID(seed: 9))
                let page = try await store.search(TripQuery(TripCriteria(), viewer: nil))
                try expect(page.trips.map(\.author.nickname.text), equals: ["Sora", "Sora"], "the nicknames")
                try await store.add(User(seed: 3, nickname: "mina"))
            },
            check("users can change the letter case of their own nickname") { store in
                try await store.add(User(seed: 1, nickname: "Mina"))
                try await store.rename(User.ID(seed: 1), to: Nickname("MINA"), by: User.ID(seed: 1))
                try expect(try await store.user(User.ID(seed: 1)).nickname.text, equals: "MINA", "the nickname")
            },
            check("one of two tasks that choose the same nickname succeeds") { store in
                try await store.add(User(seed: 1, nickname: "first"))
                try await store.add(User(seed: 2, nickname: "second"))
                let nickname = try Nickname("Mina")
                let failures = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for seed in UInt64(1)...2 {
                        group.addTask {
                            let result = try await outcome {
                                try await store.rename(User.ID(seed: seed), to: nickname, by: User.ID(seed: seed))
                            }
                            if case .failure(.conflict) = result { return true }
                            return false
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                try expect(failures, equals: 1, "the number of conflicts")
            },
        ]

    private static let accountDeletions: [ContractCheck<Subject>] = [
        check("removing a user removes only their own trips, timelines and titles") { store in
            try await store.add([
                TripBuilder(seed: 1).with {
                    $0.title = "부산 밤바다"
                    $0.timeline = [try TripRepositoryContract.entry(1)]
                }.build(),
                TripBuilder(seed: 2).with { $0.title = "여수 밤바다" }.build(),
            ])
            try await store.removeUser(User.ID(seed: 1), by: User.ID(seed: 1))
            try await expect(.notFound(.user(User.ID(seed: 1))), from: "the lookup") {
                try await store.user(User.ID(seed: 1))
            }
            try await expect(.notFound(.trip(Trip.ID(seed: 1))), from: "the timeline") {
                try await store.timeline(of: Trip.ID(seed: 1), viewer: nil)
            }
            for sort in TripSort.allCases {
                try expect(
                    try await store.ids(TripCriteria(keyword: Keyword("바다"), sort: sort)),
                    equals: [Trip.ID(seed: 2)], "the trips found")
            }
            if let text = Keyword("바다") {
                let titles = try await store.titles(containing: text, viewer: nil, limit: 10).map(\.text)
                try expect(titles, equals: ["여수 밤바다"], "the titles")
            }
        },
        check("the IDs of the trips of a removed user are never those of another user") { store in
            let removed = try TripBuilder(seed: 1).build()
            let other = try TripBuilder(seed: 2, author: User(seed: 2)).build()
            try await store.add([removed])
            try await store.removeUser(removed.author.id, by: removed.author.id)
            let taken = try RecordedTrip(
                id: removed.id, author: other.author, createdAt: other.createdAt, content: other.content, timeline: [])
            try await expect(.conflict(.trip(removed.id)), from: "adding a trip") { try await store.add([taken]) }
            try await store.add([other])
        },
        check("removing a user removes their likes") { store in
            try await TripRepositoryContract.addWithLikes([2, 1, 0], to: store)
            try await store.removeUser(User.ID(seed: 2), by: User.ID(seed: 2))
            try await store.removeUser(User.ID(seed: 0), by: User.ID(seed: 0))
            try expect(try await store.onlyTrip().likeCount, equals: 0, "the likes")
            try expect(
                try await store.ids(TripCriteria(sort: .mostLiked)), equals: [Trip.ID(seed: 1)],
                "the IDs of all trips")
        },
        check("removing a user removes their reports") { store in
            try await store.add((0..<10).map { try TripBuilder(seed: $0).build() })
            for user in UInt64(4)...9 { try await store.report(Trip.ID(seed: 3), by: User.ID(seed: user)) }
            try await store.removeUser(User.ID(seed: 9), by: User.ID(seed: 9))
            _ = try await store.trip(Trip.ID(seed: 3), viewer: nil)
        },
        check("removing a user removes all blocks by and of them") { store in
            try await store.add((1...3).map { try TripBuilder(seed: $0).build() })
            try await store.block(User.ID(seed: 1), by: User.ID(seed: 2))
            try await store.block(User.ID(seed: 3), by: User.ID(seed: 1))
            try await store.removeUser(User.ID(seed: 1), by: User.ID(seed: 1))
            try expect(try await store.blocked(by: User.ID(seed: 2)), equals: [], "the blocked users")
            try await store.add(User(seed: 1))
            try expect(try await store.blocked(by: User.ID(seed: 1)), equals: [], "the blocked users")
        },
        check("a removed user who returns has none of their likes, reports and blocks") { store in
            try await store.add((0..<10).map { try TripBuilder(seed: $0).build() })
            let (user, other) = (User.ID(seed: 9), User.ID(seed: 2))
            let (liked, reported) = (Trip.ID(seed: 1), Trip.ID(seed: 3))
            try await store.setLiked(true, trip: liked, by: user)
            for reporter in UInt64(4)...9 { try await store.report(reported, by: User.ID(seed: reporter)) }
            try await store.block(User.ID(seed: 1), by: user)
            try await store.block(user, by: other)
            try await store.removeUser(user, by: user)
            try await store.add([TripBuilder(seed: 9).build()])
            try expect(try await store.trip(liked, viewer: user).likeCount, equals: 0, "the likes")
            try expect(try await store.ids(TripCriteria(likedBy: user)), equals: [], "the trips that they like")
            _ = try await store.trip(reported, viewer: other)
            try expect(try await store.blocked(by: user), equals: [], "the users whom they block")
            try expect(try await store.blocked(by: other), equals: [], "the users whom another one blocks")
            _ = try await store.trip(Trip.ID(seed: 9), viewer: other)
            // Each is new again.
            try await store.setLiked(true, trip: liked, by: user)
            try expect(try await store.trip(liked, viewer: user).likeCount, equals: 1, "the likes afterwards")
            try expect(try await store.block(user, by: other), equals: true, "whether the block is new")
        },
        check("a removed user can neither like, report nor block, nor be blocked") { store in
            try await store.add([TripBuilder(seed: 1).build(), TripBuilder(seed: 2).build()])
            let (user, other) = (User.ID(seed: 2), User.ID(seed: 1))
            try await store.removeUser(user, by: user)
            let missing = TravelError.notFound(.user(user))
            try await expect(missing, from: "the like") {
                try await store.setLiked(true, trip: Trip.ID(seed: 1), by: user)
            }
            try await expect(missing, from: "the report") { try await store.report(Trip.ID(seed: 1), by: user) }
            try await expect(missing, from: "the block") { try await store.block(other, by: user) }
            try await expect(missing, from: "the block of the user") { try await store.block(user, by: other) }
            try expect(try await store.trip(Trip.ID(seed: 1), viewer: other).likeCount, equals: 0, "the likes")
            try expect(try await store.blocked(by: other), equals: [], "the blocked users")
        },
        check("a removed user can be added again, and their nickname is free") { store in
            try await store.add(User(seed: 1, nickname: "Mina"))
            try await store.removeUser(User.ID(seed: 1), by: User.ID(seed: 1))
            try await store.add(User(seed: 2, nickname: "Mina"))
            try await store.add(User(seed: 1, nickname: "Sora"))
        },
    ]

    private static let authorisation: [ContractCheck<Subject>] = [
        check("users can rename and remove only themselves, and a refused call changes nothing") { store in
            try await store.add([TripBuilder(seed: 1).build(), TripBuilder(seed: 2).build()])
            let user = User.ID(seed: 1)
            for other in [User.ID(seed: 2), User.ID(seed: 77)] {
                try await expect(.forbidden(.user(user)), from: "the renaming") {
                    try await store.rename(user, to: Nickname("Sora"), by: other)
                }
                try await expect(.forbidden(.user(user)), from: "the removal") {
                    try await store.removeUser(user, by: other)
                }
            }
            try expect(try await store.user(user), equals: User(seed: 1), "the user")
            try expect(try await store.ids(TripCriteria()).count, equals: 2, "the number of trips")
            try expect(
                try await store.isTaken(Nickname("Sora"), exceptBy: user), equals: false, "whether it is taken")
        }
    ]
}
