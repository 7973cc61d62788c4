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
