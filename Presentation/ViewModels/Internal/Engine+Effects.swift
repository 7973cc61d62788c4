import Streams

// Effects; all of this inside the mailbox.

extension Engine {
    /// Does what an action asks for.
    @usableFromInline
    func follow(_ next: Next<F.SideEffect, F.Event>) {
        for departure in next.departures { cancel(effects.remove(departure)) }
        for step in next.steps {
            switch step {
            case .run(let sideEffect, let key): start(sideEffect, key, .merge)
            case .inOrder(let sideEffects, let key):
                let lane = key.id == nil ? EffectLane() : nil
                for sideEffect in sideEffects { start(sideEffect, key, .inOrder, lane) }
            case .latest(let sideEffect, let key):
                cancel(effects.remove(key))
                start(sideEffect, key, .merge)
            case .exhausting(let sideEffect, let key): start(sideEffect, key, .exhausting)
            case .cancel(let key): cancel(effects.remove(key))
            case .event(let event):
                tracer?.trace(.raised(event, action: actions))
                events.accept(event)
            }
        }
    }

    /// Starts a side effect, or lets it wait, or not, as the policy says.
    @usableFromInline
    func start(
        _ sideEffect: F.SideEffect, _ key: EffectKey, _ policy: EffectTable.Policy, _ lane: EffectLane? = nil
    ) {
        started += 1
        let isKept = tracer != nil || policy == .inOrder
        let run = EffectRun(number: started, action: actions, key: key, sideEffect: isKept ? sideEffect : nil)
        switch effects.add(run, policy, lane: lane) {
        case .start: start(run, sideEffect)
        case .wait: trace(run, .queued)
        case .ignore: trace(run, .ignored)
        }
    }

    private func start(_ run: EffectRun, _ sideEffect: F.SideEffect) {
        trace(run, .started)
        run.subscription.setDisposable(
            flow.perform(sideEffect).subscribe(
                onNext: { [self] action in receive(.action(action, run)) },
                onError: { [self] error in receive(.ended(run, EffectFailure(of: sideEffect, error))) },
                onCompleted: { [self] in receive(.ended(run, nil)) }))
    }

    /// Takes note that an effect has ended, and starts the one that waited for that.
    @usableFromInline
    func end(_ run: EffectRun, _ failure: EffectFailure?) {
        if run.isCancelled { return }
        let next = effects.remove(run)
        trace(run, failure.map { .failed($0) } ?? .ended)
        if let failure { Hooks.defaultErrorHandler([], failure) }
        if let next, let sideEffect = next.sideEffect as? F.SideEffect { start(next, sideEffect) }
    }

    /// Cancels effects that were removed from the table.
    @usableFromInline
    func cancel(_ runs: [EffectRun]) {
        for run in runs {
            run.isCancelled = true
            trace(run, .cancelled)
            run.subscription.dispose()
        }
    }

    private func trace(_ run: EffectRun, _ change: F.Step.Change) {
        guard let tracer, let sideEffect = run.sideEffect as? F.SideEffect else { return }
        tracer.trace(.effect(.init(number: run.number, sideEffect: sideEffect, action: run.action), change))
    }
}
