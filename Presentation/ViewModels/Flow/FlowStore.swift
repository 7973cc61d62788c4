public import Streams

/// A running flow, used through methods instead of streams.
///
/// ```swift
/// let store = FlowStore(Search(titles: titles))
/// store.state.select(\.titles).drive(onNext: list.show).disposed(by: bag)
/// store.send(.typed("Jeju"))
/// store.currentState.text    // "Jeju"
/// ```
///
/// Its methods are thread-safe, and may be called from its observers: see ``Flow`` for the guarantees. The flow runs
/// from the creation of the store until ``dismiss()``, or until the store is released.
///
/// **Threads.**
///
/// - *States and events* are delivered on the main actor, from whichever threads actions are sent, in the order of the
///   reductions. An action that is sent on the main actor is delivered before `send` returns, unless another delivery
///   is in progress, there or in the main queue. One that is sent elsewhere is delivered by the main queue, later.
/// - *`reduce` and `perform`* run on the sending thread: for the answer of a side effect that of its stream, or the
///   scheduler `effectsOn`. When several threads send at once, the first one reduces for all of them, one action at a
///   time, in the order in which the actions were sent; the others enqueue their action and continue. So a background
///   thread that is draining may reduce an action of the main actor, and the main actor one of a background thread.
/// - *Subscribing* to a state delivers the current state, on the main actor, and nothing that other threads have sent.
/// - *``currentState``* may be read anywhere, and is always at least as new as the delivered states.
public final class FlowStore<State: Sendable, Action: Sendable, Event: Sendable>: Sendable {
    /// Emits the current state on subscription, and then one state after each action; on the main actor, in the order
    /// of the reductions. Completes when the store is dismissed.
    public let state: Driver<State>
    /// The one-time events; on the main actor. Events raised without an observer are buffered, and delivered once, to
    /// the first observer; the buffer keeps the newest 1,000. Completes when the store is dismissed.
    public let events: Signal<Event>

    /// The number of events that were dropped, because no observer was subscribed and the buffer was full.
    public var droppedEventCount: Int { core.droppedEvents() }

    @usableFromInline let core: Core

    /// The engine, without the type of the flow.
    @usableFromInline
    struct Core: Sendable {
        @usableFromInline let send: @Sendable (Action) -> EffectGroup?
        @usableFromInline let current: @Sendable () -> State
        @usableFromInline let bind: @Sendable (Observable<Action>) -> any Disposable
        @usableFromInline let cancel: @Sendable (EffectGroup) -> Void
        @usableFromInline let dismiss: @Sendable () -> Void
        @usableFromInline let droppedEvents: @Sendable () -> Int

        @inlinable
        init(
            send: @escaping @Sendable (Action) -> EffectGroup?, current: @escaping @Sendable () -> State,
            bind: @escaping @Sendable (Observable<Action>) -> any Disposable,
            cancel: @escaping @Sendable (EffectGroup) -> Void, dismiss: @escaping @Sendable () -> Void,
            droppedEvents: @escaping @Sendable () -> Int
        ) {
            self.send = send
            self.current = current
            self.bind = bind
            self.cancel = cancel
            self.dismiss = dismiss
            self.droppedEvents = droppedEvents
        }
    }

    @inlinable
    init(state: Driver<State>, events: Signal<Event>, core: Core) {
        self.state = state
        self.events = events
        self.core = core
    }

    /// Runs a flow.
    ///
    /// - Parameters:
    ///   - flow: The flow to run.
    ///   - initialState: The first state; by default the flow's own initial state.
    ///   - effectScheduler: The scheduler on which the actions of side effects are reduced; by default the threads that
    ///     send them. With `DriverSharingStrategy.scheduler`, no other thread reduces while all actions are sent on the
    ///     main actor: `send` has changed and delivered the state when it returns, unless an observer of the store
    ///     called it.
    @inlinable
    public convenience init<F: Flow>(
        _ flow: F, initialState: State? = nil, effectsOn effectScheduler: (any SchedulerType)? = nil
    ) where F.State == State, F.Action == Action, F.Event == Event {
        self.init(
            Engine(flow, from: initialState, on: DriverSharingStrategy.scheduler, effectsOn: effectScheduler))
    }

    /// Runs a mutation flow.
    ///
    /// - Parameters:
    ///   - flow: The flow to run.
    ///   - initialState: The first state; by default the flow's own initial state.
    ///   - effectScheduler: The scheduler on which the actions that the flow sends are transformed, and what the streams of
    ///     actions emit is reduced; by default the threads that send and emit. With `DriverSharingStrategy.scheduler`,
    ///     `send` on the main actor has changed the state when it returns, as with a ``Flow``, unless the flow merges
    ///     streams of other threads into its actions or side effects: let those `observe(on:)` the same scheduler.
    @inlinable
    public convenience init<M: MutationFlow>(
        _ flow: M, initialState: State? = nil, effectsOn effectScheduler: (any SchedulerType)? = nil
    ) where M.State == State, M.Action == Action, Event == Never {
        let engine = MutationEngine(
            flow, from: initialState, on: DriverSharingStrategy.scheduler, effectsOn: effectScheduler)
        engine.start(flow)
        self.init(engine)
    }

