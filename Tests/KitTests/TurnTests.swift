import Synchronization
import Testing

@testable import TestTurns

@Suite("Turns of tests")
struct TurnTests {
    @Test("turns are granted in the order of the requests, up to the width at a time")
    func turnsAreInOrder() async throws {
        let turns = TaskSemaphore(width: 2)
        await turns.wait()
        await turns.wait()
        let order = Reports()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<10 {
                group.addTask {
                    await turns.wait()
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

    @Test("a test alone waits for all turns, and lets others wait")
    func alone() async throws {
        let (test, turns, log) = (try #require(Test.current), TaskSemaphore(width: 2), Reports())
        let trait = TurnTrait(limit: .seconds(20), turns: turns, isAlone: true)
        await turns.wait()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await trait.provideScope(for: test, testCase: nil) { log.add("alone") } }
            while turns.waitingCount < 1 { try await pause() }
            group.addTask {
                await turns.wait()
                log.add("other")
                turns.signal()
            }
            while turns.waitingCount < 2 { try await pause() }
            #expect(log.all == [])
            turns.signal()
            try await group.waitForAll()
        }
        #expect(log.all == ["alone", "other"])
    }

    @Test("the time limit of a test begins with its turn, not with its wait")
    func limitsBeginWithTheTurn() async throws {
        let (test, turns, log) = (try #require(Test.current), TaskSemaphore(width: 1), Reports())
        let trait = TurnTrait(limit: .seconds(20), turns: turns) { limit, _ in log.add("limit \(limit)") }
        await turns.wait()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await trait.provideScope(for: test, testCase: nil) { log.add("run") }
            }
            while turns.waitingCount < 1 { try await pause() }
            #expect(log.all == [])
            turns.signal()
            try await group.waitForAll()
        }
        #expect(log.all.dropLast() == ["limit 20.0 seconds", "limit 80.0 seconds"])
        #expect(log.all.last == "run")
    }

    @Test("a test that exceeds its time limit fails once, is cancelled, and ends its turn")
    func limitsEndWhatHangs() async throws {
        let (test, turns, issues) = (try #require(Test.current), TaskSemaphore(width: 1), Reports())
        let trait = TurnTrait(limit: .milliseconds(1), turns: turns)
        try await collecting(issues).provideScope(for: test, testCase: nil) {
            try await trait.provideScope(for: test, testCase: nil) {
                let (never, continuation) = AsyncStream.makeStream(of: Never.self)
                for await _ in never {}
                continuation.finish()
                try Task.checkCancellation()
            }
        }
        #expect(issues.all == ["exceeded its limit of 0.001 seconds"])
        await turns.wait()
        turns.signal()
    }

    @Test("a cancelled run cancels the test that has a turn")
    func cancellationPasses() async throws {
        let (test, turns) = (try #require(Test.current), TaskSemaphore(width: 1))
        let trait = TurnTrait(limit: .seconds(300), turns: turns)
        let task = Task {
            try await trait.provideScope(for: test, testCase: nil) {
                while true { try await pause() }
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await turns.wait()
        turns.signal()
    }

    @Test("an error of a test is rethrown and ends its turn")
    func errorsPass() async throws {
        struct Refusal: Error {}
        let (test, turns) = (try #require(Test.current), TaskSemaphore(width: 1))
        let trait = TurnTrait(limit: .seconds(300), turns: turns)
        await #expect(throws: Refusal.self) {
            try await trait.provideScope(for: test, testCase: nil) { throw Refusal() }
        }
        await turns.wait()
        turns.signal()
    }

    @Test("a test reports its first ten issues only")
    func issuesAreLimited() async throws {
        let (test, issues) = (try #require(Test.current), Reports())
        let trait = TurnTrait(limit: .seconds(300), turns: TaskSemaphore(width: 1))
        try await collecting(issues).provideScope(for: test, testCase: nil) {
            try await trait.provideScope(for: test, testCase: nil) {
                for number in 1...100 { Issue.record("issue \(number)") }
            }
        }
        #expect(issues.all.count == 10)
        #expect(issues.all.last == "issue 10; further issues of this test are not reported")
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

    /// Collects issues, which then do not fail the test.
    private func collecting(_ issues: Reports) -> IssueHandlingTrait {
        .compactMapIssues { issue in
            issues.add(issue.comments.map(\.rawValue).joined(separator: "; "))
            return nil
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
    }
}
