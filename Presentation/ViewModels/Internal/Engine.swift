public import Composition
public import Streams
public import Synchronization

/// What runs a flow: one queue for actions, one copy of the state, the effects that are under way.
///
/// All work is done by whoever is inside the mailbox: reducing, telling the state, starting and cancelling effects. Who
/// finds somebody inside leaves his action there and goes on. So order is total, and nobody waits: except who reads
/// the state while it is being reduced, and who dismisses, who both wait for that one reduction.
///
/// What an effect sends while it is being started meets the one inside in the middle of starting it. That is reduced at
/// once, after the actions that wait already, as long as none of these asks for anything: see `reduceAtOnce`.
///
/// `@unchecked Sendable`: `state` and `version` are written inside the mailbox and the turnstile, and read inside either;
/// the other variables are touched inside the mailbox only, but the hooks, which are set before the engine is used.
@usableFromInline
package final class Engine<F: Flow>: @unchecked Sendable {
    /// What waits for its turn.
    @usableFromInline
    enum Mail {
        /// An action, with the effect that sent it, or with the work that waits for it.
        case action(F.Action, EffectRun?, EffectGroup?)
        /// An action that has passed the hook.
        case hooked(F.Action)
        /// A side effect that no action asked for: the action of a mutation flow.
        case perform(F.SideEffect, EffectGroup?)
        /// The same, past its hook.
        case performHooked(F.SideEffect)
        /// What an action has asked for that was reduced while an effect was being started, and the action's number.
        case follow(Next<F.SideEffect, F.Event>, Int, EffectGroup?)
        /// An effect whose turn it is.
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

    /// How many events wait while no one listens.
    @inlinable
    static var eventLimit: Int { 1_000 }

    @usableFromInline let flow: F
    @usableFromInline let mailbox = Mailbox<Mail>()
    @usableFromInline let turnstile = Turnstile()
    @exclusivity(unchecked) @usableFromInline var state: F.State
    @exclusivity(unchecked) @usableFromInline var version: UInt64 = 0
    @usableFromInline package let isDismissed = Atomic(false)
    @usableFromInline let states: StateOutlet<F.State>
    @usableFromInline package let events: WaitingRelay<F.Event>
    @usableFromInline let effects = EffectTable()
    @usableFromInline let inputs = Inputs()
    /// Those that held where the engine was made.
    @usableFromInline let dependencies: DependencyValues
    @usableFromInline let trace: (@Sendable (F.Step) -> Void)?
    /// How many actions were reduced.
    @exclusivity(unchecked) @usableFromInline var actions = 0
    /// How many effects were asked for.
    @exclusivity(unchecked) @usableFromInline var started = 0
    /// What was taken out of the mailbox and waits for its turn.
    @exclusivity(unchecked) @usableFromInline var backlog = Backlog<Mail>()
    /// How many `.follow` are in the backlog: while there are any, every action waits for its turn.
    @exclusivity(unchecked) @usableFromInline var following = 0
    /// The thread that is starting an effect, or telling a hook; else 0.
    @usableFromInline let starter = Atomic<UInt>(0)
    /// The effect whose action the hook is being told.
    @exclusivity(unchecked) @usableFromInline var hooked: EffectRun?
    /// The work that the side effect belongs to that its hook is being told.
    @exclusivity(unchecked) @usableFromInline var performing: EffectGroup?
    /// What the actions of effects go through.
    @exclusivity(unchecked) @usableFromInline var actionHook: (@Sendable (F.Action) -> Void)?
    /// What the side effects that no action asked for go through.
    @exclusivity(unchecked) @usableFromInline var sideEffectHook: (@Sendable (F.SideEffect) -> Void)?
    /// Called once, when the engine was dismissed, with the last state; taken inside the turnstile, called outside.
    @exclusivity(unchecked) @usableFromInline var onDismissed: (@Sendable (F.State) -> Void)?

    /// An engine at rest.
    ///
    /// - Parameters:
    ///   - state: What it begins with; by default the flow's initial state.
    ///   - scheduler: Where states and events are told.
    @inlinable
    package init(_ flow: F, from state: F.State? = nil, on scheduler: any SchedulerType) {
        self.flow = flow
        self.state = state ?? flow.initialState
        states = StateOutlet(on: scheduler)
        events = WaitingRelay(on: scheduler, limit: Self.eventLimit)
        trace = flow.trace
        dependencies = .current
    }

    /// Reduces an action, after those that were sent before.
    ///
    /// - Returns: The work that it leads to, if any is left when this returns.
    @inlinable
    @discardableResult
    package func send(_ action: F.Action) -> EffectGroup? {
        if mailbox.enter() { return sendInside(action) }
        let group = EffectGroup()
        if mailbox.enterOrLeave(.action(action, nil, group)) { return sendInside(action) }
        return group
    }

    @inlinable
    func sendInside(_ action: F.Action) -> EffectGroup? {
        var group: EffectGroup?
        let next = reduce(action, .sent)
        if !next.isNone {
            let work = EffectGroup()
            follow(next, actions, work)
            work.leave()
            group = work
        }
        goOut()
        return group
    }

    /// Carries out a side effect that no action asked for.
    ///
    /// - Returns: The work that it leads to.
    @inlinable
    @discardableResult
    package func perform(_ sideEffect: F.SideEffect) -> EffectGroup {
        let group = EffectGroup()
        receive(.perform(sideEffect, group))
        return group
    }

    @inlinable
    func receive(_ mail: Mail) {
        if starter.load(ordering: .relaxed) == Thread.current, receiveAtOnce(mail) { return }
        if mailbox.enter() || mailbox.enterOrLeave(mail) {
            handle(mail)
            goOut()
        }
    }

    /// Goes out of the mailbox, after doing what waits.
    @inlinable
    func goOut() {
        while !backlog.isEmpty || !mailbox.goOut() { empty() }
    }

    @inlinable
    func empty() {
        mailbox.move(to: &backlog)
        while let mail = backlog.popFirst() { handle(mail) }
    }

    /// Inside the mailbox.
    @inlinable
    func handle(_ mail: Mail) {
        switch mail {
        case .action(let action, let run, let group): handle(action, run, group)
        case .hooked(let action):
            let next = reduce(action, .sent)
            if !next.isNone { follow(next, actions, nil) }
        case .perform(let sideEffect, let group):
            if let sideEffectHook {
                performing = group
                tell { sideEffectHook(sideEffect) }
                performing = nil
            } else {
                start(sideEffect, EffectKey(nil), .merge, actions, group)
            }
            group?.leave()
        case .performHooked(let sideEffect): start(sideEffect, EffectKey(nil), .merge, actions, nil)
        case .follow(let next, let action, let group):
            following -= 1
            follow(next, action, group)
            group?.leave()
        case .begin(let run, let sideEffect): if !run.isCancelled { start(run, sideEffect) }
        case .ended(let run, let failure): if let next = end(run, failure) { start(next.run, next.sideEffect) }
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
            if !next.isNone { follow(next, actions, group) }
            group?.leave()
            return
        }
        if run.isCancelled { return }
        if let actionHook { return tell(actionHook, action, run) }
        let next = reduce(action, .effect(run.number))
        if !next.isNone { follow(next, actions, run.group) }
    }

    /// Reduces an action and tells the state; inside the mailbox.
    ///
    /// - Returns: What the action asks for.
    @inlinable
    func reduce(_ action: F.Action, _ cause: FlowCause) -> Next<F.SideEffect, F.Event> {
        turnstile.enter()
        if isDismissed.load(ordering: .relaxed) {
            turnstile.goOut()
            return .none
        }
        let before = trace == nil ? nil : state
        let next = flow.reduce(&state, action)
        version &+= 1
        // Dismissed by `reduce` itself: another thread would wait at the turnstile.
        let onDismissed = isDismissed.load(ordering: .relaxed) ? self.onDismissed.take() : nil
        turnstile.goOut()
        onDismissed?(state)
        actions &+= 1
        if let before {
            trace?(
                .reduced(
                    .init(number: actions, action: action, cause: cause, before: before, after: state, next: next)))
        }
        if states.hasListeners { states.send(version, state) }
        return next
    }
}

// MARK: - While an effect is being started

extension Engine {
    /// Runs `body`, in which an effect is started or a hook is told: what is received from there is reduced at once.
    @inlinable
    func tell(_ body: () -> Void) {
        let outer = starter.load(ordering: .relaxed)
        starter.store(Thread.current, ordering: .relaxed)
        body()
        starter.store(outer, ordering: .relaxed)
    }

    /// Hands the action of an effect to the hook.
    @inlinable
    func tell(_ hook: (F.Action) -> Void, _ action: F.Action, _ run: EffectRun) {
        let outer = hooked
        hooked = run
        tell { hook(action) }
        hooked = outer
    }

    /// Takes in what an effect says while it is being started; inside the mailbox, on the thread that starts it.
    ///
    /// - Returns: Whether it was taken in; if not, it has to wait for its turn.
    @inlinable
    func receiveAtOnce(_ mail: Mail) -> Bool {
        mailbox.move(to: &backlog)
        while following == 0, let waiting = backlog.popFirst(where: \.isReduction) {
            if let follow = reduceAtOnce(waiting) { backlog.putBehindPassed(follow) }
        }
        if following > 0 { return false }
        switch mail {
        case .action, .hooked:
            if let follow = reduceAtOnce(mail) { backlog.append(follow) }
        case .performHooked(let sideEffect):
            // The hook is told of one action at a time, and starts what it says to start: this is no recursion.
            start(sideEffect, EffectKey(nil), .merge, actions, performing)
        case .ended(let run, let failure):
            if let next = end(run, failure) { backlog.append(.begin(next.run, next.sideEffect)) }
        default: return false
        }
        return true
    }

    /// Reduces an action; what that asks for is to be done when the effect was started, so that the stack does not grow.
    ///
    /// - Returns: What to do then.
    @inlinable
    func reduceAtOnce(_ mail: Mail) -> Mail? {
        let action: F.Action
        let cause: EffectRun?
        let group: EffectGroup?
        switch mail {
        case .action(let sent, let run?, _):
            if run.isCancelled { return nil }
            if let actionHook {
                tell(actionHook, sent, run)
                return nil
            }
            (action, cause, group) = (sent, run, run.group)
        case .action(let sent, nil, let work): (action, cause, group) = (sent, nil, work)
        case .hooked(let passed): (action, cause, group) = (passed, hooked, hooked?.group)
        default: return nil
        }
        let outer = starter.load(ordering: .relaxed)
        starter.store(0, ordering: .relaxed)
        let next = reduce(action, cause.map { .effect($0.number) } ?? .sent)
        starter.store(outer, ordering: .relaxed)
        let isSent = if case .action(_, nil, _) = mail { true } else { false }
        if next.isNone {
            if isSent { group?.leave() }
            return nil
        }
        following += 1
        // The work of an action that was sent goes on; that of an effect is one more.
        if !isSent { group?.enter() }
        return .follow(next, actions, group)
    }
}

// MARK: - Outside

extension Engine {
    /// The state; waits for a reduction that is under way on another thread.
    @inlinable
    package var currentState: F.State { present.state }

    /// The state and its version.
    @inlinable
    var present: StateOutlet<F.State>.Stamped {
        precondition(
            !turnstile.isEnteredByCurrentThread,
            "the state was asked for from inside `reduce`, which depends on its arguments only")
        turnstile.enter()
        defer { turnstile.goOut() }
        return StateOutlet.Stamped(version, state)
    }

    /// Lets an observer hear the state, and each that follows.
    @inlinable
    func subscribe(_ observer: AnyObserver<F.State>) -> any Disposable {
        states.subscribe(observer) { [self] in present }
    }

    /// Sends the actions of a stream, until it ends, the result is disposed, or the screen is dismissed.
    @usableFromInline
    package func bind(_ actions: Observable<F.Action>) -> any Disposable {
        bind(actions) { [self] action in send(action) }
    }

    /// Carries out the side effects of a stream, for as long.
    @usableFromInline
    package func bindEffects(_ sideEffects: Observable<F.SideEffect>) -> any Disposable {
        bind(sideEffects) { [self] sideEffect in perform(sideEffect) }
    }

    @inlinable
    func bind<Element: Sendable>(
        _ stream: Observable<Element>, _ onNext: @escaping @Sendable (Element) -> Void
    ) -> any Disposable {
        let input = SingleAssignmentDisposable()
        guard inputs.add(input) else { return input }
        input.setDisposable(
            stream.subscribe(onNext: onNext, onDisposed: { [inputs, weak input] in input.map(inputs.remove) }))
        return input
    }

    /// Cancels the effects of a group, at once; from now on the group starts none.
    @usableFromInline
    package func cancel(_ group: EffectGroup) {
        group.close()
        let (removed, next) = effects.remove(group)
        for run in removed { run.dispose() }
        if !removed.isEmpty { receive(.cancelled(removed)) }
        for run in next {
            if let sideEffect = run.sideEffect as? F.SideEffect { receive(.begin(run, sideEffect)) }
        }
    }

    /// Ends everything, at once: when this returns no action is or will be reduced, and no effect goes on.
    @inlinable
    package func dismiss() {
        if turnstile.isEnteredByCurrentThread {
            if isDismissed.exchange(true, ordering: .relaxed) { return }
        } else {
            turnstile.enter()
            let isFirst = !isDismissed.exchange(true, ordering: .relaxed)
            let onDismissed = isFirst ? self.onDismissed.take() : nil
            let last = onDismissed == nil ? nil : state
            turnstile.goOut()
            if !isFirst { return }
            if let last { onDismissed?(last) }
        }
        let runs = effects.finish()
        for run in runs { run.dispose() }
        inputs.dispose()
        states.finish()
        events.finish()
        if trace != nil { receive(.dismissed(runs)) }
    }
}
