public import Composition
public import Streams
public import Synchronization

/// Runs a flow: one queue of actions, one copy of the state, and the running effects.
///
/// The owner of the queue does all work: it reduces, delivers the state, and starts and cancels effects. A thread that
/// finds the queue owned enqueues its message and returns. So the order is total, and no thread blocks, with these
/// exceptions: reading the state during a reduction waits for that one reduction; dismissing waits for it, and for the
/// effects and bound streams that another thread is starting; so does cancelling the effects of an action, for those.
///
/// An effect may send actions while it starts. These are reduced synchronously, after the pending actions, unless a
/// pending action has requests that are not carried out yet: see `handleDuringStart`.
///
/// `@unchecked Sendable`: the owner of the queue writes `state` and `version` under `stateLock`, and they are read by
/// the owner or under that lock; only the owner accesses the other variables, except the hooks, which are set before
/// the engine is used.
@usableFromInline
package final class Engine<F: Flow>: @unchecked Sendable {
    /// A message in the queue.
    @usableFromInline
    enum Message {
        /// An action, with the effect that sent it, or with the group that waits for it.
        case action(F.Action, EffectRun?, EffectGroup?)
        /// An action that passed the hook.
        case hooked(F.Action)
        /// A side effect that no action requested: the action of a mutation flow.
        case perform(F.SideEffect, EffectGroup?)
        /// The same, after its hook.
        case performHooked(F.SideEffect)
        /// The request and the number of an action that was reduced while an effect started.
        case followUp(Next<F.SideEffect, F.Event>, Int, EffectGroup?)
        /// The start of an effect that was enqueued.
        case begin(EffectRun, F.SideEffect)
        case ended(EffectRun, EffectFailure?)
        case cancelled([EffectRun])
        case dismissed([EffectRun])

        @inlinable
        var isReduction: Bool {
            switch self {
            case .action, .hooked: true
            default: false
            }
        }
    }

    /// The number of events that are buffered without an observer.
    @inlinable
    static var eventLimit: Int { 1_000 }

    @usableFromInline let flow: F
    @usableFromInline let queue = DrainQueue<Message>()
    @usableFromInline let stateLock = StateLock()
    @exclusivity(unchecked) @usableFromInline var state: F.State
    @exclusivity(unchecked) @usableFromInline var version: UInt64 = 0
    @usableFromInline package let isDismissed = Atomic(false)
    @usableFromInline let states: StateBroadcaster<F.State>
    @usableFromInline package let events: WaitingRelay<F.Event>
    @usableFromInline let effects = EffectTable()
    @usableFromInline let inputs = InputSubscriptions()
    /// The dependencies in effect where the engine was created.
    @usableFromInline let dependencies: DependencyValues
    @usableFromInline let trace: (@Sendable (F.Step) -> Void)?
    /// The number of reduced actions.
    @exclusivity(unchecked) @usableFromInline var actions = 0
    /// The number of requested effects.
    @exclusivity(unchecked) @usableFromInline var started = 0
    /// The messages that were taken out of the queue and are not handled yet.
    @exclusivity(unchecked) @usableFromInline var pending = LinkedQueue<Message>()
    /// The number of `.followUp` messages in `pending`: while there are any, every action is enqueued.
    @exclusivity(unchecked) @usableFromInline var pendingFollowUps = 0
    /// The thread that starts an effect or calls a hook; otherwise 0.
    @usableFromInline let startingThread = Atomic<UInt>(0)
    /// The effect whose action the hook receives.
    @exclusivity(unchecked) @usableFromInline var hooked: EffectRun?
    /// The group of the side effect that the hook receives.
    @exclusivity(unchecked) @usableFromInline var performing: EffectGroup?
    /// The hook that receives the actions of effects.
    @exclusivity(unchecked) @usableFromInline var actionHook: (@Sendable (F.Action) -> Void)?
    /// The hook that receives the side effects that no action requested.
    @exclusivity(unchecked) @usableFromInline var sideEffectHook: (@Sendable (F.SideEffect) -> Void)?
    /// Called once with the last state when the engine is dismissed; taken under `stateLock`, called outside.
    @exclusivity(unchecked) @usableFromInline var onDismissed: (@Sendable (F.State) -> Void)?

    /// Creates an idle engine.
    ///
    /// - Parameters:
    ///   - state: The first state; by default the flow's initial state.
    ///   - scheduler: The scheduler that delivers states and events.
    @inlinable
    package init(_ flow: F, from state: F.State? = nil, on scheduler: any SchedulerType) {
        self.flow = flow
        self.state = state ?? flow.initialState
        states = StateBroadcaster(on: scheduler)
        events = WaitingRelay(on: scheduler, limit: Self.eventLimit)
        trace = flow.trace
        dependencies = .current
    }

    /// Reduces an action after those that were sent before.
    ///
    /// - Returns: The group of its work, if any is left when this returns.
    @inlinable
    @discardableResult
    package func send(_ action: F.Action) -> EffectGroup? {
        if queue.tryAcquire() { return sendWhileDraining(action) }
        let group = EffectGroup()
        if queue.acquireOrEnqueue(.action(action, nil, group)) { return sendWhileDraining(action) }
        return group
    }

    @inlinable
    func sendWhileDraining(_ action: F.Action) -> EffectGroup? {
        var group: EffectGroup?
        let next = reduce(action, .sent)
        if !next.isNone {
            let work = EffectGroup()
            carryOut(next, actions, work)
            work.leave()
            group = work
        }
        drainAndRelease()
        return group
    }

    /// Performs a side effect that no action requested.
    ///
    /// - Returns: The group of its work.
    @inlinable
    @discardableResult
    package func perform(_ sideEffect: F.SideEffect) -> EffectGroup {
        let group = EffectGroup()
        enqueue(.perform(sideEffect, group))
        return group
    }

    @inlinable
    func enqueue(_ message: Message) {
        if startingThread.load(ordering: .relaxed) == Thread.current, handleDuringStart(message) { return }
        if queue.tryAcquire() || queue.acquireOrEnqueue(message) {
            handle(message)
            drainAndRelease()
        }
    }

    /// Handles the pending messages and releases the queue.
    @inlinable
    func drainAndRelease() {
        while !pending.isEmpty || !queue.releaseIfEmpty() { drain() }
    }

    @inlinable
    func drain() {
        queue.dequeueAll(into: &pending)
        while let message = pending.popFirst() { handle(message) }
    }

    /// Handles a message. For the owner of the queue.
    @inlinable
    func handle(_ message: Message) {
        switch message {
        case .action(let action, let run, let group): handle(action, run, group)
        case .hooked(let action):
            let next = reduce(action, .sent)
            if !next.isNone { carryOut(next, actions, nil) }
        case .perform(let sideEffect, let group):
            if let sideEffectHook {
                performing = group
                whileStarting { sideEffectHook(sideEffect) }
                performing = nil
            } else {
                start(sideEffect, EffectKey(nil), .merge, actions, group)
            }
            group?.leave()
        case .performHooked(let sideEffect): start(sideEffect, EffectKey(nil), .merge, actions, nil)
        case .followUp(let next, let action, let group):
            pendingFollowUps -= 1
            carryOut(next, action, group)
            group?.leave()
        case .begin(let run, let sideEffect): startNext(run, sideEffect)
        case .ended(let run, let failure): if let next = end(run, failure) { startNext(next.run, next.sideEffect) }
        case .cancelled(let runs): cancel(runs)
        case .dismissed(let runs):
            cancel(runs)
            trace?(.dismissed)
        }
    }

    @inlinable
    func handle(_ action: F.Action, _ run: EffectRun?, _ group: EffectGroup?) {
        guard let run else {
            let next = reduce(action, .sent)
            if !next.isNone { carryOut(next, actions, group) }
            group?.leave()
            return
        }
        if run.isCancelled { return }
        if let actionHook { return callHook(actionHook, action, run) }
        let next = reduce(action, .effect(run.number))
        if !next.isNone { carryOut(next, actions, run.group) }
    }

    /// Reduces an action and delivers the state. For the owner of the queue.
    ///
    /// - Returns: The requests of the action.
    @inlinable
    func reduce(_ action: F.Action, _ cause: FlowCause) -> Next<F.SideEffect, F.Event> {
        stateLock.lock()
        if isDismissed.load(ordering: .relaxed) {
            stateLock.unlock()
            return .none
        }
        let before = trace == nil ? nil : state
        let next = flow.reduce(&state, action)
        version &+= 1
        // Only `reduce` itself can have dismissed the flow: another thread would wait for `stateLock`.
        let onDismissed = isDismissed.load(ordering: .relaxed) ? self.onDismissed.take() : nil
        stateLock.unlock()
        onDismissed?(state)
        actions &+= 1
        if let before {
            trace?(
                .reduced(
                    .init(number: actions, action: action, cause: cause, before: before, after: state, next: next)))
        }
        if states.hasObservers { states.send(version, state) }
        return next
    }
}

