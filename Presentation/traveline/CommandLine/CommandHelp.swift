import TravelTerminal

/// The help of a command: `traveline COMMAND --help`. No line is longer than 80 columns.
struct CommandHelp: Sendable {
    /// The name of the command.
    let name: String
    /// What it does, in one clause without a full stop.
    let summary: String
    /// How it is written, without the name of the program; one line each.
    let usage: [String]
    /// What there is to know besides the options; one paragraph each.
    var notes: [String] = []
    /// What stands on the line besides options, and what a shell completes there.
    var words: OptionHelp.Completion = .nothing
    /// The words that come first, if they are a fixed list.
    var actions: [String] = []
    /// Its own options.
    var options: [OptionHelp] = []
    /// Whether it uses a database, and takes the options of all such commands.
    var usesStore = true
    /// Command lines without the name of the program, each with what it does.
    let examples: [(line: String, effect: String)]

    static let width = 80

    /// All options, those of every command included.
    var allOptions: [OptionHelp] {
        options + (usesStore ? StoreOptions.help : []) + [OptionHelp("--help", "shows this text")]
    }

    /// The text of the help.
    var text: String {
        var lines = ["traveline \(name): \(summary)", "", "Usage:"]
        lines += usage.flatMap { Self.wrapped("traveline \($0)", indentation: 2, hanging: 4) }
        for note in notes { lines += [""] + Self.wrapped(note) }
        lines += ["", "Options:"] + allOptions.flatMap(Self.lines)
        lines += ["", "Examples:"]
        for example in examples {
            lines += Self.wrapped("traveline \(example.line)", indentation: 2, hanging: 4)
            lines += Self.wrapped(example.effect, indentation: 6)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of option: OptionHelp) -> [String] {
        let column = 23
        let choices = option.choices.isEmpty ? "" : ": \(option.choices.joined(separator: ", "))"
        let text = wrapped(option.summary + choices, indentation: column)
        let term = "  \(option.term)"
        guard term.displayWidth <= column - 2, let first = text.first else { return [term] + text }
        return [term.padded(toWidth: column) + first.drop { $0 == " " }] + text.dropFirst()
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
