import TravelDomain
import TravelPresentation

/// The reason why a command fails, for the person, and the exit code.
struct CommandError: Error, CustomStringConvertible {
    let description: String
    let code: ExitCode

    init(_ description: String, _ code: ExitCode) {
        self.description = description
        self.code = code
    }

    /// The error of a use case, in words.
    init(_ error: TravelError, in language: Language) {
        code = error.exitCode
        if case .signedOut = error {
            description = language.say(
                "nobody is signed in; sign in with: traveline me sign-in", "로그인하지 않았습니다. 로그인: traveline me sign-in")
        } else {
            description = ErrorMessage(error, in: language).text
        }
    }
}

extension TravelError {
    var exitCode: ExitCode {
        switch self {
        case .unavailable(let outage): outage.canRetry ? .temporaryFailure : .unavailable
        case .forbidden, .signedOut: .noPermission
        case .outdated: .temporaryFailure
        case .notFound, .conflict, .refused, .invalid: .dataError
        }
    }
}