// MARK: - While an effect is being started

extension Engine {
    /// Runs `body`, which starts an effect or calls a hook: messages from inside it are handled synchronously.
    @inlinable
    func whileStarting(_ body: () -> Void) {
        let outer = startingThread.load(ordering: .relaxed)
        startingThread.store(Thread.current, ordering: .relaxed)
        body()
        startingThread.store(outer, ordering: .relaxed)
    }

    /// Passes the action of an effect to the hook.
    @inlinable
    func callHook(_ hook: (F.Action) -> Void, _ action: F.Action, _ run: EffectRun) {
        let outer = hooked
        hooked = run
        whileStarting { hook(action) }
        hooked = outer
    }

    /// Handles a message from an effect that is starting. For the owner of the queue, on the thread that starts the
    /// effect.
    ///
    /// - Returns: Whether the message was handled; if not, it is enqueued.
    @inlinable
    func handleDuringStart(_ message: Message) -> Bool {
        queue.dequeueAll(into: &pending)
        while pendingFollowUps == 0, let waiting = pending.popFirst(where: \.isReduction) {
            if let followUp = reduceDuringStart(waiting) { pending.insertAfterSkipped(followUp) }
        }
        if pendingFollowUps > 0 { return false }
        switch message {
        case .action, .hooked:
            if let followUp = reduceDuringStart(message) { pending.append(followUp) }
        case .performHooked(let sideEffect):
            // The hook receives one action at a time, and starts the effects that it passes on: this does not recurse.
            start(sideEffect, EffectKey(nil), .merge, actions, performing)
        case .ended(let run, let failure):
            if let next = end(run, failure) { pending.append(.begin(next.run, next.sideEffect)) }
        default: return false
        }
        return true
    }

