import TravelDomain
import TravelPresentation

/// An error of a command line or a command, with an exit code.
protocol ReportedError: Error, CustomStringConvertible {
    var code: ExitCode { get }
    func text(in language: Language) -> String
}

/// The reason why a command fails, for the user.
struct CommandError: ReportedError {
    private let text: Text
    let code: ExitCode

    init(_ text: Text, _ code: ExitCode) {
        (self.text, self.code) = (text, code)
    }

    init(_ english: String, _ korean: String, _ code: ExitCode) {
        self.init(Text(english, korean), code)
    }

    /// The failure of a use case, in words.
    init(_ failure: ScreenFailure, _ code: ExitCode) {
        self.init(failure.text, code)
    }

    /// The error of a use case, in words.
    init(_ error: TravelError) {
        if case .signedOut = error {
            self.init(
                "you are not signed in; sign in with: traveline me sign-in", "로그인하지 않았습니다. 로그인: traveline me sign-in",
                error.exitCode)
        } else {
            self.init(error.text, error.exitCode)
        }
    }

    /// The message in English.
    var description: String { text.english }
    func text(in language: Language) -> String { language[text] }
}

extension CommandError {
    /// The error of a command that acts for one user, on a database that is open to whoever has its address.
    static let ownersOnly = CommandError(
        "whoever has the URL of a PostgreSQL database can act as any account in it: connect devices to 'traveline "
            + "serve', or add --owner if the database is yours",
        "PostgreSQL 데이터베이스의 주소를 가진 사람은 그 안에서 누구든 될 수 있습니다. 기기는 'traveline serve'에 연결하고, 내 데이터베이스라면 --owner를 붙이세요",
        .noPermission)

    /// The error of a command that acts for the user of a device, who has signed out at its server.
    static func signedOut(of connection: DeviceConnection) -> CommandError {
        CommandError(
            "you are not signed in; sign in with: traveline connect \(connection.address)",
            "로그인하지 않았습니다. 로그인: traveline connect \(connection.address)", TravelError.signedOut.exitCode)
    }
}

extension UsageError {
    static func otherAccount(than connection: DeviceConnection) -> UsageError {
        UsageError(
            "this device is connected to \(connection.address), with the account that has signed in; omit --as",
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
struct FileError: ReportedError {
    let path: String
    private let reason: CommandError
    /// Whether it cannot be opened at all.
    let isInaccessible: Bool

    init(_ path: String, _ english: String, _ korean: String, _ code: ExitCode, isInaccessible: Bool = false) {
        self.init(path, CommandError(english, korean, code), isInaccessible: isInaccessible)
    }

    init(_ path: String, _ reason: CommandError, isInaccessible: Bool = false) {
        (self.path, self.reason, self.isInaccessible) = (path, reason, isInaccessible)
    }

    var code: ExitCode { reason.code }
    /// The message in English.
    var description: String { text(in: .english) }
    func text(in language: Language) -> String { "\(path): \(reason.text(in: language))" }
    /// The problem and the remedy, without the path.
    var problem: Text { Text(reason.text(in: .english), reason.text(in: .korean)) }
}

extension FileError {
    /// Runs `work` on the database at `path`, puts the errors of use cases into words, and names the database where it
    /// is to blame. Where `path` is the address of a server, `files` are those of the connection: their folder is named
    /// where one of them is to blame.
    static func naming<Value>(
        _ path: String, files: DeviceConnection.Files? = nil, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch let error as TravelError {
            guard case .unavailable(let outage) = error else { throw CommandError(error) }
            throw FileError(outage, of: path, files: files)
        }
    }

    /// Names the place that is to blame for `outage`, as ``naming(_:files:_:)`` does.
    init(_ outage: TravelError.Outage, of path: String, files: DeviceConnection.Files?) {
        let folder = outage.cause.isOfFiles ? files?.folder.path : nil
        self.init(
            folder ?? path, CommandError(.unavailable(outage)),
            isInaccessible: [.inaccessible, .readOnly].contains(outage.cause))
    }
}

extension TravelError.Outage.Cause {
    /// Whether it is a cause of files on this device: no server says so of itself to a device.
    fileprivate var isOfFiles: Bool {
        [
            .busy, .diskFull, .inaccessible, .readOnly, .damagedSession, .notATravelDatabase, .newerVersion,
            .earlierVersion,
        ].contains(self)
    }
}
