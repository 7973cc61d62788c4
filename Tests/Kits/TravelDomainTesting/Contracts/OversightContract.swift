public import TravelDomain

/// The contract of `OversightRepository` and of reports by accounts, as checks for any implementation with its store of
/// trips and its accounts.
///
/// Each check requires a new, empty store. ``TripRepositoryContract`` shows how to run them.
public enum OversightContract {
    /// An implementation, and the accounts of the same store.
    public struct Subject: Sendable {
        public let store: any TravelStore & OversightRepository
        public let accounts: any AccountRepository

        public init(store: any TravelStore & OversightRepository, accounts: any AccountRepository) {
            self.store = store
            self.accounts = accounts
        }
    }

    public static let checks: [ContractCheck<Subject>] = standing + lists + hiding + blocking + usage

    private static let now = Date(timeIntervalSinceReferenceDate: 757_382_400)
    private static let id = Trip.ID(seed: 1)
    private static let author = User.ID(seed: 1)

    /// In every check, there is a trip of user 1, and six users from 11, whose accounts were created at `now`.
    private static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("oversight", promise) { subject in
            try await subject.store.add([TripBuilder(seed: 1).build()])
            for seed in UInt64(11)...16 { try await subject.addAccount(seed) }
            try await body(subject)
        }
    }

    private static let standing: [ContractCheck<Subject>] = [
        check("reports of accounts of a day or less do not count, and are answered as others are") { subject in
            for age in [0, ReportStanding.day / 2, ReportStanding.day] {
                let trip = try TripBuilder(seed: 2 + UInt64(age)).build()
                try await subject.store.add([trip])
                for isNew in [true, false] {
                    try await subject.report(trip.id, at: now.addingTimeInterval(age), isNew: isNew)
                }
                try await subject.expectHidden(false, trip.id)
                try await subject.expectReported(trip.id, counting: 0, others: 6)
            }
        },
        check("reports of accounts that are older than a day count") { subject in
            try await subject.report(id, at: now.addingTimeInterval(ReportStanding.day + 1), isNew: true)
            try await subject.expectHidden(true, id)
            try await subject.expectReported(id, counting: 6, others: 0)
        },
        check("a report that did not count does not count later") { subject in
            try await subject.report(id, at: now, isNew: true)
            try await subject.report(id, at: now.addingTimeInterval(30 * ReportStanding.day), isNew: false)
            try await subject.expectHidden(false, id)
        },
        check("of the reports that an account makes within a day, five count, and others the day after") { subject in
            let user = User.ID(seed: 11)
            let trips = try (100..<108).map { try TripBuilder(seed: $0, author: User(seed: 50)).build() }
            try await subject.store.add(trips)
            let start = now.addingTimeInterval(10 * ReportStanding.day)
            for (trip, minute) in zip(trips.prefix(6), 0...) {
                try await subject.store.report(trip.id, by: user, at: start.addingTimeInterval(60 * Double(minute)))
            }
            // Within the day before it are the last five of the six.
            let dayAfter = start.addingTimeInterval(ReportStanding.day)
            try await subject.store.report(trips[6].id, by: user, at: dayAfter)
            try await subject.store.report(trips[7].id, by: user, at: dayAfter.addingTimeInterval(180))
            for (trip, counting) in zip(trips, [1, 1, 1, 1, 1, 0, 0, 1]) {
                try await subject.expectReported(trip.id, counting: counting, others: 1 - counting)
            }
        },
        check("concurrent reports of one account are counted together") { subject in
            let user = User.ID(seed: 11)
            let trips = try (100..<108).map { try TripBuilder(seed: $0, author: User(seed: 50)).build() }
            try await subject.store.add(trips)
            let time = now.addingTimeInterval(10 * ReportStanding.day)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for trip in trips { group.addTask { try await subject.store.report(trip.id, by: user, at: time) } }
                try await group.waitForAll()
            }
            let counting = try await subject.store.reportedTrips(limit: 10).reduce(0) { $0 + $1.counting }
            try expect(counting, equals: ReportStanding.reportsPerDay, "the reports that count")
        },
    ]

    private static let lists: [ContractCheck<Subject>] = [
        check("nothing is listed without reports") { subject in
            try expect(try await subject.store.reportedTrips(limit: 10), equals: [], "the reported trips")
        },
        check("trips that nobody sees come first, then those with more reports, and then by ID") { subject in
            let old = now.addingTimeInterval(10 * ReportStanding.day)
            let trips = try (20...25).map { try TripBuilder(seed: $0, author: User(seed: 50)).build() }
            try await subject.store.add(trips)
            for (trip, count) in [(20, 1), (21, 2), (22, 1), (23, 6)] as [(UInt64, UInt64)] {
                for user in 11..<(11 + count) {
                    try await subject.store.report(Trip.ID(seed: trip), by: User.ID(seed: user), at: old)
                }
            }
            try await subject.store.report(Trip.ID(seed: 24), by: User.ID(seed: 16), at: now)
            try await subject.store.setHidden(true, trip: Trip.ID(seed: 25))
            let listed = try await subject.store.reportedTrips(limit: 10)
            let order = [(23, 6, 0), (25, 0, 0), (21, 2, 0), (20, 1, 0), (22, 1, 0), (24, 0, 1)]
            let expected = try order.map { seed, counting, others in
                let trip = trips[seed - 20]
                return ReportedTrip(
                    id: trip.id, title: trip.content.title, author: try User(seed: 50), counting: counting,
                    others: others, isHiddenByOwner: seed == 25)
            }
            try expect(listed, equals: expected, "the reported trips")
            try expect(
                try await subject.store.reportedTrips(limit: 2), equals: Array(expected.prefix(2)),
                "the first reported trips")
        },
        check("reports of a removed trip and of a removed user are gone") { subject in
            let old = now.addingTimeInterval(10 * ReportStanding.day)
            try await subject.report(id, at: old, isNew: true)
            try await subject.store.removeUser(User.ID(seed: 11), by: User.ID(seed: 11))
            try await subject.expectReported(id, counting: 5, others: 0)
            try await subject.expectHidden(false, id)
            try await subject.store.removeUser(author, by: author)
            try expect(try await subject.store.reportedTrips(limit: 10), equals: [], "the reported trips")
        },
    ]

    private static let hiding: [ContractCheck<Subject>] = [
        check("a trip that the owner hides is seen and liked by its author only, who is told") { subject in
            for _ in 1...2 { try await subject.store.setHidden(true, trip: id) }
            try await subject.expectHidden(true, id)
            try await expect(.notFound(.trip(id)), from: "the like") {
                try await subject.store.setLiked(true, trip: id, by: User.ID(seed: 11))
            }
            try await subject.store.setLiked(true, trip: id, by: author)
        },
        check("a hidden trip that is shown again has no reports that count, and new ones count") { subject in
            let old = now.addingTimeInterval(10 * ReportStanding.day)
            try await subject.report(id, at: old, isNew: true)
            try await subject.store.setHidden(true, trip: id)
            for _ in 1...2 { try await subject.store.setHidden(false, trip: id) }
            try await subject.expectHidden(false, id)
            try await subject.expectReported(id, counting: 0, others: 6)
            try await subject.report(id, at: old.addingTimeInterval(ReportStanding.day), isNew: false)
            try await subject.expectHidden(false, id)
            for seed in UInt64(21)...26 {
                try await subject.addAccount(seed)
                try await subject.store.report(id, by: User.ID(seed: seed), at: old)
            }
            try await subject.expectHidden(true, id)
            try await subject.expectReported(id, counting: 6, others: 6)
        },
        check("an edit and the removal of a user who reported it keep a trip hidden") { subject in
            try await subject.store.report(
                id, by: User.ID(seed: 11), at: now.addingTimeInterval(10 * ReportStanding.day))
            try await subject.store.setHidden(true, trip: id)
            try await subject.store.update(id, by: author) { trip throws(TravelError) in
                try trip.with(
                    content: TripContent(
                        title: Title("other"), region: .jeju, days: trip.content.days, audience: .everyone))
            }
            try await subject.store.removeUser(User.ID(seed: 11), by: User.ID(seed: 11))
            try await subject.expectHidden(true, id)
            try await subject.store.setHidden(false, trip: id)
            try await subject.expectHidden(false, id)
        },
        check("an unknown trip cannot be hidden or shown") { subject in
            for isHidden in [true, false] {
                try await expect(.notFound(.trip(Trip.ID(seed: 9))), from: "the decision") {
                    try await subject.store.setHidden(isHidden, trip: Trip.ID(seed: 9))
                }
            }
        },
        check("decisions in a cancelled task throw CancellationError and change nothing") { subject in
            try await expectCancellation(of: "hiding") { try await subject.store.setHidden(true, trip: id) }
            try await expectCancellation(of: "blocking") {
                try await subject.store.setBlocked(true, account: User.ID(seed: 11), at: now)
            }
            try await expectCancellation(of: "the list") { _ = try await subject.store.reportedTrips(limit: 1) }
            try await subject.expectHidden(false, id)
            try await subject.signIn(11, device: 1)
        },
    ]

    private static let blocking: [ContractCheck<Subject>] = [
        check("a blocked account is signed out and cannot sign in, until the block ends") { subject in
            let user = User.ID(seed: 11)
            for device in [UInt64(1), 2] { try await subject.signIn(11, device: device) }
            try await subject.signIn(12, device: 3)
            for _ in 1...2 { try await subject.store.setBlocked(true, account: user, at: now) }
            for device in [UInt64(1), 2] {
                try expect(
                    try await subject.accounts.device(withAccess: TokenDigest(seed: 2 * device)) == nil, equals: true,
                    "whether the device is signed out")
                let renewal = try await subject.accounts.renewDevice(
                    TokenDigest(seed: 2 * device + 1), at: now, with: DeviceTokens(seed: 9, at: now))
                try expect(renewal, equals: .unknown, "the renewal")
            }
            try expect(
                try await subject.accounts.device(withAccess: TokenDigest(seed: 6)) != nil, equals: true,
                "whether the device of someone else is signed in")
            try await expect(.forbidden(.user(user)), from: "signing in") { try await subject.signIn(11, device: 4) }
            for _ in 1...2 { try await subject.store.setBlocked(false, account: user, at: now) }
            try await subject.signIn(11, device: 4)
        },
        check("the reports of a blocked account no longer count, also after the end of the block") { subject in
            try await subject.report(id, at: now.addingTimeInterval(10 * ReportStanding.day), isNew: true)
            try await subject.store.setBlocked(true, account: User.ID(seed: 11), at: now)
            try await subject.expectHidden(false, id)
            try await subject.store.setBlocked(false, account: User.ID(seed: 11), at: now)
            try await subject.expectReported(id, counting: 5, others: 1)
        },
        check("people without an account cannot be blocked") { subject in
            for user in [author, User.ID(seed: 99)] {
                for isBlocked in [true, false] {
                    try await expect(.notFound(.user(user)), from: "the block") {
                        try await subject.store.setBlocked(isBlocked, account: user, at: now)
                    }
                }
            }
        },
    ]

    private static let usage: [ContractCheck<Subject>] = [
        check("the usage of a user is that of their trips and pictures, and nothing for others") { subject in
            let images = try (1...3).map { try TripImage(seed: $0) }
            try expect(try await subject.store.usage(of: author), equals: AccountUsage(trips: 1), "the usage")
            for user in [User.ID(seed: 11), User.ID(seed: 99)] {
                try expect(try await subject.store.usage(of: user), equals: AccountUsage(), "the usage of others")
            }
            let trip = try TripBuilder(seed: 2, author: User(seed: 1)).with { $0.thumbnail = images[0].id }.build()
            try await subject.store.add([trip], images: [images[0]])
            try await subject.store.setAvatar(images[1], of: author, by: author)
            let other = try TripBuilder(seed: 3).with { $0.thumbnail = images[2].id }.build()
            try await subject.store.add([other], images: [images[2]])
            let bytes = images[0].bytes.count + images[1].bytes.count
            try expect(
                try await subject.store.usage(of: author), equals: AccountUsage(trips: 2, pictures: 2, bytes: bytes),
                "the usage")
            try await subject.store.update(trip.id, by: author) { _ in nil }
            try expect(
                try await subject.store.usage(of: author),
                equals: AccountUsage(trips: 1, pictures: 1, bytes: images[1].bytes.count), "the usage after a removal")
        }
    ]
}

