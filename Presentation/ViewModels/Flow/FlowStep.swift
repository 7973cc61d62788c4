/// One step of a running flow, as a trace records it.
///
/// Actions and side effects are numbered from 1, in the order in which the flow received them. An action has the number
/// of the effect that sent it, and an effect that of the action that requested it, so that every state and every event
/// can be traced back to a sent action.
///
/// ```swift
/// let store = FlowStore(Search().traced { step in log(step) })
/// ```
public enum FlowStep<State: Sendable, Action: Sendable, SideEffect: Sendable, Event: Sendable>: Sendable {
    /// The flow reduced an action.
    case reduced(Reduction)
    /// The action with that number raised an event.
    case raised(Event, action: Int)
    /// The status of a side effect changed.
    case effect(Effect, Change)
    /// The screen was dismissed: always the last step.
    case dismissed

    /// The reduction of an action, with the state before and after.
    ///
    /// ```swift
    /// let flow = Search().traced { step in
    ///     if case .reduced(let reduction) = step { print(reduction.number, reduction.action) }
    /// }
    /// FlowStore(flow).send(.typed("Jeju"))    // prints 1 typed("Jeju")
    /// ```
    public struct Reduction: Sendable {
        /// The number of the action, from 1.
        public let number: Int
        /// The action that the flow reduced.
        public let action: Action
        /// The origin of the action: a caller, or a side effect.
        public let cause: FlowCause
        /// The state before the flow reduced the action.
        public let before: State
        /// The state after the flow reduced the action.
        public let after: State
        /// The side effects and events that the action requested.
        public let next: Next<SideEffect, Event>

        /// Creates a reduction, for example to test an observer of steps.
        @inlinable
        public init(
            number: Int, action: Action, cause: FlowCause, before: State, after: State, next: Next<SideEffect, Event>
        ) {
            self.number = number
            self.action = action
            self.cause = cause
            self.before = before
            self.after = after
            self.next = next
        }
    }

    /// A side effect that an action requested.
    ///
    /// ```swift
    /// let flow = Search().traced { step in
    ///     if case .effect(let effect, .started) = step { print(effect.sideEffect, "of action", effect.action) }
    /// }
    /// FlowStore(flow).send(.typed("Jeju"))    // prints search("Jeju") of action 1
    /// ```
    public struct Effect: Sendable {
        /// The number of the side effect, from 1.
        public let number: Int
        /// The side effect, as the action requested it.
        public let sideEffect: SideEffect
        /// The number of the action that requested it.
        public let action: Int

        /// Creates a side effect, for example to test an observer of steps.
        @inlinable
        public init(number: Int, sideEffect: SideEffect, action: Int) {
            self.number = number
            self.sideEffect = sideEffect
            self.action = action
        }
    }

    /// A change of a side effect's status.
    ///
    /// Later versions may add changes: handle those that you know, and ignore the others.
    ///
    /// ```swift
    /// let flow = Search().traced { step in
    ///     if case .effect(let effect, .cancelled) = step { log("effect \(effect.number) was cancelled") }
    ///     if case .effect(let effect, let change) = step, let failure = change.failure {
    ///         report(effect.number, failure)
    ///     }
    /// }
    /// ```
    public struct Change: Sendable {
        package enum Kind: Sendable {
            case started, queued, ignored, ended, cancelled
            case failed(EffectFailure)
        }

        package let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// The effect starts: its stream is subscribed to next.
        public static var started: Self { Self(.started) }
        /// The effect waits: until those before it have ended, or for its delay.
        public static var queued: Self { Self(.queued) }
        /// The effect was not started, because one with the same id runs.
        public static var ignored: Self { Self(.ignored) }
        /// The effect's stream completed, without an error.
        public static var ended: Self { Self(.ended) }
        /// The effect was cancelled, before or after its start.
        public static var cancelled: Self { Self(.cancelled) }
        /// The effect's stream failed with that error, and so ended.
        public static func failed(_ failure: EffectFailure) -> Self { Self(.failed(failure)) }

        /// The error with which the effect's stream ended; `nil` for a change that is not a failure.
        public var failure: EffectFailure? {
            if case .failed(let failure) = kind { failure } else { nil }
        }
    }
}

extension FlowStep.Change: Equatable {
    /// Whether both are the same change; two failures are equal if their descriptions are.
    public static func == (first: Self, second: Self) -> Bool {
        first.description == second.description && first.failure?.description == second.failure?.description
    }
}