    /// Reduces an action; its request is carried out once the effect has started, so that the stack does not grow.
    ///
    /// - Returns: The message that carries out the request.
    @inlinable
    func reduceDuringStart(_ message: Message) -> Message? {
        let action: F.Action
        let cause: EffectRun?
        let group: EffectGroup?
        switch message {
        case .action(let sent, let run?, _):
            if run.isCancelled { return nil }
            if let actionHook {
                callHook(actionHook, sent, run)
                return nil
            }
            (action, cause, group) = (sent, run, run.group)
        case .action(let sent, nil, let work): (action, cause, group) = (sent, nil, work)
        case .hooked(let passed): (action, cause, group) = (passed, hooked, hooked?.group)
        default: return nil
        }
        let outer = startingThread.load(ordering: .relaxed)
        startingThread.store(0, ordering: .relaxed)
        let next = reduce(action, cause.map { .effect($0.number) } ?? .sent)
        startingThread.store(outer, ordering: .relaxed)
        let isSent = if case .action(_, nil, _) = message { true } else { false }
        if next.isNone {
            if isSent { group?.leave() }
            return nil
        }
        pendingFollowUps += 1
        // The work of a sent action continues; that of an effect's action is one more piece.
        if !isSent { group?.enter() }
        return .followUp(next, actions, group)
    }
}

