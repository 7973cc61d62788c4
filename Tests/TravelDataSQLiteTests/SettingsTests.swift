import SQLiteStore
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Settings of a device", .takesTurns)
struct SettingsTests {
    @Test("writes of the session and of recent keywords leave the mapping of travels to writes of travels")
    func mapping() async throws {
        let database = try await TravelDatabase.copied()
        try await database.travels.add([TravelBuilder(seed: 1).build()])
        let changed = 600
        try await database.database.write { db in
            for key in 1_000..<1_000 + changed {
                try db.execute("INSERT INTO travel_unmapped VALUES (\(key), 0, 0)")
            }
        }
        func unmapped() async throws -> Int? {
            try await database.database.read { db in
                try db.fetchOne(Int.self, "SELECT count(*) FROM travel_unmapped WHERE key >= 1000")
            }
        }
        try await database.session.setSession(database.session.identify())
        try await database.recentKeywords.updateRecentKeywords { recent in
            Keyword("바다").map { recent.remember($0) }
        }
        #expect(try await unmapped() == changed)
        try await database.travels.setLiked(true, travel: Travel.ID(seed: 1), by: User.ID(seed: 1))
        #expect(try await unmapped() == 0)
        await database.close()
    }
}
