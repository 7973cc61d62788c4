import Dispatch

/// Periodic work on a scheduler that supports only single runs.
///
/// Each tick schedules the next one and then runs the action. If a previous run is still in progress, the tick is
/// counted, and run after it.
final class PeriodicWork<State: Sendable>: DisposeBase {
    private let resource = Resources.Counted()
    private struct Progress {
        var state: State
        /// The number of ticks whose run has not finished.
        var pending = 0
    }

    private let scheduler: any SchedulerType
    private let period: RxTimeInterval
    private let action: @Sendable (State) -> State
    private let progress: Mutex<Progress>
    #if DEBUG
    /// The chain that was being connected when this was created, to describe the timer in diagnostics.
    private weak let subscriber = SubscriptionRegistry.currentChain
    #endif
    private let nextTick = SerialDisposable()
    private let nextRun = SerialDisposable()

    init(
        _ state: State, every period: RxTimeInterval, on scheduler: any SchedulerType,
        _ action: @escaping @Sendable (State) -> State
    ) {
        progress = Mutex(Progress(state: state))
        self.period = period
        self.scheduler = scheduler
        self.action = action
    }

    func start(after dueTime: RxTimeInterval) {
        #if DEBUG
        let outer = SubscriptionRegistry.enter(subscriber)
        defer { SubscriptionRegistry.end(outer) }
        #endif
        nextTick.disposable = scheduler.scheduleRelative((), dueTime: dueTime) { [self] in
            if !nextTick.isDisposed { tick() }
            return NopDisposable.shared
        }
    }

    private func tick() {
        start(after: period)
        let isFirst = progress.withLock { progress in
            progress.pending += 1
            return progress.pending == 1
        }
        if isFirst { run() }
    }

    private func run() {
        // Only the thread that counted the first pending tick is here, until the count is 0 again.
        let result = action(progress.withLock { $0.state })
        let (hasMore, before) = progress.withLock { progress in
            let before = progress.state
            progress.state = result
            progress.pending -= 1
            return (progress.pending > 0, before)
        }
        withExtendedLifetime(before) {}  // released after the lock
        guard hasMore, !nextRun.isDisposed else { return }
        nextRun.disposable = scheduler.schedule(()) { [self] in
            if !nextRun.isDisposed { run() }
            return NopDisposable.shared
        }
    }

    func dispose() {
        nextTick.dispose()
        nextRun.dispose()
    }
}

extension ImmediateSchedulerType {
    /// Schedules `step` repeatedly while it returns `true` and the chain is live. It receives the number of earlier steps.
    ///
    /// Each step is scheduled separately, so that sources on one scheduler interleave. On the current-thread scheduler
    /// the same item is enqueued again, without an allocation for each step.
    @usableFromInline
    func `repeat`(on chain: Chain, _ step: @escaping (_ index: Int) -> Bool) {
        // Comparing the types takes a fraction of the time of a cast.
        if Self.self == CurrentThreadScheduler.self {
            RepeatedItem(step, while: chain).run()
        } else {
            chain.attach(any: self.repeat { chain.isLive && step($0) })
        }
    }

    /// Schedules `step` repeatedly while it returns `true`.
    func `repeat`(_ step: @escaping (_ index: Int) -> Bool) -> any Disposable {
        scheduleRecursive(RepeatedStep(run: step)) { step, recurse in
            if step.run(step.index) { recurse(RepeatedStep(run: step.run, index: step.index + 1)) }
        }
    }
}

/// `@unchecked Sendable`: each run schedules the next, so runs never overlap.
private struct RepeatedStep: @unchecked Sendable {
    let run: (_ index: Int) -> Bool
    var index = 0
}

/// A step that is enqueued repeatedly on the trampoline of its thread while a chain is live.
private final class RepeatedItem: TrampolineItem {
    private let resource = Resources.Counted()
    private let step: (_ index: Int) -> Bool
    // Only the thread of the trampoline accesses it.
    @exclusivity(unchecked) private var index = 0
    private let chain: Chain

    init(_ step: @escaping (_ index: Int) -> Bool, while chain: Chain) {
        self.step = step
        self.chain = chain
    }

    /// Runs the step immediately if the trampoline of this thread is idle; otherwise enqueues it.
    func run() {
        guard Trampoline.enter() else { return Trampoline.current.append(self) }
        invoke()
        Trampoline.leave()
    }

    /// Repeats the step without enqueueing it while the queue is empty: it would be the next item anyway.
    func invoke() {
        let trampoline = Trampoline.current
        while chain.isLive, step(index) {
            index += 1
            if trampoline.hasWork { return trampoline.append(self) }
        }
    }
}

/// Work that a queue runs once. Disposing it prevents the run and disposes the disposable that the run returned.
final class ScheduledWork: VirtualTimeItem, DisposeBase, Cancelable, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private let resource = Resources.Counted()
    private let action: Mutex<(@Sendable () -> any Disposable)?>
    private let chain = Chain { _ in }

    init(_ action: @escaping @Sendable () -> any Disposable) { self.action = Mutex(action) }

    convenience init<State: Sendable>(_ state: State, _ action: @escaping @Sendable (State) -> any Disposable) {
        self.init { action(state) }
    }

    var isDisposed: Bool { chain.isDisposed }

    /// Runs the work, unless it has already run or is disposed.
    func run() {
        if let action = action.withLock({ $0.take() }) { chain.attach(any: action()) }
    }

    override func isCancelled(_ token: UInt64) -> Bool { isDisposed }

    override func run(_ token: UInt64) { run() }

    func dispose() {
        let released = action.withLock { $0.take() }
        chain.dispose()
        withExtendedLifetime(released) {}  // its captures are released after the lock
    }
}
