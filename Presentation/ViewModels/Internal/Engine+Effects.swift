import Dispatch
public import Streams

// Effects; all of this inside the mailbox.

extension Engine {
    /// Does what the action of that number asks for.
    @inlinable
    func follow(_ next: Next<F.SideEffect, F.Event>, _ action: Int, _ group: EffectGroup?) {
        for note in next.notes {
            if case .left(let departure) = note { cancel(effects.remove(departure)) }
        }
        for step in next.steps {
            switch step {
            case .run(let sideEffect, let key): start(sideEffect, key, .merge, action, group)
            case .inOrder(let sideEffects, let key):
                let lane = key.id == nil ? EffectLane() : nil
                for sideEffect in sideEffects { start(sideEffect, key, .inOrder, action, group, lane) }
            case .latest(let sideEffect, let key):
                cancel(effects.remove(key))
                start(sideEffect, key, .merge, action, group)
            case .latestAfter(let duration, let sideEffect, let key):
                cancel(effects.remove(key))
                start(sideEffect, key, .merge, action, group, after: duration)
            case .exhausting(let sideEffect, let key): start(sideEffect, key, .exhausting, action, group)
            case .cancel(let key): cancel(effects.remove(key))
            case .event(let event):
                trace?(.raised(event, action: action))
                events.accept(event)
            }
        }
    }

    /// Starts a side effect, or lets it wait, or not, as the policy says.
    @inlinable
    func start(
        _ sideEffect: F.SideEffect, _ key: EffectKey, _ policy: EffectTable.Policy, _ action: Int,
        _ group: EffectGroup?, _ lane: EffectLane? = nil, after duration: Duration? = nil
    ) {
        started += 1
        let isKept = trace != nil || policy == .inOrder
        let run = EffectRun(
            number: started, action: action, key: key, sideEffect: isKept ? sideEffect : nil, group: group)
        let isWanted = group.map { !$0.isCancelled } ?? true
        switch isWanted ? effects.add(run, policy, lane: lane) : .ignore {
        case .start: start(run, sideEffect, after: duration)
        case .wait: trace(run, .queued)
        case .ignore:
            run.leaveGroup()
            trace(run, .ignored)
        }
    }

    @inlinable
    func start(_ run: EffectRun, _ sideEffect: F.SideEffect, after duration: Duration? = nil) {
        trace(run, .started)
        let observer = EffectObserver(engine: self, run: run, sideEffect: sideEffect)
        // What it says meanwhile is reduced at once: see `receiveAtOnce`.
        tell {
            // By a closure: unlike the method that takes an observer, that is no look-up in a table of a class, and so is
            // compiled for the flow.
            let stream = duration.map { perform(sideEffect, after: $0) } ?? flow.perform(sideEffect)
            effects.keep(stream.subscribe { observer.on($0) }, for: run)
        }
    }

    /// The side effect, once that time has passed.
    @usableFromInline
    func perform(_ sideEffect: F.SideEffect, after duration: Duration) -> Observable<F.Action> {
        let (seconds, attoseconds) = duration.components
        let delay = RxTimeInterval.nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
        return Observable<Int>.timer(delay, scheduler: dependencies.mainScheduler)
            .flatMap { [flow] _ in flow.perform(sideEffect) }
    }

    /// Takes note that an effect has ended.
    ///
    /// - Returns: The one that waited for that, to be started now.
    @inlinable
    func end(_ run: EffectRun, _ failure: EffectFailure?) -> (run: EffectRun, sideEffect: F.SideEffect)? {
        if run.isCancelled { return nil }
        let next = effects.remove(run)
        trace(run, failure.map { .failed($0) } ?? .ended)
        if let failure { Hooks.defaultErrorHandler([], failure) }
        run.leaveGroup()
        guard let next, let sideEffect = next.sideEffect as? F.SideEffect else { return nil }
        return (next, sideEffect)
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
        if let trace { tell(run, change(), to: trace) }
    }

    @usableFromInline
    func tell(_ run: EffectRun, _ change: F.Step.Change, to trace: @Sendable (F.Step) -> Void) {
        guard let sideEffect = run.sideEffect as? F.SideEffect else { return }
        trace(.effect(.init(number: run.number, sideEffect: sideEffect, action: run.action), change))
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
        case .next(let action): engine.receive(.action(action, run, nil))
        case .error(let error): engine.receive(.ended(run, EffectFailure(of: sideEffect, error)))
        case .completed: engine.receive(.ended(run, nil))
        }
    }
}
