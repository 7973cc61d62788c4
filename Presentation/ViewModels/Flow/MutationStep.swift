/// One thing that a running ``MutationFlow`` did: what a trace is made of.
///
/// Actions and side effects are numbered from 1, each in the order in which the flow met them.
public enum MutationStep<State: Sendable, Action: Sendable, SideEffect: Sendable>: Sendable {
    /// A side effect changed the state.
    case reduced(Reduction)
    /// Something became of an action.
    case action(Action, number: Int, Change)
    /// The screen was dismissed: the last step.
    case dismissed

    /// What a side effect did to the state.
    public struct Reduction: Sendable {
        /// Counts the side effects, from 1.
        public let number: Int
        /// What changed the state.
        public let sideEffect: SideEffect
        /// The number of the action that it came from; `nil` if it came from elsewhere, by
        /// ``MutationFlow/transform(mutations:)``, or later than that was told of it.
        public let action: Int?
        /// The state that it met.
        public let before: State
        /// The state that it left.
        public let after: State

        /// A reduction, such as a test hands to who hears the steps.
        public init(number: Int, sideEffect: SideEffect, action: Int?, before: State, after: State) {
            self.number = number
            self.sideEffect = sideEffect
            self.action = action
            self.before = before
            self.after = after
        }
    }

    /// What became of an action.
    public enum Change: Sendable {
        /// It was transformed, and its stream runs.
        case began
        /// Its stream is complete.
        case ended
        /// Its stream was cancelled.
        case cancelled
        /// Its stream failed, and so ended.
        case failed(EffectFailure)
    }

    /// The step of the loop that stands for it.
    @usableFromInline
    init(_ step: FlowStep<State, SideEffect, Action, Never>) {
        switch step {
        case .reduced(let reduction):
            let action: Int? = if case .effect(let number) = reduction.cause { number } else { nil }
            self = .reduced(
                Reduction(
                    number: reduction.number, sideEffect: reduction.action, action: action, before: reduction.before,
                    after: reduction.after))
        case .effect(let effect, let change):
            let change: Change =
                switch change {
                case .started, .queued: .began
                case .ended: .ended
                case .ignored, .cancelled: .cancelled
                case .failed(let failure): .failed(failure)
                }
            self = .action(effect.sideEffect, number: effect.number, change)
        case .dismissed: self = .dismissed
        }
    }

    /// The step in words; what a side effect changed is indented.
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

extension MutationStep.Change: CustomStringConvertible {
    /// What became of it, in a word; of a failure, with its error.
    public var description: String {
        switch self {
        case .began: "began"
        case .ended: "ended"
        case .cancelled: "was cancelled"
        case .failed(let failure): "failed (\(failure.error))"
        }
    }
}
