public import Composition
public import Streams

/// A screen as a loop: actions change the state, request side effects, and raise events.
///
/// `reduce` is a pure function, and side effects are values, so tests compare values: the state after an action, and
/// the side effects that it requests. See `FlowSpec` and `FlowTester` in ViewModelsTesting.
///
/// ```swift
/// struct Search: Flow {
///     struct State: Equatable, Sendable {
///         var text = ""
///         var titles: [String] = []
///     }
///     enum Action: Equatable, Sendable { case typed(String), arrived([String]) }
///     enum SideEffect: Equatable, Sendable { case search(String) }
///
///     let titles: @Sendable (String) -> Observable<[String]>
///     var initialState: State { State() }
///
///     func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
///         switch action {
///         case .typed(let text):
///             state.text = text
///             return .latest(.search(text))
///         case .arrived(let titles):
///             state.titles = titles
///             return .none
///         }
///     }
///
///     func perform(_ sideEffect: SideEffect) -> Observable<Action> {
///         switch sideEffect {
///         case .search(let text): titles(text).map(Action.arrived)
///         }
///     }
/// }
/// ```
///
/// Guarantees for each running flow, in a ``FlowStore`` or as a ``ViewModel``:
///
/// - **Order.** Reduction is serial, in the order in which actions were sent, from any thread; an action sent while
///   another is being reduced is enqueued, and the sender continues. No action is lost, except those of an effect that
///   was cancelled in the meantime.
/// - **State first.** When an observer receives a state, ``FlowStore/currentState`` is that state or a newer one. The
///   result of a side effect is reduced with the state at the time of its arrival, not of its request. States are
///   delivered before side effects start.
/// - **Effects.** An action that a side effect sends while it starts is reduced when the requests of the current action
///   are carried out; an action that it sends later is enqueued if another is being reduced.
/// - **Actor.** `reduce` and `perform` run on the sending thread; states and events are delivered on the main actor.
///   See ``FlowStore`` for several threads.
/// - **Memory.** The engine keeps one copy of the state, which `reduce` changes in place: the cost of an action does
///   not grow with the size of the state.
///
/// A flow is a view model: `transform` takes one stream of actions, and returns the states and the events.
public protocol Flow<State, Action, Event>: ViewModel
where Input == Observable<Action>, Output == FlowOutput<State, Event> {
    /// The state that the screen shows, as a value.
    associatedtype State: Sendable
    /// An event from outside or the result of an effect: `searchTapped`, `resultsArrived`.
    associatedtype Action: Sendable
    /// A command to the outside world: `loadPage`. By default there are none.
    associatedtype SideEffect: Sendable = Never
    /// A one-time event: a toast, a navigation, a vibration. By default there are none.
    associatedtype Event: Sendable = Never

    /// The state before the first action, which the screen shows first.
    var initialState: State { get }

    /// Changes the state for an action, and returns the requests that follow from it.
    ///
    /// It depends on its arguments only: it reads no clock and no other state, and sends no action.
    ///
    /// ```swift
    /// func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
    ///     switch action {
    ///     case .typed(let text):
    ///         state.text = text
    ///         return .latest(.search(text))
    ///     case .arrived(let titles):
    ///         state.titles = titles
    ///         return .none
    ///     }
    /// }
    /// ```
    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event>

    /// Performs a side effect; the actions that its stream emits are reduced.
    ///
    /// It returns, and its stream is subscribed to, without waiting for another thread (no `DispatchQueue.main.sync`):
    /// dismissing the screen waits for that.
    ///
    /// The stream completes when the effect is done. It is disposed when the effect is cancelled, when its row or child
    /// is not in the state after a reduction, whichever flow has removed it, and when the screen is dismissed. Convert errors to actions (`catch`) here: a stream that
    /// fails is a programming error, is reported to `Hooks.defaultErrorHandler` as an ``EffectFailure``, and counts as
    /// ended.
    ///
    /// ```swift
    /// func perform(_ sideEffect: SideEffect) -> Observable<Action> {
    ///     switch sideEffect {
    ///     case .search(let text):
    ///         search(text).map(Action.arrived).catch { .just(.failed("\($0)")) }
    ///     }
    /// }
    /// ```
    func perform(_ sideEffect: SideEffect) -> Observable<Action>

    /// The action that tells `reduce` that a side effect has ended without an answer, so that no part of the state waits
    /// for it: a spinner, a disabled button. By default `nil`.
    ///
    /// The action is reduced after the effect
    ///
    /// - was cancelled by ``ActionEffects/cancel()``, or because the task that waits in ``ActionEffects/finish()`` was
    ///   cancelled: SwiftUI does so to `refreshable` and `task` when their view disappears or is evaluated again;
    /// - has failed: see ``EffectFailure``;
    /// - has completed without having sent an action.
    ///
    /// It is not reduced when `reduce` itself has replaced, cancelled or ignored the effect (``Next``), when the child or
    /// row of the effect has left the state, or after the dismissal.
    ///
    /// It depends on its argument only, and is called when the side effect is requested.
    ///
    /// ```swift
    /// func unanswered(_ sideEffect: SideEffect) -> Action? {
    ///     switch sideEffect {
    ///     case .search(let text): .searchCancelled(text)
    ///     case .log: nil
    ///     }
    /// }
    /// ```
    func unanswered(_ sideEffect: SideEffect) -> Action?

    /// The observer of the flow's steps. Read once, when the flow starts; by default `nil`. See ``traced(by:)``.
    var trace: (@Sendable (FlowStep<State, Action, SideEffect, Event>) -> Void)? { get }
}

