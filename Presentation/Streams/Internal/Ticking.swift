import Dispatch

/// Periodic work on a scheduler that knows only how to run work once.
///
/// A tick first schedules the next, then runs the action, unless an earlier tick's run is still under way: then it
/// is counted, and run when that one has ended.
///
/// `@unchecked Sendable`: the class it inherits from is; what it adds is `Sendable` by itself.
final class Ticking<State: Sendable>: DisposeBase, @unchecked Sendable {
    private struct Progress {
        var state: State
        /// Ticks that have come and whose run has not ended.
        var pending = 0
    }

    private let scheduler: any SchedulerType
    private let period: RxTimeInterval
    private let action: @Sendable (State) -> State
    private let progress: Mutex<Progress>
    #if DEBUG
        /// What is being subscribed to that ticks, for whoever asks what a timer is for.
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
        // Whoever counted the first pending tick is alone here until the count is 0 again.
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

    override func dispose() {
        nextTick.dispose()
        nextRun.dispose()
    }
}
