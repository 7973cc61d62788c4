/// One thing that a running flow did: what a trace is made of.
///
/// Actions and side effects are numbered from 1, in the order in which the flow met them. An action tells which effect
/// sent it, and an effect which action asked for it: so every state and every event leads back to what was sent.
///
/// ```swift
/// let store = FlowStore(Search().traced { step in log(step) })
/// ```
public enum FlowStep<State: Sendable, Action: Sendable, SideEffect: Sendable, Event: Sendable>: Sendable {
    /// An action was reduced.
    case reduced(Reduction)
    /// That action raised an event.
    case raised(Event, action: Int)
    /// Something became of a side effect.
    case effect(Effect, Change)
    /// The screen was dismissed: the last step.
    case dismissed

    /// What an action did to the state.
    public struct Reduction: Sendable {
        /// Counts the actions, from 1.
        public let number: Int
        /// What happened.
        public let action: Action
        /// Where it came from.
        public let cause: FlowCause
        /// The state that it met.
        public let before: State
        /// The state that it left.
        public let after: State
        /// What is to be done next.
        public let next: Next<SideEffect, Event>

        /// A reduction, such as a test hands to who hears the steps.
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

    /// A side effect that an action asked for.
    public struct Effect: Sendable {
        /// Counts the side effects, from 1.
        public let number: Int
        /// What is to be carried out.
        public let sideEffect: SideEffect
        /// The number of the action that asked for it.
        public let action: Int

        /// A side effect, such as a test hands to who hears the steps.
        @inlinable
        public init(number: Int, sideEffect: SideEffect, action: Int) {
            self.number = number
            self.sideEffect = sideEffect
            self.action = action
        }
    }

    /// What became of a side effect.
    public enum Change: Sendable {
        /// It was started.
        case started
        /// It waits until those before it have ended.
        case queued
        /// It was not started, for one like it runs.
        case ignored
        /// Its stream is complete.
        case ended
        /// It was cancelled, started or not.
        case cancelled
        /// Its stream failed, and so ended.
        case failed(EffectFailure)
    }
}

/// Where an action came from.
public enum FlowCause: Hashable, Sendable {
    /// It was sent from outside.
    case sent
    /// The side effect with that number sent it.
    case effect(Int)
}

extension Flow {
    /// A step of this flow.
    public typealias Step = FlowStep<State, Action, SideEffect, Event>
}
