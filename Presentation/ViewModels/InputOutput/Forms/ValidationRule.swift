/// A condition on a value, with the problem of values that violate it.
///
/// ```swift
/// let short = ValidationRule(NicknameProblem.tooShort, unless: { $0.count >= 2 })
/// short.problem("a")       // .tooShort
/// short.problem("ann")     // nil
/// ```
public struct ValidationRule<Value, Problem>: Sendable {
    /// Returns the problem of a value; `nil` if there is none.
    public let problem: @Sendable (Value) -> Problem?

    /// Creates a rule from a function that returns the problem.
    public init(_ problem: @escaping @Sendable (Value) -> Problem?) {
        self.problem = problem
    }

    /// Creates a rule with `problem` for each value for which `holds` returns `false`.
    public init(_ problem: Problem, unless holds: @escaping @Sendable (Value) -> Bool) where Problem: Sendable {
        self.init { holds($0) ? nil : problem }
    }
}
