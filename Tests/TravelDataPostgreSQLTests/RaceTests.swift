#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing
import TravelDataPostgreSQL
import TravelDomain
import TravelDomainTesting

@Suite(
    "Several processes on one PostgreSQL travel database",
    .enabled(
        if: PostgreSQLServer.isAvailable,
        "no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL"), .limitedConcurrency
)
struct PostgreSQLRaceTests {
    /// Calls `body` with the repositories of two separate connections to an empty database, as two processes have
    /// them.
    private func withTwo(
        _ body: (PostgreSQLTripRepository, PostgreSQLTripRepository) async throws -> Void
    ) async throws {
        try await withTemporarySchema { (location) async throws in
            let one = try await PostgreSQLTravelDatabase.open(location)
            let two = try await PostgreSQLTravelDatabase.open(location)
            try await body(one.trips, two.trips)
            await one.close()
            await two.close()
        }
    }

    @Test("of many people who take a nickname at the same time, exactly one gets it")
    func nickname() async throws {
        try await withTwo { (one, two) async throws in
            for round in 0..<5 {
                let name = try Nickname("race \(round)")
                let winners = try await withThrowingTaskGroup(of: Int.self) { group in
                    for index in 0..<8 {
                        group.addTask { () async throws in
                            do {
                                try await (index.isMultiple(of: 2) ? one : two).add(User(nickname: name))
                                return 1
                            } catch TravelError.conflict {
                                return 0
                            }
                        }
                    }
                    return try await group.reduce(0, +)
                }
                #expect(winners == 1)
            }
        }
    }

    /// A change that only one of two people can make.
    enum Change: CaseIterable {
        case signUp, add, rename, password

        func make(_ number: UInt64, _ database: PostgreSQLTravelDatabase) async throws {
            let (one, hash) = (User.ID(seed: number), PasswordHash(seed: 1))
            switch self {
            case .signUp: try await database.accounts.addAccount(User(seed: number, nickname: "Mina"), password: hash)
            case .add: try await database.trips.add(User(seed: number, nickname: "Mina"))
            case .rename: try await database.trips.rename(one, to: Nickname("Mina"), by: one)
            case .password:
                try await database.accounts.setPassword(
                    PasswordHash(seed: 10 + number), replacing: hash, of: User.ID(seed: 1))
            }
        }
    }

    @Test("of two changes that have begun before either writes, exactly one succeeds", arguments: Change.allCases)
    func oneOfTwo(change: Change) async throws {
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location)
            let other = try await Database.open(location)
            if change == .rename || change == .password {
                for number in 1...2 as ClosedRange<UInt64> {
                    try await database.accounts.addAccount(User(seed: number), password: PasswordHash(seed: 1))
                }
            }
            let (locked, lock) = AsyncStream.makeStream(of: Never.self)
            async let locking: Void = other.write(isolation: .readCommitted) { (db) throws in
                try db.execute("LOCK TABLE app_user, account IN SHARE MODE")
                lock.finish()
                let waiting: SQL = """
                    WITH RECURSIVE waiting (pid) AS (
                        SELECT pg_backend_pid() UNION SELECT locks.pid FROM waiting JOIN pg_locks AS locks
                        ON NOT locks.granted AND waiting.pid = ANY(pg_blocking_pids(locks.pid)))
                    SELECT COUNT(*) FROM waiting
                    """
                while try db.fetchOne(Int.self, waiting) != 3 {}
            }
            for await _ in locked {}
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...2 as ClosedRange<UInt64> {
                    group.addTask {
                        do {
                            try await change.make(number, database)
                            return 1
                        } catch TravelError.conflict, TravelError.wrongCredentials {
                            return 0
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            try await locking
            #expect(count == 1)
            await other.close()
            await database.close()
        }
    }

    @Test("a change that was in the way of another runs again on the newer trip, and none is lost")
    func edits() async throws {
        try await withTwo { (one, two) async throws in
            let trip = try TripBuilder(seed: 1).with { $0.title = "0" }.build()
            try await one.add([trip])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<20 {
                    group.addTask { () async throws in
                        try await (index.isMultiple(of: 2) ? one : two).update(trip.id, by: trip.author.id) {
                            (recorded) throws(TravelError) in
                            var content = recorded.content
                            content.title = try Title("\(Int(content.title.text)! + 1)")
                            return try recorded.with(content)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let edited = try await two.trip(trip.id, viewer: nil)
            #expect(edited.title.text == "20")
            #expect(edited.version.number == 21)
        }
    }

    @Test("likes by many at the same time are all counted")
    func likes() async throws {
        try await withTwo { (one, two) async throws in
            let trip = try TripBuilder(seed: 1).build()
            try await one.add([trip])
            let users = try (0..<20).map { User(nickname: try Nickname("fan \($0)")) }
            for user in users { try await one.add(user) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, user) in users.enumerated() {
                    group.addTask { () async throws in
                        let trips = index.isMultiple(of: 2) ? one : two
                        try await trips.setLiked(true, trip: trip.id, by: user.id)
                        try await trips.setLiked(true, trip: trip.id, by: user.id)
                        if index < 5 { try await trips.setLiked(false, trip: trip.id, by: user.id) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await two.trip(trip.id, viewer: nil).likeCount == 15)
        }
    }

    @Test("an observer sees what another process changes")
    func observing() async throws {
        try await withTwo { (one, two) async throws in
            let trip = try TripBuilder(seed: 1).build()
            let observed = Task {
                for try await page in one.observe(try TripQuery(TripCriteria(), viewer: nil))
                where page.trips.first?.likeCount == 1 { return true }
                return false
            }
            try await two.add([trip])
            try await two.setLiked(true, trip: trip.id, by: trip.author.id)
            #expect(try await observed.value)
        }
    }
}
#endif
