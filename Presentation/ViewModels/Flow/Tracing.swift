public import Streams

extension Flow {
    /// Returns this flow with debug output: it prints each action with its cause, its changes of the state and its
    /// events, and the start and end of each side effect.
    ///
    /// ```swift
    /// let store = FlowStore(Search().debug("search"))
    /// store.send(.typed("Jeju"))
    /// // search: action 1, typed("Jeju"), sent
    /// // search:   text: "" → "Jeju"
    /// // search:   effect 1 started: search("Jeju"), requested by action 1
    /// // search: action 2, arrived(["Jeju in winter"]), by effect 1
    /// // search:   titles[0]: nothing → "Jeju in winter"
    /// // search:   effect 1 ended: search("Jeju"), requested by action 1
    /// ```
    ///
    /// Apply it to the whole tree of flows, and remove it after debugging: it copies the state for each action and
    /// compares the copies.
    ///
    /// - Parameters:
    ///   - name: The prefix of each line; by default the name of the flow's type.
    ///   - output: Receives each line, one call at a time, on the thread that handles the action; by default prints it.
    public func debug(
        _ name: String? = nil, to output: @escaping @Sendable (_ line: String) -> Void = { print($0) }
    ) -> TracedFlow<Self> {
        let name = name ?? "\(Self.self)"
        return traced { step in
            for line in step.lines { output("\(name): \(line)") }
        }
    }
}

extension FlowStep {
    /// The step as text; the consequences of an action are indented.
    package var lines: [String] {
        switch self {
        case .reduced(let reduction):
            ["action \(reduction.number), \(reduction.action), \(reduction.cause)"]
                + Difference(reduction.before, reduction.after).lines.map { "  \($0)" }
        case .raised(let event, action: _): ["  event: \(event)"]
        case .effect(let effect, let change):
            ["  effect \(effect.number) \(change): \(effect.sideEffect), requested by action \(effect.action)"]
        case .dismissed: ["dismissed"]
        }
    }
}

extension FlowStep.Change: CustomStringConvertible {
    /// One word for the change; a failure includes its error.
    public var description: String {
        switch kind {
        case .started: "started"
        case .queued: "queued"
        case .ignored: "ignored"
        case .ended: "ended"
        case .cancelled: "cancelled"
        case .failed(let failure): "failed (\(failure.error))"
        }
    }
}

extension FlowCause: CustomStringConvertible {
    /// `sent`, or `by effect 2`.
    public var description: String {
        switch self {
        case .sent: "sent"
        case .effect(let number): "by effect \(number)"
        }
    }
}

/// A flow whose steps are observed by a function; see ``Flow/traced(by:)``.
///
/// ```swift
/// let traced: TracedFlow<Search> = Search().traced { print($0) }
/// let store = FlowStore(traced)    // runs as `Search` does, and prints each step
/// ```
public struct TracedFlow<Base: Flow>: Flow {
    public typealias State = Base.State
    /// The actions of the flow that is traced.
    public typealias Action = Base.Action
    public typealias SideEffect = Base.SideEffect
    public typealias Event = Base.Event

    private let base: Base
    private let observe: @Sendable (Base.Step) -> Void

    init(_ base: Base, _ observe: @escaping @Sendable (Base.Step) -> Void) {
        self.base = base
        self.observe = observe
    }

    public var initialState: State { base.initialState }

    /// Reduces the action with the base flow.
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        base.reduce(&state, action)
    }

    public func perform(_ sideEffect: SideEffect) -> Observable<Action> { base.perform(sideEffect) }

    public func unanswered(_ sideEffect: SideEffect) -> Action? { base.unanswered(sideEffect) }

    /// Calls the base flow's observer of steps, and then the function.
    public var trace: (@Sendable (FlowStep<State, Action, SideEffect, Event>) -> Void)? {
        guard let inner = base.trace else { return observe }
        return { [observe] step in
            inner(step)
            observe(step)
        }
    }
}

