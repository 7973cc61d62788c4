import Foundation
import TravelDomain
import TravelPresentation

/// The command `traveline`: reads the command line, runs the command, and exits with a code that says how it went.
///
/// The requested output goes to standard output. Everything else is one line on standard error.
@main
struct Traveline {
    static func main() async {
        DependencyValues.prepare { $0.places = KoreanPlaces() }
        let arguments = Standard.arguments
        var language = language(of: arguments) ?? Standard.language
        let code: ExitCode
        do {
            try Standard.prepare()
            let command = try Command(arguments)
            if case .app(let options, _) = command, options.language == nil {
                // Without a data directory, the app fails with the reason.
                language = (try? StateFiles(in: ProcessInfo.processInfo.environment))?.language ?? language
            }
            code = try await run(command, in: language)
        } catch let interruption as Signal.Interruption {
            Standard.note(language.say("interrupted; nothing was changed", "중단되었습니다. 아무것도 바꾸지 않았습니다"))
            interruption.signal.end()
        } catch let error as OutputError where error.number == EPIPE {
            // The reader has closed the pipe: end as the default action of SIGPIPE does.
            Signal.endAtClosedPipe()
        } catch {
            code = report(error, in: language)
        }
        exit(code.rawValue)
    }

    private static func run(_ command: Command, in language: Language) async throws -> ExitCode {
        switch command {
        case .app(let options, let link): try await InteractiveApp(options, opening: link).run()
        case .run(let command): try await command.run()
        case .help(let help): try Standard.write(help?.text(in: language) ?? Command.usage(in: language))
        case .version: try Standard.write("traveline \(version)\n")
        }
        return .success
    }

    static let version = "0.1.0"

    /// The language that the command line asks for, also one that cannot be understood otherwise.
    private static func language(of arguments: [String]) -> Language? {
        let values = zip(arguments, arguments.dropFirst()).filter { $0.0 == "--lang" }.map(\.1)
        let inline = arguments.filter { $0.hasPrefix("--lang=") }.map { String($0.dropFirst(7)) }
        return (values + inline).lazy.compactMap { Language(rawValue: $0) }.first
    }

    private static func report(_ error: any Error, in language: Language) -> ExitCode {
        let (message, code): (String, ExitCode) =
            switch error {
            case let error as any ReportedError: (error.text(in: language), error.code)
            case let error as TravelError: (error.description, error.exitCode)
            default: ("unexpected error: \(error)", .software)
            }
        Standard.note(message.split(whereSeparator: \.isNewline).joined(separator: " "))
        return code
    }
}
