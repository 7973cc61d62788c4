import ViewModels

/// How a state differs from the one that was expected, in words, and what to write if the flow is right.
struct StateFinding {
    let text: String

    /// `nil` if they are equal.
    init?<State: Equatable>(expected: State, found: State) {
        if expected == found { return nil }
        let parts = Difference(expected, found).parts
        let lines = parts.map { part in
            "  \(part.path.isEmpty ? "it" : part.path) is \(part.after ?? "not there"), expected \(part.before ?? "nothing")"
        }
        let assignments = parts.compactMap { part -> String? in
            guard let value = part.after, !part.path.isEmpty, !part.path.contains("[") else { return nil }
            return "$0.\(part.path) = \(value)"
        }
        let fix =
            assignments.isEmpty ? "" : "\nIf the flow is right, say so: { \(assignments.joined(separator: "; ")) }"
        text = "the state differs:\n\(lines.joined(separator: "\n"))\(fix)"
    }
}
