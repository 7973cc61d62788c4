/// What a ``TestScheduler`` is still waiting for, each in words and with the source line of the code that asked for it.
public struct PendingWork: Sendable, Equatable {
    /// Tasks that have not ended, except those that sleep: they wait for something that has not come.
    public let tasks: [String]
    /// Timers that are armed and sleeps that last, with their ticks.
    public let timers: [String]
    /// Subscriptions to testable observables that were not disposed, with the ticks at which they were made; and, in
    /// debug builds, those made in the scheduler's world that are under way, with the lines that subscribed.
    public let subscriptions: [String]

    /// Work of these descriptions, to compare with.
    public init(tasks: [String] = [], timers: [String] = [], subscriptions: [String] = []) {
        self.tasks = tasks
        self.timers = timers
        self.subscriptions = subscriptions
    }

    /// Whether there is nothing.
    public var isEmpty: Bool { tasks.isEmpty && timers.isEmpty && subscriptions.isEmpty }
}

extension PendingWork: CustomStringConvertible {
    /// One line for each.
    public var description: String {
        if isEmpty { return "nothing" }
        let groups = [("task waiting: ", tasks), ("timer: ", timers), ("open subscription: ", subscriptions)]
        return groups.flatMap { title, lines in lines.map { title + $0 } }.joined(separator: "\n")
    }
}

/// What a test waited for did not come: the scheduler had nothing left to do.
public struct NeverIdleError: Error, CustomStringConvertible {
    /// What it is still waiting for.
    public let pending: PendingWork
    /// The tick at which there was nothing left to do.
    public let clock: TestTime
    let seed: UInt64?

    /// A wait without end, for tests of what handles it.
    public init(pending: PendingWork, clock: TestTime, seed: UInt64? = nil) {
        self.pending = pending
        self.clock = clock
        self.seed = seed
    }

    /// What did not come, what is still waited for, and the seed that replays it.
    public var description: String {
        "nothing is left to do at tick \(clock), yet there is waiting for\n\(pending)\(replayNote(seed))"
    }
}

/// How to see the same order of jobs again.
func replayNote(_ seed: UInt64?) -> String {
    seed.map { "\nTestScheduler(seed: \($0)) replays this" } ?? ""
}
