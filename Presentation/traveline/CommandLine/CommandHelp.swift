import TravelPresentation
import TravelTerminal

/// The help of a command: `traveline COMMAND --help`. No line is longer than 80 columns.
struct CommandHelp: Sendable {
    let name: String
    /// A description in one clause, without a full stop.
    let summary: Text
    /// How it is written, without the name of the program; one line each.
    let usage: [String]
    /// What there is to know besides the options; one paragraph each.
    var notes: [Text] = []
    /// The arguments of the command besides options, for the completion of a shell; of choices, the first one.
    var words: OptionHelp.Completion = .nothing
    /// Its own options.
    var options: [OptionHelp] = []
    /// Whether it uses a database, and takes the options of all such commands.
    var usesStore = true
    /// Command lines without the name of the program, each with a description.
    let examples: [(line: String, effect: Text)]

    static let width = 80

    var allOptions: [OptionHelp] {
        options + (usesStore ? StoreOptions.help : []) + [.help]
    }

    func text(in language: Language) -> String {
        var lines = ["traveline \(name): \(language[summary])", "", language[.usage]]
        lines += usage.flatMap { Self.wrapped("traveline \($0)", indentation: 2, hanging: 4) }
        for note in notes { lines += [""] + Self.wrapped(language[note]) }
        lines += ["", language[.options]] + allOptions.flatMap { Self.lines(of: $0, in: language, column: 23) }
        lines += ["", language[.examples]]
        for example in examples {
            lines += Self.wrapped("traveline \(example.line)", indentation: 2, hanging: 4)
            lines += Self.wrapped(language[example.effect], indentation: 6)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// An option with its description, which starts at that column.
    static func lines(of option: OptionHelp, in language: Language, column: Int) -> [String] {
        let choices = option.choices.isEmpty ? "" : ": \(option.choices.joined(separator: ", "))"
        return lines(option.term, language[option.summary] + choices, column: column)
    }

    /// A term with a text, from that column on; in a line of its own where it is too wide.
    static func lines(_ term: String, _ text: String, column: Int) -> [String] {
        let lines = wrapped(text, indentation: column)
        let term = "  \(term)"
        guard term.displayWidth <= column - 2, let first = lines.first else { return [term] + lines }
        return [term.padded(toWidth: column) + first.drop { $0 == " " }] + lines.dropFirst()
    }

    /// The text in lines of at most ``width`` columns.
    static func wrapped(_ text: String, indentation: Int = 0, hanging: Int? = nil) -> [String] {
        var lines: [String] = []
        var line = String(repeating: " ", count: indentation)
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.displayWidth + 1 + String(word).displayWidth > width {
                lines.append(line)
                line = String(repeating: " ", count: hanging ?? indentation)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }
}

/// The headings of a help.
extension Text {
    static let usage = Text("Usage:", "사용법:")
    static let options = Text("Options:", "옵션:")
    static let examples = Text("Examples:", "예:")
}

/// An option of a command, as the help and the completion of a shell know it.
struct OptionHelp: Sendable {
    /// The name with its dashes: `--region`.
    let name: String
    /// The placeholder of its value in the help; `nil` for a flag.
    let placeholder: String?
    /// A description in one clause, without a full stop.
    let summary: Text
    let completion: Completion

    /// What a shell completes.
    enum Completion: Sendable {
        case nothing, choices([String]), trips, files

        /// The identifiers of all cases of a type, or another word.
        static func cases<Value: CaseIterable & RawRepresentable<String>>(
            of type: Value.Type, or other: String? = nil
        ) -> Completion {
            .choices(type.allCases.map(\.rawValue) + [other].compactMap(\.self))
        }
    }

    /// A flag.
    init(_ name: String, _ summary: Text) {
        (self.name, self.summary, placeholder, completion) = (name, summary, nil, .nothing)
    }

    init(_ name: String, _ placeholder: String, completes: Completion = .nothing, _ summary: Text) {
        (self.name, self.summary, self.placeholder, completion) = (name, summary, placeholder, completes)
    }

    /// The values that it can have, all of them; empty when there is no such list.
    var choices: [String] { if case .choices(let choices) = completion { choices } else { [] } }

    /// The name, with the placeholder of the value.
    var term: String { placeholder.map { "\(name) \($0)" } ?? name }

    static let json = OptionHelp("--json", Text("print a JSON object", "JSON 객체로 출력"))
    static let jsonArray = OptionHelp("--json", Text("print a JSON array", "JSON 배열로 출력"))
    static let dayOfTrip = OptionHelp("--day", "N", Text("only this day of the trip", "여행의 이 날만"))
    static let help = OptionHelp("--help", Text("shows this text", "이 도움말"))
    static let language = OptionHelp(
        "--lang", "NAME", completes: .cases(of: Language.self), Text("language of the output", "출력 언어"))

    static func format(_ names: [String]) -> OptionHelp {
        OptionHelp("--format", "NAME", completes: .choices(names), Text("the format", "형식"))
    }
}
