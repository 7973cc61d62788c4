import Streams
import Synchronization

extension TestScheduler {
    /// Runs everything until nothing is left to do; `start()` by another name.
    ///
    /// What still waits then, it waits for in vain: see ``pending`` and ``expectIdle(fileID:filePath:line:column:)``.
    public func run() {
        start()
    }

    /// Runs everything that is due up to and including `tick`, and sets the clock to that.
    public func advance(to tick: TestTime) {
        advanceTo(tick)
    }

    /// Runs everything that is due within the next `ticks`, and sets the clock to the last of them.
    public func advance(by ticks: Int) {
        advanceTo(clock + ticks)
    }

    /// Runs everything that is due within the next `duration`, and sets the clock to the end of that.
    public func advance(by duration: Duration) {
        advanceTo(clock + virtualClock.sleepers.ticks(for: duration))
    }

    /// Runs an operation in this scheduler's world until it has ended, and returns what it returns.
    ///
    /// So a synchronous test calls `async` code, with all its sleeps, in no real time.
    ///
    /// ```swift
    /// let page = try scheduler.run { try await search(criteria) }
    /// ```
    ///
    /// - Throws: What the operation throws; ``NeverIdleError`` when nothing is left to do and it has not ended. Then
    ///   its task is cancelled.
    @discardableResult
    public func run<Result: Sendable>(
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
        let task = perform {
            startTask("run", file: file, line: line) { [weak self] in
                let result: Swift.Result<Result, any Error>
                do { result = .success(try await operation()) } catch { result = .failure(error) }
                outcome.withLock { $0 = result }
                self?.stop()
            }
        }
        start()
        if let result = outcome.withLock({ $0 }) { return try result.get() }
        let error = NeverIdleError(pending: pending, clock: clock, seed: seed)
        task.cancel()
        start()
        throw error
    }

    /// What it is still waiting for, with the source lines of the code that asked for it.
    public var pending: PendingWork {
        let sleeping = Set(virtualClock.sleepers.tasks.map(\.number))
        let timers = pendingWork.map {
            (time: $0.time, text: "tick \($0.time)" + ($0.origin.map { ", for \($0)" } ?? ""))
        }
        return PendingWork(
            tasks: tasks.all.filter { !sleeping.contains($0.number) }.map(\.description),
            timers: timers.sorted { ($0.time, $0.text) < ($1.time, $1.text) }.map(\.text),
            subscriptions: audiences.withLock { $0.flatMap { $0.audience?.openSubscriptions ?? [] } }
                + ledger.live.compactMap { node in
                    node.place.map { "\((["subscribe"] + node.operators).joined(separator: " < ")), at \($0)" }
                })
    }

    /// Fails the test if it is still waiting for anything, and says for what.
    public func expectIdle(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let pending = pending
        if pending.isEmpty { return }
        CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            .fail("at tick \(clock) there is still waiting\n\(pending)\(replayNote(seed))")
    }
}
