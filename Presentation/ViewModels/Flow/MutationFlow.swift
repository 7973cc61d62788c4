public import Streams

/// A screen in the style of ReactorKit: each action becomes a stream of side effects that change the state.
///
/// It runs on the same engine as ``Flow``, with the same guarantees. There are no events and no policies: the streams
/// of all actions run concurrently, each until it ends.
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
/// A screen whose `transform` reads the current state or sends further actions is a ``ReactorFlow``.
///
/// **The form of `reduce`.** Implement one of the three. Their costs differ when the state holds arrays, dictionaries
/// or other copy-on-write values:
///
/// | form | a change in an array of 10,000 rows |
/// |---|---|
/// | `func reduce(_ state: inout State, _ sideEffect: SideEffect)` | in place |
/// | `func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State` | in place: `var state = state` takes ownership of the state |
/// | `func reduce(_ state: State, _ sideEffect: SideEffect) -> State` | a copy of the array, unless the optimizer inlines the function: the caller retains the old state meanwhile |
///
/// Code from ReactorKit keeps its body, and the word `consuming` in its signature avoids the copy.
public protocol MutationFlow<State, Action>: ViewModel
where Input == Observable<Action>, Output == FlowOutput<State, Never> {
    // Declared here, because the compiler would otherwise infer them from `transform(_ action:)`.
    /// A stream of actions: the input of the view model.
    associatedtype Input = Observable<Action>
    /// The states, and no events: the output of the view model.
    associatedtype Output = FlowOutput<State, Never>
    /// The state that the screen shows, as a value.
    associatedtype State: Sendable
    /// An event from outside: `searchTapped`.
    associatedtype Action: Sendable
    /// A change of the state, which `reduce` applies.
    associatedtype SideEffect: Sendable

    /// The state before the first action, which the screen shows first.
    var initialState: State { get }

    /// The changes that an action leads to, now and later. Convert errors to changes here, as in ``Flow/perform(_:)``.
    ///
    /// It runs on the sending thread. A side effect that its stream emits during the subscription is reduced
    /// synchronously, before the stream continues; so the second part of `concat(.just(.began), .deferred { … })` reads
    /// the state after the first.
    func transform(_ action: Action) -> Observable<SideEffect>

    /// Changes the state. It depends on its arguments only.
    ///
    /// Implement this form or the one that returns the new state.
    func reduce(_ state: inout State, _ sideEffect: SideEffect)

    /// The state after a change. It depends on its arguments only.
    ///
    /// Implement this form or the one that changes the state in place.
    func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State

    /// Transforms the actions before ``transform(_:)`` receives them; by default returns them unchanged.
    ///
    /// Called once, when the flow starts; the result is subscribed to until the flow ends. Use it to merge actions from
    /// other sources, and for operators across actions:
    ///
    /// ```swift
    /// func transform(actions: Observable<Action>) -> Observable<Action> {
    ///     .merge(actions, session.signedOut.map { .signedOut }).startWith(.appeared)
    /// }
    /// ```
    ///
    /// - Parameter actions: All sent actions, one at a time, in order.
    func transform(actions: Observable<Action>) -> Observable<Action>

    /// Transforms the changes before they are reduced; by default returns them unchanged.
    ///
    /// Called once, when the flow starts; the result is subscribed to until the flow ends. Use it to filter and
    /// debounce, and to merge changes that do not come from an action:
    ///
    /// ```swift
    /// func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> {
    ///     .merge(mutations, session.userChanges.map(SideEffect.user))
    /// }
    /// ```
    ///
    /// - Parameter mutations: The changes of all actions, one at a time, in the order in which they were emitted.
    func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect>

    /// The observer of the flow's steps. Read once, when the flow starts; by default `nil`. See ``traced(by:)``.
    var trace: (@Sendable (MutationStep<State, Action, SideEffect>) -> Void)? { get }

    /// The flow, connected to the engine that runs it. By default the flow itself; see ``ReactorFlow``.
    func running(in running: RunningFlow<State, Action>) -> Self
}

extension MutationFlow {
    /// The store that runs such a flow for a screen.
    public typealias Store = FlowStore<State, Action, Never>
    /// The connection of such a flow to its engine; see ``ReactorFlow``.
    public typealias Running = RunningFlow<State, Action>

    /// Changes the state by ``reduce(_:_:)-(consuming_State,_)``, to which it passes the state without a copy.
    @inlinable
    public func reduce(_ state: inout State, _ sideEffect: SideEffect) {
        state = reduce(consume state, sideEffect)
    }