extension Flow {
    /// The store of such a flow: `let store: Search.Store`.
    public typealias Store = FlowStore<State, Action, Event>
}

extension Flow {
    /// No observer.
    @inlinable
    public var trace: (@Sendable (FlowStep<State, Action, SideEffect, Event>) -> Void)? { nil }

    /// No action.
    @inlinable
    public func unanswered(_ sideEffect: SideEffect) -> Action? { nil }
}

extension Flow where SideEffect == Never {
    /// Never called: there are no side effects.
    public func perform(_ sideEffect: Never) -> Observable<Action> {}
}

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
        let (scheduler, dependencies) = (DriverSharingStrategy.scheduler, DependencyValues.current)
        return FlowOutput {
            Engine(self, on: scheduler, with: dependencies)
        } start: {
            _ = $0.bind(actions)
        }
    }
}

extension FlowOutput {
    /// The outputs of an engine that exists while either has an observer.
    ///
    /// - Parameters:
    ///   - makeEngine: Creates the engine for the first observer.
    ///   - start: Called with the new engine after its first observer has subscribed.
    @inlinable
    init<E: FlowEngine>(_ makeEngine: @escaping @Sendable () -> E, start: @escaping @Sendable (E) -> Void)
    where E.State == State, E.Event == Event {
        let engine = SharedEngine(makeEngine, start: start)
        self.init(
            state: Driver(
                raw: .create { observer in engine.subscribe { $0.state.asObservable().subscribe(observer) } }),
            events: Signal(
                raw: .create { observer in engine.subscribe { $0.events.asObservable().subscribe(observer) } }))
    }
}

/// The reference-counted engine of a flow that runs as a view model: it exists while an output has a subscriber.
@usableFromInline
final class SharedEngine<E: FlowEngine>: Sendable {
    private struct State {
        var engine: E?
        var subscriptionCount = 0
    }

    private let state = TracedMutex(State())
    private let makeEngine: @Sendable () -> E
    private let start: @Sendable (E) -> Void

    @usableFromInline
    init(_ makeEngine: @escaping @Sendable () -> E, start: @escaping @Sendable (E) -> Void) {
        self.makeEngine = makeEngine
        self.start = start
    }

    /// Adds a subscriber by calling `subscribe`, and then starts the engine if the subscriber is the first.
    @usableFromInline
    func subscribe(_ subscribe: (E) -> any Disposable) -> any Disposable {
        let (engine, isFirst) = retain()
        let subscription = subscribe(engine)
        if isFirst { start(engine) }
        return Disposables.create(subscription, Disposables.create { [self] in release() })
    }

