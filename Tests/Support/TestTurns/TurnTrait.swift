public import Testing

/// Limits how many tests of all suites with this trait run at a time, and ends a test that hangs.
///
/// Swift Testing starts every test of a process at once, including each case of a parameterized test: together they
/// open more files and use more memory than most machines allow. With this trait, ``TaskSemaphore/width`` of them run
/// at a time, in the order of their requests.
///
/// ```swift
/// @Suite("Accesses", .takesTurns)
/// struct AccessTests { … }
/// ```
///
/// The limit begins with the turn. It ends a test that hangs, and does not judge a slow one. Do not combine it with
/// `.timeLimit`, which also counts the time for which a test waits for its turn. A test that exceeds its limit fails
/// and is cancelled; if it has not ended a minute later, the process stops with the name of the test on standard error.
///
/// A test reports its first ten issues only, so that a failure in a loop is not repeated a thousand times.
///
/// `TEST_COSTS=1 swift test` runs one test at a time and prints the cost of each.
///
/// Place the trait before traits that prepare something for the test, so that they wait for the turn, too.
public struct TurnTrait: TestTrait, SuiteTrait, TestScoping {
    let limit: Duration
    let grace: Duration
    let turns: TaskSemaphore
    let report: @Sendable (String, SourceLocation) -> Void

    init(
        limit: Duration, grace: Duration = .seconds(60), turns: TaskSemaphore = .shared,
        report: @escaping @Sendable (String, SourceLocation) -> Void = { Issue.record("\($0)", sourceLocation: $1) }
    ) {
        self.limit = limit
        self.grace = grace
        self.turns = turns
        self.report = report
    }

    /// Applies to the tests of sub-suites as well.
    public var isRecursive: Bool { true }

    /// Runs a test when it has its turn.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // Both a suite and its test may request a turn; a test that waited for a second one could wait for itself.
        if Self.hasTurn { return try await function() }
        try await turns.wait()
        defer { turns.signal() }
        let begin = Cost.isReported ? Cost.now : nil
        defer { begin?.report(of: test) }
        let count = IssueLimit()
        try await Self.$hasTurn.withValue(true) {
            try await IssueHandlingTrait.compactMapIssues(count.bounded).provideScope(for: test, testCase: testCase) {
                try await run(test, function)
            }
        }
    }

    @TaskLocal private static var hasTurn = false

    private enum End {
        case ended, exceeded
    }

    private func run(_ test: Test, _ function: @concurrent @Sendable () async throws -> Void) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await withThrowingTaskGroup(of: End.self) { group in
                group.addTask {
                    try await function()
                    return .ended
                }
                group.addTask {
                    await DeadlineTimer.shared.wait(for: limit)
                    return .exceeded
                }
                let end = try await group.next()
                group.cancelAll()
                guard end == .exceeded, !Task.isCancelled else { return }
                report("exceeded its limit of \(limit)", test.sourceLocation)
                let lastDeadline = DeadlineTimer.shared.set(for: grace) {
                    fatalError("\(test.name) hangs: it did not end within \(grace) after its cancellation")
                }
                defer { DeadlineTimer.shared.cancel(lastDeadline) }
                // The errors of a cancelled test add no information.
                while let result = await group.nextResult() { _ = result }
            }
        }
    }
}

extension Trait where Self == TurnTrait {
    /// Limits how many tests of all suites with this trait run at a time; a test that takes longer than five minutes
    /// fails.
    public static var takesTurns: Self { takesTurns(within: .seconds(300)) }

    /// Limits how many tests of all suites with this trait run at a time; a test that takes longer than `limit`,
    /// counted from the start of its turn, fails.
    public static func takesTurns(within limit: Duration) -> Self { Self(limit: limit) }
}
