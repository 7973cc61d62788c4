public import Streams

/// A screen in the style of ReactorKit: each action is turned into a stream of side effects that change the state.
///
/// It runs on the same engine as ``Flow``, with the same promises; there are no events and no policies: the streams of all
/// actions run beside each other, each until it ends.
///
/// ```swift
/// struct Counter: MutationFlow {
///     enum Action: Sendable { case plus, minus }
///     enum SideEffect: Sendable { case add(Int) }
///     var initialState: Int { 0 }
///
///     func transform(_ action: Action) -> Observable<SideEffect> {
///         switch action {
///         case .plus: .just(.add(1))
///         case .minus: .just(.add(-1))
///         }
///     }
///
///     func reduce(_ state: Int, _ sideEffect: SideEffect) -> Int {
///         switch sideEffect {
///         case .add(let number): state + number
///         }
///     }
/// }
/// ```
///
/// A screen whose `transform` asks for the state of now, or sends further actions, is a ``ReactorFlow``.
///
/// **The form of `reduce`.** Write one of the three; what they cost differs when the state holds arrays, dictionaries or
/// other values that share their storage until they are changed:
///
/// | form | a change in an array of 10,000 rows |
/// |---|---|
/// | `func reduce(_ state: inout State, _ sideEffect: SideEffect)` | in place |
/// | `func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State` | in place: `var state = state` takes the state over |
/// | `func reduce(_ state: State, _ sideEffect: SideEffect) -> State` | a copy of the array, unless the optimizer inlines the function: the caller keeps the old state while the new one is made |
///
/// So code from ReactorKit keeps its body, and the one word `consuming` in its signature saves the copy.
public protocol MutationFlow<State, Action>: ViewModel
where Input == Observable<Action>, Output == FlowOutput<State, Never> {
    // Said once more, because the compiler would take them from `transform(_ action:)`.
    /// One stream of actions.
    associatedtype Input = Observable<Action>
    /// The states, and no events.
    associatedtype Output = FlowOutput<State, Never>
    /// What the screen shows.
    associatedtype State: Sendable
    /// What happened.
    associatedtype Action: Sendable
    /// A change of the state.
    associatedtype SideEffect: Sendable

    /// The state before the first action.
    var initialState: State { get }

    /// The changes that an action leads to, now and later. An error has to become a change in here, as in ``Flow/perform(_:)``.
    ///
    /// It runs on the thread that sends. What its stream sends while it is being subscribed to is reduced at once, before the
    /// stream goes on; so the second part of `concat(.just(.began), .deferred { … })` meets the state that the first has left.
    func transform(_ action: Action) -> Observable<SideEffect>

    /// Changes the state. It depends on its arguments only.
    ///
    /// Implement this form or the one that returns the new state.
    func reduce(_ state: inout State, _ sideEffect: SideEffect)

    /// The state after a change. It depends on its arguments only.
    ///
    /// Implement this form or the one that changes the state in place.
    func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State

    /// What becomes of the actions before they are transformed: by default nothing.
    ///
    /// Called once, when the flow starts; the result is subscribed to until it ends. For actions that come from elsewhere, and
    /// for operators across actions:
    ///
    /// ```swift
    /// func transform(actions: Observable<Action>) -> Observable<Action> {
    ///     .merge(actions, session.signedOut.map { .signedOut }).startWith(.appeared)
    /// }
    /// ```
    ///
    /// - Parameter actions: All that are sent, one at a time, in order.
    func transform(actions: Observable<Action>) -> Observable<Action>

    /// What becomes of the changes before they are reduced: by default nothing.
    ///
    /// Called once, when the flow starts; the result is subscribed to until it ends. For filtering and debouncing, and for
    /// changes that come from elsewhere than an action:
    ///
    /// ```swift
    /// func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> {
    ///     .merge(mutations, session.userChanges.map(SideEffect.user))
    /// }
    /// ```
    ///
    /// - Parameter mutations: The changes of all actions, one at a time, in the order in which they came.
    func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect>

    /// Who hears the steps of the flow when it runs. Asked for once, when it starts; by default there is nobody. See
    /// ``traced(by:)``.
    var trace: (@Sendable (MutationStep<State, Action, SideEffect>) -> Void)? { get }

    /// The flow as it runs: told of what it runs in. By default the flow itself; see ``ReactorFlow``.
    func running(in running: RunningFlow<State, Action>) -> Self
}

extension MutationFlow {
    /// The store of such a flow.
    public typealias Store = FlowStore<State, Action, Never>
    /// What such a flow may ask and send while it runs; see ``ReactorFlow``.
    public typealias Running = RunningFlow<State, Action>

    /// Changes the state by ``reduce(_:_:)-(consuming_State,_)``, which is handed the state and not a copy of it.
    @inlinable
    public func reduce(_ state: inout State, _ sideEffect: SideEffect) {
        state = reduce(consume state, sideEffect)
    }

    /// Not to be called: the flow implements the form that changes the state in place.
    public func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State {
        preconditionFailure(
            "\(Self.self) has no `reduce(_ state: State, _ sideEffect: SideEffect) -> State`: "
                + "implement that, or call the form that takes the state `inout`")
    }

