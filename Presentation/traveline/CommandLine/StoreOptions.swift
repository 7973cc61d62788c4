import TravelPresentation

/// The options of every command that uses a database.
struct StoreOptions: Sendable {
    /// The path of the database; `nil` for the one in the data directory.
    var database: String?
    /// The name of the account to act as; `nil` for the person who is signed in.
    var account: String?
    /// The language of the output; `nil` for that of the environment.
    var language: Language?

    static let help = [
        OptionHelp("--as", "NAME", "act as this account on the device; a new name makes a new account"),
        OptionHelp("--lang", "NAME", oneOf: Language.allCases.map(\.rawValue), "language of the output"),
        OptionHelp(
            "--database", "PATH", completes: .files, "use this database, not the one in your data directory"),
    ]

    /// Reads one of these options; throws that the command does not have it where it is none.
    mutating func read<Command: CommandLineCommand>(
        _ option: String, _ reader: inout ArgumentReader, for command: Command.Type
    ) throws {
        switch option {
        case "--database": database = try reader.path()
        case "--as": account = try reader.value("NAME")
        case "--lang": language = try reader.language()
        case "--help", "-h": throw HelpRequest()
        default: throw Command.unknown(option)
        }
    }
}
