extension ImmediateSchedulerType {
    /// Schedules `step` repeatedly while it returns `true` and the chain is live.
    ///
    /// Each step is scheduled separately, so that sources on one scheduler interleave. On the current-thread scheduler
    /// the same item is enqueued again, without an allocation for each step.
    @usableFromInline
    func `repeat`(on chain: Chain, _ step: @escaping () -> Bool) {
        if self is CurrentThreadScheduler {
            RepeatedItem(step, while: chain).run()
        } else {
            chain.attach(any: self.repeat { chain.isLive && step() })
        }
    }

    /// Schedules `step` repeatedly while it returns `true`.
    func `repeat`(_ step: @escaping () -> Bool) -> any Disposable {
        scheduleRecursive(RepeatedStep(run: step)) { step, recurse in
            if step.run() { recurse(step) }
        }
    }
}

/// `@unchecked Sendable`: each run schedules the next, so runs never overlap.
private struct RepeatedStep: @unchecked Sendable {
    let run: () -> Bool
}

/// A step that is enqueued repeatedly on the trampoline of its thread while a chain is live.
private final class RepeatedItem: TrampolineItem {
    private let resource = Resources.Counted()
    private let step: () -> Bool
    private let chain: Chain

    init(_ step: @escaping () -> Bool, while chain: Chain) {
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
        while chain.isLive, step() {
            if trampoline.hasWork { return trampoline.append(self) }
        }
    }
}
