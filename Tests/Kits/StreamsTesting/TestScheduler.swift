public import Streams
import Synchronization

/// A virtual-time scheduler for tests, whose clock counts ticks.
///
/// ```swift
/// let scheduler = TestScheduler(initialClock: 0)
/// let letters = scheduler.createHotObservable([.next(210, "a"), .next(220, "b"), .completed(230)])
/// let result = scheduler.start { letters.map { $0.uppercased() } }
///
/// #expect(result.events == [.next(210, "A"), .next(220, "B"), .completed(230)])
/// #expect(letters.subscriptions == [Subscription(200, 230)])
/// ```
///
/// ## One virtual world
///
/// Timers of streams, tasks that streams start (`Observable.task`, the `async` overloads of `flatMapLatest` and similar
/// operators), their child tasks, the actors that they call and sleeps on ``virtualClock`` all run on the scheduler, in
/// one deterministic order and without waiting in real time.
///
/// ```swift
/// let scheduler = TestScheduler(resolution: 0.001)
/// let clock = scheduler.virtualClock
/// let result = scheduler.start {
///     Observable.task {
///         try await clock.sleep(for: .milliseconds(300))
///         return "found"
///     }
/// }
/// #expect(result.events == [.next(500, "found"), .completed(500)])
/// ```
///
/// Drivers and signals that are created in that world, in the closure of ``start(_:)`` for example, deliver there: at the
/// tick at which their source sends, with timers in virtual time, whether the test runs on the main actor or not. One
/// that was created before, and that uses the main queue, fails the test.
///
/// Run the scheduler, and call the code that it runs, from one thread or one actor at a time. Any number of schedulers
/// can run in parallel: they share nothing.
public final class TestScheduler: VirtualTimeScheduler<TestSchedulerVirtualTimeConverter>, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is `Sendable`.

    /// The ticks that ``start(_:)`` uses.
    ///
    /// ```swift
    /// let source = scheduler.createHotObservable([.next(150, 1), .next(250, 2)])
    /// let result = scheduler.start { source.asObservable() }    // subscribes at tick 200
    /// #expect(result.events == [.next(250, 2)])
    /// ```
    public struct Defaults {
        public static let created = 100
        public static let subscribed = 200
        public static let disposed = 1000
    }

    /// The seed for the order of ready jobs; `nil` for the order in which they became ready.
    public let seed: UInt64?
    /// A clock for `async` code, whose sleeps end when this scheduler reaches their deadline.
    public let virtualClock: VirtualClock

    /// The executor of this scheduler's world, for tasks that a test starts itself:
    /// `Task(executorPreference: scheduler.taskExecutor) { … }`.
    public var taskExecutor: any TaskExecutor { executor }

    let tasks: LiveTasks
    /// The subscriptions that are made in this scheduler's world.
    let scope = SubscriptionScope()
    let recorders = Mutex<[WeakRecorder]>([])
    private let executor: VirtualTimeExecutor
    /// What takes the place of the main queue in this world.
    package var main: any VirtualMain { place }
    private let place: VirtualPlace
    private let home: TaskEnvironment
    private let simulateProcessingDelay: Bool
    private let steps = Atomic(0)
    /// The step after which ``start(atMost:)`` returns.
    private let lastStep = Atomic(Int.max)
    private let stepLimit: Int
    /// The location of the code that created the scheduler, for failures without a location of their own.
    private let origin: CallSite

    /// Creates a stopped scheduler.
    ///
    /// - Parameters:
    ///   - initialClock: The first tick.
    ///   - resolution: The length of a tick in seconds, for timers and sleeps with a duration.
    ///   - simulateProcessingDelay: Whether immediate stream work runs one tick later, to simulate its duration.
    ///   - seed: Permutes the order of simultaneously ready jobs. A failure prints it, to replay the same order.
    ///   - stepLimit: The maximum number of work items that the scheduler ever runs. An endless loop stops there and
    ///     fails the test.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file, for the report.
    ///   - line: The line of the call, for the report.
    ///   - column: The column of the call, for the report.
    public init(
        initialClock: TestTime = 0, resolution: Double = 1.0, simulateProcessingDelay: Bool = true,
        seed: UInt64? = nil, stepLimit: Int = 1_000_000, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let executor = VirtualTimeExecutor(seed: seed)
        let tasks = LiveTasks()
        self.simulateProcessingDelay = simulateProcessingDelay
        self.seed = seed
        self.stepLimit = stepLimit
        self.executor = executor
        self.tasks = tasks
        let origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        self.origin = origin
        let place = VirtualPlace(origin)
        self.place = place
        virtualClock = VirtualClock(sleepQueue: SleepQueue(resolution: resolution))
        home = TaskEnvironment(main: { place }) { origin, operation in tasks.start(origin, on: executor, operation) }
        super.init(
            initialClock: initialClock, converter: TestSchedulerVirtualTimeConverter(resolution: resolution))
        place.serve(self)
        executor.serve(self)
        virtualClock.sleepQueue.serve(self)
        VirtualTimeScope.current?.adopt(home, seed)
    }

    deinit {
        virtualClock.sleepQueue.release(at: clock)
        executor.release()
    }

    /// Returns `time`, but at least the current tick, or the next tick if processing delay is simulated.
    public override func adjustScheduledTime(_ time: TestTime) -> TestTime {
        max(time, simulateProcessingDelay ? clock + 1 : clock)
    }

    /// Runs work in this scheduler's world, unless the step limit is exceeded.
    public override func invoke(_ work: () -> Void) {
        let step = steps.add(1, ordering: .relaxed).newValue
        if step <= stepLimit { perform(work) }
        if step >= lastStep.load(ordering: .relaxed) { stop() }
        if step < stepLimit { return }
        stop()
        guard step == stepLimit else { return }
        origin.fail(
            """
            step limit of \(stepLimit) work items reached at tick \(clock); pending work:
            \(pending)\(replayNote(seed))
            """)
    }

    /// Runs work until none is left, `stop()` is called, or so many work items have run.
    ///
    /// - Returns: Whether it has run that many.
    package func start(atMost count: Int) -> Bool {
        let last = steps.load(ordering: .relaxed) + count
        lastStep.store(last, ordering: .relaxed)
        defer { lastStep.store(.max, ordering: .relaxed) }
        start()
        return steps.load(ordering: .relaxed) >= last
    }

    /// Runs `work` now, in this scheduler's world: tasks that streams start meanwhile belong to that world.
    ///
    /// Work that the scheduler runs is always in its world. Use this method for code of the test itself, such as
    /// subscribing to a stream whose task starts immediately; see also ``VirtualTimeTrait``.
    ///
    /// ```swift
    /// let subscription = scheduler.perform {
    ///     Observable.task { try await load() }.subscribe(observer)    // the task runs when the scheduler does
    /// }
    /// ```
    public func perform<Result>(_ work: () throws -> Result) rethrows -> Result {
        let outer = place.enter()
        defer { place.leave(to: outer) }
        return try TaskEnvironment.$current.withValue(home) {
            #if DEBUG
            try SubscriptionScope.$current.withValue(scope.withCurrent, operation: work)
            #else
            try work()
            #endif
        }
    }

    /// Runs work at the current tick, after the work that is already scheduled for it.
    func scheduleNow(_ work: @escaping @Sendable () -> Void) {
        _ = scheduleAbsoluteVirtual((), time: clock) {
            work()
            return Disposables.create()
        }
    }

    // MARK: Streams and observers

    /// Creates a stream that emits the events at the given ticks to its current observers.
    ///
    /// ```swift
    /// let taps = scheduler.createHotObservable([.next(150, "missed"), .next(210, "seen")])
    /// let result = scheduler.start { taps }    // subscribed at tick 200
    /// #expect(result.events == [.next(210, "seen")])
    /// ```
    public func createHotObservable<Element: Sendable>(
        _ events: [Recorded<Event<Element>>], file: StaticString = #fileID, line: UInt = #line
    ) -> TestableObservable<Element> {
        TestableObservable(hot: events, on: self, "hot observable, at \(file):\(line)")
    }

    /// Creates a stream that emits the events to each observer, at the given numbers of ticks after its subscription.
    ///
    /// ```swift
    /// let page = scheduler.createColdObservable([.next(10, "rows"), .completed(10)])
    /// let result = scheduler.start { page }    // subscribed at tick 200
    /// #expect(result.events == [.next(210, "rows"), .completed(210)])
    /// ```
    public func createColdObservable<Element: Sendable>(
        _ events: [Recorded<Event<Element>>], file: StaticString = #fileID, line: UInt = #line
    ) -> TestableObservable<Element> {
        TestableObservable(cold: events, on: self, "cold observable, at \(file):\(line)")
    }

    /// Creates an observer that records events and their ticks.
    ///
    /// ```swift
    /// let observer = scheduler.createObserver(Int.self)
    /// _ = Observable.of(1, 2).subscribe(observer)
    /// observer.events    // [.next(0, 1), .next(0, 2), .completed(0)] at tick 0
    /// ```
    public func createObserver<E: Sendable>(_ type: E.Type) -> TestableObserver<E> {
        TestableObserver(scheduler: self)
    }

    // MARK: Running

    /// Runs `action` when the clock reaches `time`, in ticks.
    ///
    /// ```swift
    /// scheduler.scheduleAt(250) { subscription.dispose() }
    /// ```
    public func scheduleAt(_ time: TestTime, action: @escaping () -> Void) {
        let action = Confined(action)
        _ = scheduleAbsoluteVirtual((), time: time) {
            action.value()
            return Disposables.create()
        }
    }

    /// Runs all work, and records the events of the stream that `create` returns.
    ///
    /// - Parameters:
    ///   - created: The tick at which `create` is called.
    ///   - subscribed: The tick at which the stream is subscribed.
    ///   - disposed: The tick at which the subscription is disposed.
    ///   - create: Creates the stream.
    /// - Returns: The observer that recorded the events.
    public func start<Element: Sendable, OutputSequence: ObservableConvertibleType>(
        created: TestTime, subscribed: TestTime, disposed: TestTime, create: @escaping () -> OutputSequence
    ) -> TestableObserver<Element> where OutputSequence.Element == Element {
        let observer = createObserver(Element.self)
        let subscription = SingleAssignmentDisposable()
        var source: Observable<Element>?
        scheduleAt(created) { source = create().asObservable() }
        scheduleAt(subscribed) {
            if let stream = source.take() { subscription.setDisposable(stream.subscribe(observer)) }
        }
        scheduleAt(disposed) { subscription.dispose() }
        start()
        return observer
    }

    /// Like ``start(created:subscribed:disposed:create:)``, created at 100 and subscribed at 200.
    public func start<Element: Sendable, OutputSequence: ObservableConvertibleType>(
        disposed: TestTime, create: @escaping () -> OutputSequence
    ) -> TestableObserver<Element> where OutputSequence.Element == Element {
        start(created: Defaults.created, subscribed: Defaults.subscribed, disposed: disposed, create: create)
    }

    /// Like ``start(created:subscribed:disposed:create:)``, created at 100, subscribed at 200 and disposed at 1000.
    public func start<Element: Sendable, OutputSequence: ObservableConvertibleType>(
        _ create: @escaping () -> OutputSequence
    ) -> TestableObserver<Element> where OutputSequence.Element == Element {
        start(
            created: Defaults.created, subscribed: Defaults.subscribed, disposed: Defaults.disposed, create: create)
    }
}