extension Flow {
    /// This flow, with a function that observes every step: each action with the state before and after, each event,
    /// and the start and end of each side effect.
    ///
    /// The function is called for one step at a time, in order, on the thread that performs the step. The state is
    /// copied for each action. Apply it to the whole tree of flows, not to a child.
    ///
    /// ```swift
    /// let store = FlowStore(Search().traced { step in
    ///     if case .effect(let effect, let change) = step, let failure = change.failure {
    ///         report(effect.number, failure)
    ///     }
    /// })
    /// ```
    ///
    /// See ``debug(_:to:)`` for a function that prints.
    public func traced(by trace: @escaping @Sendable (Step) -> Void) -> TracedFlow<Self> { TracedFlow(self, trace) }
}

/// A mutation flow whose steps are observed by a function; see ``MutationFlow/traced(by:)``.
///
/// ```swift
/// let traced: TracedMutationFlow<Timeline> = Timeline().traced { print($0) }
/// let store = FlowStore(traced)    // runs as `Timeline` does, and prints each step
/// ```
public struct TracedMutationFlow<Base: MutationFlow>: MutationFlow {
    public typealias State = Base.State
    /// The actions of the flow that is traced.
    public typealias Action = Base.Action
    public typealias SideEffect = Base.SideEffect

    private var base: Base
    private let observe: @Sendable (Base.Step) -> Void

    init(_ base: Base, _ observe: @escaping @Sendable (Base.Step) -> Void) {
        self.base = base
        self.observe = observe
    }

    public var initialState: State { base.initialState }

    public func transform(_ action: Action) -> Observable<SideEffect> { base.transform(action) }

    public func unanswered(_ action: Action) -> SideEffect? { base.unanswered(action) }

    /// Reduces the side effect with the base flow.
    public func reduce(_ state: inout State, _ sideEffect: SideEffect) {
        base.reduce(&state, sideEffect)
    }

    public func transform(actions: Observable<Action>) -> Observable<Action> { base.transform(actions: actions) }

    /// Transforms the changes with the base flow.
    public func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> {
        base.transform(mutations: mutations)
    }

    /// Calls the base flow's observer of steps, and then the function.
    public var trace: (@Sendable (MutationStep<State, Action, SideEffect>) -> Void)? {
        guard let inner = base.trace else { return observe }
        return { [observe] step in
            inner(step)
            observe(step)
        }
    }

    /// The connection of the flow that is traced.
    public var running: RunningFlow<State, Action> {
        get { base.running }
        set { base.running = newValue }
    }
}

extension MutationFlow {
    public typealias Step = MutationStep<State, Action, SideEffect>

    /// This flow, with a function that observes every step: each action, and each side effect with the state before and
    /// after.
    ///
    /// The function is called for one step at a time, in order, on the thread that performs the step. The state is
    /// copied for each side effect.
    ///
    /// ```swift
    /// let store = FlowStore(Timeline().traced { step in
    ///     if case .action(_, let number, let change) = step, let failure = change.failure { report(number, failure) }
    /// })
    /// ```
    ///
    /// See ``debug(_:to:)`` for a function that prints.
    public func traced(by trace: @escaping @Sendable (Step) -> Void) -> TracedMutationFlow<Self> {
        TracedMutationFlow(self, trace)
    }

    /// This flow, printing each step: the actions, the side effects of each, and their changes of the state.
    ///
    /// ```swift
    /// let store = FlowStore(ProfileScreen().debug("profile"))
    /// store.send(.renamed("Mina"))
    /// // profile: action 1 began: renamed("Mina")
    /// // profile: side effect 1, named("Mina"), of action 1
    /// // profile:   name: "" → "Mina"
    /// // profile: action 1 ended: renamed("Mina")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The prefix of each line; by default the name of the flow's type.
    ///   - output: Receives the lines; by default prints them.
    public func debug(
        _ name: String? = nil, to output: @escaping @Sendable (_ line: String) -> Void = { print($0) }
    ) -> TracedMutationFlow<Self> {
        let name = name ?? "\(Self.self)"
        return traced { step in
            for line in step.lines { output("\(name): \(line)") }
        }
    }
}
