import StreamsTesting
import TestTurns
import Testing
import TravelDataCached

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
        var history = try CacheHistory(seed: seed, clock: clock)
        try await withThrowingTaskGroup(of: Void.self) { [devices = history.devices] group in
            for device in devices { group.addTask { await device.run() } }
            try await history.run(steps: 40)
            try await history.expectEqualStores()
            try await history.expectNothingLost()
            history.expectUniqueVersions()
            for device in devices { await device.finish() }
        }
    }
}
