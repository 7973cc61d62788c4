import Streams

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
