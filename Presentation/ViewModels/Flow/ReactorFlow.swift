import Streams

/// A ``MutationFlow`` whose `transform` asks for the state of now, and sends further actions: as reactors and base view
/// models are written.
///
/// What it asks and sends through is a property; declare it, and ``currentState`` and ``send(_:)`` are there, in `transform`
/// and in all that its streams do later:
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
/// - **Each run has its own**: the value that runs is a copy that was told of its store. So one value may run in two stores;
///   the value that you made is told of none. A class, which is not copied, may run in one store at a time.
/// - **`reduce` has neither**: it depends on its arguments only. There, both stop the program.
/// - **After dismissal** the state stays as it was last, and what is sent is ignored.
public protocol ReactorFlow: MutationFlow {
    /// What the flow runs in. Set when it starts to run: `var running = Running()`.
    var running: RunningFlow<State, Action> { get set }
}

extension ReactorFlow {
    /// The state now; see ``RunningFlow/currentState``.
    public var currentState: State { running.currentState }

    /// Sends an action; see ``RunningFlow/send(_:)``.
    public func send(_ action: Action) { running.send(action) }

    /// A copy of the flow that was told of what it runs in.
    public func running(in running: RunningFlow<State, Action>) -> Self {
        var copy = self
        copy.running = running
        return copy
    }
}

/// What a ``ReactorFlow`` runs in, as it sees it. It may be used from any thread.
public struct RunningFlow<State: Sendable, Action: Sendable>: Sendable {
    @usableFromInline let link: Link?

    /// Stands for none, until the flow runs.
    public init() {
        link = nil
    }

    /// Stands in for a store: for a test of `transform` alone.
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

    /// The state now: all that was reduced is in it. What this effect has sent is in it as well, unless another action was
    /// at work then, on this thread or another: then it waits for its turn.
    ///
    /// Not to be asked for by a flow that does not run, nor inside `reduce`.
    public var currentState: State {
        guard let link else { notRunning() }
        return link.currentState
    }

    /// Sends an action. It is transformed when the one at work is done: when this is called in `transform`, after that has
    /// returned and its stream has sent what it sends at once.
    ///
    /// Not to be called by a flow that does not run.
    public func send(_ action: Action) {
        guard let link else { notRunning() }
        link.send(action)
    }

    private func notRunning() -> Never {
        preconditionFailure(
            """
            the flow does not run: `currentState` and `send` are for what a store runs, in `transform` and in its streams
            """)
    }

    /// Leads from a flow to the engine that runs it, from its start to its dismissal.
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

        /// Lets the engine go, and keeps the last state.
        @usableFromInline
        func detach(_ last: State) {
            let engine = phase.withLock { phase in
                defer { phase = .over(last) }
                return phase
            }
            withExtendedLifetime(engine) {}  // let go outside the lock
        }

        var currentState: State {
            switch phase.withLock({ $0 }) {
            case .made: preconditionFailure("the flow has not started: its state is not known yet")
            case .running(let current, send: _): current()
            case .over(let state): state
            }
        }

        func send(_ action: Action) {
            if case .running(current: _, let send) = phase.withLock({ $0 }) { send(action) }
        }
    }
}
