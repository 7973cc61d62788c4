extension ImmediateSchedulerType {
    /// Schedules `step` again and again while it returns `true` and the chain is live.
    ///
    /// Each step is a piece of work of its own, so that sources on one scheduler take turns. On the current-thread
    /// scheduler the same work item is queued again, without an allocation for each step.
    @usableFromInline
    func `repeat`(on chain: Chain, _ step: @escaping () -> Bool) {
        if self is CurrentThreadScheduler {
            RepeatedItem(step, while: chain).run()
        } else {
            chain.attach(any: self.repeat { chain.isLive && step() })
        }
    }

    /// Schedules `step` again and again while it returns `true`.
    func `repeat`(_ step: @escaping () -> Bool) -> any Disposable {
        scheduleRecursive(RepeatedStep(run: step)) { step, recurse in
            if step.run() { recurse(step) }
        }
    }
}

/// `@unchecked Sendable`: each run is scheduled by the one before, so that steps never overlap.
private struct RepeatedStep: @unchecked Sendable {
    let run: () -> Bool
}

/// A step that goes through the queue of its thread's trampoline again and again, while a chain is live.
///
/// `@unchecked Sendable`: used on the thread of the trampoline alone.
private final class RepeatedItem: TrampolineItem, @unchecked Sendable {
    private let step: () -> Bool
    private let chain: Chain

    init(_ step: @escaping () -> Bool, while chain: Chain) {
        self.step = step
        self.chain = chain
    }

    /// Runs it at once where nothing runs on this thread, else after what waits there.
    func run() {
        guard Trampoline.enter() else { return Trampoline.current.append(self) }
        invoke()
        Trampoline.leave()
    }

    /// Goes on at once as long as nothing waits: it would be next anyway.
    override func invoke() {
        let trampoline = Trampoline.current
        while chain.isLive, step() {
            if trampoline.hasWork { return trampoline.append(self) }
        }
    }
}