    /// Never called: the flow implements the form that changes the state in place.
    public func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State {
        preconditionFailure(
            "\(Self.self) has no `reduce(_ state: State, _ sideEffect: SideEffect) -> State`: "
                + "implement that, or call the form that takes the state `inout`")
    }

    /// Returns the actions unchanged: the default of ``transform(actions:)``.
    @inlinable
    public func transform(actions: Observable<Action>) -> Observable<Action> { actions }

    /// Returns the side effects unchanged: the default of ``transform(mutations:)``.
    @inlinable
    public func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> { mutations }

    /// No observer.
    @inlinable
    public var trace: (@Sendable (MutationStep<State, Action, SideEffect>) -> Void)? { nil }

    /// Returns the flow itself: the default, for flows that send no actions from inside.
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
    ///   - flow: The flow to run.
    ///   - initialState: The first state; by default the flow's own initial state.
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

/// Adapts a mutation flow to ``Flow``: a side effect that changes the state is an action of the loop, and an action
/// that leads to such changes is a side effect of the loop.
@usableFromInline
package struct MutationLoop<M: MutationFlow>: Flow {
    @usableFromInline package typealias State = M.State
    @usableFromInline package typealias Action = M.SideEffect
    @usableFromInline package typealias SideEffect = M.Action
    @usableFromInline package typealias Event = Never

    @usableFromInline let flow: M
    @usableFromInline let running: RunningFlow<M.State, M.Action>
    /// The observer of the steps in terms of the loop.
    @usableFromInline let observe: (@Sendable (Step) -> Void)?

    @inlinable
    init(_ flow: M, _ observe: (@Sendable (Step) -> Void)? = nil) {
        running = RunningFlow(link: .init())
        self.flow = flow.running(in: running)
        self.observe = observe
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
        if inner == nil { return observe }
        return { [observe] step in
            inner?(MutationStep(step))
            observe?(step)
        }
    }
}

extension Engine {
    /// An idle engine that runs a mutation flow.
    @inlinable
    package static func running<M: MutationFlow>(
        _ flow: M, from state: F.State? = nil, on scheduler: any SchedulerType
    ) -> Engine where F == MutationLoop<M> {
        Engine(MutationLoop(flow), from: state, on: scheduler)
    }

    /// An idle engine that runs a mutation flow and passes every step to `trace`.
    package static func running<M: MutationFlow>(
        _ flow: M, from state: F.State?, on scheduler: any SchedulerType,
        tracedBy trace: @escaping @Sendable (F.Step) -> Void
    ) -> Engine where F == MutationLoop<M> {
        Engine(MutationLoop(flow, trace), from: state, on: scheduler)
    }

    /// Connects the flow and its hooks to the engine. Called once, before anything is sent.
    @inlinable
    package func start<M: MutationFlow>() where F == MutationLoop<M> {
        flow.running.link?.attach(
            current: { [self] in currentState },
            send: { [self] action in
                precondition(
                    !stateLock.isHeldByCurrentThread,
                    "an action was sent inside `reduce`, which depends on its arguments only")
                perform(action)
            })
        onDismissed = { [link = flow.running.link] last in link?.detach(last) }
        let (mutations, actions) = (PublishSubject<M.SideEffect>(), PublishSubject<M.Action>())
        let (allMutations, allActions) = (mutations.asObservable(), actions.asObservable())
        let passedMutations = flow.flow.transform(mutations: allMutations)
        let passedActions = flow.flow.transform(actions: allActions)
        // Hooks that return their argument need no subject. The mutations are bound first: an action may lead to one
        // synchronously.
        if passedMutations !== allMutations {
            actionHook = { mutations.onNext($0) }
            _ = bind(passedMutations) { [self] in enqueue(.hooked($0)) }
        }
        if passedActions !== allActions {
            sideEffectHook = { actions.onNext($0) }
            _ = bind(passedActions) { [self] in enqueue(.performHooked($0)) }
        }
    }

