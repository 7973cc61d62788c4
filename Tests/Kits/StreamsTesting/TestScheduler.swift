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
/// Timers of streams, tasks that streams start (`Observable.task`, the `async` forms of `flatMapLatest` and its like),
/// their child tasks, the actors they call and sleeps on ``virtualClock`` all advance on the scheduler, in one
/// deterministic order and in no real time.
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
/// Drive it, and call what it is given, from one thread or one actor at a time. Any number of schedulers may run in
/// parallel: they share nothing.
public final class TestScheduler: VirtualTimeScheduler<TestSchedulerVirtualTimeConverter>, @unchecked Sendable {
    // `@unchecked Sendable`: the class it inherits from is; what it adds is `Sendable` by itself.

    /// The ticks that ``start(_:)`` uses.
    public struct Defaults {
        /// When the stream is created.
        public static let created = 100
        /// When it is subscribed to.
        public static let subscribed = 200
        /// When the subscription is disposed.
        public static let disposed = 1000
    }

    /// What the order of ready jobs is drawn from; `nil` for the order in which they became ready.
    public let seed: UInt64?
    /// A clock for `async` code, whose sleeps end when this scheduler gets there.
    public let virtualClock: VirtualClock

    /// Runs the jobs of tasks in this scheduler's world, for tasks that a test starts itself:
    /// `Task(executorPreference: scheduler.taskExecutor) { … }`.
    public var taskExecutor: any TaskExecutor { executor }

    let tasks: LiveTasks
    /// The subscriptions made in this scheduler's world.
    let ledger = SubscriptionLedger()
    let audiences = Mutex<[WeakAudience]>([])
    private let executor: VirtualTimeExecutor
    private let home: TaskEnvironment
    private let simulateProcessingDelay: Bool
    private let steps = Atomic(0)
    private let stepLimit: Int
    /// Where it was made, for a failure that has no place of its own.
    private let origin: CallSite

    /// A scheduler at rest.
    ///
    /// - Parameters:
    ///   - initialClock: The tick at which it begins.
    ///   - resolution: The length of a tick in seconds, for timers and sleeps that are given a time.
    ///   - simulateProcessingDelay: Whether stream work that is to run at once runs a tick later, as work takes time.
    ///   - seed: Permutes the order of jobs that are ready together. A failure names it, to replay the same order.
    ///   - stepLimit: How many pieces of work it runs in its life: a runaway stops there and fails the test.
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
        origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        virtualClock = VirtualClock(sleepers: Sleepers(resolution: resolution))
        home = TaskEnvironment { origin, operation in tasks.start(origin, on: executor, operation) }
        super.init(
            initialClock: initialClock, converter: TestSchedulerVirtualTimeConverter(resolution: resolution))
        executor.serve(self)
        virtualClock.sleepers.serve(self)
        VirtualTimeScope.current?.adopt(home, seed)
    }

    deinit {
        virtualClock.sleepers.release(at: clock)
        executor.release()
    }

    /// Not before now; not before the next tick if it simulates processing delay.
    public override func adjustScheduledTime(_ time: TestTime) -> TestTime {
        max(time, simulateProcessingDelay ? clock + 1 : clock)
    }

    /// Runs work in this scheduler's world, unless that is more than the step limit allows.
    public override func invoke(_ work: () -> Void) {
        let step = steps.add(1, ordering: .relaxed).newValue
        if step <= stepLimit { perform(work) }
        if step < stepLimit { return }
        stop()
        guard step == stepLimit else { return }
        origin.fail(
            """
            a runaway: after \(stepLimit) pieces of work, at tick \(clock), there is still waiting
            \(pending)\(replayNote(seed))
            """)
    }

    /// Runs `work` now, in this scheduler's world: tasks that streams start meanwhile live there.
    ///
    /// What the scheduler runs is in its world anyway. This is for what the test itself does, such as subscribing to
    /// a stream whose task starts at once; see also ``VirtualTimeTrait``.
    public func perform<Result>(_ work: () throws -> Result) rethrows -> Result {
        try TaskEnvironment.$current.withValue(home) {
            #if DEBUG
                try SubscriptionLedger.$current.withValue(ledger.withCurrent, operation: work)
            #else
                try work()
            #endif
        }
    }

    /// Runs work at the present tick, after what waits for that already.
    func scheduleNow(_ work: @escaping @Sendable () -> Void) {
        _ = scheduleAbsoluteVirtual((), time: clock) {
            work()
            return Disposables.create()
        }
    }

    // MARK: Streams and observers

    /// A stream that says these things at these ticks, to whoever listens then.
    public func createHotObservable<Element: Sendable>(
        _ events: [Recorded<Event<Element>>], file: StaticString = #fileID, line: UInt = #line
    ) -> TestableObservable<Element> {
        TestableObservable(hot: events, on: self, "hot observable, at \(file):\(line)")
    }

    /// A stream that says these things to each subscriber, that many ticks after its subscription.
    public func createColdObservable<Element: Sendable>(
        _ events: [Recorded<Event<Element>>], file: StaticString = #fileID, line: UInt = #line
    ) -> TestableObservable<Element> {
        TestableObservable(cold: events, on: self, "cold observable, at \(file):\(line)")
    }

    /// An observer that records what it hears, and when.
    public func createObserver<E: Sendable>(_ type: E.Type) -> TestableObserver<E> {
        TestableObserver(scheduler: self)
    }

    // MARK: Running

    /// Runs `action` at `time`.
    public func scheduleAt(_ time: TestTime, action: @escaping () -> Void) {
        let action = Confined(action)
        _ = scheduleAbsoluteVirtual((), time: time) {
            action.value()
            return Disposables.create()
        }
    }

    /// Runs everything, and records what the stream made by `create` says.
    ///
    /// - Parameters:
    ///   - created: When `create` is called.
    ///   - subscribed: When the stream is subscribed to.
    ///   - disposed: When the subscription is disposed.
    ///   - create: Makes the stream.
    /// - Returns: What the stream said.
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

    /// As ``start(created:subscribed:disposed:create:)``, created at 100 and subscribed to at 200.
    public func start<Element: Sendable, OutputSequence: ObservableConvertibleType>(
        disposed: TestTime, create: @escaping () -> OutputSequence
    ) -> TestableObserver<Element> where OutputSequence.Element == Element {
        start(created: Defaults.created, subscribed: Defaults.subscribed, disposed: disposed, create: create)
    }

    /// As ``start(created:subscribed:disposed:create:)``, created at 100, subscribed to at 200 and disposed at 1000.
    public func start<Element: Sendable, OutputSequence: ObservableConvertibleType>(
        _ create: @escaping () -> OutputSequence
    ) -> TestableObserver<Element> where OutputSequence.Element == Element {
        start(
            created: Defaults.created, subscribed: Defaults.subscribed, disposed: Defaults.disposed, create: create)
    }
}

/// What a test hands to its scheduler and gets back on the thread that drives it.
///
/// `@unchecked Sendable`: a test hands work to a scheduler and drives it from one thread or actor at a time, which
/// ``TestScheduler`` asks for; so that the work may use what the test itself uses, it is not `@Sendable`.
private struct Confined<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
