public import Composition
import Dispatch
public import Streams

/// Runs a flow of either form: an ``Engine`` or a ``MutationEngine``.
@usableFromInline
package protocol FlowEngine<State, Action, Event>: EffectTable {
    associatedtype State: Sendable
    associatedtype Action: Sendable
    associatedtype Event: Sendable

    var state: FlowState<State> { get }
    var events: WaitingRelay<Event> { get }
    /// Handles an action after those that were sent before; returns the group of its work, if it has any.
    @discardableResult
    func send(_ action: Action) -> EffectGroup?
    /// Cancels the effects of a group synchronously; the group starts none afterwards.
    func cancel(_ group: EffectGroup)
    /// Traces the dismissal, and the effects that it has ended.
    func traceDismissal(of runs: [EffectRun])
}

extension FlowEngine {
    /// What the engine runs.
    @inlinable package var effects: EffectTable { self }

    /// Sends the actions of a stream until it ends, the result is disposed, or the flow is dismissed.
    @inlinable
    package func bind(_ actions: Observable<Action>) -> any Disposable {
        effects.bind(actions) { [self] action in send(action) }
    }

    /// Ends the flow synchronously: when this returns, no action is or will be reduced, and no effect runs or is being
    /// started. Inside `reduce`, where the state is locked, it does not wait for other threads.
    @inlinable
    package func dismiss() {
        if effects.beginStart() {
            let runs = state.end() ? effects.finish() : nil
            effects.endStart()
            if let runs {
                state.complete()
                events.finish()
                traceDismissal(of: runs)
            }
        }
        if !state.isBeingChangedHere { effects.waitForStarts() }
    }
}