/// A value that a test passes to its scheduler and receives back on the thread that runs it.
///
/// `@unchecked Sendable`: ``TestScheduler`` requires that a test schedules work and runs it from one thread or actor at
/// a time. The work is not `@Sendable`, so that it can use the state of the test.
private struct Confined<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension TestScheduler {
    /// Runs all work until none is left: an alias of `start()`.
    ///
    /// Tasks and subscriptions that are still pending then will not finish: see ``pending`` and
    /// ``expectIdle(fileID:filePath:line:column:)``.
    public func run() { start() }

    /// Runs all work that is due up to and including `tick`, and sets the clock to that tick.
    ///
    /// ```swift
    /// scheduler.advance(to: 300)
    /// scheduler.clock    // 300
    /// ```
    public func advance(to tick: TestTime) { advanceTo(tick) }

    /// Runs all work that is due within the next `ticks`, and advances the clock by them.
    ///
    /// ```swift
    /// scheduler.advance(by: 10)    // from tick 300 to tick 310
    /// ```
    public func advance(by ticks: Int) { advanceTo(clock + ticks) }

    /// Runs all work that is due within the next `duration`, and advances the clock by it.
    ///
    /// ```swift
    /// let scheduler = TestScheduler(resolution: 0.001)
    /// scheduler.advance(by: .seconds(2))    // by 2000 ticks
    /// ```
    public func advance(by duration: Duration) {
        guard let ticks = virtualClock.sleepQueue.ticks(for: duration) else {
            preconditionFailure("advance(by:) requires a duration of less than 292 years, not \(duration)")
        }
        advanceTo(clock + ticks)
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
