import StreamsTesting
import Testing
import TravelDataCached

@Suite("A lock for tasks", .inVirtualTime)
struct AsyncMutexTests {
    private actor Log {
        var entries: [String] = []
        func append(_ entry: String) { entries.append(entry) }
    }

    let mutex = AsyncMutex()
    private let log = Log()
    let clock = InVirtualTime.clock

    /// Acquires the lock after `delay` seconds, and holds it for ten seconds.
    @Sendable private func hold(_ name: String, after delay: Int = 0) async throws {
        try await clock.sleep(for: .seconds(delay))
        try await mutex.withLock {
            await log.append("\(name) begins")
            try await clock.sleep(for: .seconds(10))
            await log.append("\(name) ends")
        }
    }

    @Test("tasks hold it one at a time, in the order in which they ask for it")
    func order() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...4 { group.addTask { try await hold("\(number)", after: 5 - number) } }
            try await group.waitForAll()
        }
        #expect(await log.entries == [4, 3, 2, 1].flatMap { ["\($0) begins", "\($0) ends"] })
    }

    @Test("a task that asks again after it released the lock waits behind those that asked before")
    func fairness() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for round in 1...3 { try await hold("round \(round)") } }
            group.addTask { try await hold("the other", after: 1) }
            try await group.waitForAll()
        }
        #expect(
            await log.entries
                == ["round 1", "the other", "round 2", "round 3"].flatMap { ["\($0) begins", "\($0) ends"] })
    }

    @Test("a task that is cancelled while it waits never holds it, and those behind it do", arguments: [5, 11])
    func cancellation(at second: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await hold("first", after: 1) }
            group.addTask {
                await withThrowingTaskGroup(of: Void.self) { cancelled in
                    cancelled.addTask { try await hold("cancelled", after: 2) }
                    try? await clock.sleep(for: .seconds(second))
                    cancelled.cancelAll()
                    await #expect(throws: CancellationError.self) { try await cancelled.waitForAll() }
                }
            }
            group.addTask { try await hold("last", after: 3) }
            try await group.waitForAll()
        }
        let entries = await log.entries.filter { $0 != "cancelled begins" || second == 5 }
        #expect(entries == ["first begins", "first ends", "last begins", "last ends"])
        try await hold("later")
    }

    @Test("an error of the body releases it")
    func error() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await mutex.withLock { throw Failure() } }
        try await hold("later")
    }
}
