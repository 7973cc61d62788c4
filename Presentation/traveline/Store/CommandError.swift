import TravelDomain
import TravelPresentation

/// The reason why a command fails, for the user, and the exit code.
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
            description = ScreenFailure(error).text(in: language)
        }
    }
}

extension CommandError {
    /// The error of a command that acts for one user, on a database that is open to whoever has its address.
    static func ownersOnly(in language: Language) -> CommandError {
        CommandError(
            language.say(
                "who holds the address of a PostgreSQL database is everybody in it: connect devices to 'traveline serve', or "
                    + "add --owner if the database is yours",
                "PostgreSQL 데이터베이스의 주소를 가진 사람은 그 안에서 누구든 될 수 있습니다. 기기는 'traveline serve'에 연결하고, 내 데이터베이스라면 --owner를 붙이세요"
            ), .noPermission)
    }

    /// The error of a command that acts for the user of a device, who has signed out at its server.
    static func signedOut(of connection: DeviceConnection, in language: Language) -> CommandError {
        CommandError(
            language.say(
                "nobody is signed in; sign in with: traveline connect \(connection.address)",
                "로그인하지 않았습니다. 로그인: traveline connect \(connection.address)"), TravelError.signedOut.exitCode)
    }
}

extension UsageError {
    static func otherAccount(than connection: DeviceConnection) -> UsageError {
        UsageError(
            "this device is connected to \(connection.address), where you are who has signed in: leave --as out",
            "\(connection.address)에 연결되어 있으며, 로그인한 사람으로만 쓸 수 있습니다. --as를 빼세요")
    }
}

extension TravelError {
    var exitCode: ExitCode {
        switch self {
        case .unavailable(let outage): outage.canRetry ? .temporaryFailure : .unavailable
        case .forbidden, .signedOut, .wrongCredentials: .noPermission
        case .outdated: .temporaryFailure
        case .notFound, .conflict, .refused, .invalid: .dataError
        }
    }
}

/// A file that cannot be used: which, why, and what to do.
struct FileError: Error, CustomStringConvertible {
    let path: String
    let reason: String
    let code: ExitCode
    /// Whether it cannot be opened at all.
    var isInaccessible = false

    var description: String { "\(path): \(reason)" }
}

extension FileError {
    /// Runs `work` on the database at `path`, puts the errors of use cases into words, and names the database where it
    /// is to blame.
    static func naming<Value>(
        _ path: String, in language: Language, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch let error as TravelError {
            let message = CommandError(error, in: language)
            guard case .unavailable(let outage) = error else { throw message }
            throw FileError(
                path: path, reason: message.description, code: message.code,
                isInaccessible: [.inaccessible, .readOnly].contains(outage.cause))
        }
    }
}
