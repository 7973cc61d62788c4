public import Streams

/// A running flow, for an edge that prefers methods to streams.
///
/// ```swift
/// let store = FlowStore(Search(titles: titles))
/// store.state.select(\.titles).drive(onNext: list.show).disposed(by: bag)
/// store.send(.typed("Jeju"))
/// store.currentState.text    // "Jeju"
/// ```
///
/// Its methods may be called from any thread, and from inside what it tells: see ``Flow`` for what is promised. The flow
/// runs from the moment the store is made; it ends with ``dismiss()``, or when the store is let go.
///
/// **Who runs what, where.**
///
/// - *States and events* are delivered on the main actor, whichever threads send, in the order of the reductions. An action
///   that is sent on the main actor is delivered before `send` returns, unless another delivery is under way, there or in the
///   main queue. One that is sent elsewhere is delivered by the main queue, later.
/// - *`reduce` and `perform`* run on the thread that sends. When several send at once, the one that came first reduces for
///   all of them, one action at a time, in the order in which they were sent; the others leave their action and go on. So an
///   action that the main actor sends may be reduced on a background thread that was at work, and one of a background thread
///   on the main actor.
/// - *Subscribing* to a state delivers the state of now, on the main actor, and nothing that others have sent.
/// - *``currentState``* may be read anywhere, and is always at least as new as what was delivered.
public final class FlowStore<State: Sendable, Action: Sendable, Event: Sendable>: Sendable {
    /// The state at once, and then one after each action; on the main actor, in the order of the reductions. Complete when the
    /// store is dismissed.
    public let state: Driver<State>
    /// What happens once; on the main actor. Events that are raised while no one listens wait, and are told once, to the
    /// first who does; of those that wait, the newest 1,000 are kept. Complete when the store is dismissed.
    public let events: Signal<Event>

    /// How many events were dropped so far, because no one listened and more than 1,000 waited.
    public var droppedEventCount: Int { core.droppedEvents() }

    @usableFromInline let core: Core

    /// The engine, without the types of the flow.
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
    ///   - flow: What to run.
    ///   - initialState: What to begin with, if not the flow's own initial state.
    @inlinable
    public convenience init<F: Flow>(_ flow: F, initialState: State? = nil)
    where F.State == State, F.Action == Action, F.Event == Event {
        self.init(Engine(flow, from: initialState, on: DriverSharingStrategy.scheduler))
    }

    @inlinable
    package convenience init<F: Flow>(_ engine: Engine<F>)
    where F.State == State, F.Action == Action, F.Event == Event {
        self.init(
            state: engine.stateDriver, events: engine.eventSignal,
            core: Core(
                send: { engine.send($0) }, current: { engine.currentState }, bind: { engine.bind($0) },
                cancel: { engine.cancel($0) }, dismiss: { engine.dismiss() },
                droppedEvents: { engine.events.droppedCount }))
    }

    deinit {
        core.dismiss()
    }

    /// The state now. It may be asked for anywhere but inside `reduce`; while another thread reduces an action, it waits for
    /// the end of that reduction.
    @inlinable
    public var currentState: State { core.current() }

    /// Reduces an action, after those that were sent before.
    ///
    /// Unless another action is at work, here or on another thread, everything is done when this returns: the state is
    /// changed, and, on the main actor, told. Else the action waits for its turn. After dismissal it is ignored.
    ///
    /// - Returns: The side effects that the action has led to: to wait for, or to cancel.
    @inlinable
    @discardableResult
    public func send(_ action: Action) -> ActionEffects {
        guard let group = core.send(action) else { return ActionEffects() }
        return ActionEffects(group, cancel: core.cancel)
    }

    /// Sends the actions of a stream, until it ends, the result is disposed, or the store is dismissed.
    ///
    /// An error of the stream is told to `Hooks.defaultErrorHandler`.
    @discardableResult
    public func bind<Actions: ObservableConvertibleType<Action>>(_ actions: Actions) -> any Disposable {
        core.bind(actions.asObservable())
    }

    /// Ends the flow, at once: when this returns, no action is or will be reduced, and all side effects and bound streams
    /// are cancelled. State and events are complete.
    ///
    /// It may be called from any thread, and from inside what the store tells. A reduction that is under way on another
    /// thread is waited for.
    public func dismiss() {
        core.dismiss()
    }
}

extension Engine {
    @inlinable
    var stateDriver: Driver<F.State> {
        // The outlet tells one state at a time.
        Driver(raw: .createSerial { [self] observer in subscribe(observer) })
    }

    @inlinable
    var eventSignal: Signal<F.Event> {
        Signal(raw: events.asObservable())
    }
}
