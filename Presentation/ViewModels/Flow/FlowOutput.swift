public import Streams

/// The output of a running flow: its states and its events.
///
/// Both are delivered on the main actor, from whichever threads actions are sent; see ``FlowStore`` for the details.
///
/// ```swift
/// let output = Search(titles: titles).transform(actions)
/// output.state.select(\.titles).drive(onNext: list.show).disposed(by: bag)
/// output.events.emit(onNext: navigator.open).disposed(by: bag)
/// ```
public struct FlowOutput<State: Sendable, Event: Sendable>: Sendable {
    /// Emits the current state on subscription, and then one state after each action; see
    /// `select(_:)` of drivers.
    public let state: Driver<State>
    /// The events. Those raised without an observer are buffered, and delivered once, to the first observer.
    public let events: Signal<Event>

    /// Creates an output of these two streams.
    public init(state: Driver<State>, events: Signal<Event>) {
        self.state = state
        self.events = events
    }
}

extension Flow {
    /// The flow as a view model: nothing starts before an output is subscribed to.
    ///
    /// The first subscription to either output starts the flow with its initial state and subscribes to `actions`,
    /// once; the last disposal ends the flow and its side effects. Subscribing again starts anew.
    ///
    /// Elements that a hot stream of actions emits before that are lost. Those of a ``WaitingRelay`` are not.
    ///
    /// ```swift
    /// let output = Search(titles: titles).transform(actions)
    /// output.state.select(\.titles).drive(onNext: list.show).disposed(by: bag)    // starts the flow
    /// ```
    @inlinable
    public func transform(_ actions: Observable<Action>) -> FlowOutput<State, Event> {
        let scheduler = DriverSharingStrategy.scheduler
        return FlowOutput({ Engine(self, on: scheduler) }, start: { $0.bind(actions) })
    }
}

extension FlowOutput {
    /// The outputs of an engine that exists while either has an observer.
    ///
    /// - Parameters:
    ///   - makeEngine: Creates the engine for the first observer.
    ///   - start: Called with the new engine after its first observer has subscribed.
    @inlinable
    init<F: Flow>(
        _ makeEngine: @escaping @Sendable () -> Engine<F>, start: @escaping @Sendable (Engine<F>) -> any Disposable
    ) where F.State == State, F.Event == Event {
        let engine = SharedEngine(makeEngine, start: start)
        self.init(
            state: Driver(raw: .create { observer in engine.subscribe { $0.subscribe(observer) } }),
            events: Signal(raw: .create { observer in engine.subscribe { $0.events.subscribe(observer) } }))
    }
}
