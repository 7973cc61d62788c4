import Dispatch
import Foundation
import Synchronization
import TestReporting
public import Testing

/// Limits how many tests of all suites with this trait run at a time, and ends a test that hangs.
///
/// Swift Testing starts every test of a process at once, including each case of a parameterized test: together they
/// open more files and use more memory than most machines allow. With this trait, four of them run at a time, or as many
/// as there are processors if that is more, in the order of their requests.
///
/// ```swift
/// @Suite("Accesses", .limitedConcurrency)
/// struct AccessTests { … }
/// ```
///
/// The limit begins when the test does. It ends a test that hangs, and does not judge a slow one. A test with `.timeLimit` as
/// well fails: that limit also counts the time for which a test waits for its slot. A test that exceeds its limit fails and is
/// cancelled; if it has not ended a minute later, the process stops with the name of the test on standard error.
///
/// A test reports its first ten issues only, so that a failure in a loop is not repeated a thousand times.
///
/// `TEST_COSTS=1 swift test` runs one test at a time and prints the cost of each.
///
/// Place the trait before traits that prepare something for the test, so that they wait for the slot, too.
public struct ConcurrencyLimitTrait: TestTrait, SuiteTrait, TestScoping {
    let limit: Duration
    var slots = TaskSemaphore.shared
    /// Whether no other test with this trait runs meanwhile.
    var isAlone = false
    /// Runs work after a time; the queue has a thread of its own, so that it works even if tests block every thread of
    /// the cooperative pool.
    var arm: @Sendable (Duration, DispatchWorkItem) -> Void = { time, work in
        Self.deadlines.asyncAfter(deadline: .now() + time / .seconds(1), execute: work)
    }

    /// Applies to the tests of sub-suites as well.
    public var isRecursive: Bool { true }

    /// Runs a test when it has a slot.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // Both a suite and its test may request a slot; a test that waited for a second one could wait for itself.
        if Self.hasSlot { return try await function() }
        if test.timeLimit != nil {
            Issue.record(
                "remove .timeLimit, which counts the wait for a slot; use .limitedConcurrency(within:)",
                sourceLocation: test.sourceLocation)
        }
        // Two tests that each held some of the slots would wait for each other.
        if isAlone { await TaskSemaphore.alone.wait() }
        let needed = isAlone ? slots.width : 1
        for _ in 0..<needed { await slots.wait() }
        defer {
            for _ in 0..<needed { slots.signal() }
            if isAlone { TaskSemaphore.alone.signal() }
        }
        let begin = Cost.isReported ? Cost.now : nil
        defer { begin?.report(of: test) }
        let count = Atomic(0)
        let firstIssues = IssueHandlingTrait.compactMapIssues { issue in
            let number = count.add(1, ordering: .relaxed).newValue
            guard number <= 10 else { return nil }
            var issue = issue
            if number == 10 { issue.comments.append("further issues of this test are not reported") }
            return issue
        }
        try await Self.$hasSlot.withValue(true) {
            try await firstIssues.provideScope(for: test, testCase: testCase) { try await run(test, function) }
        }
    }

    @TaskLocal private static var hasSlot = false

    private static let deadlines = DispatchQueue(label: "deadlines of tests")

    private func run(_ test: Test, _ function: @concurrent @Sendable () async throws -> Void) async throws {
        try await withoutActuallyEscaping(function) { function in
            let task = Task { try await function() }
            let hasExceeded = Atomic(false)
            let deadline = DispatchWorkItem {
                hasExceeded.store(true, ordering: .releasing)
                task.cancel()
            }
            let lastDeadline = DispatchWorkItem {
                fatalError("\(test.name) hangs: it did not end within a minute after its cancellation")
            }
            arm(limit, deadline)
            arm(limit + .seconds(60), lastDeadline)
            let result = await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
            deadline.cancel()
            lastDeadline.cancel()
            // The errors of a test that was cancelled add no information.
            guard hasExceeded.load(ordering: .acquiring) else { return try result.get() }
            Issue.record("exceeded its limit of \(limit)", sourceLocation: test.sourceLocation)
        }
    }
}

extension Trait where Self == ConcurrencyLimitTrait {
    /// Limits how many tests of all suites with this trait run at a time; a test that takes longer than ten minutes
    /// fails.
    public static var limitedConcurrency: Self { limitedConcurrency(within: .seconds(600)) }

    /// Limits how many tests of all suites with this trait run at a time; a test that takes longer than `limit`,
    /// counted from its start, fails.
    public static func limitedConcurrency(within limit: Duration) -> Self { Self(limit: limit) }

    /// Runs the tests while no other test with this trait runs: for what they measure of the whole process.
    public static func runsAlone(within limit: Duration) -> Self { Self(limit: limit, isAlone: true) }
}

/// A semaphore for tasks, first in, first out. A task that is cancelled waits for its slot nevertheless.
final class TaskSemaphore: Sendable {
    /// The semaphore that all suites share: it keeps every processor busy while some tests wait for the disk.
    static let shared = TaskSemaphore(width: Cost.isReported ? 1 : max(4, ProcessInfo.processInfo.activeProcessorCount))

    /// One test alone at a time waits for all slots.
    static let alone = TaskSemaphore(width: 1)

    let width: Int

    private struct State {
        var free: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Guarded<State>

    init(width: Int) {
        self.width = width
        state = Guarded(State(free: width))
    }

    /// The number of waiting tasks.
    var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Returns when the caller has a slot, which it keeps until ``signal()``.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiters.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Frees a slot, and grants it to the task that has waited longest.
    func signal() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

/// A moment, and the processor seconds that this process and its finished children have used until then.
private struct Cost {
    /// Whether `TEST_COSTS` is set.
    static let isReported = ProcessInfo.processInfo.environment["TEST_COSTS"] != nil

    let moment: ContinuousClock.Instant
    let processor: Double

    static var now: Cost { Cost(moment: .now, processor: processorTime(process) + processorTime(children)) }

    /// Prints the cost since this moment: processor seconds, seconds, and the test.
    func report(of test: Test) {
        let now = Cost.now
        let seconds = moment.duration(to: now.moment) / .seconds(1)
        let numbers = String(format: "cost %8.3f %8.3f ", now.processor - processor, seconds)
        FileHandle.standardError.write(Data("\(numbers)\(test.id)\n".utf8))
    }

    #if canImport(Darwin)
    private static let (process, children) = (RUSAGE_SELF, RUSAGE_CHILDREN)
    #else
    private static let (process, children) = (Int32(RUSAGE_SELF.rawValue), Int32(RUSAGE_CHILDREN.rawValue))
    #endif

    private static func processorTime(_ who: Int32) -> Double {
        var usage = rusage()
        getrusage(who, &usage)
        let seconds = Double(usage.ru_utime.tv_sec) + Double(usage.ru_stime.tv_sec)
        let microseconds = Double(usage.ru_utime.tv_usec) + Double(usage.ru_stime.tv_usec)
        return seconds + microseconds / 1_000_000
    }
}
