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
    private let trace: @Sendable (Base.Step) -> Void

    init(_ base: Base, _ trace: @escaping @Sendable (Base.Step) -> Void) {
        self.base = base
        if let inner = Tracer(of: base) {
            self.trace = { step in
                inner.trace(step)
                trace(step)
            }
        } else {
            self.trace = trace
        }
    }

    /// The flow's initial state.
    public var initialState: State { base.initialState }

    /// Lets the flow reduce the action.
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        base.reduce(&state, action)
    }

    /// Lets the flow carry out its side effect.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> { base.perform(sideEffect) }
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

extension Traced: TracingFlow {
    var tracer: any Sendable { Tracer<State, Action, SideEffect, Event>(trace: trace) }
}

/// A flow that wants to hear its steps.
protocol TracingFlow {
    /// A ``Tracer`` of the flow's types.
    var tracer: any Sendable { get }
}

/// Who hears the steps of a flow.
@usableFromInline
struct Tracer<State: Sendable, Action: Sendable, SideEffect: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let trace: @Sendable (FlowStep<State, Action, SideEffect, Event>) -> Void

    init(trace: @escaping @Sendable (FlowStep<State, Action, SideEffect, Event>) -> Void) {
        self.trace = trace
    }

    /// The tracer of a flow, if it is traced.
    @usableFromInline
    init?<F: Flow>(of flow: F)
    where F.State == State, F.Action == Action, F.SideEffect == SideEffect, F.Event == Event {
        guard let tracer = (flow as? any TracingFlow)?.tracer as? Self else { return nil }
        self = tracer
    }
}