    private func retain() -> (engine: E, isFirst: Bool) {
        let found = state.withLock { state in
            if state.engine != nil { state.subscriptionCount += 1 }
            return state.engine
        }
        if let found { return (found, false) }
        // Created outside the lock, because it calls `initialState` of the flow; released if another thread was faster.
        let made = makeEngine()
        return state.withLock { state in
            state.subscriptionCount += 1
            if let engine = state.engine { return (engine, false) }
            state.engine = made
            return (made, true)
        }
    }

    private func release() {
        let engine = state.withLock { state -> E? in
            state.subscriptionCount -= 1
            return state.subscriptionCount == 0 ? state.engine.take() : nil
        }
        engine?.dismiss()
    }
}

/// The error of a side effect's stream, or of the stream of an action of a ``MutationFlow``.
///
/// A stream that fails is a programming error: convert errors to actions in ``Flow/perform(_:)``, for example with
/// `catch`. The effect counts as ended; the flow continues. `Hooks.defaultErrorHandler` and the trace receive the
/// failure, and a `FlowTester` fails its test.
///
/// ```swift
/// func perform(_ sideEffect: SideEffect) -> Observable<Action> {
///     titles.search(sideEffect.text)
///         .map { .arrived($0) }
///         .catch { .just(.failed("\($0)")) }    // without it, an error of the search is an EffectFailure
/// }
/// ```
public struct EffectFailure: Error, Sendable, CustomStringConvertible {
    /// A description of the side effect whose stream failed; in a ``MutationFlow``, of the action.
    public let sideEffect: String
    /// The error with which its stream failed.
    public let error: any Error
    private let isOfAction: Bool

    /// Creates the failure of a side effect with an error.
    public init<SideEffect>(of sideEffect: SideEffect, _ error: any Error) {
        self.sideEffect = "\(sideEffect)"
        self.error = error
        isOfAction = false
    }

    /// Creates the failure of an action of a mutation flow with an error.
    @usableFromInline
    package init<Action>(ofAction action: Action, _ error: any Error) {
        sideEffect = "\(action)"
        self.error = error
        isOfAction = true
    }

    /// The side effect or the action, its error, and how to handle it.
    public var description: String {
        isOfAction
            ? "the action \(sideEffect) failed: \(reason) Turn errors into side effects, in `transform`, with `catch`"
            : "the side effect \(sideEffect) failed: \(reason) Turn errors into actions, in `perform`, with `catch`"
    }

    /// The error, with one full stop.
    private var reason: String {
        let text = "\(error)"
        return text.hasSuffix(".") ? text : text + "."
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// A part of each state, emitted only when it differs from the previous one.
    ///
    /// Only that part is stored, so the next reduction does not copy the state.
    ///
    /// ```swift
    /// store.state.select(\.title).drive(onNext: { label.text = $0 }).disposed(by: bag)
    /// ```
    ///
    /// The part is computed once for each observer: keep it cheap, or share the result. A part that does not equal itself,
    /// such as a `Double` that is not a number, is emitted after each action.
    @inlinable
    public func select<Value: Equatable & Sendable>(
        _ part: @escaping @Sendable (Element) -> Value
    ) -> Driver<Value> {
        // Not shared: a driver replays its latest element to each observer, and so do operators on it.
        Driver(raw: asObservable().map(part).distinctUntilChanged())
    }

    /// The value of a ``Pulse``: the current one, and then one for every assignment, even of an equal value.
    ///
    /// ```swift
    /// store.state.pulse(\.$toast).compactMap { $0 }.drive(onNext: showToast).disposed(by: bag)
    /// ```
    @inlinable
    public func pulse<Value: Sendable>(_ part: @escaping @Sendable (Element) -> Pulse<Value>) -> Driver<Value> {
        Driver(raw: asObservable().map(part).distinctUntilChanged { $0.stamp == $1.stamp }.map { $0.wrappedValue })
    }
}
