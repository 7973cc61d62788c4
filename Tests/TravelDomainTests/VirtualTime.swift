import StreamsTesting
import Testing

/// Runs each test in the virtual world of a `TestScheduler`: actors, child tasks and sleeps run in an order
/// determined by a seed, without real time passing. Anything that still waits when a test ends fails it.
struct InVirtualTime: TestTrait, SuiteTrait, TestScoping {
    /// The clock of the current test.
    @TaskLocal static var clock = VirtualTimeTests.nowhere

    let seed: UInt64
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let scheduler = TestScheduler(resolution: 0.001, seed: seed)
        let clock = scheduler.virtualClock
        try withoutActuallyEscaping(function) { function in
            try scheduler.run { try await Self.$clock.withValue(clock) { try await function() } }
        }
        scheduler.expectIdle()
    }
}

extension Trait where Self == InVirtualTime {
    /// Runs each test in virtual time.
    static var inVirtualTime: Self { Self(seed: 7) }
}

@Suite("Tests in virtual time", .inVirtualTime)
struct VirtualTimeTests {
    /// The clock outside of any test, which never advances.
    static let nowhere = TestScheduler().virtualClock

    @Test("an hour passes without real time, for child tasks and actors too")
    func anHour() async throws {
        let clock = InVirtualTime.clock
        let start = ContinuousClock.now
        actor Log {
            var entries: [Int] = []
            func add(_ entry: Int) { entries.append(entry) }
        }
        let log = Log()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for minutes in [60, 20, 40] {
                group.addTask {
                    try await clock.sleep(for: .seconds(minutes * 60))
                    await log.add(minutes)
                }
            }
            try await group.waitForAll()
        }
        #expect(await log.entries == [20, 40, 60])
        #expect(clock.now.offset >= .seconds(3_600))
        #expect(ContinuousClock.now - start < .seconds(60))
    }
}
