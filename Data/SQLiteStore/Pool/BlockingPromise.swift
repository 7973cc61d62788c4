internal import Dispatch

/// A result that one thread sets and another thread waits for.
final class BlockingPromise<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let arrived = DispatchSemaphore(value: 0)

    /// Sets the result. Call this once.
    func fulfil(_ result: Result<Value, any Error>) {
        self.result.withLock { $0 = result }
        arrived.signal()
    }

    /// Blocks the thread until the result is set, and returns it.
    func wait() throws -> Value {
        arrived.wait()
        // The result is set before the semaphore is signalled.
        return try result.withLock { $0! }.get()
    }
}
