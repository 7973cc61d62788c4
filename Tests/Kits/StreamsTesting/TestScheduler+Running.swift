import Streams
import Synchronization

extension TestScheduler {
    /// Runs all work until none is left: an alias of `start()`.
    ///
    /// Tasks and subscriptions that are still pending then will not finish: see ``pending`` and
    /// ``expectIdle(fileID:filePath:line:column:)``.
    public func run() {
        start()
    }

    /// Runs all work that is due up to and including `tick`, and sets the clock to that tick.
    ///
    /// ```swift
    /// scheduler.advance(to: 300)
    /// scheduler.clock    // 300
    /// ```
    public func advance(to tick: TestTime) {
        advanceTo(tick)
    }

    /// Runs all work that is due within the next `ticks`, and advances the clock by them.
    ///
    /// ```swift
    /// scheduler.advance(by: 10)    // from tick 300 to tick 310
    /// ```
    public func advance(by ticks: Int) {
        advanceTo(clock + ticks)
    }

    /// Runs all work that is due within the next `duration`, and advances the clock by it.
    ///
    /// ```swift
    /// let scheduler = TestScheduler(resolution: 0.001)
    /// scheduler.advance(by: .seconds(2))    // by 2000 ticks
    /// ```
    public func advance(by duration: Duration) {
        advanceTo(clock + virtualClock.sleepQueue.ticks(for: duration))
    }

    /// Runs an operation in this scheduler's world until it finishes, and returns its result.
    ///
    /// A synchronous test can call `async` code this way, including its sleeps, without waiting in real time.
    ///
    /// ```swift
    /// let page = try scheduler.run { try await search(criteria) }
    /// ```
    ///
    /// - Throws: The error that the operation throws, or ``NeverIdleError`` if the scheduler has no work left before
    ///   the operation finishes; its task is then cancelled.
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

    /// The pending work, with the source locations of the code that created it.
    public var pending: PendingWork {
        let sleeping = Set(virtualClock.sleepQueue.tasks.map(\.number))
        let timers = pendingWork.map {
            (time: $0.time, text: "tick \($0.time)" + ($0.origin.map { ", for \($0)" } ?? ""))
        }
        return PendingWork(
            tasks: tasks.all.filter { !sleeping.contains($0.number) }.map(\.description),
            timers: timers.sorted { ($0.time, $0.text) < ($1.time, $1.text) }.map(\.text),
            subscriptions: recorders.withLock { $0.flatMap { $0.recorder?.openSubscriptions ?? [] } }
                + scope.live.compactMap { node in
                    node.place.map { "\((["subscribe"] + node.operators).joined(separator: " < ")), at \($0)" }
                })
    }

    /// Fails the test if any work is pending, and lists it.
    ///
    /// ```swift
    /// subscription.dispose()
    /// scheduler.expectIdle()    // the operator has released its timer and its subscription
    /// ```
    public func expectIdle(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let pending = pending
        if pending.isEmpty { return }
        CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            .fail("at tick \(clock), work is still pending:\n\(pending)\(replayNote(seed))")
    }
}
