extension ImmediateSchedulerType {
    /// Schedules `step` again and again while it returns `true` and the chain is live.
    ///
    /// Each step is a piece of work of its own, so that sources on one scheduler take turns. On the current-thread
    /// scheduler the same work item is queued again, without an allocation for each step.
    @usableFromInline
    func `repeat`(on chain: Chain, _ step: @escaping () -> Bool) {
        let work = RepeatedWork(step, chain, self)
        chain.attach(work)
        work.schedule()
    }
}

/// `@unchecked Sendable`: each run is scheduled by the one before, so that steps never overlap.
private final class RepeatedWork: DisposeBase, @unchecked Sendable {
    private let step: () -> Bool
    private let chain: Chain
    private let scheduler: any ImmediateSchedulerType
    private let scheduled = SerialDisposable()

    init(_ step: @escaping () -> Bool, _ chain: Chain, _ scheduler: any ImmediateSchedulerType) {
        self.step = step
        self.chain = chain
        self.scheduler = scheduler
    }

    func schedule() {
        scheduled.disposable = scheduler.schedule(()) { [self] in
            if chain.isLive, step() { schedule() }
            return NopDisposable.shared
        }
    }

    override func dispose() {
        scheduled.dispose()
    }
}
