/// The reason why something on a screen failed, without a language: ``text`` is its message.
///
/// Screens keep it in their state, so that a change of the language changes what they show.
public enum ScreenFailure: Error, Hashable, Sendable {
    /// An error of the domain, which has a message of its own.
    case domain(TravelError)
    /// A signed-in user entered a wrong password, where nothing else was asked for.
    case wrongPassword
    /// A file that the user has picked cannot be used; the text says why, and how to mend it.
    case file(String, Text)
    /// What was deleted is there again, or something else was deleted since.
    case cannotUndo
    /// Any other error. Its details are not shown.
    case unknown

    /// Creates the failure of `error`: unknown, unless it is an error of the domain.
    public init(_ error: any Error) {
        switch error {
        case let failure as ScreenFailure: self = failure
        case let error as TravelError: self = .domain(error)
        default: self = .unknown
        }
    }

    /// Runs an asynchronous function that needs nothing but the password of the user, and throws ``wrongPassword`` when
    /// that is wrong.
    public static func checkingPassword<Value>(_ operation: () async throws -> Value) async throws -> Value {
        do {
            return try await operation()
        } catch TravelError.wrongCredentials {
            throw ScreenFailure.wrongPassword
        }
    }

    /// Whether the same call may succeed later without any change.
    public var canRetry: Bool {
        switch self {
        case .domain(.unavailable(let outage)): outage.canRetry
        case .domain, .wrongPassword, .cannotUndo, .file: false
        case .unknown: true
        }
    }

    /// One or two sentences: the problem, and the remedy.
    public var text: Text {
        switch self {
        case .domain(let error): error.text
        case .wrongPassword: Text("The password is wrong.", "비밀번호가 맞지 않습니다.")
        case .file(let name, let problem):
            Text("\(name): \(problem.english)", "\(name): \(problem.korean)")
        case .cannotUndo:
            Text(
                "This can no longer be undone: it is back already, or something else was deleted since.",
                "더 이상 되돌릴 수 없습니다. 이미 되살렸거나, 그 뒤에 다른 것을 삭제했습니다.")
        case .unknown: Text("Something went wrong. Try again.", "문제가 생겼습니다. 다시 시도해 주세요.")
        }
    }

    /// The ``text`` in a language.
    public func text(in language: Language) -> String { language[text] }
}

extension Result where Failure == ScreenFailure {
    /// Runs an asynchronous function, and keeps its value or its error: `await Result { try await store.load() }`.
    public init(_ operation: () async throws -> Success) async {
        do {
            self = .success(try await operation())
        } catch {
            self = .failure(ScreenFailure(error))
        }
    }
}

/// The result of an operation without a value.
public enum Outcome: Hashable, Sendable {
    case done
    case failed(ScreenFailure)

    /// Runs an asynchronous function, and keeps its error: `await Outcome { try await store.save(draft) }`.
    public init(_ operation: () async throws -> Void) async {
        switch await Result(operation) {
        case .success: self = .done
        case .failure(let failure): self = .failed(failure)
        }
    }

    public var failure: ScreenFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }
}
