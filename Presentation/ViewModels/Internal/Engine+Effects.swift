import Dispatch
public import Streams

// Effects. The owner of the queue runs all of this.

extension Engine {
    /// Carries out the request of the action with that number.
    @inlinable
    func carryOut(_ next: Next<F.SideEffect, F.Event>, _ action: Int, _ group: EffectGroup?) {
        for report in next.childReports {
            if case .removed(let removal) = report { cancel(effects.remove(removal)) }
        }
        for step in next.steps {
            switch step {
            case .run(let sideEffect, let key): start(sideEffect, key, .merge, action, group)
            case .inOrder(let sideEffects, let key):
                let queue = key.id == nil ? EffectQueue() : nil
                for sideEffect in sideEffects { start(sideEffect, key, .inOrder, action, group, queue) }
            case .latest(let sideEffect, let key):
                cancel(effects.remove(key))
                start(sideEffect, key, .merge, action, group)
            case .latestAfter(let duration, let sideEffect, let key):
                cancel(effects.remove(key))
                start(sideEffect, key, .merge, action, group, after: duration)
            case .exhausting(let sideEffect, let key): start(sideEffect, key, .exhausting, action, group)
            case .cancel(let key): cancel(effects.remove(key))
            case .cancelChild(let key): cancel(effects.removeChild(at: key))
            case .event(let event):
                trace?(.raised(event, action: action))
                events.accept(event)
            }
        }
    }

    /// Starts, enqueues or ignores a side effect, according to the policy.
    @inlinable
    func start(
        _ sideEffect: F.SideEffect, _ key: EffectKey, _ policy: EffectTable.Policy, _ action: Int,
        _ group: EffectGroup?, _ queue: EffectQueue? = nil, after duration: Duration? = nil
    ) {
        started += 1
        let isKept = trace != nil || policy == .inOrder
        let run = EffectRun(
            number: started, action: action, key: key, sideEffect: isKept ? sideEffect : nil, group: group)
        let isWanted = group.map { !$0.isCancelled } ?? true
        switch isWanted ? effects.add(run, policy, queue: queue) : .ignore {
        case .start: start(run, sideEffect, after: duration)
        case .wait: trace(run, .queued)
        case .ignore:
            run.leaveGroup()
            trace(run, .ignored)
        }
    }

    /// Starts the next effect of a queue, unless it was removed.
    @inlinable
    func startNext(_ run: EffectRun, _ sideEffect: F.SideEffect) {
        if !run.isCancelled, effects.beginStart(of: run) { start(run, sideEffect) }
    }

    /// Starts an effect whose start has begun in the table, and ends the start.
    @inlinable
    func start(_ run: EffectRun, _ sideEffect: F.SideEffect, after duration: Duration? = nil) {
        trace(run, .started)
        let observer = EffectObserver(engine: self, run: run, sideEffect: sideEffect)
        // Its messages meanwhile are handled synchronously: see `handleDuringStart`.
        whileStarting {
            // A closure: unlike the method that takes an observer, it needs no class table look-up, and is compiled for
            // the flow.
            let stream = duration.map { perform(sideEffect, of: run, after: $0) } ?? flow.perform(sideEffect)
            effects.keep(stream.subscribe { observer.on($0) }, for: run)
        }
    }

    /// The side effect, after a delay.
    @usableFromInline
    func perform(_ sideEffect: F.SideEffect, of run: EffectRun, after duration: Duration) -> Observable<F.Action> {
        let (seconds, attoseconds) = duration.components
        let delay = RxTimeInterval.nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
        let stream = Observable.create { [self] observer in
            // On the thread of the timer, which a dismissal waits for as it does for the owner of the queue.
            guard effects.beginStart(of: run) else { return Disposables.create() }
            defer { effects.endStart(of: run) }
            return flow.perform(sideEffect).subscribe(observer)
        }
        return Observable<Int>.timer(delay, scheduler: dependencies.mainScheduler).flatMap { _ in stream }
    }

    /// Removes an effect that has ended.
    ///
    /// - Returns: The next effect of its queue, which the caller starts.
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

    /// Cancels effects that are no longer in the table.
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
        if let trace { emit(run, change(), to: trace) }
    }

    @usableFromInline
    func emit(_ run: EffectRun, _ change: F.Step.Change, to trace: @Sendable (F.Step) -> Void) {
        guard let sideEffect = run.sideEffect as? F.SideEffect else { return }
        trace(.effect(.init(number: run.number, sideEffect: sideEffect, action: run.action), change))
    }
}

/// Enqueues the events of an effect's stream.
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
        case .next(let action): engine.enqueue(.action(action, run, nil))
        case .error(let error): engine.enqueue(.ended(run, EffectFailure(of: sideEffect, error)))
        case .completed: engine.enqueue(.ended(run, nil))
        }
    }
}
