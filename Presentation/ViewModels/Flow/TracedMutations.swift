public import Streams

/// A mutation flow whose steps are told to a function; see ``MutationFlow/traced(by:)``.
public struct TracedMutations<Base: MutationFlow>: MutationFlow {
    /// The flow's state.
    public typealias State = Base.State
    /// The flow's actions.
    public typealias Action = Base.Action
    /// The flow's side effects.
    public typealias SideEffect = Base.SideEffect

    private var base: Base
    private let hear: @Sendable (Base.Step) -> Void

    init(_ base: Base, _ hear: @escaping @Sendable (Base.Step) -> Void) {
        self.base = base
        self.hear = hear
    }

    /// The flow's initial state.
    public var initialState: State { base.initialState }

    /// Lets the flow transform the action.
    public func transform(_ action: Action) -> Observable<SideEffect> { base.transform(action) }

    /// Lets the flow reduce the side effect.
    public func reduce(_ state: inout State, _ sideEffect: SideEffect) {
        base.reduce(&state, sideEffect)
    }

    /// The flow's hook.
    public func transform(actions: Observable<Action>) -> Observable<Action> { base.transform(actions: actions) }

    /// The flow's hook.
    public func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> {
        base.transform(mutations: mutations)
    }

    /// Who heard the flow's steps before, and then the function.
    public var trace: (@Sendable (MutationStep<State, Action, SideEffect>) -> Void)? {
        guard let inner = base.trace else { return hear }
        return { [hear] step in
            inner(step)
            hear(step)
        }
    }

    /// Tells the flow of what it runs in.
    public func running(in running: RunningFlow<State, Action>) -> Self {
        var copy = self
        copy.base = base.running(in: running)
        return copy
    }
}

extension MutationFlow {
    /// A step of this flow.
    public typealias Step = MutationStep<State, Action, SideEffect>

    /// This flow, with a function that hears every step: each action, and each side effect with the state before and after.
    ///
    /// It is called one step at a time, in order, on the thread that does the step. While it is there, the state is copied for
    /// each side effect.
    ///
    /// ```swift
    /// let store = FlowStore(Timeline().traced { step in
    ///     if case .action(_, let number, .failed(let failure)) = step { report(number, failure) }
    /// })
    /// ```
    ///
    /// See ``debug(_:to:)`` for one that prints.
    public func traced(by trace: @escaping @Sendable (Step) -> Void) -> TracedMutations<Self> {
        TracedMutations(self, trace)
    }

    /// This flow, with each step printed: the actions, the side effects of each, and what they changed in the state.
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
    ///   - name: What each line begins with; by default the name of the flow's type.
    ///   - output: Takes the lines; by default prints them.
    public func debug(
        _ name: String? = nil, to output: @escaping @Sendable (_ line: String) -> Void = { print($0) }
    ) -> TracedMutations<Self> {
        let name = name ?? "\(Self.self)"
        return traced { step in
            for line in step.lines { output("\(name): \(line)") }
        }
    }
}