/// Runs a ``Flow``: one gate for its actions, one copy of its state, and its effects.
///
/// The thread inside the gate does all work: it reduces an action, delivers the state, and carries out the requests. A
/// thread that finds the gate taken enqueues its work and returns. So the order is total, and no thread blocks, with
/// these exceptions: reading the state waits for the reduction in progress; dismissing waits for it, and for the effects
/// and bound streams that another thread is starting; so does cancelling the effects of an action, for those; and sending
/// waits for a moment if the queue of the gate is long.
///
/// An action that an effect sends while it starts finds the gate taken: it is reduced when the requests of the current
/// action are carried out. So the stack does not grow, however many effects lead to others.
///
/// `@unchecked Sendable`: only the thread inside the gate accesses the variables; the rest is constant and `Sendable`.
@usableFromInline
package final class Engine<F: Flow>: EffectTable, FlowEngine, @unchecked Sendable {
    @usableFromInline let flow: F
    @usableFromInline package let state: FlowState<F.State>
    @usableFromInline package let events: WaitingRelay<F.Event>
    @usableFromInline let gate = Gate()
    /// The dependencies in effect where the store was created, or the output was composed.
    @usableFromInline let dependencies: DependencyValues
    @usableFromInline let trace: (@Sendable (F.Step) -> Void)?
    /// Where the actions of effects are handled; `nil` for the threads that send them.
    @usableFromInline let effectScheduler: (any SchedulerType)?
    @exclusivity(unchecked) @usableFromInline var actionCount = 0
    @exclusivity(unchecked) @usableFromInline var effectCount = 0
    /// An effect that answered while it started, with its stream of one action, if no work is enqueued before it. Not with
    /// the action: releasing the engine would look up the metadata of a pair of any type.
    @exclusivity(unchecked) @usableFromInline var answer: (stream: Observable<F.Action>, run: EffectRun)?
    @exclusivity(unchecked) @usableFromInline var phase = Phase.queue
    /// The effects of children; `nil` while none has one.
    @exclusivity(unchecked) @usableFromInline var children: ChildEffects?
    /// The effects of children that the last reduction has removed.
    @exclusivity(unchecked) @usableFromInline var orphans: [EffectRun]?
    /// The number of requests that states of the process had begun when an effect was last started, and the latest action
    /// before which it had changed: only the effects of that action carry new requests.
    @exclusivity(unchecked) @usableFromInline var requests = (count: RequestLife.count, action: 0)

    /// What the thread inside the gate does.
    @usableFromInline
    enum Phase {
        /// The work for which it entered, and then the answers to it; after a delivery, known to be on the main queue.
        case first, firstOnMainQueue
        case queue
    }

    /// Creates an idle engine, which delivers states and events on a scheduler.
    @inlinable
    package init(
        _ flow: F, from state: F.State? = nil, on scheduler: any SchedulerType,
        effectsOn effectScheduler: (any SchedulerType)? = nil, with dependencies: DependencyValues = .current
    ) {
        self.flow = flow
        self.effectScheduler = effectScheduler
        let scheduler = DeliveryScheduler(scheduler)
        self.state = FlowState(state ?? flow.initialState, of: F.self, on: scheduler)
        events = WaitingRelay(on: scheduler, limit: 1_000)
        trace = flow.trace
        self.dependencies = dependencies
    }

    // MARK: The loop, inside the gate

    @inlinable
    @discardableResult
    package func send(_ action: F.Action) -> EffectGroup? {
        if gate.enter() {
            let group = doFirst { carryOut(reduce(action, .sent), in: nil) }
            group?.leave()
            gate.leave()
            return group
        }
        let group = EffectGroup()
        gate.pass { [self] in
            carryOut(reduce(action, .sent), in: group)
            group.leave()
        }
        return group
    }

    /// Runs the work for which a thread entered the gate, and handles the answers to it that need not be enqueued.
    @inlinable
    func doFirst<Result>(_ work: () -> Result) -> Result {
        phase = .first
        let result = work()
        while let (stream, run) = answer.take(), let action = stream.storedElement { handle(action, of: run) }
        phase = .queue
        return result
    }

    /// Handles the only action of an effect.
    @inlinable
    func handle(_ action: F.Action, of run: EffectRun) {
        reduce(action, of: run)
        end(run, nil)
    }

    /// Handles an event of an effect's stream.
    @inlinable
    func handle(_ event: Streams.Event<F.Action>, of run: EffectRun, _ sideEffect: F.SideEffect) {
        switch event {
        case .next(let action): reduce(action, of: run)
        case .error(let error): end(run, EffectFailure(of: sideEffect, error))
        case .completed: end(run, nil)
        }
    }

    /// Reduces an action of an effect, unless the effect was cancelled in the meantime, and carries out its requests in
    /// the group of the effect.
    @inlinable
    func reduce(_ action: F.Action, of run: EffectRun) {
        if run.isOver { return }
        run.hasAnswered = true
        let next = reduce(action, .effect(run.number))
        if !next.isNone { carryOut(next, in: run.group) }
    }

    /// Reduces an action and delivers the state; returns the requests of the action.
    @inlinable
    func reduce(_ action: F.Action, _ cause: FlowCause) -> Next<F.SideEffect, F.Event> {
        let before = trace == nil ? nil : state.current
        var receivers: [ErasedSink] = []
        guard
            var next = state.change(
                &receivers,
                { state in
                    defer { if children != nil { findOrphans(&state) } }
                    return flow.reduce(&state, action)
                })
        else { return .none }
        if next.hasStepsOfChildren { next.dropSteps(ofChildrenMissingIn: state.current) }
        actionCount &+= 1
        if let before {
            let reduction = F.Step.Reduction(
                number: actionCount, action: action, cause: cause, before: before, after: state.current, next: next)
            trace?(.reduced(reduction))
        }
        let isOnMainQueue = state.deliver(to: receivers, isOnMainQueue: phase == .firstOnMainQueue)
        if isOnMainQueue, phase == .first { phase = .firstOnMainQueue }
        if let runs = orphans.take() { cancel(effects.remove(runs).removed) }
        return next
    }

    /// Carries out the requests of an action; returns the group of its work, which the first effect creates.
    @inlinable
    @discardableResult
    func carryOut(_ next: consuming Next<F.SideEffect, F.Event>, in group: EffectGroup?) -> EffectGroup? {
        if next.isNone { return group }
        var group = group
        // By index: an iterator retains its array, and most requests are one step.
        for index in next.childReports.indices {
            if let children, case .removed(let removal) = next.childReports[index] {
                cancel(effects.remove(children.remove(removal)).removed)
            }
        }
        if let first = next.first.take() { carryOut(first, in: &group) }
        for index in next.others.indices { carryOut(next.others[index], in: &group) }
        return group
    }

    @inlinable
    func carryOut(_ step: consuming Next<F.SideEffect, F.Event>.Step, in group: inout EffectGroup?) {
        switch step {
        case .run(let sideEffect, let key): start(sideEffect, key, .merge, in: &group)
        case .inOrder(let sideEffects, let key):
            let key = key.id == nil ? key.ofRequest(effectCount) : key
            for sideEffect in sideEffects { start(sideEffect, key, .inOrder, in: &group) }
        case .latest(let sideEffect, let key, let duration):
            cancel(effects.remove(key))
            start(sideEffect, key, .merge, in: &group, after: duration)
        case .exhausting(let sideEffect, let key): start(sideEffect, key, .exhausting, in: &group)
        case .cancel(let key) where key.id == nil:
            if let children { cancel(effects.remove(children.removeChild(key)).removed) }
        case .cancel(let key): cancel(effects.remove(key))
        case .event(let event):
            trace?(.raised(event, action: actionCount))
            events.accept(event, isOnMainQueue: phase == .firstOnMainQueue)
        }
    }
}