    /// Starts the flow, and then performs the actions of a stream.
    @inlinable
    func start<M: MutationFlow>(then actions: Observable<M.Action>) -> any Disposable where F == MutationLoop<M> {
        start()
        return bindEffects(actions)
    }
}

/// A ``MutationFlow`` whose `transform` reads the current state and sends further actions, as reactors and base view
/// models do.
///
/// Declare the property ``running``, and ``currentState`` and ``send(_:)`` are available in `transform` and in the
/// closures of its streams:
///
/// ```swift
/// struct Timeline: ReactorFlow {
///     var running = Running()
///     …
///     func transform(_ action: Action) -> Observable<SideEffect> {
///         switch action {
///         case .dayTapped(let day):
///             day == currentState.day ? .empty() : .just(.day(day))
///         case .deleteTapped(let id):
///             entries.delete(id).andThen(.deferred {
///                 send(.dayTapped(currentState.day))
///                 return .just(.deleted(id))
///             })
///         …
/// ```
///
/// - **Each run has its own connection**: a running flow is a copy that is connected to its store. So one value may run
///   in two stores, and the value that you created stays unconnected. A class, which is not copied, may run in one
///   store at a time.
/// - **`reduce` must not use them**: it depends on its arguments only. There, both stop the program.
/// - **After dismissal** ``currentState`` is the last state, and sent actions are ignored.
public protocol ReactorFlow: MutationFlow {
    /// The connection to the engine. Set when the flow starts to run: `var running = Running()`.
    var running: RunningFlow<State, Action> { get set }
}

extension ReactorFlow {
    /// The current state; see ``RunningFlow/currentState``.
    public var currentState: State { running.currentState }

    /// Sends an action to the running flow; see ``RunningFlow/send(_:)``.
    public func send(_ action: Action) { running.send(action) }

    /// A copy of the flow with that connection.
    public func running(in running: RunningFlow<State, Action>) -> Self {
        var copy = self
        copy.running = running
        return copy
    }
}

/// The connection of a ``ReactorFlow`` to the engine that runs it. Thread-safe.
///
/// ```swift
/// struct Timeline: ReactorFlow {
///     var running = Running()    // unconnected until a store runs the flow
///     …
/// }
/// ```
public struct RunningFlow<State: Sendable, Action: Sendable>: Sendable {
    @usableFromInline let link: Link?

    /// Creates an unconnected value, which is replaced when the flow runs.
    public init() {
        link = nil
    }

    /// Creates a stand-in for a store, to test `transform` alone.
    ///
    /// ```swift
    /// var timeline = Timeline()
    /// timeline.running = RunningFlow(currentState: { state }, send: { sent.append($0) })
    /// timeline.transform(.dayTapped(2))
    /// ```
    public init(currentState: @escaping @Sendable () -> State, send: @escaping @Sendable (Action) -> Void) {
        let link = Link()
        link.attach(current: currentState, send: send)
        self.link = link
    }

    @usableFromInline
    init(link: Link) {
        self.link = link
    }

    /// The current state, after all reduced actions. It includes an action that this effect has sent, unless another
    /// action was being reduced on any thread at that time: then the action was enqueued.
    ///
    /// Stops the program if the flow does not run, or inside `reduce`.
    public var currentState: State {
        guard let link else { notRunning() }
        return link.currentState
    }

    /// Sends an action. It is transformed after the current one: if this is called in `transform`, after `transform`
    /// has returned and its stream has emitted its synchronous elements.
    ///
    /// Stops the program if the flow does not run.
    public func send(_ action: Action) {
        guard let link else { notRunning() }
        link.send(action)
    }

    private func notRunning() -> Never {
        preconditionFailure(
            """
            the flow does not run: `currentState` and `send` work only in a flow that a store runs, in `transform` and in \
            its streams
            """)
    }

    /// The link from a flow to the engine that runs it, from its start to its dismissal.
    @usableFromInline
    final class Link: Sendable {
        private enum Phase: Sendable {
            case made
            case running(current: @Sendable () -> State, send: @Sendable (Action) -> Void)
            case over(State)
        }

        private let phase = TracedMutex(Phase.made)

        @usableFromInline
        init() {}

        @usableFromInline
        func attach(current: @escaping @Sendable () -> State, send: @escaping @Sendable (Action) -> Void) {
            phase.withLock { $0 = .running(current: current, send: send) }
        }

        /// Releases the engine, and keeps the last state.
        @usableFromInline
        func detach(_ last: State) {
            let engine = phase.withLock { phase in
                defer { phase = .over(last) }
                return phase
            }
            withExtendedLifetime(engine) {}  // release outside the lock
        }

        var currentState: State {
            switch phase.withLock({ $0 }) {
            case .made: preconditionFailure("the flow has not started: `currentState` is not available yet")
            case .running(let current, send: _): current()
            case .over(let state): state
            }
        }

        func send(_ action: Action) {
            if case .running(current: _, let send) = phase.withLock({ $0 }) { send(action) }
        }
    }
}
