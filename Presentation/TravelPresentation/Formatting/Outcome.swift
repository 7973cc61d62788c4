/// How an operation without a value ended.
public enum Outcome: Hashable, Sendable {
    /// It succeeded.
    case done
    /// It failed.
    case failed(ScreenFailure)

    /// The outcome of an asynchronous function.
    init(_ operation: () async throws -> Void) async {
        do {
            try await operation()
            self = .done
        } catch {
            self = .failed(ScreenFailure(error))
        }
    }

    /// Why it failed; `nil` if it succeeded.
    public var failure: ScreenFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }
}
