import ViewModels

/// How a state differs from the one that was expected, in words, and what to write if the flow is right.
struct StateFinding {
    let text: String

    /// `nil` if they are equal.
    ///
    /// - Parameter before: The state that the suggested code starts from.
    init?<State: Equatable>(expected: State, found: State, before: State) {
        if expected == found { return nil }
        let parts = Difference(expected, found).parts
        let lines = parts.map { part in
            "  \(part.path.isEmpty ? "it" : part.path) is \(part.after ?? "not there"), expected \(part.before ?? "nothing")"
        }
        let assignments = SourceCode.assignments(from: before, to: found)
        let fix =
            assignments.isEmpty ? "" : "\nIf the flow is right, write: { \(assignments.joined(separator: "; ")) }"
        text = "the state differs:\n\(lines.joined(separator: "\n"))\(fix)"
    }
}