    /// The actions as they are.
    @inlinable
    public func transform(actions: Observable<Action>) -> Observable<Action> { actions }

    /// The changes as they are.
    @inlinable
    public func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> { mutations }

    /// Nobody.
    @inlinable
    public var trace: (@Sendable (MutationStep<State, Action, SideEffect>) -> Void)? { nil }

    /// The flow itself.
    @inlinable
    public func running(in running: RunningFlow<State, Action>) -> Self { self }

    /// The flow as a view model; see ``Flow/transform(_:)``. There are no events.
    @inlinable
    public func transform(_ actions: Observable<Action>) -> FlowOutput<State, Never> {
        let scheduler = DriverSharingStrategy.scheduler
        return FlowOutput({ Engine.running(self, on: scheduler) }, start: { $0.start(then: actions) })
    }
}

extension FlowStore where Event == Never {
    /// Runs a mutation flow.
    ///
    /// - Parameters:
    ///   - flow: What to run.
    ///   - initialState: What to begin with, if not the flow's own initial state.
    @inlinable
    public convenience init<M: MutationFlow>(_ flow: M, initialState: State? = nil)
    where M.State == State, M.Action == Action {
        let engine = Engine.running(flow, from: initialState, on: DriverSharingStrategy.scheduler)
        engine.start()
        self.init(
            state: engine.stateDriver, events: engine.eventSignal,
            core: Core(
                send: { engine.perform($0) }, current: { engine.currentState }, bind: { engine.bindEffects($0) },
                cancel: { engine.cancel($0) }, dismiss: { engine.dismiss() },
                droppedEvents: { 0 }))
    }
}

/// A mutation flow, seen as a flow: what changes the state is an action, and what leads to changes is a side effect.
@usableFromInline
package struct MutationLoop<M: MutationFlow>: Flow {
    @usableFromInline package typealias State = M.State
    @usableFromInline package typealias Action = M.SideEffect
    @usableFromInline package typealias SideEffect = M.Action
    @usableFromInline package typealias Event = Never

    @usableFromInline let flow: M
    @usableFromInline let running: RunningFlow<M.State, M.Action>
    /// Who hears the steps in terms of the loop.
    @usableFromInline let hear: (@Sendable (Step) -> Void)?

    @inlinable
    init(_ flow: M, _ hear: (@Sendable (Step) -> Void)? = nil) {
        running = RunningFlow(link: .init())
        self.flow = flow.running(in: running)
        self.hear = hear
    }

    @inlinable
    package var initialState: State { flow.initialState }

    @inlinable
    package func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        flow.reduce(&state, action)
        return .none
    }

    @inlinable
    package func perform(_ sideEffect: SideEffect) -> Observable<Action> { flow.transform(sideEffect) }

    @inlinable
    package var trace: (@Sendable (FlowStep<State, Action, SideEffect, Event>) -> Void)? {
        let inner = flow.trace
        if inner == nil { return hear }
        return { [hear] step in
            inner?(MutationStep(step))
            hear?(step)
        }
    }
}

extension Engine {
    /// An engine at rest that runs a mutation flow.
    @inlinable
    package static func running<M: MutationFlow>(
        _ flow: M, from state: F.State? = nil, on scheduler: any SchedulerType
    ) -> Engine where F == MutationLoop<M> {
        Engine(MutationLoop(flow), from: state, on: scheduler)
    }

    /// The same, with a function that hears every step.
    package static func running<M: MutationFlow>(
        _ flow: M, from state: F.State?, on scheduler: any SchedulerType,
        tracedBy trace: @escaping @Sendable (F.Step) -> Void
    ) -> Engine where F == MutationLoop<M> {
        Engine(MutationLoop(flow, trace), from: state, on: scheduler)
    }

    /// Puts the flow's hooks into place. Called once, before anything is sent.
    @inlinable
    package func start<M: MutationFlow>() where F == MutationLoop<M> {
        flow.running.link?.attach(
            current: { [self] in currentState },
            send: { [self] action in
                precondition(
                    !turnstile.isEnteredByCurrentThread,
                    "an action was sent from inside `reduce`, which depends on its arguments only")
                perform(action)
            })
        onDismissed = { [link = flow.running.link] last in link?.detach(last) }
        let (mutations, actions) = (PublishSubject<M.SideEffect>(), PublishSubject<M.Action>())
        let (allMutations, allActions) = (mutations.asObservable(), actions.asObservable())
        let passedMutations = flow.flow.transform(mutations: allMutations)
        let passedActions = flow.flow.transform(actions: allActions)
        // Where they pass as they are, they need no subject. The mutations go first: an action may lead to one at once.
        if passedMutations !== allMutations {
            actionHook = { mutations.onNext($0) }
            _ = bind(passedMutations) { [self] in receive(.hooked($0)) }
        }
        if passedActions !== allActions {
            sideEffectHook = { actions.onNext($0) }
            _ = bind(passedActions) { [self] in receive(.performHooked($0)) }
        }
    }

    /// The same, and then performs the actions of a stream.
    @inlinable
    func start<M: MutationFlow>(then actions: Observable<M.Action>) -> any Disposable where F == MutationLoop<M> {
        start()
        return bindEffects(actions)
    }
}
