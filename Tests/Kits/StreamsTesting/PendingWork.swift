/// The pending work of a ``TestScheduler``, described with the source location of the code that created it.
///
/// ```swift
/// _ = Observable<Int>.timer(.seconds(1), scheduler: scheduler).subscribe()
/// scheduler.pending.timers.count       // 1
/// scheduler.advance(by: .seconds(1))
/// scheduler.pending.isEmpty            // true
/// ```
public struct PendingWork: Sendable, Equatable {
    /// Unfinished tasks that wait for something other than the clock.
    public let tasks: [String]
    /// Pending timers and sleeps, with their ticks.
    public let timers: [String]
    /// Undisposed subscriptions to testable observables, with the ticks at which they were made; in debug builds also
    /// the live subscriptions of the scheduler's world, with the location of the subscribing code.
    public let subscriptions: [String]

    public init(tasks: [String] = [], timers: [String] = [], subscriptions: [String] = []) {
        self.tasks = tasks
        self.timers = timers
        self.subscriptions = subscriptions
    }

    public var isEmpty: Bool { tasks.isEmpty && timers.isEmpty && subscriptions.isEmpty }
}

extension PendingWork: CustomStringConvertible {
    public var description: String {
        if isEmpty { return "nothing" }
        let groups = [("task waiting: ", tasks), ("timer: ", timers), ("open subscription: ", subscriptions)]
        return groups.flatMap { title, lines in lines.map { title + $0 } }.joined(separator: "\n")
    }
}

/// A test waits for an event that cannot occur: the scheduler has no work left.
///
/// ```swift
/// let error = #expect(throws: NeverIdleError.self) {
///     try scheduler.run { try await PublishSubject<Int>().asSingle().value }
/// }
/// error?.pending    // the task, which waits for an element that never arrives
/// ```
public struct NeverIdleError: Error, CustomStringConvertible {
    public let pending: PendingWork
    /// The tick at which the scheduler had no work left.
    public let clock: TestTime
    let seed: UInt64?

    public init(pending: PendingWork, clock: TestTime, seed: UInt64? = nil) {
        self.pending = pending
        self.clock = clock
        self.seed = seed
    }

    /// A description with the pending work and the seed that replays the run.
    public var description: String {
        "no work is left at tick \(clock), but these are still pending:\n\(pending)\(replayNote(seed))"
    }
}

/// Describes how to replay the same order of jobs.
func replayNote(_ seed: UInt64?) -> String {
    seed.map { "\nReplay with TestScheduler(seed: \($0))." } ?? ""
}
