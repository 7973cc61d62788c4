public import Composition
import Dispatch
public import Streams

/// Runs a flow: one queue of actions, one copy of the state, and the running effects.
///
/// The thread inside the gate does all work: it reduces an action, delivers the state, and carries out the requests. A
/// thread that finds the gate taken enqueues its work and returns. So the order is total, and no thread blocks, with
/// these exceptions: reading the state waits for the reduction in progress; dismissing waits for it, and for the effects
/// and bound streams that another thread is starting; so does cancelling the effects of an action, for those.
///
/// An action that an effect sends while it starts finds the gate taken: it is reduced when the requests of the action
/// before it are carried out. So the stack does not grow, however many effects lead to others.
///
/// `@unchecked Sendable`: only the thread inside the gate accesses the variables; the rest is constant and `Sendable`.
@usableFromInline
package final class Engine<F: Flow>: @unchecked Sendable {
    /// The number of events that are buffered without an observer.
    @inlinable
    static var eventLimit: Int { 1_000 }

    @usableFromInline let flow: F
    @usableFromInline package let state: FlowState<F.State>
    @usableFromInline package let events: WaitingRelay<F.Event>
    @usableFromInline let gate = Gate()
    @usableFromInline let effects = EffectTable()
    @usableFromInline let inputs = CompositeDisposable()
    /// The dependencies in effect where the engine was created.
    @usableFromInline let dependencies: DependencyValues
    @usableFromInline let trace: (@Sendable (F.Step) -> Void)?
    /// The number of reduced actions.
    @exclusivity(unchecked) @usableFromInline var actions = 0
    /// The number of requested effects.
    @exclusivity(unchecked) @usableFromInline var requested = 0

    /// Creates an idle engine.
    ///
    /// - Parameters:
    ///   - state: The first state; by default the flow's initial state.
    ///   - scheduler: The scheduler that delivers states and events.
    @inlinable
    package init(_ flow: F, from state: F.State? = nil, on scheduler: any SchedulerType) {
        self.flow = flow
        self.state = FlowState(state ?? flow.initialState, on: scheduler)
        events = WaitingRelay(on: scheduler, limit: Self.eventLimit)
        trace = flow.trace
        dependencies = .current
    }

    // MARK: The loop

    /// Reduces an action after those that were sent before.
    ///
    /// - Returns: The group of its work, if any is left when this returns.
    @inlinable
    @discardableResult
    package func send(_ action: F.Action) -> EffectGroup? {
        if gate.enter() {
            let next = reduce(action, .sent)
            var group: EffectGroup?
            if !next.isNone {
                let work = EffectGroup()
                carryOut(next, actions, work)
                work.leave()
                group = work
            }
            gate.leave()
            return group
        }
        let group = EffectGroup()
        gate.pass { [self] in
            carryOut(reduce(action, .sent), actions, group)
            group.leave()
        }
        return group
    }

    /// Reduces an action of an effect, unless that was cancelled in the meantime.
    @inlinable
    func receive(_ action: F.Action, from run: EffectRun) {
        gate.pass { [self] in
            if !run.isCancelled { carryOut(reduce(action, .effect(run.number)), actions, run.group) }
        }
    }

    /// Reduces an action and delivers the state.
    ///
    /// - Returns: The requests of the action.
    @inlinable
    func reduce(_ action: F.Action, _ cause: FlowCause) -> Next<F.SideEffect, F.Event> {
        actions &+= 1
        guard let trace else { return state.change { flow.reduce(&$0, action) } ?? .none }
        let reduction = state.change { [actions] state in
            let before = state
            let next = flow.reduce(&state, action)
            return F.Step.Reduction(
                number: actions, action: action, cause: cause, before: before, after: state, next: next)
        } then: {
            trace(.reduced($0))
        }
        return reduction?.next ?? .none
    }

    /// Carries out the requests of the action with that number.
    @inlinable
    func carryOut(_ next: Next<F.SideEffect, F.Event>, _ action: Int, _ group: EffectGroup?) {
        if next.isNone { return }
        for report in next.childReports {
            if case .removed(let removal) = report { cancel(effects.remove(removal)) }
        }
        for step in next.steps {
            switch step {
            case .run(let sideEffect, let key): start(sideEffect, queue(key), .merge, action, group)
            case .inOrder(let sideEffects, let key):
                let queue = queue(key)
                for sideEffect in sideEffects { start(sideEffect, queue, .inOrder, action, group) }
            case .latest(let sideEffect, let key):
                cancel(effects.remove(key))
                start(sideEffect, queue(key), .merge, action, group)
            case .latestAfter(let duration, let sideEffect, let key):
                cancel(effects.remove(key))
                start(sideEffect, queue(key), .merge, action, group, after: duration)
            case .exhausting(let sideEffect, let key): start(sideEffect, queue(key), .exhausting, action, group)
            case .cancel(let key): cancel(effects.remove(key))
            case .cancelChild(let key): cancel(effects.removeChild(at: key))
            case .event(let event):
                trace?(.raised(event, action: action))
                events.accept(event)
            }
        }
    }
}

// MARK: - Effects, inside the gate

extension Engine {
    /// The queue of the next effect.
    @inlinable
    func queue(_ key: EffectKey) -> EffectQueue { EffectQueue(key, first: requested + 1) }

