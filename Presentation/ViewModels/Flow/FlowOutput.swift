public import Streams

/// What a running flow tells: its states, and what happens once.
///
/// Both are told on the main actor, whichever threads send actions; see ``FlowStore`` for the details.
public struct FlowOutput<State: Sendable, Event: Sendable>: Sendable {
    /// The state at once, and then one after each action. See ``Streams/SharedSequenceConvertibleType/select(_:)``.
    public let state: Driver<State>
    /// The events. Those that are raised while no one listens wait, and are told once, to the first who does.
    public let events: Signal<Event>

    /// An output of these two streams.
    public init(state: Driver<State>, events: Signal<Event>) {
        self.state = state
        self.events = events
    }
}

extension Flow {
    /// The flow as a view model: nothing starts before an output is subscribed.
    ///
    /// The first subscription to either output starts the flow with its initial state and subscribes `actions`, once; when
    /// the last one leaves, the flow ends, and its side effects with it. Subscribing again starts anew.
    ///
    /// A hot stream of actions loses what it sends before that. A ``WaitingRelay`` does not.
    @inlinable
    public func transform(_ actions: Observable<Action>) -> FlowOutput<State, Event> {
        let scheduler = DriverSharingStrategy.scheduler
        return FlowOutput({ Engine(self, on: scheduler) }, start: { $0.bind(actions) })
    }
}

extension FlowOutput {
    /// The outputs of an engine that lives while anyone listens.
    ///
    /// - Parameters:
    ///   - makeEngine: Makes the engine for the first who listens.
    ///   - start: Called with the new engine once it has its first listener.
    @inlinable
    init<F: Flow>(
        _ makeEngine: @escaping @Sendable () -> Engine<F>, start: @escaping @Sendable (Engine<F>) -> any Disposable
    ) where F.State == State, F.Event == Event {
        let run = FlowRun(makeEngine, start: start)
        self.init(
            state: Driver(raw: .create { observer in run.listen { $0.subscribe(observer) } }),
            events: Signal(raw: .create { observer in run.listen { $0.events.subscribe(observer) } }))
    }
}
