/// What has to hold of a value, and what is wrong where it does not.
///
/// ```swift
/// let short = Rule(NicknameProblem.tooShort, unless: { $0.count >= 2 })
/// short.problem("a")       // .tooShort
/// short.problem("ann")     // nil
/// ```
public struct Rule<Value, Problem>: Sendable {
    /// What is wrong with a value; `nil` if nothing is.
    public let problem: @Sendable (Value) -> Problem?

    /// A rule that says itself what is wrong.
    public init(_ problem: @escaping @Sendable (Value) -> Problem?) {
        self.problem = problem
    }

    /// A rule broken by every value for which `holds` is false.
    public init(_ problem: Problem, unless holds: @escaping @Sendable (Value) -> Bool) where Problem: Sendable {
        self.init { holds($0) ? nil : problem }
    }
}
