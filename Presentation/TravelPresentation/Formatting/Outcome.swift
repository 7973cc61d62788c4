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
