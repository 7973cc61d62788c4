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
public final class FlowStore<State: Sendable, Action: Sendable, Event: Sendable>: Sendable {
    /// The state at once, and then one after each action; on the main actor. Complete when the store is dismissed.
    public let state: Driver<State>
    /// What happens once; on the main actor. Events that are raised while no one listens wait, and are told once, to the
    /// first who does. Complete when the store is dismissed.
    public let events: Signal<Event>

    @usableFromInline let core: Core

    /// The engine, without the types of the flow.
    @usableFromInline
    struct Core: Sendable {
        @usableFromInline let send: @Sendable (Action) -> Void
        @usableFromInline let current: @Sendable () -> State
        @usableFromInline let bind: @Sendable (Observable<Action>) -> any Disposable
        @usableFromInline let dismiss: @Sendable () -> Void

        @inlinable
        init(
            send: @escaping @Sendable (Action) -> Void, current: @escaping @Sendable () -> State,
            bind: @escaping @Sendable (Observable<Action>) -> any Disposable,
            dismiss: @escaping @Sendable () -> Void
        ) {
            self.send = send
            self.current = current
            self.bind = bind
            self.dismiss = dismiss
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
                dismiss: { engine.dismiss() }))
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
    @inlinable
    public func send(_ action: Action) {
        core.send(action)
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
        Driver(raw: .create { [self] observer in subscribe(observer) })
    }

    @inlinable
    var eventSignal: Signal<F.Event> {
        Signal(raw: events.asObservable())
    }
}
