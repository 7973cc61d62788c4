import ViewModels

/// The differences between a state and the expected one, and the code to write if the flow is correct.
struct StateFinding {
    let text: String

    /// `nil` if they are equal.
    ///
    /// - Parameter before: The state that the suggested code starts from.
    init?<State: Equatable>(expected: State, found: State, before: State) {
        if Difference.areSame(expected, found) { return nil }
        let parts = Difference(expected, found).parts
        let lines = parts.map { part in
            "  \(part.path.isEmpty ? "the state" : part.path) is \(part.after ?? "absent"), expected \(part.before ?? "none")"
        }
        let closure = SourceCode.closure(from: before, to: found)
        let fix = closure.map { "\nIf the flow is correct, write: \($0)" } ?? ""
        text = "the state differs:\n\(lines.joined(separator: "\n"))\(fix)"
    }
}

/// An expectation of a test.
struct Expected<Value> {
    let matches: (Value) -> Bool
    /// The expectation in words.
    let text: String
    /// The expectation as an argument of `receive`.
    let code: String
    /// The differences of a value that does not match, one line for each part.
    let difference: (Value) -> [String]

    /// Expects a value that satisfies a condition.
    init(where matches: @escaping (Value) -> Bool) {
        self.matches = matches
        text = "a value that satisfies the closure"
        code = "where: { … }"
        difference = { _ in [] }
    }

    /// Expects a value at a key path.
    init<Part>(_ part: KeyPath<Value, Part?>) {
        matches = { $0[keyPath: part] != nil }
        let name = "\(part)".split(separator: ".").last.map { ".\($0)" } ?? "\(part)"
        text = name
        code = "\\\(name)"
        difference = { _ in [] }
    }
}

extension Expected where Value: Equatable {
    /// Expects an equal value.
    init(_ value: Value) {
        matches = { Difference.areSame($0, value) }
        text = "\(value)"
        code = SourceCode.expression(value) ?? "\(value)"
        difference = { Difference(value, $0).lines }
    }
}
