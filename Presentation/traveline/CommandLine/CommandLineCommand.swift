/// A command of the command line, with the values of its options.
///
/// Each is in a folder of its own in `Commands`, and in ``Command/all``.
protocol CommandLineCommand: Sendable {
    /// The help, from which the completion of a shell is generated as well.
    static var help: CommandHelp { get }

    /// Reads the options and words behind the name of the command.
    ///
    /// - Throws: `UsageError` for an invalid command line; `HelpRequest` for a request of help.
    init(_ reader: inout ArgumentReader) throws

    /// Runs the command.
    func run() async throws
}

extension CommandLineCommand {
    /// The error for an option that the command does not have.
    static func unknown(_ option: String) -> UsageError {
        UsageError(
            "\(help.name) has no option \(option); see traveline \(help.name) --help",
            "\(help.name)에는 \(option) 옵션이 없습니다. 도움말: traveline \(help.name) --help")
    }

    /// The error for a word that the command cannot use.
    static func surplus(_ word: String) -> UsageError {
        UsageError(
            "\(help.name) cannot use the word '\(word)'; see traveline \(help.name) --help",
            "\(help.name)에는 '\(word)'을(를) 쓸 수 없습니다. 도움말: traveline \(help.name) --help")
    }

    /// The error for something that is missing.
    static func missing(_ what: String, _ korean: String) -> UsageError {
        UsageError(
            "\(help.name) needs \(what); see traveline \(help.name) --help",
            "\(help.name)에 필요합니다: \(korean). 도움말: traveline \(help.name) --help")
    }
}

/// The command line requests help.
struct HelpRequest: Error {}