// MARK: - Effects, inside the gate

extension Engine {
    /// Starts, enqueues or ignores a side effect, according to the policy.
    @inlinable
    func start(
        _ sideEffect: F.SideEffect, _ key: EffectKey, _ policy: EffectTable.Policy, in group: inout EffectGroup?,
        after duration: Duration? = nil
    ) {
        effectCount &+= 1
        // Kept if it may wait, or is traced.
        let kept = trace != nil || policy == .inOrder ? KeptSideEffect(sideEffect) : nil
        let run = EffectRun(number: effectCount, action: actionCount, key: key, sideEffect: kept, group: group)
        if group == nil { group = run }
        if let action = flow.unanswered(sideEffect) { run.unanswered = KeptSideEffect(action) }
        let requestCount = RequestLife.count
        if requestCount != requests.count { requests = (requestCount, actionCount) }
        if requests.action == actionCount { run.carryRequests(in: sideEffect) }
        switch effects.add(run, policy) {
        case .start:
            if run.isOfChild { note(run) }
            start(run, sideEffect, after: duration)
        case .wait:
            if run.isOfChild { note(run) }
            trace(run, .queued)
        case .ignore:
            trace(run, .ignored)
            // The caller may have cancelled the effects of the action before it was reduced.
            if run.unanswered != nil, run.group.isCancelled {
                run.group.enter()
                gate.pass { [self] in answerFor(run) }
            }
            run.end()
        }
    }

    /// Finds the effects of children that are not in the state.
    @inlinable
    @inline(never)
    func findOrphans(_ state: inout F.State) {
        if let runs = children?.removeRuns(ofChildrenMissingIn: &state), !runs.isEmpty { orphans = runs }
    }

    /// Adds an effect to those of children.
    @usableFromInline
    func note(_ run: EffectRun) {
        let children = children ?? ChildEffects()
        children.add(run)
        self.children = children
    }

    /// Forgets an effect that is no longer in the table.
    @usableFromInline
    func forget(_ run: EffectRun) {
        children?.remove(run)
        if children?.isEmpty == true { children = nil }
    }

    /// Starts an effect whose start has begun in the table, and ends the start.
    @inlinable
    func start(_ run: EffectRun, _ sideEffect: F.SideEffect, after duration: Duration? = nil) {
        trace(run, duration == nil ? .started : .queued)
        let stream = duration.map { perform(sideEffect, of: run, after: $0) } ?? flow.perform(sideEffect)
        if let action = stream.storedElement {
            // Handled later, like what a stream sends while it is subscribed.
            if phase != .queue, answer == nil, !gate.hasWork {
                answer = (stream, run)
            } else {
                gate.pass { [self] in handle(action, of: run) }
            }
            return effects.endStart()
        }
        let scheduled = effectScheduler.map { stream.observe(on: $0) } ?? stream
        // A closure: unlike the method that takes an observer, it needs no class table look-up, and is compiled for the
        // flow.
        let subscription = scheduled.subscribe { [self] event in
            if gate.enter() {
                doFirst { handle(event, of: run, sideEffect) }
                gate.leave()
            } else {
                gate.pass { [self] in handle(event, of: run, sideEffect) }
            }
        }
        effects.keep(subscription, for: run)
    }

