public import Testing

/// Runs the tests of a suite in turns that all suites with this trait share, and ends one that hangs.
///
/// Swift Testing starts every test of a process at once, each case of a parameterized test included: together they
/// open more files and hold more memory than most machines allow. With this trait, a few of them run at a time
/// (``Turns/width``), in the order in which they asked.
///
/// ```swift
/// @Suite("Accesses", .takesTurns)
/// struct AccessTests { … }
/// ```
///
/// The limit begins with the turn. It is there to end what hangs, not to judge what is slow, so that `.timeLimit`, which
/// also counts the time for which a test waits while others run, must not stand beside it. A test that exceeds its limit
/// fails and is cancelled; one that has not ended a minute later ends the process, with its name on standard error.
///
/// A test reports its first ten issues only: what fails in each round of a loop is not said a thousand times.
///
/// `TEST_COSTS=1 swift test` gives turns to one test at a time and prints what each costs.
///
/// The trait stands before traits that prepare something for the test, so that they wait for the turn, too.
public struct TurnTrait: TestTrait, SuiteTrait, TestScoping {
    let limit: Duration
    let grace: Duration
    let turns: Turns
    let report: @Sendable (String, SourceLocation) -> Void

    init(
        limit: Duration, grace: Duration = .seconds(60), turns: Turns = .shared,
        report: @escaping @Sendable (String, SourceLocation) -> Void = { Issue.record("\($0)", sourceLocation: $1) }
    ) {
        self.limit = limit
        self.grace = grace
        self.turns = turns
        self.report = report
    }

    /// Applies to the tests of sub-suites as well.
    public var isRecursive: Bool { true }

    /// Runs a test once it is its turn.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // A suite and a test of it may both ask for a turn; a test that waited for a second one could wait for itself.
        if Self.hasTurn { return try await function() }
        try await turns.wait()
        defer { turns.end() }
        let begin = Cost.isReported ? Cost.now : nil
        defer { begin?.report(of: test) }
        let count = IssueCount()
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
                    await AlarmClock.shared.wait(for: limit)
                    return .exceeded
                }
                let end = try await group.next()
                group.cancelAll()
                guard end == .exceeded, !Task.isCancelled else { return }
                report("exceeded its limit of \(limit)", test.sourceLocation)
                let lastAlarm = AlarmClock.shared.set(for: grace) {
                    fatalError("\(test.name) hangs: it has not ended \(grace) after it was cancelled")
                }
                defer { AlarmClock.shared.cancel(lastAlarm) }
                // What a test throws because it was cancelled says nothing new.
                while let result = await group.nextResult() { _ = result }
            }
        }
    }
}

extension Trait where Self == TurnTrait {
    /// Runs tests in turns that all suites with this trait share; one that takes longer than five minutes fails.
    public static var takesTurns: Self { takesTurns(within: .seconds(300)) }

    /// Runs tests in turns that all suites with this trait share; one that takes longer than `limit`, counted from when it
    /// is its turn, fails.
    public static func takesTurns(within limit: Duration) -> Self { Self(limit: limit) }
}