extension OversightContract.Subject {
    private static let now = Date(timeIntervalSinceReferenceDate: 757_382_400)

    fileprivate func addAccount(_ seed: UInt64) async throws {
        try await accounts.addAccount(User(seed: seed), password: PasswordHash(seed: 1), at: Self.now)
    }

    fileprivate func signIn(_ user: UInt64, device: UInt64) async throws {
        try await accounts.addDevice(
            SignedInDevice(seed: device, user: User.ID(seed: user), at: Self.now), provenBy: PasswordHash(seed: 1))
    }

    /// Reports a trip for users 11 to 16.
    fileprivate func report(_ trip: Trip.ID, at time: Date, isNew: Bool) async throws {
        for user in UInt64(11)...16 {
            do {
                try expect(
                    try await store.report(trip, by: User.ID(seed: user), at: time), equals: isNew,
                    "whether the report is new")
            } catch TravelError.notFound(.trip(trip)) where !isNew {
                // It is hidden.
            }
        }
    }

    fileprivate func expectHidden(_ isHidden: Bool, _ id: Trip.ID) async throws {
        let author = try await store.reportedTrips(limit: 100).first { $0.id == id }?.author.id ?? User.ID(seed: 1)
        try expect(try await store.trip(id, viewer: author).isHidden, equals: isHidden, "whether the author is told")
        for viewer in [nil, User.ID(seed: 16)] {
            let found = try await store.search(TripQuery(TripCriteria(), viewer: viewer)).trips.map(\.id)
            try expect(found.contains(id), equals: !isHidden, "whether a search finds the trip")
            let trip = try await outcome { try await store.trip(id, viewer: viewer) }
            if isHidden {
                try expect(trip, equals: .failure(.notFound(.trip(id))), "the hidden trip")
            } else {
                try expect(try trip.get().isHidden, equals: false, "whether others are told")
            }
        }
    }

    fileprivate func expectReported(_ id: Trip.ID, counting: Int, others: Int) async throws {
        let reported = try await store.reportedTrips(limit: 100).first { $0.id == id }
        try expect(reported?.counting, equals: counting, "the reports that count")
        try expect(reported?.others, equals: others, "the reports that do not count")
    }
}
