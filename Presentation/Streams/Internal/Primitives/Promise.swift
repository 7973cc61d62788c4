/// A value or an error that other code provides and one task awaits. The first result counts; later ones are ignored.
///
/// Resumes the waiting task exactly once, outside the lock. Cancelling that task resolves the promise with a
/// `CancellationError`.
package final class Promise<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case empty
        case awaited(CheckedContinuation<Value, any Error>)
        case resolved(Result<Value, any Error>)
        case taken
    }

    private let state = Mutex(State.empty)

    package init() {}

    /// Provides the result.
    ///
    /// - Returns: Whether this call provided the result; only the first call does.
    @discardableResult
    package func resolve(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .empty:
                state = .resolved(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .taken
                return (true, continuation)
            case .resolved, .taken: return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }

    /// Waits for the value. Called at most once.
    ///
    /// - Parameter onCancel: Called on the cancelling thread if the waiting task is cancelled before there is a result.
    package func value(onCancel: @escaping @Sendable () -> Void = {}) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Value, any Error>? in
                    if case .resolved(let result) = state {
                        state = .taken
                        return result
                    }
                    state = .awaited(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            if resolve(.failure(CancellationError())) { onCancel() }
        }
    }
}