// MARK: - Outside

extension Engine {
    /// The state; waits for a reduction on another thread.
    @inlinable
    package var currentState: F.State { present.state }

    /// The state and its version.
    @inlinable
    var present: StateBroadcaster<F.State>.Versioned {
        precondition(
            !stateLock.isHeldByCurrentThread,
            "`currentState` was read inside `reduce`, which depends on its arguments only")
        stateLock.lock()
        defer { stateLock.unlock() }
        return StateBroadcaster.Versioned(version, state)
    }

    /// Delivers the current state to `observer`, and each that follows.
    @inlinable
    func subscribe(_ observer: AnyObserver<F.State>) -> any Disposable {
        states.subscribe(observer) { [self] in present }
    }

    /// Sends the actions of a stream until it ends, the result is disposed, or the flow is dismissed.
    @usableFromInline
    package func bind(_ actions: Observable<F.Action>) -> any Disposable {
        bind(actions) { [self] action in send(action) }
    }

    /// Performs the side effects of a stream until it ends, the result is disposed, or the flow is dismissed.
    @usableFromInline
    package func bindEffects(_ sideEffects: Observable<F.SideEffect>) -> any Disposable {
        bind(sideEffects) { [self] sideEffect in perform(sideEffect) }
    }

    @inlinable
    func bind<Element: Sendable>(
        _ stream: Observable<Element>, _ onNext: @escaping @Sendable (Element) -> Void
    ) -> any Disposable {
        let input = SingleAssignmentDisposable()
        guard inputs.add(input), effects.beginStart(of: input) else { return input }
        input.setDisposable(
            stream.subscribe(onNext: onNext, onDisposed: { [inputs, weak input] in input.map(inputs.remove) }))
        effects.endStart(of: input)
        return input
    }

    /// Cancels the effects of a group synchronously; the group starts none afterwards.
    @usableFromInline
    package func cancel(_ group: EffectGroup) {
        group.close()
        let (removed, next) = effects.remove(group)
        for run in removed { run.dispose() }
        if !removed.isEmpty { enqueue(.cancelled(removed)) }
        for run in next {
            if let sideEffect = run.sideEffect as? F.SideEffect { enqueue(.begin(run, sideEffect)) }
        }
        effects.waitForStarts(of: group)
    }

    /// Ends the flow synchronously: when this returns, no action is or will be reduced, and no effect runs or is being
    /// started. Inside `reduce`, where the state is locked, it does not wait for other threads.
    @inlinable
    package func dismiss() {
        let isReducing = stateLock.isHeldByCurrentThread
        endFlow(isReducing: isReducing)
        if !isReducing { effects.waitForStarts() }
    }

    /// Ends the flow, unless it has ended.
    @inlinable
    func endFlow(isReducing: Bool) {
        if !isReducing { stateLock.lock() }
        let isFirst = !isDismissed.exchange(true, ordering: .relaxed)
        if isFirst { effects.beginDismissal() }
        if !isReducing {
            // During a reduction, `reduce` calls it.
            let onDismissed = isFirst ? self.onDismissed.take() : nil
            let last = onDismissed == nil ? nil : state
            stateLock.unlock()
            if let last { onDismissed?(last) }
        }
        if !isFirst { return }
        let runs = effects.finish()
        for run in runs { run.dispose() }
        inputs.dispose()
        effects.endStart(of: effects)
        states.finish()
        events.finish()
        if trace != nil { enqueue(.dismissed(runs)) }
    }
}
