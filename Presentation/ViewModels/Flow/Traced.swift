public import Streams

/// A flow whose steps are told to a function; see ``Flow/traced(by:)``.
public struct Traced<Base: Flow>: Flow {
    /// The flow's state.
    public typealias State = Base.State
    /// The flow's actions.
    public typealias Action = Base.Action
    /// The flow's side effects.
    public typealias SideEffect = Base.SideEffect
    /// The flow's events.
    public typealias Event = Base.Event

    private let base: Base
    private let hear: @Sendable (Base.Step) -> Void

    init(_ base: Base, _ hear: @escaping @Sendable (Base.Step) -> Void) {
        self.base = base
        self.hear = hear
    }

    /// The flow's initial state.
    public var initialState: State { base.initialState }

    /// Lets the flow reduce the action.
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        base.reduce(&state, action)
    }

    /// Lets the flow carry out its side effect.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> { base.perform(sideEffect) }

    /// Who heard the flow's steps before, and then the function.
    public var trace: (@Sendable (FlowStep<State, Action, SideEffect, Event>) -> Void)? {
        guard let inner = base.trace else { return hear }
        return { [hear] step in
            inner(step)
            hear(step)
        }
    }
}

extension Flow {
    /// This flow, with a function that hears every step: each action with the state before and after, each event,
    /// and the beginning and end of each side effect.
    ///
    /// It is called one step at a time, in order, on the thread that does the step. While it is there, the state is
    /// copied for each action. To be put around the whole of a tree of flows, not around a child.
    ///
    /// ```swift
    /// let store = FlowStore(Search().traced { step in
    ///     if case .effect(let effect, .failed(let failure)) = step { report(effect.number, failure) }
    /// })
    /// ```
    ///
    /// See ``debug(_:to:)`` for one that prints.
    public func traced(by trace: @escaping @Sendable (Step) -> Void) -> Traced<Self> { Traced(self, trace) }
}
