import Composition
import Streams
import StreamsTesting
import ViewModels

/// A flow whose dependencies a test may change.
protocol FlowWithDependencies {
    /// The current ones.
    var dependencies: DependencyValues { get }
    func update(_ update: (inout DependencyValues) throws -> Void) rethrows
}

/// A flow that a test may make again, with other dependencies.
final class Replaceable<F: Sendable>: FlowWithDependencies {
    /// The current flow.
    final class Current: Sendable {
        private let flow: TracedMutex<F>

        init(_ flow: F) {
            self.flow = TracedMutex(flow)
        }

        var value: F {
            get { flow.withLock { $0 } }
            set {
                let old = flow.withLock { flow in
                    defer { flow = newValue }
                    return flow
                }
                withExtendedLifetime(old) {}  // release outside the lock
            }
        }
    }

    let current: Current
    private(set) var dependencies: DependencyValues
    private let make: () -> F

    init(_ make: @escaping () -> F, on scheduler: TestScheduler) {
        var dependencies = DependencyValues.current
        dependencies.overrideMissing { $0.useVirtualTime(of: scheduler) }
        self.make = make
        self.dependencies = dependencies
        current = Current(withDependencies(from: dependencies, operation: make))
    }

    func update(_ update: (inout DependencyValues) throws -> Void) rethrows {
        try update(&dependencies)
        current.value = withDependencies(from: dependencies, operation: make)
    }
}

/// The latest flow that the test made.
struct ReplaceableFlow<F: Flow>: Flow {
    typealias State = F.State
    typealias Action = F.Action
    typealias SideEffect = F.SideEffect
    typealias Event = F.Event

    let current: Replaceable<F>.Current

    var initialState: State { current.value.initialState }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        current.value.reduce(&state, action)
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> { current.value.perform(sideEffect) }

    func unanswered(_ sideEffect: SideEffect) -> Action? { current.value.unanswered(sideEffect) }

    var trace: (@Sendable (FlowStep<State, Action, SideEffect, Event>) -> Void)? { current.value.trace }
}

/// The latest mutation flow that the test made, connected to its store.
struct ReplaceableMutationFlow<M: MutationFlow>: MutationFlow {
    typealias State = M.State
    typealias Action = M.Action
    typealias SideEffect = M.SideEffect

    let current: Replaceable<M>.Current
    /// Receives the actions that the flow sends to itself.
    let onSend: @Sendable (Action) -> Void
    var running = RunningFlow<State, Action>()

    private var flow: M {
        var flow = current.value
        flow.running = RunningFlow(
            currentState: { currentState },
            send: { action in
                onSend(action)
                send(action)
            }, actions: .deferred { actions })
        return flow
    }

    var initialState: State { flow.initialState }

    func transform(_ action: Action) -> Observable<SideEffect> { flow.transform(action) }

    func unanswered(_ action: Action) -> SideEffect? { flow.unanswered(action) }

    func reduce(_ state: inout State, _ sideEffect: SideEffect) {
        flow.reduce(&state, sideEffect)
    }

    func transform(actions: Observable<Action>) -> Observable<Action> { flow.transform(actions: actions) }

    func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> { flow.transform(mutations: mutations) }

    var trace: (@Sendable (MutationStep<State, Action, SideEffect>) -> Void)? { current.value.trace }
}