/// The origin of an action.
///
/// ```swift
/// let store = FlowStore(Search().traced { step in
///     if case .reduced(let reduction) = step, reduction.cause == .sent { log(reduction.action) }
/// })
/// ```
public enum FlowCause: Hashable, Sendable {
    /// A caller sent the action, from outside the flow.
    case sent
    /// The side effect with that number sent the action.
    case effect(Int)
}

extension Flow {
    /// A step of this flow, as a trace records it.
    public typealias Step = FlowStep<State, Action, SideEffect, Event>
}

/// One step of a running ``MutationFlow``, as a trace records it.
///
/// Actions and side effects are numbered from 1, each in the order in which the flow received them.
///
/// ```swift
/// let store = FlowStore(Timeline().traced { step in log(step) })
/// ```
public enum MutationStep<State: Sendable, Action: Sendable, SideEffect: Sendable>: Sendable {
    /// A side effect reached the flow and changed the state.
    case reduced(Reduction)
    /// The status of the action with that number changed.
    case action(Action, number: Int, Change)
    /// The screen was dismissed: always the last step.
    case dismissed

    /// The reduction of a side effect, with the state before and after.
    ///
    /// ```swift
    /// let flow = Timeline().traced { step in
    ///     if case .reduced(let reduction) = step { print(reduction.sideEffect, "of action", reduction.action ?? 0) }
    /// }
    /// FlowStore(flow).send(.dayTapped(2))    // prints day(2) of action 1
    /// ```
    public struct Reduction: Sendable {
        /// The number of the side effect, from 1.
        public let number: Int
        /// The side effect that the flow reduced.
        public let sideEffect: SideEffect
        /// The number of the action that emitted it; `nil` if ``MutationFlow/transform(mutations:)`` merged it from
        /// another source, or emitted it later than it received it.
        public let action: Int?
        /// The state before the flow reduced the side effect.
        public let before: State
        /// The state after the flow reduced the side effect.
        public let after: State

        /// Creates a reduction, for example to test an observer of steps.
        public init(number: Int, sideEffect: SideEffect, action: Int?, before: State, after: State) {
            self.number = number
            self.sideEffect = sideEffect
            self.action = action
            self.before = before
            self.after = after
        }
    }

    /// A change of an action's status.
    ///
    /// ```swift
    /// let flow = Timeline().traced { step in
    ///     if case .action(let action, _, .ended) = step { print(action, "is complete") }
    /// }
    /// FlowStore(flow).send(.dayTapped(2))    // prints dayTapped(2) is complete
    /// ```
    ///
    /// Later versions may add changes: handle those that you know, and ignore the others.
    public struct Change: Sendable {
        package enum Kind: Sendable {
            case began, ended, cancelled
            case failed(EffectFailure)
        }

        package let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// The action was transformed, and its stream runs.
        public static var began: Self { Self(.began) }
        /// The action's stream completed, without an error.
        public static var ended: Self { Self(.ended) }
        /// The action's stream was cancelled before it ended.
        public static var cancelled: Self { Self(.cancelled) }
        /// The action's stream failed with that error, and so ended.
        public static func failed(_ failure: EffectFailure) -> Self { Self(.failed(failure)) }

        /// The error with which the action's stream ended; `nil` for a change that is not a failure.
        public var failure: EffectFailure? {
            if case .failed(let failure) = kind { failure } else { nil }
        }
    }

    /// The step as text; the changes of a side effect are indented.
    var lines: [String] {
        switch self {
        case .reduced(let reduction):
            [
                "side effect \(reduction.number), \(reduction.sideEffect)"
                    + (reduction.action.map { ", of action \($0)" } ?? "")
            ] + Difference(reduction.before, reduction.after).lines.map { "  \($0)" }
        case .action(let action, let number, let change): ["action \(number) \(change): \(action)"]
        case .dismissed: ["dismissed"]
        }
    }
}

extension MutationStep.Change: Equatable {
    /// Whether both are the same change; two failures are equal if their descriptions are.
    public static func == (first: Self, second: Self) -> Bool {
        first.description == second.description && first.failure?.description == second.failure?.description
    }
}

extension MutationStep.Change: CustomStringConvertible {
    /// The change in words; a failure includes its error.
    public var description: String {
        switch kind {
        case .began: "began"
        case .ended: "ended"
        case .cancelled: "was cancelled"
        case .failed(let failure): "failed (\(failure.error))"
        }
    }
}
