import ViewModels

/// The differences between a state and the expected one, and the code to write if the flow is correct.
struct StateFinding {
    let text: String

    /// `nil` if they are equal.
    ///
    /// - Parameter before: The state that the suggested code starts from.
    init?<State: Equatable>(expected: State, found: State, before: State) {
        if expected == found { return nil }
        let parts = Difference(expected, found).parts
        let lines = parts.map { part in
            "  \(part.path.isEmpty ? "the state" : part.path) is \(part.after ?? "absent"), expected \(part.before ?? "none")"
        }
        let assignments = SourceCode.assignments(from: before, to: found)
        let fix =
            assignments.isEmpty ? "" : "\nIf the flow is correct, write: { \(assignments.joined(separator: "; ")) }"
        text = "the state differs:\n\(lines.joined(separator: "\n"))\(fix)"
    }
}
