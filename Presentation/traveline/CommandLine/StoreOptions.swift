import Foundation
import TravelPresentation

/// The options of every command that uses a database.
struct StoreOptions: Sendable {
    /// Where the database is; `nil` for what the environment names, or else the one in the data directory.
    var database: StoreLocation?
    /// The name of the account to act as; `nil` for the signed-in person.
    var account: String?
    /// The language of the output; `nil` for that of the environment.
    var language: Language?

    static let help = [
        OptionHelp("--as", "NAME", "act as this account on the device; a new name makes a new account"),
        OptionHelp("--lang", "NAME", oneOf: Language.allCases.map(\.rawValue), "language of the output"),
        OptionHelp(
            "--database", "PLACE", completes: .files,
            "use this file or server (postgresql://user@host/name), not your own database"),
    ]

    /// The variable of the environment that names a database for all commands.
    static let variable = "TRAVELINE_DATABASE"

    /// Where the database is: by the command line, by the environment, or in the data directory; and whether the person
    /// has named it.
    ///
    /// - Throws: `UsageError` when the environment names neither a file nor a server, or there is no data directory.
    func location(
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> (location: StoreLocation, isNamed: Bool) {
        if let database { return (database, true) }
        if let text = environment[Self.variable], !text.isEmpty {
            guard let location = StoreLocation(text) else { throw StoreLocation.unreadable(Self.variable) }
            return (location, true)
        }
        return (.file(try DataDirectory.databasePath(in: environment)), false)
    }

    /// Reads one of these options; throws that the command does not have it where it is none.
    mutating func read<Command: CommandLineCommand>(
        _ option: String, _ reader: inout ArgumentReader, for command: Command.Type
    ) throws {
        switch option {
        case "--database": database = try reader.location()
        case "--as": account = try reader.value("NAME")
        case "--lang": language = try reader.language()
        case "--help", "-h": throw HelpRequest()
        default: throw Command.unknown(option)
        }
    }
}
