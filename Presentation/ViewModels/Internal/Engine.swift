public import Streams
public import Synchronization

/// What runs a flow: one queue for actions, one copy of the state, the effects that are under way.
///
/// All work is done by whoever is inside the mailbox: reducing, telling the state, starting and cancelling effects. Who
/// finds somebody inside leaves his action there and goes on. So order is total, and nobody waits: except who reads
/// the state while it is being reduced, and who dismisses, who both wait for that one reduction.
///
/// `@unchecked Sendable`: `state` and `version` are written inside the mailbox and the turnstile, and read inside either;
/// `actions` and `started` are touched inside the mailbox only.
@usableFromInline
package final class Engine<F: Flow>: @unchecked Sendable {
    /// What waits for its turn.
    @usableFromInline
    enum Mail {
        case action(F.Action, EffectRun?)
        case perform(F.SideEffect)
        case ended(EffectRun, EffectFailure?)
        case dismissed([EffectRun])
    }

    @usableFromInline let flow: F
    @usableFromInline let mailbox = Mailbox<Mail>()
    @usableFromInline let turnstile = Turnstile()
    @exclusivity(unchecked) @usableFromInline var state: F.State
    @exclusivity(unchecked) @usableFromInline var version: UInt64 = 0
    @usableFromInline let isDismissed = Atomic(false)
    @usableFromInline let states: StateOutlet<F.State>
    @usableFromInline package let events: WaitingRelay<F.Event>
    @usableFromInline let effects = EffectTable()
    @usableFromInline let inputs = CompositeDisposable()
    @usableFromInline let tracer: Tracer<F.State, F.Action, F.SideEffect, F.Event>?
    /// How many actions were reduced.
    @exclusivity(unchecked) @usableFromInline var actions = 0
    /// How many effects were asked for.
    @exclusivity(unchecked) @usableFromInline var started = 0

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
        events = WaitingRelay(on: scheduler)
        tracer = Tracer(of: flow)
    }

    /// Reduces an action, after those that were sent before.
    @inlinable
    package func send(_ action: F.Action) {
        if mailbox.enter() || mailbox.enterOrLeave(.action(action, nil)) {
            reduce(action, .sent)
            mailbox.empty(handle)
        }
    }

    /// Carries out a side effect that no action asked for.
    @inlinable
    package func perform(_ sideEffect: F.SideEffect) {
        receive(.perform(sideEffect))
    }

    @inlinable
    func receive(_ mail: Mail) {
        if mailbox.enter() || mailbox.enterOrLeave(mail) {
            handle(mail)
            mailbox.empty(handle)
        }
    }

    /// Inside the mailbox.
    @inlinable
    func handle(_ mail: Mail) {
        switch mail {
        case .action(let action, let run):
            if let run {
                if !run.isCancelled { reduce(action, .effect(run.number)) }
            } else {
                reduce(action, .sent)
            }
        case .perform(let sideEffect): start(sideEffect, EffectKey(nil), .merge)
        case .ended(let run, let failure): end(run, failure)
        case .dismissed(let runs):
            cancel(runs)
            tracer?.trace(.dismissed)
        }
    }

    /// Inside the mailbox.
    @inlinable
    func reduce(_ action: F.Action, _ cause: FlowCause) {
        turnstile.enter()
        if isDismissed.load(ordering: .relaxed) { return turnstile.goOut() }
        let before = tracer == nil ? nil : state
        let next = flow.reduce(&state, action)
        version &+= 1
        turnstile.goOut()
        actions &+= 1
        if let before {
            tracer?.trace(
                .reduced(
                    .init(number: actions, action: action, cause: cause, before: before, after: state, next: next)))
        }
        if states.hasListeners { states.send(version, state) }
        if !next.isNone { follow(next) }
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
    func bind(_ actions: Observable<F.Action>) -> any Disposable {
        bind(actions) { [self] action in send(action) }
    }

    /// Carries out the side effects of a stream, for as long.
    @usableFromInline
    func bindEffects(_ sideEffects: Observable<F.SideEffect>) -> any Disposable {
        bind(sideEffects) { [self] sideEffect in perform(sideEffect) }
    }

    private func bind<Element: Sendable>(
        _ stream: Observable<Element>, _ onNext: @escaping @Sendable (Element) -> Void
    ) -> any Disposable {
        let input = SingleAssignmentDisposable()
        guard let key = inputs.insert(input) else { return input }
        input.setDisposable(
            stream.subscribe(onNext: onNext, onDisposed: { [inputs] in inputs.remove(for: key) }))
        return input
    }

    /// Ends everything, at once: when this returns no action is or will be reduced, and no effect goes on.
    @usableFromInline
    package func dismiss() {
        let isFirst: Bool
        if turnstile.isEnteredByCurrentThread {
            isFirst = !isDismissed.exchange(true, ordering: .relaxed)
        } else {
            turnstile.enter()
            isFirst = !isDismissed.exchange(true, ordering: .relaxed)
            turnstile.goOut()
        }
        guard isFirst else { return }
        let runs = effects.finish()
        for run in runs { run.dispose() }
        inputs.dispose()
        states.finish()
        events.finish()
        if tracer != nil { receive(.dismissed(runs)) }
    }
}
