import StreamsTesting

/// Runs `body` in virtual time with one or more devices, and expects that nothing waits in the end.
func withDevices(
    _ count: Int = 1, people: [UInt64] = [1, 1], seed: UInt64 = 1,
    _ body: @escaping @Sendable (World) async throws -> Void
) throws {
    let scheduler = TestScheduler(resolution: 0.001, seed: seed)
    let clock = scheduler.virtualClock
    try scheduler.run {
        let world = try await World(people: people.prefix(count), clock: clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in world.devices { group.addTask { await device.run() } }
            try await body(world)
            for device in world.devices { await device.finish() }
        }
    }
    scheduler.expectIdle()
}
