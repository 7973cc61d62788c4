import Synchronization
import Testing

@testable import TestTurns

@Suite("Turns of tests")
struct TurnTests {
    @Test("turns are granted in the order of the requests, up to the width at a time")
    func turnsAreInOrder() async throws {
        let turns = TaskSemaphore(width: 2)
        try await turns.wait()
        try await turns.wait()
        let order = Reports()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<10 {
                group.addTask {
                    try await turns.wait()
                    order.add("\(index)")
                    turns.signal()
                }
                while turns.waitingCount <= index { try await pause() }
            }
            #expect(order.all == [])
            turns.signal()
            try await group.waitForAll()
        }
        turns.signal()
        #expect(order.all == (0..<10).map { "\($0)" })
        #expect(turns.waitingCount == 0)
    }

    @Test("a task that is cancelled while it waits leaves the queue and takes no turn")
    func cancelledTasksLeave() async throws {
        let turns = TaskSemaphore(width: 1)
        try await turns.wait()
        let waiting = (0..<3).map { _ in Task { try await turns.wait() } }
        while turns.waitingCount < 3 { try await pause() }
        waiting[1].cancel()
        await #expect(throws: CancellationError.self) { try await waiting[1].value }
        #expect(turns.waitingCount == 2)
        turns.signal()
        turns.signal()
        turns.signal()
        for index in [0, 2] { try await waiting[index].value }
        try await turns.wait()
        turns.signal()
    }

    @Test("a task that is already cancelled takes no turn")
    func cancelledBefore() async throws {
        let turns = TaskSemaphore(width: 0)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await turns.wait()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(turns.waitingCount == 0)
    }

    @Test("the time limit of a test begins with its turn, not with its wait")
    func limitsBeginWithTheTurn() async throws {
        let (test, turns) = (try #require(Test.current), TaskSemaphore(width: 1))
        let (reports, log) = (Reports(), Reports())
        let limit = Duration.milliseconds(20)
        let trait = TurnTrait(limit: limit, turns: turns, report: reports.add)
        try await turns.wait()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await trait.provideScope(for: test, testCase: nil) { log.add("run") }
            }
            while turns.waitingCount < 1 { try await pause() }
            await DeadlineTimer.shared.wait(for: limit * 2)
            turns.signal()
            try await group.waitForAll()
        }
        #expect(log.all == ["run"])
        #expect(reports.all == [])
    }

    @Test("a test that exceeds its time limit fails once, is cancelled, and ends its turn")
    func limitsEndWhatHangs() async throws {
        let (test, turns, reports) = (try #require(Test.current), TaskSemaphore(width: 1), Reports())
        let trait = TurnTrait(limit: .milliseconds(1), turns: turns, report: reports.add)
        try await trait.provideScope(for: test, testCase: nil) {
            let (never, continuation) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
            continuation.finish()
            try Task.checkCancellation()
        }
        #expect(reports.all == ["exceeded its limit of 0.001 seconds"])
        try await turns.wait()
        turns.signal()
    }

    @Test("an error of a test is rethrown and ends its turn")
    func errorsPass() async throws {
        struct Refusal: Error {}
        let (test, turns, reports) = (try #require(Test.current), TaskSemaphore(width: 1), Reports())
        let trait = TurnTrait(limit: .seconds(300), turns: turns, report: reports.add)
        await #expect(throws: Refusal.self) {
            try await trait.provideScope(for: test, testCase: nil) { throw Refusal() }
        }
        #expect(reports.all == [])
        try await turns.wait()
        turns.signal()
    }

    @Test("a test of a suite that has a turn does not wait for a second one")
    func turnsAreNotNested() async throws {
        let (test, trait) = (
            try #require(Test.current), TurnTrait(limit: .seconds(300), turns: TaskSemaphore(width: 1))
        )
        try await trait.provideScope(for: test, testCase: nil) {
            try await trait.provideScope(for: test, testCase: nil) {}
        }
    }

    /// Yields to other tasks; throws once the test is cancelled.
    private func pause() async throws {
        try Task.checkCancellation()
        await Task.yield()
    }

    private final class Reports: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) { texts.withLock { $0.append(text) } }
        @Sendable func add(_ text: String, _ location: SourceLocation) { add(text) }
    }
}
