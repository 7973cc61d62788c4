import Synchronization
import Testing

@testable import TestConcurrency

@Suite("Limited concurrency of tests")
struct ConcurrencyLimitTests {
    @Test("slots are granted in the order of the requests, up to the width at a time")
    func slotsAreInOrder() async throws {
        let slots = TaskSemaphore(width: 2)
        await slots.wait()
        await slots.wait()
        let order = Reports()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<10 {
                group.addTask {
                    await slots.wait()
                    order.add("\(index)")
                    slots.signal()
                }
                while slots.waitingCount <= index { try await pause() }
            }
            #expect(order.all == [])
            slots.signal()
            try await group.waitForAll()
        }
        slots.signal()
        #expect(order.all == (0..<10).map { "\($0)" })
        #expect(slots.waitingCount == 0)
    }

    @Test("a test alone waits for all slots, and lets others wait")
    func alone() async throws {
        let (test, slots, log) = (try #require(Test.current), TaskSemaphore(width: 2), Reports())
        let trait = ConcurrencyLimitTrait(limit: .seconds(20), slots: slots, isAlone: true)
        await slots.wait()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await trait.provideScope(for: test, testCase: nil) { log.add("alone") } }
            while slots.waitingCount < 1 { try await pause() }
            group.addTask {
                await slots.wait()
                log.add("other")
                slots.signal()
            }
            while slots.waitingCount < 2 { try await pause() }
            #expect(log.all == [])
            slots.signal()
            try await group.waitForAll()
        }
        #expect(log.all == ["alone", "other"])
    }

    @Test("the time limit of a test begins with its start, not with its wait")
    func limitsBeginWithTheStart() async throws {
        let (test, slots, log) = (try #require(Test.current), TaskSemaphore(width: 1), Reports())
        let trait = ConcurrencyLimitTrait(limit: .seconds(20), slots: slots) { limit, _ in log.add("limit \(limit)") }
        await slots.wait()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await trait.provideScope(for: test, testCase: nil) { log.add("run") }
            }
            while slots.waitingCount < 1 { try await pause() }
            #expect(log.all == [])
            slots.signal()
            try await group.waitForAll()
        }
        #expect(log.all.dropLast() == ["limit 20.0 seconds", "limit 80.0 seconds"])
        #expect(log.all.last == "run")
    }

    @Test("a test with a time limit of Swift Testing fails, because that counts its wait", .timeLimit(.minutes(1)))
    func otherLimit() async throws {
        let (test, issues) = (try #require(Test.current), Reports())
        let trait = ConcurrencyLimitTrait(limit: .seconds(20), slots: TaskSemaphore(width: 1))
        try await collecting(issues).provideScope(for: test, testCase: nil) {
            try await trait.provideScope(for: test, testCase: nil) {}
        }
        #expect(issues.all.count == 1 && issues.all.first?.contains("remove .timeLimit") == true)
    }

    @Test("a test that exceeds its time limit fails once, is cancelled, and frees its slot")
    func limitsEndWhatHangs() async throws {
        let (test, slots, issues) = (try #require(Test.current), TaskSemaphore(width: 1), Reports())
        let trait = ConcurrencyLimitTrait(limit: .milliseconds(1), slots: slots)
        try await collecting(issues).provideScope(for: test, testCase: nil) {
            try await trait.provideScope(for: test, testCase: nil) {
                let (never, continuation) = AsyncStream.makeStream(of: Never.self)
                for await _ in never {}
                continuation.finish()
                try Task.checkCancellation()
            }
        }
        #expect(issues.all == ["exceeded its limit of 0.001 seconds"])
        await slots.wait()
        slots.signal()
    }

    @Test("a cancelled run cancels the test that has a slot")
    func cancellationPasses() async throws {
        let (test, slots) = (try #require(Test.current), TaskSemaphore(width: 1))
        let trait = ConcurrencyLimitTrait(limit: .seconds(300), slots: slots)
        let task = Task {
            try await trait.provideScope(for: test, testCase: nil) {
                while true { try await pause() }
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await slots.wait()
        slots.signal()
    }

    @Test("an error of a test is rethrown and frees its slot")
    func errorsPass() async throws {
        struct Refusal: Error {}
        let (test, slots) = (try #require(Test.current), TaskSemaphore(width: 1))
        let trait = ConcurrencyLimitTrait(limit: .seconds(300), slots: slots)
        await #expect(throws: Refusal.self) {
            try await trait.provideScope(for: test, testCase: nil) { throw Refusal() }
        }
        await slots.wait()
        slots.signal()
    }

    @Test("a test reports its first ten issues only")
    func issuesAreLimited() async throws {
        let (test, issues) = (try #require(Test.current), Reports())
        let trait = ConcurrencyLimitTrait(limit: .seconds(300), slots: TaskSemaphore(width: 1))
        try await collecting(issues).provideScope(for: test, testCase: nil) {
            try await trait.provideScope(for: test, testCase: nil) {
                for number in 1...100 { Issue.record("issue \(number)") }
            }
        }
        #expect(issues.all.count == 10)
        #expect(issues.all.last == "issue 10; further issues of this test are not reported")
    }

    @Test("a test of a suite that has a slot does not wait for a second one")
    func slotsAreNotNested() async throws {
        let (test, trait) = (
            try #require(Test.current), ConcurrencyLimitTrait(limit: .seconds(300), slots: TaskSemaphore(width: 1))
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
