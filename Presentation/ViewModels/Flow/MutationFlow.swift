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
/// `reduce` makes a new state of the old one, which costs a copy of what it changes in there; a ``Flow`` changes it in place.
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
    func transform(_ action: Action) -> Observable<SideEffect>

    /// The state after a change. It depends on its arguments only.
    func reduce(_ state: State, _ sideEffect: SideEffect) -> State
}

extension MutationFlow {
    /// The store of such a flow.
    public typealias Store = FlowStore<State, Action, Never>

    /// The flow as a view model; see ``Flow/transform(_:)``. There are no events.
    @inlinable
    public func transform(_ actions: Observable<Action>) -> FlowOutput<State, Never> {
        let scheduler = DriverSharingStrategy.scheduler
        return FlowOutput(
            { Engine(MutationLoop(self), on: scheduler) }, start: { engine in engine.bindEffects(actions) })
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
        let engine = Engine(MutationLoop(flow), from: initialState, on: DriverSharingStrategy.scheduler)
        self.init(
            state: engine.stateDriver, events: engine.eventSignal,
            core: Core(
                send: { engine.perform($0) }, current: { engine.currentState }, bind: { engine.bindEffects($0) },
                dismiss: { engine.dismiss() }))
    }
}

/// A mutation flow, seen as a flow: what changes the state is an action, and what leads to changes is a side effect.
@usableFromInline
struct MutationLoop<M: MutationFlow>: Flow {
    @usableFromInline typealias State = M.State
    @usableFromInline typealias Action = M.SideEffect
    @usableFromInline typealias SideEffect = M.Action
    @usableFromInline typealias Event = Never

    @usableFromInline let flow: M

    @inlinable
    init(_ flow: M) {
        self.flow = flow
    }

    @inlinable
    var initialState: State { flow.initialState }

    @inlinable
    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        state = flow.reduce(state, action)
        return .none
    }

    @inlinable
    func perform(_ sideEffect: SideEffect) -> Observable<Action> { flow.transform(sideEffect) }
}
