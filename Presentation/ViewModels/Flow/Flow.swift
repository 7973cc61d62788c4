public import Streams

/// A screen as a loop: actions change the state, ask for side effects, and raise events.
///
/// `reduce` is a pure function, and side effects are values, so the two questions worth testing are equalities: does this
/// action turn this state into that one, and does it ask for these side effects? See `FlowSpec` and `FlowTester` in
/// ViewModelsTesting.
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
/// What is promised of each running flow, be it in a ``FlowStore`` or as a ``ViewModel``:
///
/// - **Order.** Reduction is serial, in the order in which actions were sent, from whichever threads; an action sent
///   while another is at work waits for its turn, and the sender goes on. No action is lost, but those that come from an
///   effect that was cancelled by then.
/// - **State first.** Whoever is told of a state finds it in ``FlowStore/currentState``. A result meets the state at
///   the time of its arrival, not of its request. States are told before side effects start.
/// - **Effects.** What a side effect sends while it is being started is reduced at once, before its stream goes on, unless
///   an action that waits asks for something itself; what it sends later waits if another action is at work.
/// - **Actor.** `reduce` and `perform` run on the thread that sends; states and events are told on the main actor. See
///   ``FlowStore`` for several threads.
/// - **Memory.** The engine keeps one copy of the state, which `reduce` changes in place: what an action costs does not
///   grow with the size of the state.
///
/// A flow is a view model: `transform` takes one stream of actions, and gives the states and the events.
public protocol Flow<State, Action, Event>: ViewModel
where Input == Observable<Action>, Output == FlowOutput<State, Event> {
    /// What the screen shows.
    associatedtype State: Sendable
    /// What happened: `searchTapped`, `resultsArrived`.
    associatedtype Action: Sendable
    /// A command to the world outside: `loadPage`. By default there are none.
    associatedtype SideEffect: Sendable = Never
    /// What happens once: a toast, a navigation, a vibration. By default there are none.
    associatedtype Event: Sendable = Never

    /// The state before the first action.
    var initialState: State { get }

    /// Changes the state for an action, and says what is to be done next.
    ///
    /// It depends on its arguments only: it reads no clock, asks no one for the state, and sends nothing.
    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event>

    /// Carries out a side effect; what its stream sends is reduced.
    ///
    /// The stream ends when the effect is done, and is disposed when the effect is cancelled, when its row or child leaves
    /// the state, and when the screen is dismissed. An error has to become an action (`catch`) in here: a stream that fails is a
    /// mistake in the program, is told to `Hooks.defaultErrorHandler` as an ``EffectFailure`` and counts as ended.
    func perform(_ sideEffect: SideEffect) -> Observable<Action>

    /// Who hears the steps of the flow when it runs. Asked for once, when it starts; by default there is nobody. See
    /// ``traced(by:)``.
    var trace: (@Sendable (FlowStep<State, Action, SideEffect, Event>) -> Void)? { get }
}

extension Flow {
    /// The store of such a flow: `let store: Search.Store`.
    public typealias Store = FlowStore<State, Action, Event>
}

extension Flow {
    /// Nobody.
    @inlinable
    public var trace: (@Sendable (FlowStep<State, Action, SideEffect, Event>) -> Void)? { nil }
}

extension Flow where SideEffect == Never {
    /// There is nothing to carry out.
    public func perform(_ sideEffect: Never) -> Observable<Action> {}
}
