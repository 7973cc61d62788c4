import TravelDomain
import TravelPresentation

/// A command line that cannot be understood, with how to correct it.
struct UsageError: Error, CustomStringConvertible {
    /// The message in English.
    let description: String
    private let korean: String

    init(_ english: String, _ korean: String) {
        description = english
        self.korean = korean
    }

    /// The message in that language.
    func text(in language: Language) -> String { language.say(description, korean) }
}

extension TravelError {
    /// The error in Korean.
    var korean: String { ErrorMessage(self, in: .korean).text }
}

/// The exit codes of this command: those of BSD's `sysexits.h`.
enum ExitCode: Int32 {
    case success = 0
    /// The command line is wrong.
    case usage = 64
    /// The content of a file, or the request, is invalid.
    case dataError = 65
    /// A file to be read does not exist or cannot be read.
    case noInput = 66
    /// The database cannot be used now.
    case unavailable = 69
    /// A mistake in this program.
    case software = 70
    /// A file cannot be created.
    case cannotCreate = 73
    /// The output cannot be written to standard output.
    case outputError = 74
    /// It may succeed if it is tried again.
    case temporaryFailure = 75
    /// The person is not allowed to do that, or nobody is signed in.
    case noPermission = 77
}
