/// A value that one task waits for and that someone else provides, or an error; whichever comes first counts.
///
/// The waiting task is resumed exactly once, after the lock was released. Cancelling it resolves the wait with a
/// `CancellationError`.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case empty
        case awaited(CheckedContinuation<Value, any Error>)
        case resolved(Result<Value, any Error>)
        case taken
    }

    private let state = Mutex(State.empty)

    package init() {}

    /// Provides the value or the error.
    ///
    /// - Returns: Whether it was the first to do so.
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

    /// Waits for the value. To be called once.
    ///
    /// - Parameter onCancel: Called when the task that waits is cancelled before there is a value, on the thread that
    ///   cancels it.
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
