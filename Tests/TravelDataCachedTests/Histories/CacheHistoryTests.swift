import StreamsTesting
import TestTurns
import Testing
import TravelDataCached
import TravelDataSQLite

@Suite("Random histories of several devices", .takesTurns)
struct CacheHistoryTests {
    @Test("all devices end with what the remote store has, and no write is lost or has two effects")
    func endsEqual() throws {
        for seed in Histories.seeds {
            let scheduler = TestScheduler(resolution: 0.001, seed: seed)
            let clock = scheduler.virtualClock
            do {
                try scheduler.run { try await run(seed: seed, clock: clock) }
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
            scheduler.expectIdle()
        }
    }

    private func run(seed: UInt64, clock: VirtualClock) async throws {
        // A device of each person has the other kind of local store.
        let databases =
            seed.isMultiple(of: 4)
            ? [1: try await TravelDatabase.temporaryInline(), 3: try await TravelDatabase.temporaryInline()] : [:]
        var history = try CacheHistory(seed: seed, clock: clock, locals: databases.mapValues(\.travels))
        try await withThrowingTaskGroup(of: Void.self) { [devices = history.devices] group in
            for device in devices { group.addTask { await device.run() } }
            try await history.run(steps: 40)
            try await history.expectEqualStores()
            try await history.expectNothingLost()
            history.expectUniqueVersions()
            for device in devices { await device.finish() }
        }
        for database in databases.values { await database.close() }
    }
}
