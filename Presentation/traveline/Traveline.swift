import Foundation
import TravelDomain
import TravelPresentation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The command `traveline`: reads the command line, runs the command, and exits with a code that says how it went.
///
/// What was asked for goes to standard output. Everything else is one line on standard error.
@main
struct Traveline {
    static func main() async {
        let code: ExitCode
        do {
            try Standard.prepare()
            code = try await run(Command(Array(CommandLine.arguments.dropFirst())))
        } catch let interruption as Signal.Interruption {
            Standard.note("interrupted; nothing was changed")
            interruption.signal.end()
        } catch let error as OutputError where error.code == EPIPE {
            // Nobody reads any more: end as a program does that never heard of this.
            Signal.endAtClosedPipe()
        } catch {
            code = report(error)
        }
        exit(code.rawValue)
    }

    private static func run(_ command: Command) async throws -> ExitCode {
        switch command {
        case .app(let options): try await InteractiveApp(options).run()
        case .run(let command): try await command.run()
        case .help(let help): try Standard.write(help?.text ?? Command.usage)
        case .version: try Standard.write("traveline \(version)\n")
        }
        return .success
    }

    static let version = "0.1.0"

    private static func report(_ error: any Error) -> ExitCode {
        let (message, code): (String, ExitCode) =
            switch error {
            case let error as UsageError: (error.description, .usage)
            case let error as FileError: (error.description, error.code)
            case let error as CommandError: (error.description, error.code)
            case let error as OutputError: (error.description, .outputError)
            case let error as TravelError: (error.description, error.exitCode)
            default: ("unexpected error: \(error)", .software)
            }
        Standard.note(message.split(whereSeparator: \.isNewline).joined(separator: " "))
        return code
    }
}