    /// Starts, enqueues or ignores a side effect, according to the policy.
    @inlinable
    func start(
        _ sideEffect: F.SideEffect, _ queue: EffectQueue, _ policy: EffectTable.Policy, _ action: Int,
        _ group: EffectGroup?, after duration: Duration? = nil
    ) {
        requested += 1
        let isKept = trace != nil || policy == .inOrder
        let run = EffectRun(
            number: requested, action: action, queue: queue, sideEffect: isKept ? sideEffect : nil, group: group)
        switch effects.add(run, policy) {
        case .start: start(run, sideEffect, after: duration)
        case .wait: trace(run, .queued)
        case .ignore:
            run.leaveGroup()
            trace(run, .ignored)
        }
    }

    /// Starts an effect whose start has begun in the table, and ends the start.
    @inlinable
    func start(_ run: EffectRun, _ sideEffect: F.SideEffect, after duration: Duration? = nil) {
        trace(run, .started)
        let stream = duration.map { perform(sideEffect, of: run, after: $0) } ?? flow.perform(sideEffect)
        // A closure: unlike the method that takes an observer, it needs no class table look-up, and is compiled for the
        // flow.
        let subscription = stream.subscribe { [self] event in
            switch event {
            case .next(let action): receive(action, from: run)
            case .error(let error):
                let failure = EffectFailure(of: sideEffect, error)
                gate.pass { [self] in end(run, failure) }
            case .completed: gate.pass { [self] in end(run, nil) }
            }
        }
        effects.keep(subscription, for: run)
    }

    /// The side effect, after a delay.
    @usableFromInline
    func perform(_ sideEffect: F.SideEffect, of run: EffectRun, after duration: Duration) -> Observable<F.Action> {
        let (seconds, attoseconds) = duration.components
        let delay = RxTimeInterval.nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
        let stream = Observable.create { [self] observer in
            // On the thread of the timer, which a dismissal waits for as it does for the thread inside the gate.
            guard effects.beginStart(of: run) else { return Disposables.create() }
            defer { effects.endStart(of: run) }
            return flow.perform(sideEffect).subscribe(observer)
        }
        return Observable<Int>.timer(delay, scheduler: dependencies.mainScheduler).flatMap { _ in stream }
    }

    /// Removes an effect whose stream has ended, and starts the next one of its queue.
    @usableFromInline
    func end(_ run: EffectRun, _ failure: EffectFailure?) {
        if run.isCancelled { return }
        let next = effects.remove(run)
        trace(run, failure.map { .failed($0) } ?? .ended)
        if let failure { Hooks.defaultErrorHandler([], failure) }
        run.leaveGroup()
        if let next { startNext(next) }
    }

    /// Starts an effect that waited in a queue, unless it was removed.
    @usableFromInline
    func startNext(_ run: EffectRun) {
        guard !run.isCancelled, let sideEffect = run.sideEffect as? F.SideEffect, effects.beginStart(of: run) else {
            return
        }
        start(run, sideEffect)
    }

    /// Cancels effects that are no longer in the table.
    @usableFromInline
    func cancel(_ runs: [EffectRun]) {
        for run in runs {
            run.isCancelled = true
            trace(run, .cancelled)
            run.dispose()
        }
    }

    @inlinable
    func trace(_ run: EffectRun, _ change: @autoclosure () -> F.Step.Change) {
        if let trace, let sideEffect = run.sideEffect as? F.SideEffect {
            trace(.effect(.init(number: run.number, sideEffect: sideEffect, action: run.action), change()))
        }
    }
}

// MARK: - Outside the gate

extension Engine {
    /// Sends the actions of a stream until it ends, the result is disposed, or the flow is dismissed.
    @usableFromInline
    package func bind(_ stream: Observable<F.Action>) -> any Disposable {
        let input = SingleAssignmentDisposable()
        guard let key = inputs.insert(input), effects.beginStart(of: input) else { return input }
        input.setDisposable(
            stream.subscribe(onNext: { [self] in send($0) }, onDisposed: { [inputs] in inputs.remove(for: key) }))
        effects.endStart(of: input)
        return input
    }

    /// Cancels the effects of a group synchronously; the group starts none afterwards.
    @usableFromInline
    package func cancel(_ group: EffectGroup) {
        group.cancel()
        let (removed, next) = effects.remove(group)
        for run in removed { run.dispose() }
        if !removed.isEmpty { gate.pass { [self] in cancel(removed) } }
        for run in next { gate.pass { [self] in startNext(run) } }
        effects.waitForStarts(of: group)
    }

    /// Ends the flow synchronously: when this returns, no action is or will be reduced, and no effect runs or is being
    /// started. Inside `reduce`, where the state is locked, it does not wait for other threads.
    @usableFromInline
    package func dismiss() {
        if state.end({ effects.beginDismissal() }) {
            let runs = effects.finish()
            for run in runs { run.dispose() }
            inputs.dispose()
            effects.endStart(of: effects)
            state.complete()
            events.finish()
            if let trace {
                gate.pass { [self] in
                    cancel(runs)
                    trace(.dismissed)
                }
            }
        }
        if !state.isBeingChangedHere { effects.waitForStarts() }
    }
}
