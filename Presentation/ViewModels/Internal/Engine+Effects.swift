public import Streams

// Effects; all of this inside the mailbox.

extension Engine {
    /// Does what an action asks for.
    @inlinable
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
    @inlinable
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

    @inlinable
    func start(_ run: EffectRun, _ sideEffect: F.SideEffect) {
        trace(run, .started)
        let observer = EffectObserver(engine: self, run: run, sideEffect: sideEffect)
        effects.keep(flow.perform(sideEffect).subscribe(observer), for: run)
    }

    /// Takes note that an effect has ended, and starts the one that waited for that.
    @inlinable
    func end(_ run: EffectRun, _ failure: EffectFailure?) {
        if run.isCancelled { return }
        let next = effects.remove(run)
        trace(run, failure.map { .failed($0) } ?? .ended)
        if let failure { Hooks.defaultErrorHandler([], failure) }
        if let next, let sideEffect = next.sideEffect as? F.SideEffect { start(next, sideEffect) }
    }

    /// Cancels effects that were removed from the table.
    @inlinable
    func cancel(_ runs: [EffectRun]) {
        for run in runs {
            run.isCancelled = true
            trace(run, .cancelled)
            run.dispose()
        }
    }

    @inlinable
    func trace(_ run: EffectRun, _ change: @autoclosure () -> F.Step.Change) {
        if let tracer { trace(run, change(), by: tracer) }
    }

    @usableFromInline
    func trace(
        _ run: EffectRun, _ change: F.Step.Change, by tracer: Tracer<F.State, F.Action, F.SideEffect, F.Event>
    ) {
        guard let sideEffect = run.sideEffect as? F.SideEffect else { return }
        tracer.trace(.effect(.init(number: run.number, sideEffect: sideEffect, action: run.action), change))
    }
}

/// Leaves what the stream of an effect says in the mailbox.
@usableFromInline
struct EffectObserver<F: Flow>: ObserverType {
    @usableFromInline let engine: Engine<F>
    @usableFromInline let run: EffectRun
    @usableFromInline let sideEffect: F.SideEffect

    @inlinable
    init(engine: Engine<F>, run: EffectRun, sideEffect: F.SideEffect) {
        self.engine = engine
        self.run = run
        self.sideEffect = sideEffect
    }

    @inlinable
    func on(_ event: Event<F.Action>) {
        switch event {
        case .next(let action): engine.receive(.action(action, run))
        case .error(let error): engine.receive(.ended(run, EffectFailure(of: sideEffect, error)))
        case .completed: engine.receive(.ended(run, nil))
        }
    }
}