    @inlinable
    convenience init<E: FlowEngine>(_ engine: E)
    where E.State == State, E.Action == Action, E.Event == Event {
        self.init(
            state: Driver(raw: engine.state.asObservable()),
            events: Signal(raw: engine.events.asObservable()),
            core: Core(
                send: { engine.send($0) }, current: { engine.state.value }, bind: { engine.bind($0) },
                cancel: { engine.cancel($0) }, dismiss: { engine.dismiss() },
                droppedEvents: { engine.events.droppedCount }))
    }

    deinit {
        core.dismiss()
    }

    /// The current state. It may be read anywhere except inside `reduce`; while another thread reduces an action,
    /// reading waits for the end of that reduction.
    ///
    /// ```swift
    /// store.send(.typed("Jeju"))
    /// store.currentState.text    // "Jeju"
    /// ```
    @inlinable
    public var currentState: State { core.current() }

    /// Reduces an action, after those that were sent before.
    ///
    /// Unless another action is being reduced, on this or another thread, everything is done when this returns: the
    /// state is changed and, on the main actor, delivered. Otherwise the action is enqueued. After dismissal it is
    /// ignored.
    ///
    /// ```swift
    /// store.send(.typed("Jeju"))                 // the state has changed when this returns
    /// await store.send(.refreshed).finish()      // its side effects have ended
    /// ```
    ///
    /// - Returns: The side effects that the action caused, for waiting or cancelling.
    @inlinable
    @discardableResult
    public func send(_ action: Action) -> ActionEffects {
        guard let group = core.send(action) else { return ActionEffects() }
        return ActionEffects(group, cancel: core.cancel)
    }

    /// Sends the actions of a stream until the stream ends, the result is disposed, or the store is dismissed.
    ///
    /// An error of the stream is reported to `Hooks.defaultErrorHandler`.
    ///
    /// ```swift
    /// store.bind(session.signedOut.map { .signedOut })
    /// ```
    @discardableResult
    public func bind<Actions: ObservableConvertibleType<Action>>(_ actions: Actions) -> any Disposable {
        core.bind(actions.asObservable())
    }

    /// Ends the flow synchronously: when this returns, no action is or will be reduced, all side effects and bound
    /// streams are cancelled, and states and events complete.
    ///
    /// Thread-safe; it may be called from an observer of the store, and while an effect starts. It waits for a reduction
    /// that is in progress on another thread, and for the effects and bound streams that another thread is starting: for
    /// `perform` to return and for the subscription, not for the work that these leave to a task or a queue. Only two
    /// effects that dismiss each other's stores while they start do not wait for each other.
    ///
    /// ```swift
    /// store.dismiss()
    /// store.send(.typed("Jeju"))    // ignored
    /// ```
    public func dismiss() {
        core.dismiss()
    }
}

extension FlowStore {
    /// A store for a part of the state, whose actions are actions of this store.
    ///
    /// ```swift
    /// let banner = store.scope(state: \.banner, action: Home.Action.banner)
    /// banner.send(.closed)    // as store.send(.banner(.closed))
    /// ```
    ///
    /// The scoped store emits its state after each action, like this store; use `select` to emit changes only. It
    /// retains this store; dismissing or releasing it neither dismisses this store nor cancels effects. It has no
    /// events: this store delivers them.
    public func scope<Child: Sendable, ChildAction: Sendable>(
        state: @escaping @Sendable (State) -> Child, action: @escaping @Sendable (ChildAction) -> Action
    ) -> FlowStore<Child, ChildAction, Never> {
        FlowStore<Child, ChildAction, Never>(
            state: self.state.map(state), events: .empty(),
            core: .init(
                send: { [self] in core.send(action($0)) }, current: { [self] in state(currentState) },
                bind: { [self] in core.bind($0.map(action)) }, cancel: core.cancel, dismiss: {}, droppedEvents: { 0 }))
    }

    /// A store for a part of the state that may be absent, such as a row of a list; `nil` if it is absent.
    ///
    /// ```swift
    /// let row = store.scope(state: { $0.rows[id: 7] }, action: { .row(7, $0) })
    /// row?.send(.liked)    // as store.send(.row(7, .liked))
    /// ```
    ///
    /// After the part leaves the state, the scoped store keeps the last one that it emitted, or that was read from it.
    public func scope<Child: Sendable, ChildAction: Sendable>(
        state: @escaping @Sendable (State) -> Child?, action: @escaping @Sendable (ChildAction) -> Action
    ) -> FlowStore<Child, ChildAction, Never>? {
        guard let first = state(currentState) else { return nil }
        let last = LastValue(first)
        return FlowStore<Child, ChildAction, Never>(
            state: self.state.compactMap { state($0).map { last.update($0) } }, events: .empty(),
            core: .init(
                send: { [self] in core.send(action($0)) }, current: { [self] in last.update(state(currentState)) },
                bind: { [self] in core.bind($0.map(action)) }, cancel: core.cancel, dismiss: {}, droppedEvents: { 0 }))
    }
}

/// Stores the last state of a part that was present.
private final class LastValue<Value: Sendable>: Sendable {
    private let value: TracedMutex<Value>

    init(_ value: Value) {
        self.value = TracedMutex(value)
    }

    /// Stores a value, if there is one; returns the last one.
    func update(_ new: Value?) -> Value {
        guard let new else { return value.withLock { $0 } }
        let old = value.withLock { value in
            defer { value = new }
            return value
        }
        withExtendedLifetime(old) {}  // release outside the lock
        return new
    }
}
