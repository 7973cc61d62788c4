#if PostgreSQL
import PostgreSQLStoreTesting
import TestTurns
import Testing
import TravelDataPostgreSQL
import TravelDomain
import TravelDomainTesting

@Suite(
    "Several processes on one PostgreSQL travel database",
    .enabled(
        if: PostgreSQLServer.isAvailable,
        "no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL"), .takesTurns)
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
