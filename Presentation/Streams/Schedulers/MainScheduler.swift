import Dispatch
import Synchronization

/// A scheduler that runs work on the main queue, for user interface code.
///
/// - Work that is scheduled on the main queue while no work is enqueued runs immediately, without waiting for the next
///   turn of the run loop.
/// - All other work runs in the order in which it was scheduled.
///
/// ``asyncInstance`` omits the first rule.
///
/// ```swift
/// profile.observe(on: MainScheduler.instance)
///     .subscribe(onNext: { label.text = $0.name })    // sets the text on the main queue
/// ```
public final class MainScheduler: SerialDispatchQueueScheduler, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    /// The shared scheduler of the main queue.
    public static let instance = MainScheduler()

    /// A scheduler of the main queue that never runs work before the scheduling call returns.
    public static let asyncInstance = SerialDispatchQueueScheduler(serialQueue: .main)

    /// The main queue, stored because each access to `DispatchQueue.main` creates an object.
    private static let queue = DispatchQueue.main
    /// The number of work items that are enqueued, or were and run.
    private let enqueued = Atomic(0)
    /// Whether work that was not enqueued runs. Only the main queue changes it, and depends on its value.
    private let isRunning = Atomic(false)
    /// Whether `observe(on:)` delivers an event that arrives on the main queue immediately if none of its own events is
    /// waiting. Then the observers of a driver or a signal have received an element when the send on the main queue
    /// returns.
    let isOfSharedSequence: Bool
    /// The virtual world in which the driver or signal was created.
    private let virtual: VirtualQueue?

    /// Creates a scheduler of the main queue.
    public convenience init() { self.init(isOfSharedSequence: false) }

    init(isOfSharedSequence: Bool, in virtual: (any VirtualMain)? = nil) {
        self.isOfSharedSequence = isOfSharedSequence
        self.virtual = virtual.map { VirtualQueue($0) }
        super.init(serialQueue: Self.queue)
    }

    /// Stops the program if the current queue is not the main queue.
    ///
    /// - Parameter errorMessage: The message to print in that case.
    public static func ensureExecutingOnScheduler(errorMessage: String? = nil) {
        precondition(
            DispatchQueue.isMain,
            errorMessage ?? "not on the main queue; add `.observe(on: MainScheduler.instance)` before this operator")
    }

    /// Stops the program if the current queue is not the main queue.
    ///
    /// - Parameter errorMessage: The message to print in that case.
    public static func ensureRunningOnMainThread(errorMessage: String? = nil) {
        ensureExecutingOnScheduler(errorMessage: errorMessage)
    }

    /// Runs `action` before it returns, if this is called on the main queue and no work is enqueued.
    ///
    /// - Parameter isOnMainQueue: Whether this is known to be called on the main queue.
    /// - Returns: Whether it ran.
    @usableFromInline
    package func runNow(isOnMainQueue: Bool = false, _ action: () -> Void) -> Bool {
        if let virtual { return (isOnMainQueue || canRunNow(in: virtual)) && virtual.runNow(action) }
        guard isOnMainQueue || DispatchQueue.isMain, isIdle else { return false }
        runImmediately(action)
        return true
    }

    /// Whether work in a virtual world runs on this thread: the main one, unless work is enqueued there, or that which
    /// takes its place.
    private func canRunNow(in virtual: VirtualQueue) -> Bool {
        DispatchQueue.isMain ? enqueued.load(ordering: .acquiring) == 0 : virtual.main.isHere
    }

    private var isIdle: Bool { !isRunning.load(ordering: .relaxed) && enqueued.load(ordering: .acquiring) == 0 }

    /// Called on the main queue.
    private func runImmediately<Result>(_ work: () -> Result) -> Result {
        isRunning.store(true, ordering: .relaxed)
        defer { isRunning.store(false, ordering: .relaxed) }
        return MainActorCheck.passed(work)
    }

    /// The virtual time of the world in which the driver or signal was created; otherwise the real time.
    public override var now: RxTime { timers?.now ?? super.now }

    /// The scheduler that takes the place of this one for timers, in a virtual world.
    var timers: (any SchedulerType)? { virtual?.main.timers }

    override func scheduleInternal<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        if let virtual, canRunNow(in: virtual) {
            let work = ScheduledWork(state, action)
            virtual.run { work.run() }
            return work
        }
        if virtual == nil, isIdle, DispatchQueue.isMain { return runImmediately { action(state) } }
        if isOfSharedSequence { VirtualWorlds.willUseMainQueue(.delivery) }
        enqueued.add(1, ordering: .acquiringAndReleasing)
        let work = ScheduledWork(state, action)
        DispatchQueue.main.async { [self] in
            work.run()
            enqueued.subtract(1, ordering: .acquiringAndReleasing)
        }
        return work
    }

    override func scheduleRelativeInternal<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        if let timers { return timers.scheduleRelative(state, dueTime: dueTime, action: action) }
        if isOfSharedSequence { VirtualWorlds.willUseMainQueue(.timer) }
        return super.scheduleRelativeInternal(state, dueTime: dueTime, action: action)
    }

    @preconcurrency
    public override func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        if let timers {
            return timers.schedulePeriodic(state, startAfter: startAfter, period: period, action: action)
        }
        if isOfSharedSequence { VirtualWorlds.willUseMainQueue(.timer) }
        return super.schedulePeriodic(state, startAfter: startAfter, period: period, action: action)
    }
}

/// The work of a main scheduler in a virtual world: it runs immediately, and what it schedules runs after it.
private final class VirtualQueue: Sendable {
    private struct State {
        var isRunning = false
        var waiting = Queue<@Sendable () -> Void>()
    }

    let main: any VirtualMain
    private let state = TracedMutex(State())

    init(_ main: any VirtualMain) {
        self.main = main
    }

    /// Runs `work` before it returns, unless other work runs.
    ///
    /// - Returns: Whether it ran.
    func runNow(_ work: () -> Void) -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { runAll(first: work) }
        return isFirst
    }

    /// Runs `work`, after the work that runs.
    func run(_ work: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            if state.isRunning { state.waiting.append(work) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { runAll(first: work) }
    }

    private func runAll(first: () -> Void) {
        call(first)
        while let next = takeNext() { call(next) }
    }

    private func call(_ work: () -> Void) {
        if DispatchQueue.isMain { MainActorCheck.passed(work) } else { work() }
    }

    private func takeNext() -> (@Sendable () -> Void)? {
        state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.isRunning = false }
            return next
        }
    }
}

extension MainScheduler {
    /// Whether the current code runs on the main queue.
    @usableFromInline package static var isOnMainQueue: Bool { DispatchQueue.isMain }
}

extension DispatchQueue {
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the current code runs on the main queue. Comparing threads takes a fraction of the time of the look-up.
    static var isMain: Bool { MainActorCheck.isPassed || DispatchQueue.getSpecific(key: mainKey) ?? false }
}
