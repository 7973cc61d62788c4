public import Streams

/// A flow whose steps are observed by a function; see ``Flow/traced(by:)``.
///
/// ```swift
/// let traced: TracedFlow<Search> = Search().traced { print($0) }
/// let store = FlowStore(traced)    // runs as `Search` does, and prints each step
/// ```
public struct TracedFlow<Base: Flow>: Flow {
    /// The state of the flow that is traced.
    public typealias State = Base.State
    /// The actions of the flow that is traced.
    public typealias Action = Base.Action
    /// The side effects of the flow that is traced.
    public typealias SideEffect = Base.SideEffect
    /// The events of the flow that is traced.
    public typealias Event = Base.Event

    private let base: Base
    private let observe: @Sendable (Base.Step) -> Void

    init(_ base: Base, _ observe: @escaping @Sendable (Base.Step) -> Void) {
        self.base = base
        self.observe = observe
    }

    /// The initial state of the flow that is traced.
    public var initialState: State { base.initialState }

    /// Reduces the action with the base flow.
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        base.reduce(&state, action)
    }

    /// Performs the side effect with the base flow.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> { base.perform(sideEffect) }

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
