/// The message of an error on a screen, and whether a retry may help.
///
/// ```swift
/// let error = TravelError.unavailable(.init("The disk is full.", canRetry: false))
/// ErrorMessage(error, in: .english).canRetry    // false
/// ```
public struct ErrorMessage: Error, Hashable, Sendable {
    /// One or two sentences: the problem, and the remedy.
    public let text: String
    /// Whether the screen offers a retry, because it may succeed.
    public let canRetry: Bool

    /// Creates a message with a text in the language of the screen.
    public init(_ text: String, canRetry: Bool) {
        self.text = text
        self.canRetry = canRetry
    }

    /// Creates the message for `error`: the reason of a domain error, or a general sentence.
    public init(_ error: any Error, in language: Language) {
        let failure = ScreenFailure(error)
        text =
            switch language {
            case .english: failure.english
            case .korean: failure.korean
            }
        canRetry = failure.canRetry
    }
}

/// The reason why something on a screen failed, without a language: ``ErrorMessage`` is its text.
///
/// Screens keep it in their state, so that a change of the language changes what they show.
///
/// ```swift
/// ScreenFailure(TravelError.signedOut)         // .travel(.signedOut)
/// ScreenFailure(URLError(.timedOut))           // .unknown
/// ```
public enum ScreenFailure: Error, Hashable, Sendable {
    /// An error of the domain, which has a message of its own.
    case travel(TravelError)
    /// Any other error. Its details are not shown.
    case unknown

    /// Creates the failure of `error`: unknown, unless it is an error of the domain.
    public init(_ error: any Error) {
        switch error {
        case let failure as ScreenFailure: self = failure
        case let error as TravelError: self = .travel(error)
        default: self = .unknown
        }
    }

    /// Whether the same call may succeed later without any change.
    public var canRetry: Bool {
        switch self {
        case .travel(.unavailable(let outage)): outage.canRetry
        case .travel: false
        case .unknown: true
        }
    }

    /// Returns the message in a language, with whether a retry may help.
    public func message(in language: Language) -> ErrorMessage {
        ErrorMessage(self, in: language)
    }
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

/// The result of an operation without a value: done, or failed.
///
/// ```swift
/// let outcome = await Outcome { try await deleteTravel(id) }
/// if let failure = outcome.failure { show(failure.message(in: .english)) }
/// ```
public enum Outcome: Hashable, Sendable {
    /// The operation succeeded; there is nothing to show.
    case done
    /// The operation failed, for the reason in the value.
    case failed(ScreenFailure)

    /// Runs an asynchronous function, and keeps its error: `await Outcome { try await store.save(draft) }`.
    public init(_ operation: () async throws -> Void) async {
        do {
            try await operation()
            self = .done
        } catch {
            self = .failed(ScreenFailure(error))
        }
    }

    /// The reason of the failure; `nil` if it succeeded.
    public var failure: ScreenFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }
}
