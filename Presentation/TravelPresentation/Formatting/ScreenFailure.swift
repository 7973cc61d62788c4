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