    /// The side effect, after a delay.
    @usableFromInline
    func perform(_ sideEffect: F.SideEffect, of run: EffectRun, after duration: Duration) -> Observable<F.Action> {
        let delay = RxTimeInterval(seconds: duration / .seconds(1))
        let stream = Observable.create { [self] observer in
            // On the thread of the timer, which a dismissal waits for as it does for the thread inside the gate.
            guard effects.beginStart(of: run) else { return Disposables.create() }
            defer { effects.endStart() }
            if trace != nil { gate.pass { [self] in trace(run, .started) } }
            return flow.perform(sideEffect).subscribe(observer)
        }
        return Observable<Int>.timer(delay, scheduler: dependencies.mainScheduler).flatMap { _ in stream }
    }

    /// Removes an effect whose stream has ended, unless it was cancelled in the meantime, and starts the next one of its
    /// queue.
    @inlinable
    func end(_ run: EffectRun, _ failure: EffectFailure?) {
        let (isRemoved, next) = effects.remove(run)
        if !isRemoved { return }
        if run.isOfChild { forget(run) }
        trace(run, failure.map { .failed($0) } ?? .ended)
        if let failure { Hooks.defaultErrorHandler([], failure) }
        if run.unanswered != nil, failure != nil || !run.hasAnswered { reduceUnanswered(run, in: run.group) }
        run.end()
        if let next { startNext(next) }
    }

    /// Reduces the action of an effect that has ended without an answer; returns the group of what it requests.
    @usableFromInline
    @discardableResult
    func reduceUnanswered(_ run: EffectRun, in group: EffectGroup?) -> EffectGroup? {
        guard let action = run.unanswered?.value as? F.Action else { return group }
        // The child may have left the state since its effect was cancelled.
        if run.isOfChild, !run.key.path[...].isPresent(in: state.current) { return group }
        return carryOut(reduce(action, .effect(run.number)), in: group)
    }

    /// Reduces the action of an effect whose caller has cancelled it, and leaves its group, which starts no more effects.
    @usableFromInline
    func answerFor(_ run: EffectRun) {
        reduceUnanswered(run, in: nil)?.leave()
        run.group.leave()
    }

    /// Starts an effect that waited in a queue, unless it was removed.
    @inlinable
    func startNext(_ run: EffectRun) {
        guard let sideEffect = run.sideEffect?.value as? F.SideEffect else { return }
        if effects.beginStart(of: run) { start(run, sideEffect) }
    }

    /// Cancels effects that are no longer in the table.
    @inlinable
    func cancel(_ runs: [EffectRun]) {
        for run in runs {
            if run.isOfChild { forget(run) }
            trace(run, .cancelled)
            run.end()
        }
    }

    @inlinable
    func trace(_ run: EffectRun, _ change: @autoclosure () -> F.Step.Change) {
        if let trace, let sideEffect = run.sideEffect?.value as? F.SideEffect {
            trace(.effect(.init(number: run.number, sideEffect: sideEffect, action: run.action), change()))
        }
    }
}

// MARK: - Outside the gate

extension Engine {
    @usableFromInline
    package func cancel(_ group: EffectGroup) {
        group.close()
        let (removed, next) = effects.remove { $0.group === group }
        // Whoever waits for the group waits for these actions, too.
        let unanswered = removed.filter { $0.unanswered != nil }
        for _ in unanswered { group.enter() }
        for run in removed { run.end() }
        gate.pass(isSending: false) { [self] in
            cancel(removed)
            for run in unanswered { answerFor(run) }
            for run in next { startNext(run) }
        }
        effects.waitForStarts(in: group)
    }

    @inlinable
    package func traceDismissal(of runs: [EffectRun]) {
        if trace == nil, !runs.contains(where: \.isOfChild) { return }
        gate.pass(isSending: false) { [self] in
            cancel(runs)
            trace?(.dismissed)
        }
    }
}
