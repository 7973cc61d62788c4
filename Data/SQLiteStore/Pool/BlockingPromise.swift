internal import Dispatch

/// A result that one thread waits for and another brings.
final class BlockingPromise<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let arrived = DispatchSemaphore(value: 0)

    /// Brings the result; once only.
    func fulfil(_ result: Result<Value, any Error>) {
        self.result.withLock { $0 = result }
        arrived.signal()
    }

    /// Waits for the result, and blocks the thread meanwhile.
    func wait() throws -> Value {
        arrived.wait()
        // The semaphore is signalled after the result was set.
        return try result.withLock { $0! }.get()
    }
}
