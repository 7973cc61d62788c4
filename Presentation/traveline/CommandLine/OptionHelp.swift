/// An option of a command, as the help and the completion of a shell know it.
struct OptionHelp: Sendable {
    /// The name with its dashes: `--region`.
    let name: String
    /// The placeholder of its value in the help; `nil` for a flag.
    let placeholder: String?
    /// A description in one clause, without a full stop.
    let summary: String
    /// The values that it can have, all of them; empty when there is no such list.
    let choices: [String]
    /// What a shell completes.
    let completion: Completion

    /// What a shell completes as a value.
    enum Completion: Sendable {
        case nothing, choices, travels, files
    }

    /// A flag.
    init(_ name: String, _ summary: String) {
        self.init(name: name, placeholder: nil, summary: summary, choices: [], completion: .nothing)
    }

    init(_ name: String, _ placeholder: String, completes: Completion = .nothing, _ summary: String) {
        self.init(name: name, placeholder: placeholder, summary: summary, choices: [], completion: completes)
    }

    init(_ name: String, _ placeholder: String, oneOf choices: [String], _ summary: String) {
        self.init(name: name, placeholder: placeholder, summary: summary, choices: choices, completion: .choices)
    }

    private init(
        name: String, placeholder: String?, summary: String, choices: [String], completion: Completion
    ) {
        (self.name, self.placeholder, self.summary) = (name, placeholder, summary)
        (self.choices, self.completion) = (choices, completion)
    }

    /// The name, with the placeholder of the value.
    var term: String { placeholder.map { "\(name) \($0)" } ?? name }
}
